import { kinds } from '@purlin/contract/rules/kinds'
import { namedKinds, searchedKinds, type SearchedKind } from '@purlin/contract/rules/lists'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { setFleetRole } from '#/testing/networks/probes.ts'
import { createFixtures, plausible } from '#/testing/requests.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
  await createFixtures(w)
  // Lists of probes need a role on the fleet as well.
  await setFleetRole(w, 'projectAdmin', 'viewer')
  await w.as('admin').projectCreate({ body: { name: 'unseen', description: 'not for members' } })
  await w
    .as('projectCollaborator')
    .floatingIpCreate({ query, body: { name: 'door', description: 'front of the shop' } })
  await w.as('viewer').currentUserSshKeyCreate({ body: { name: 'laptop', description: '', publicKey } })
  await inDb(w, (tx) =>
    createGroup(w.world, tx, { displayName: 'builders', siloId: w.ids['acme'] ?? '', userIds: [] }),
  )
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const allUsers: Who[] = [
  'admin',
  'collaborator',
  'viewer',
  'noRole',
  'projectAdmin',
  'projectViewer',
  'fleetAdmin',
  'stranger',
]
const search = async (who: Who, q: string, more: object = {}) =>
  (await w.as(who).search({ query: { q, limit: 50, ...more } })).items

interface Named {
  id: string
  name: string
}
interface Wire {
  id: string
  name?: string
  display_name?: string
}
type List = (who: Who) => Promise<{ items: Named[] }>
/** The lists of kinds that have more than one. */
const several: Partial<Record<SearchedKind, List>> = {
  image: async (who) => ({
    items: [
      ...(await orNone(w.as(who).imageList({ query }))).items,
      ...(await orNone(w.as(who).imageList({ query: {} }))).items,
    ],
  }),
  ipPool: async (who) => ({
    items: [
      ...(await orNone(w.as(who).ipPoolList({ query: {} }))).items,
      ...(await orNone(w.as(who).projectIpPoolList({ query: {} }))).items,
    ],
  }),
}
/** The rows of a kind that a caller can list, which the results must agree with. */
async function listedBy(who: Who, kind: SearchedKind): Promise<Named[]> {
  const list = several[kind]
  if (list) return (await list(who)).items
  const { status, json } = await w.raw({ ...plausible(w, kinds[kind].search.list, 'name'), who })
  const { items = [] }: { items?: Wire[] } = status === 200 ? json : {}
  return items.map(({ id, name, display_name: displayName = '' }) => ({ id, name: name ?? displayName }))
}
const orNone = (list: Promise<{ items: Named[] }>) => list.catch(() => ({ items: [] as Named[] }))

describe.each(searchedKinds)('%s', (kind) => {
  it('is found by name and id only by users who may list it', async () => {
    const lister = new Map<Who, Named[]>()
    for (const who of allUsers) lister.set(who, await listedBy(who, kind))
    const all = new Map([...lister.values()].flat().map((row) => [row.id, row]))
    expect(all.size).toBeGreaterThan(0)
    for (const row of all.values())
      for (const who of allUsers) {
        const isListed = lister.get(who)?.some(({ id }) => id === row.id) === true
        const found = await search(who, row.name, { kind: [kinds[kind].type] })
        expect([who, row.name, found.some(({ id }) => id === row.id)]).toEqual([who, row.name, isListed])
        if (kind === 'siloUser' || kind === 'siloGroup') continue
        const byId = await search(who, row.id)
        expect([who, row.id, byId.some(({ id }) => id === row.id)]).toEqual([who, row.id, isListed])
      }
  })
})

describe.each(namedKinds)('the name of a %s', (kind) => {
  it('is returned by id only to users who may list it', async () => {
    const lister = new Map<Who, Named[]>()
    for (const who of allUsers) lister.set(who, await listedBy(who, kind))
    const all = new Map([...lister.values()].flat().map((row) => [row.id, row]))
    expect(all.size).toBeGreaterThan(0)
    for (const who of allUsers) {
      const { items } = await w.as(who).nameList({ query: { id: [...all.keys()], kind: [kinds[kind].type] } })
      const named = items.map(({ id, name }) => ({ id, name }))
      const listed = lister.get(who)?.map(({ id, name }) => ({ id, name })) ?? []
      expect([who, named.toSorted(byId)]).toEqual([who, listed.toSorted(byId)])
    }
  })
})
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

it('finds hardware by the beginning of its serial number, for those who may list it', async () => {
  const [sled] = (await w.as('fleetAdmin').sledList({ query: { limit: 1 } })).items
  const [disk] = (await w.as('fleetAdmin').physicalDiskList({ query: { limit: 1 } })).items
  const [one] = (await w.as('fleetAdmin').switchList({ query: { limit: 1 } })).items
  for (const [type, id, serial] of [
    ['sled', sled?.id, sled?.baseboard.serial ?? ''],
    ['physical-disk', disk?.id, disk?.serial ?? ''],
    ['switch', one?.id, one?.baseboard.serial ?? ''],
  ] as const)
    for (const typed of [serial, serial.toLowerCase(), serial.slice(0, -1)]) {
      const item = { type, id, name: serial, field: 'serial', parents: [] }
      expect(await search('fleetAdmin', typed)).toContainEqual(expect.objectContaining(item))
      expect(await search('fleetAdmin', typed, { kind: [type] })).toContainEqual(
        expect.objectContaining(item),
      )
      expect(await search('fleetAdmin', typed, { kind: ['disk'] })).toEqual([])
      for (const who of ['admin', 'viewer', 'stranger'] as const)
        expect((await search(who, typed)).filter((found) => found.id === id)).toEqual([])
    }
})

describe('names', () => {
  const [disk, web] = ['data', 'web']
  it('are returned for several kinds together, with their parents', async () => {
    const id = [w.ids[disk] ?? '', w.ids[web] ?? '', '7f3c2a10-0000-4000-8000-0000000000aa']
    const { items } = await w.as('projectViewer').nameList({ query: { id, kind: ['instance', 'disk'] } })
    const parents = [{ type: 'project', id: w.ids['demo'], name: 'demo' }]
    expect(items).toEqual([
      { type: 'instance', id: w.ids[web], name: 'web', parents },
      { type: 'disk', id: w.ids[disk], name: 'data', parents },
    ])
    expect((await w.as('projectViewer').nameList({ query: { id, kind: ['disk'] } })).items).toHaveLength(1)
  })
  it('are limited to eighty ids, and to kinds that have names', async () => {
    const many = Array.from({ length: 81 }, () => `id=${w.ids[disk]}`).join('&')
    for (const url of [
      `/v1/names?kind=disk&${many}`,
      `/v1/names?kind=rule&id=${w.ids[disk]}`,
      '/v1/names?kind=disk',
    ])
      expect([url, (await w.raw({ method: 'GET', url, headers: {}, who: 'admin' })).status]).toEqual([
        url,
        400,
      ])
  })
})

describe('a search', () => {
  it('returns the field that matches, best results first', async () => {
    expect(await search('projectViewer', 'door')).toEqual([
      {
        type: 'floating-ip',
        id: expect.any(String) as string,
        name: 'door',
        parents: [{ type: 'project', id: w.ids['demo'], name: 'demo' }],
        field: 'name',
        text: 'door',
      },
    ])
    expect(await search('projectViewer', 'shop front')).toMatchObject([
      { name: 'door', field: 'description', text: 'front of the shop' },
    ])
    const [first] = await search('projectViewer', 'web')
    expect(first).toMatchObject({ type: 'instance', name: 'web' })
  })

  it('finds instances by addresses of their interfaces', async () => {
    const [nic] = (
      await w.as('projectViewer').instanceNetworkInterfaceList({ query: { ...query, instance: 'web' } })
    ).items
    const ip = nic?.ip ?? ''
    const beginning = ip.slice(0, ip.lastIndexOf('.') + 1)
    for (const address of [ip, beginning, nic?.mac ?? '', (nic?.mac ?? '').toLowerCase()]) {
      expect(await search('projectViewer', address, { kind: ['instance'] })).toMatchObject([
        { type: 'instance', name: 'web' },
      ])
      for (const who of ['noRole', 'fleetAdmin', 'stranger'] as const)
        expect(await search(who, address)).toEqual([])
    }
  })

  it('takes kinds and a limit', async () => {
    expect(await search('admin', 'd', { kind: ['disk'] })).toMatchObject([{ type: 'disk' }])
    expect(await search('admin', 'd', { limit: 1 })).toHaveLength(1)
    expect(await search('admin', '   ')).toEqual([])
    expect(await search('admin', '!')).toEqual([])
    for (const url of [
      '/v1/search',
      '/v1/search?q=x&kind=certificate',
      '/v1/search?q=x&limit=51',
      `/v1/search?q=${'x'.repeat(201)}`,
    ])
      expect((await w.raw({ url })).status).toBe(400)
    const { json } = await w.raw({ url: '/v1/search?q=x&limit=51', who: 'admin' })
    expect(json).toMatchObject({ message: expect.stringMatching(/integer `51`, expected at most 50$/) })
  })

  it('follows renames and deletes', async () => {
    const { id } = await w
      .as('projectCollaborator')
      .floatingIpCreate({ query, body: { name: 'gone', description: '' } })
    expect(await search('projectViewer', 'gone')).toHaveLength(1)
    await w
      .as('projectCollaborator')
      .floatingIpUpdate({ params: { floatingIp: id }, query: {}, body: { name: 'kept' } })
    expect(await search('projectViewer', 'gone')).toEqual([])
    expect(await search('projectViewer', 'kept')).toHaveLength(1)
    await w.as('projectCollaborator').floatingIpDelete({ params: { floatingIp: id }, query: {} })
    expect(await search('projectViewer', 'kept')).toEqual([])
  })
})
