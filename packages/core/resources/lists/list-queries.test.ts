import { instanceStates } from '@purlin/contract/rules/states'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, indexEverything } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const GiB = 2 ** 30
const query = { project: 'demo' }

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const me = () => w.as('projectCollaborator')
const makeDisk = (name: string, description = '', size = GiB) =>
  me().diskCreate({
    query,
    body: { name, description, size, diskSource: { type: 'blank', blockSize: 512 } },
  })
const names = async (more: object) =>
  (await me().diskList({ query: { ...query, ...more } })).items.map(({ name }) => name)
const raw = (search: string) => w.raw({ url: `/v1/disks?project=demo&${search}` })

describe('find', () => {
  beforeEach(async () => {
    await makeDisk('web-prod-1', 'Müller & Söhne')
    await makeDisk('web-prod-12', 'for tests')
    await makeDisk('db9', 'web archive')
    await makeDisk('log-007')
  })

  it.each([
    ['web', ['db9', 'web-prod-1', 'web-prod-12']],
    ['prod web', ['web-prod-1', 'web-prod-12']],
    ['PROD-12', ['web-prod-12']],
    ['web-prod-1', ['web-prod-1', 'web-prod-12']],
    ['muller', ['web-prod-1']],
    ['söhne MÜLL', ['web-prod-1']],
    ['9', ['db9']],
    ['7', ['log-007']],
    ['log-007', ['log-007']],
    ['log 07', []],
    ['eb', []],
    ['web prod nothing', []],
    ['&', []],
    ['   ', ['db9', 'log-007', 'web-prod-1', 'web-prod-12']],
    ['it\'s "quoted" (or) not* :', []],
  ])('%s', async (find, found) => {
    expect(await names({ find })).toEqual(found)
  })

  it('takes words once, and only the first eight of them', async () => {
    await makeDisk('qa-qb-qc-qd-qe-qf-qg-qh')
    expect(await names({ find: Array.from({ length: 66 }, () => 'qa').join(' ') })).toHaveLength(1)
    expect(await names({ find: 'qa qb qc qd qe qf qg qx' })).toEqual([])
    expect(await names({ find: 'qa qb qc qd qe qf qg qh qx' })).toHaveLength(1)
  })

  it('takes an id or its beginning', async () => {
    const { id } = await makeDisk('other')
    expect(await names({ find: id })).toEqual(['other'])
    expect(await names({ find: id.toUpperCase() })).toEqual(['other'])
    expect(await names({ find: id.slice(0, 30) })).toEqual(['other'])
  })

  it('follows renames and deletes', async () => {
    await w
      .as('projectCollaborator')
      .vpcCreate({ query, body: { name: 'first', description: '', dnsName: 'a' } })
    const found = async (find: string) =>
      (await me().vpcList({ query: { ...query, find } })).items.map(({ name }) => name)
    expect(await found('first')).toEqual(['first'])
    await me().vpcUpdate({ params: { vpc: 'first' }, query, body: { name: 'second', description: 'blue' } })
    expect(await found('first')).toEqual([])
    expect(await found('blue')).toEqual(['second'])
  })

  it('finds addresses of floating IPs', async () => {
    const made = await me().floatingIpCreate({ query, body: { name: 'door', description: '' } })
    const { items } = await me().floatingIpList({ query: { ...query, find: made.ip } })
    expect(items.map(({ name }) => name)).toEqual(['door'])
  })

  it('finds every value that a row shows: states, sizes, vCPUs and addresses', async () => {
    const body = { description: '', ncpus: 6, memory: 3 * GiB, start: false }
    for (const name of ['one', 'two'])
      await me().instanceCreate({
        query,
        body: { ...body, name, hostname: name, externalIps: [{ type: 'ephemeral' }] },
      })
    await w.settle()
    await makeDisk('big', '', 7 * GiB)
    const found = async (find: string) =>
      (await me().instanceList({ query: { ...query, find } })).items.map(({ name }) => name)
    for (const find of ['stopped', 'stop', '3 gib', '6 vcpus', 'one stopped 6']) {
      expect([find, (await found(find)).includes('one')]).toEqual([find, true])
      expect([find, (await found(`${find} running`)).includes('one')]).toEqual([find, false])
    }
    const at = { params: { instance: 'one' }, query }
    const [external] = (await me().instanceExternalIpList(at)).items
    const [nic] = (await me().instanceNetworkInterfaceList({ query: { ...query, instance: 'one' } })).items
    for (const ip of [external?.ip ?? '', nic?.ip ?? '']) {
      expect([ip, await found(ip)]).toEqual([ip, ['one']])
      const beginning = ip.slice(0, ip.lastIndexOf('.') + 1)
      expect([beginning, (await found(beginning)).toSorted()]).toEqual([beginning, ['one', 'two']])
      expect(await found(`${beginning}999`)).toEqual([])
    }
    expect(await names({ find: 'big 7 gib detached' })).toEqual(['big'])
    expect(await names({ find: 'big 8 gib' })).toEqual([])
  })

  it('pages in every order, and each page is part of the same search', async () => {
    for (const sortBy of [
      'name_ascending',
      'name_descending',
      'id_ascending',
      'size_descending',
      'time_created_ascending',
    ]) {
      const all = await names({ find: 'web', sortBy })
      const paged: string[] = []
      let pageToken: string | null | undefined
      do {
        const page = await me().diskList({
          query: { ...query, ...(pageToken ? { pageToken } : { find: 'web', sortBy }), limit: 1 },
        })
        paged.push(...page.items.map(({ name }) => name))
        pageToken = page.nextPage
      } while (pageToken)
      expect(paged).toEqual(all)
      expect(all.toSorted()).toEqual(['db9', 'web-prod-1', 'web-prod-12'])
    }
  })

  it('refuses texts that are too long', async () => {
    const answer = await raw(`find=${'x'.repeat(201)}`)
    expect(answer.status).toBe(400)
  })
})

describe('a list that is longer than one scan', () => {
  const count = 2500
  beforeEach(async () => {
    const { id } = await makeDisk('first')
    await inDb(w, async (tx) => {
      const row = await tx.selectFrom('disk').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      for (let from = 0; from < count; from += 100) {
        const rows = Array.from({ length: 100 }, (_, i) => ({
          ...row,
          id: w.world.ids.uuid(),
          name: `disk-${String(from + i).padStart(5, '0')}`,
          state: (from + i) % 500 === 0 ? ('faulted' as const) : row.state,
        }))
        await tx.insertInto('disk').values(rows).execute()
      }
      await tx.deleteFrom('searchText').execute()
      await indexEverything(tx)
    })
  })
  afterEach(async () => {
    await inDb(w, (tx) => tx.deleteFrom('disk').where('name', '!=', 'first').execute())
  })

  it('is searched by the index', async () => {
    expect(await names({ find: '02400' })).toEqual(['disk-02400'])
    expect(await names({ find: '2400' })).toEqual(['disk-02400'])
    expect(await names({ find: 'disk-0240', sortBy: 'name_descending', limit: 3 })).toEqual([
      'disk-02409',
      'disk-02408',
      'disk-02407',
    ])
    const first = await me().diskList({ query: { ...query, find: 'disk-024', limit: 60 } })
    const second = await me().diskList({ query: { ...query, pageToken: first.nextPage ?? '', limit: 60 } })
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(
      Array.from({ length: 100 }, (_, i) => `disk-024${String(i).padStart(2, '0')}`),
    )
    expect(second.nextPage).toBeNull()
  })

  it('is filtered, and says how many there are', async () => {
    const page = await me().diskList({ query: { ...query, filter: ['state:faulted'], total: true } })
    expect(page.items).toHaveLength(5)
    expect(page.totalItems).toBe(5)
    expect(page.totals?.['state']).toEqual({ detached: count - 4, faulted: 5 })
    const found = await me().diskList({ query: { ...query, find: 'disk-01', total: true, limit: 1 } })
    expect(found.totalItems).toBe(1000)
    expect(found.totals?.['state']).toEqual({ detached: 998, faulted: 2 })
  })
})

describe('filter', () => {
  it('takes the values of one column as alternatives', async () => {
    await makeDisk('loose')
    await makeDisk('used')
    await inDb(w, (tx) =>
      tx.updateTable('disk').set({ state: 'faulted' }).where('name', '=', 'used').execute(),
    )
    expect(await names({ filter: ['state:detached'] })).toEqual(['loose'])
    expect(await names({ filter: ['state:detached', 'state:faulted'] })).toEqual(['loose', 'used'])
    await inDb(w, (tx) =>
      tx.updateTable('disk').set({ state: 'detached' }).where('name', '=', 'used').execute(),
    )
  })

  it('refuses values that the column cannot have', async () => {
    for (const search of [
      'filter=state:nowhere',
      'filter=colour:red',
      'filter=',
      'filter=state:detached&filter=x',
    ])
      expect((await raw(search)).status).toBe(400)
    const many = Array.from({ length: 33 }, () => 'filter=state:detached').join('&')
    expect((await raw(many)).status).toBe(400)
  })
})

describe('sort_by', () => {
  it('orders by columns', async () => {
    await makeDisk('b', '', 3 * GiB)
    await makeDisk('a', '', GiB)
    await makeDisk('c', '', 2 * GiB)
    expect(await names({ sortBy: 'size_ascending' })).toEqual(['a', 'c', 'b'])
    expect(await names({ sortBy: 'size_descending' })).toEqual(['b', 'c', 'a'])
    expect(await names({ sortBy: 'time_created_ascending' })).toHaveLength(3)
    expect((await raw('sort_by=ncpus_ascending')).status).toBe(400)
  })
})

describe('total', () => {
  it('counts all rows and those of each value, and is not part of the next page', async () => {
    await makeDisk('a')
    await makeDisk('b')
    const page = await me().diskList({ query: { ...query, total: true, limit: 1 } })
    expect(page).toMatchObject({
      totalItems: 2,
      totals: { state: { detached: 2 } },
    })
    const next = await me().diskList({ query: { ...query, pageToken: page.nextPage ?? '', limit: 1 } })
    expect(next.totalItems).toBeUndefined()
    const plain = await me().diskList({ query })
    expect(Object.keys(plain)).toEqual(['items', 'nextPage'])
  })

  it('comes with the page before', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await makeDisk(name)
    const page = (pageToken?: string | null) =>
      me().diskList({
        query: {
          ...query,
          sortBy: 'name_descending',
          limit: 2,
          total: true,
          ...(pageToken ? { pageToken } : {}),
        },
      })
    const first = await page()
    expect(Object.keys(first)).not.toContain('previousPage')
    const second = await page(first.nextPage)
    expect(second.previousPage).toBeNull()
    const third = await page(second.nextPage)
    expect(third.items.map(({ name }) => name)).toEqual(['a'])
    const back = await page(third.previousPage)
    expect(back.items).toEqual(second.items)
    expect(back.totalItems).toBe(5)
  })

  it('is in lists by id and by range, with the page before', async () => {
    const query = { total: true, limit: 1 }
    const page = (pageToken?: string) => me().userList({ query: pageToken ? { ...query, pageToken } : query })
    const first = await page()
    const second = await page(first.nextPage ?? '')
    const third = await page(second.nextPage ?? '')
    expect(first.totalItems).toBeGreaterThan(2)
    expect(third.totalItems).toBe(first.totalItems)
    expect((await page(third.previousPage ?? '')).items).toEqual(second.items)
    expect((await me().userList({ query: { ...query, find: 'unknown-name' } })).totalItems).toBe(0)
    expect((await me().groupList({ query })).totals).toEqual({})
    expect((await me().currentUserAccessTokenList({ query })).totalItems).toBe(0)
    const fleet = w.as('fleetAdmin')
    expect((await fleet.userBuiltinList({ query })).totalItems).toBeGreaterThan(1)
    expect((await fleet.ipPoolServiceRangeList({ query })).totalItems).toBeGreaterThanOrEqual(0)
    expect((await fleet.systemQuotasList({ query })).totalItems).toBeGreaterThan(0)
  })

  it('says whether floating IPs are attached', async () => {
    await me().floatingIpCreate({ query, body: { name: 'door', description: '' } })
    const list = (filter: 'attached:true' | 'attached:false') =>
      me().floatingIpList({ query: { ...query, filter: [filter], total: true } })
    expect(await list('attached:false')).toMatchObject({ totalItems: 1, totals: { attached: { false: 1 } } })
    expect(await list('attached:true')).toMatchObject({ items: [], totalItems: 0 })
  })

  it('counts projects that a person sees, and no others', async () => {
    await w.as('admin').projectCreate({ body: { name: 'hidden', description: '' } })
    expect((await me().projectList({ query: { total: true } })).totalItems).toBe(1)
    expect((await me().projectList({ query: { find: 'hidden', total: true } })).totalItems).toBe(0)
  })

  it('knows every state of instances', async () => {
    const { totals } = await me().instanceList({ query: { ...query, total: true } })
    expect(
      Object.keys(totals?.['state'] ?? {}).every((one) => instanceStates.includes(one as 'running')),
    ).toBe(true)
  })
})
