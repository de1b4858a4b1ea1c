import { physicalDiskList } from '@purlin/contract/operations/hardware/hardware'
import { antiAffinityGroupList } from '@purlin/contract/operations/instances/affinity-groups'
import { ApiError } from '@purlin/contract/client'
import { vpcList } from '@purlin/contract/operations/vpcs/vpcs'
import { messages } from '@purlin/contract/rules/messages'
import { describe, expect, it } from 'vitest'
import { lookUpLimit } from '#/api/everyPage.ts'
import { load, queryClient } from '#/api/query.ts'
import { addGroups, openControlPlane } from '#/preview/testing.ts'
import { isFound, listPage, offeredPage } from './listPage.ts'
import { pagingSearch } from './paging.ts'

/** A control plane with groups of these names, and the addresses that are called. */
async function planeWith(names: string[], { isForeign = false } = {}) {
  queryClient.clear()
  const { world, urls } = await openControlPlane('projectCollaborator', { isForeign })
  await addGroups(world, names)
  return urls
}
const ask = (search: Record<string, unknown>) =>
  load({ ...listPage(antiAffinityGroupList, { project: 'demo' }, pagingSearch(search)), staleTime: 0 })

const offer = (find: string, filter?: string[]) =>
  load({
    ...offeredPage(
      antiAffinityGroupList,
      { project: 'demo' },
      {
        find,
        filter,
        fits: ({ name }) => name !== 'web-2',
        limit: 2,
      },
    ),
    staleTime: 0,
  })

describe('the options of a list in a form', () => {
  it('is found by the server, a page in one request', async () => {
    const urls = await planeWith(['a-web-1', 'data', 'web-2', 'web-3'])
    const found = await offer('web')
    expect(found.items.map(({ name }) => name)).toEqual(['a-web-1', 'web-2'])
    expect(found.totalItems).toBe(3)
    expect(urls).toEqual(['/v1/anti-affinity-groups?limit=2&find=web&total=true&project=demo'])
    await offer('')
    expect(urls.at(-1)).toBe('/v1/anti-affinity-groups?limit=2&total=true&project=demo')
  })
})

describe('a list', () => {
  it('is one page of the operation unless its address searches', async () => {
    const urls = await planeWith(Array.from({ length: 26 }, (_, i) => `g-${i + 10}`))
    expect((await ask({ size: 25 })).items).toHaveLength(25)
    expect(urls).toEqual(['/v1/anti-affinity-groups?limit=25&total=true&project=demo'])
  })

  it('is searched, filtered and ordered by the server', async () => {
    const urls = await planeWith(['a-web-1', 'data', 'web-2', 'web-3'])
    const found = await ask({ find: ' WEB ', sort: 'name_descending', filter: 'state:running' })
    expect(found.items.map(({ name }) => name)).toEqual(['web-3', 'web-2', 'a-web-1'])
    expect(found).toMatchObject({ nextPage: null, totalItems: 3 })
    // Groups have no states.
    expect(urls).toEqual([
      '/v1/anti-affinity-groups?limit=50&sort_by=name_descending&find=WEB&total=true&project=demo',
    ])
  })

  it('asks for no order that it does not have', async () => {
    const urls = await planeWith(['a'])
    await ask({ sort: 'cpus_ascending' })
    expect(urls).toEqual(['/v1/anti-affinity-groups?limit=50&total=true&project=demo'])
  })

  it('of a server that does not search is read whole, once, and searched here', async () => {
    const names = ['a-web-1', ...Array.from({ length: lookUpLimit }, (_, i) => `data-${i}`), 'web-2']
    const urls = await planeWith(names, { isForeign: true })
    const found = await ask({ find: 'web' })
    expect(found.items.map(({ name }) => name)).toEqual(['a-web-1', 'web-2'])
    expect(found).toMatchObject({ nextPage: null, totalItems: 2 })
    expect(urls).toHaveLength(3)
    expect((await ask({ find: 'data-7' })).totalItems).toBe(111)
    expect(urls).toHaveLength(3)
  })

  it('that a form offers rows of is read whole as well', async () => {
    const urls = await planeWith(['a-web-1', 'data', 'web-2', 'web-3', 'web-4'], { isForeign: true })
    const found = await offer('web')
    expect(found.items.map(({ name }) => name)).toEqual(['a-web-1', 'web-3'])
    expect(found.totalItems).toBe(3)
    await offer('data')
    expect(urls.filter((url) => !url.includes('limit=2&'))).toHaveLength(1)
  })
})

it('a list that is too long for an order is shown in that of names, and says so', async () => {
  queryClient.clear()
  const { before, urls, world } = await openControlPlane('projectViewer')
  for (const name of ['one', 'two'])
    await world.as('projectCollaborator').vpcCreate({
      query: { project: 'demo' },
      body: { name, description: '', dnsName: name },
    })
  // A test does not create this many rows: the answer repeats the server's.
  before(() => {
    if (!urls.at(-1)?.includes('time_created')) return
    const message = messages.badOrder({ mode: 'time_created_descending', most: 50_000 })
    throw new ApiError('vpcList', 400, { message, code: undefined, requestId: undefined })
  })
  const read = (search: Record<string, unknown>) =>
    load({ ...listPage(vpcList, { project: 'demo' }, pagingSearch(search)), staleTime: 0 })
  const page = await read({ sort: 'time_created_descending' })
  expect(page).toMatchObject({ isUnordered: true, totalItems: 3 })
  expect(page.items.map(({ name }) => name)).toEqual(['default', 'one', 'two'])
  expect((await read({ sort: 'name_descending' })).isUnordered).toBeUndefined()
})

it('a list that the server does not search has a separate answer for each text', () => {
  const keyOf = (find?: string) => listPage(physicalDiskList, {}, find === undefined ? {} : { find }).queryKey
  expect(keyOf('PRS1')).not.toEqual(keyOf())
  expect(keyOf('PRS1')).not.toEqual(keyOf('PRS2'))
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
