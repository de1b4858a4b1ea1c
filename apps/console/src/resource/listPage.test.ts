import { antiAffinityGroupList } from '@purlin/contract/operations/affinity-groups'
import { describe, expect, it } from 'vitest'
import { lookUpLimit } from '#/api/everyPage.ts'
import { load, queryClient } from '#/api/query.ts'
import { addGroups, openControlPlane } from '#/preview/testing.ts'
import { isFound, listPage } from './listPage.ts'
import { pagingSearch } from './paging.ts'

/** A control plane with groups of these names, and the addresses that are called. */
async function planeWith(names: string[]) {
  queryClient.clear()
  const { world, urls } = await openControlPlane()
  await addGroups(world, names)
  return urls
}
const ask = (search: Record<string, unknown>) =>
  load({ ...listPage(antiAffinityGroupList, { project: 'demo' }, pagingSearch(search)), staleTime: 0 })

describe('a list', () => {
  it('is one page of the operation unless its address searches', async () => {
    const urls = await planeWith(Array.from({ length: 26 }, (_, i) => `g-${i + 10}`))
    expect((await ask({ size: 25 })).items).toHaveLength(25)
    expect(urls).toEqual(['/v1/anti-affinity-groups?limit=25&project=demo'])
  })

  it('that is searched goes through all pages, reads them once, and counts', async () => {
    const others = Array.from({ length: lookUpLimit }, (_, i) => `data-${i}`)
    const urls = await planeWith(['a-web-1', ...others, 'logs', 'web-2', 'web-3'])
    const found = await ask({ find: ' WEB ', page: 'ignored' })
    expect(found.items.map(({ name }) => name)).toEqual(['a-web-1', 'web-2', 'web-3'])
    expect(found).toMatchObject({ nextPage: null, found: { matches: 3, of: 1004 } })
    expect(urls).toHaveLength(2)
    expect((await ask({ find: 'logs' })).found).toEqual({ matches: 1, of: 1004 })
    expect(urls).toHaveLength(2)
  })

  it('shows so many matches and counts the others', async () => {
    await planeWith(Array.from({ length: 205 }, (_, i) => `web-${i}`))
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
