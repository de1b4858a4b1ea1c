import { diskList } from '@purlin/contract/operations/disks'
import { describe, expect, it } from 'vitest'
import { load, queryClient } from '../api.ts'
import { setLink } from '../transport.ts'
import { isFound, listPage } from './listPage.ts'
import { pagingSearch } from './paging.ts'

const disk = (name: string, more: object = {}) => ({
  id: '00000000-0000-4000-8000-0000000000aa',
  name,
  description: '',
  block_size: 512,
  device_path: `/mnt/${name}`,
  disk_type: 'distributed',
  project_id: '00000000-0000-4000-8000-0000000000bb',
  size: 1024,
  state: { state: 'detached' },
  time_created: '2026-01-01T00:00:00Z',
  time_modified: '2026-01-01T00:00:00Z',
  ...more,
})

/** A server whose list of disks comes in pages of two. */
function serverOf(names: string[]) {
  const urls: string[] = []
  setLink({
    send: ({ url }) => {
      urls.push(url)
      const at = Number(new URLSearchParams(url.split('?')[1]).get('page_token') ?? 0)
      const page = {
        items: names.slice(at, at + 2).map((name) => disk(name)),
        next_page: at + 2 < names.length ? String(at + 2) : null,
      }
      return Promise.resolve({
        status: 200,
        header: () => null,
        text: () => Promise.resolve(JSON.stringify(page)),
      })
    },
    openSocket: () => {
      throw new Error('not used')
    },
  })
  return urls
}
const ask = (search: Record<string, unknown>) =>
  load({ ...listPage(diskList, { project: 'demo' }, pagingSearch(search)), staleTime: 0 })

describe('a list', () => {
  it('is one page of the operation unless its address searches', async () => {
    const urls = serverOf(['a', 'b', 'c'])
    expect((await ask({ size: 25 })).items.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(urls).toEqual(['/v1/disks?limit=25&project=demo'])
  })

  it('that is searched goes through all pages, reads them once, and counts', async () => {
    queryClient.clear()
    const urls = serverOf(['web-1', 'data', 'web-2', 'logs', 'Web-3'.toLowerCase()])
    const found = await ask({ find: ' WEB ', page: 'ignored' })
    expect(found.items.map(({ name }) => name)).toEqual(['web-1', 'web-2', 'web-3'])
    expect(found).toMatchObject({ nextPage: null, found: { matches: 3, of: 5 } })
    expect(urls).toHaveLength(3)
    expect((await ask({ find: 'logs' })).found).toEqual({ matches: 1, of: 5 })
    expect(urls).toHaveLength(3)
  })

  it('shows so many matches and counts the others', async () => {
    queryClient.clear()
    serverOf(Array.from({ length: 205 }, (_, i) => `web-${i}`))
    const found = await ask({ find: 'web' })
    expect(found.items).toHaveLength(200)
    expect(found.found).toEqual({ matches: 205, of: 205 })
  })
})

describe('a row is found', () => {
  const row = {
    id: '7f3c2a10-0000-4000-8000-0000000000aa',
    projectId: '7f3c2a11-0000-4000-8000-0000000000bb',
    name: 'web-1',
    description: 'Front of the shop',
    ncpus: 4,
    state: { state: 'detached' },
  }
  it.each(['web', 'WEB-1', 'the shop', 'fronto', 'detach', '7f3c2a10', '7f3c2a10-0000'])('by %s', (text) => {
    expect(isFound(row, text)).toBe(true)
  })
  it.each(['db', '7f3', '7f3c2a11', '4'])('not by %s', (text) => {
    expect(isFound(row, text)).toBe(false)
  })
})

it('the address of a search keeps words that look like something else', () => {
  expect(pagingSearch({ find: 12 })).toEqual({ find: '12' })
  expect(pagingSearch({ find: true })).toEqual({ find: 'true' })
  expect(pagingSearch({ find: '  ' })).toEqual({})
  expect(pagingSearch({ find: { a: 1 }, page: 'x' })).toEqual({ page: 'x' })
  expect(pagingSearch({ find: 'x'.repeat(500) }).find).toHaveLength(100)
})
