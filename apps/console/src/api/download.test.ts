import { afterEach, expect, it, vi } from 'vitest'
import { download } from './download.ts'
import { setTransport, type FileAnswer } from './transport.ts'

const assign = vi.fn()

afterEach(() => {
  assign.mockClear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function answering(answer: FileAnswer) {
  const saved: { download: string }[] = []
  vi.stubGlobal('document', {
    createElement: () => {
      const link = { download: '', href: '', click: () => void saved.push({ download: link.download }) }
      return link
    },
  })
  vi.stubGlobal('window', { location: { pathname: '/disks', search: '', assign } })
  vi.spyOn(console, 'error').mockReturnValue()
  setTransport({
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
  answering({ status: 401, headers: {}, file: new Blob(['{}']) })
  await expect(download('/v1/export')).rejects.toMatchObject({ status: 401 })
  expect(assign).toHaveBeenCalledWith('/login?redirect_uri=%2Fdisks')
})
