import { afterEach, expect, it, vi } from 'vitest'
import { download } from './download.ts'
import { setTransport, type FileAnswer } from './transport.ts'

const assign = vi.fn()

afterEach(() => {
  assign.mockClear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function answering(answer: FileAnswer, set = setTransport) {
  const saved: { download: string }[] = []
  vi.stubGlobal('document', {
    createElement: () => {
      const link = { download: '', href: '', click: () => void saved.push({ download: link.download }) }
      return link
    },
  })
  vi.stubGlobal('window', { location: { pathname: '/disks', search: '', assign } })
  vi.spyOn(console, 'error').mockReturnValue()
  set({
    send: () => Promise.reject(new Error('not used')),
    openSocket: () => ({ send: () => undefined, close: () => undefined }),
    readFile: () => Promise.resolve(answer),
  })
  return saved
}

it('an export is saved under the name that the server gives it', async () => {
  const headers = { 'content-disposition': 'attachment; filename="disks.csv"' }
  const saved = answering({ status: 200, headers, file: new Blob(['name']) })
  await download('/v1/export')
  expect(saved).toEqual([{ download: 'disks.csv' }])
})

it.each([403, 429, 503])(
  'an export that is refused with %i is not saved, and its reason is thrown',
  async (status) => {
    const file = new Blob([JSON.stringify({ message: 'not now', request_id: 'r' })])
    const saved = answering({ status, headers: {}, file })
    await expect(download('/v1/export')).rejects.toMatchObject({ status, message: 'not now' })
    expect(saved).toEqual([])
  },
)

it('an export after the end of the session leads to sign-in', async () => {
  // A page leaves for sign-in once, and another test of this process may have left already.
  vi.resetModules()
  const page = { ...(await import('./transport.ts')), ...(await import('./download.ts')) }
  answering({ status: 401, headers: {}, file: new Blob(['{}']) }, page.setTransport)
  await expect(page.download('/v1/export')).rejects.toMatchObject({ status: 401 })
  expect(assign).toHaveBeenCalledWith('/login?redirect_uri=%2Fdisks')
})
