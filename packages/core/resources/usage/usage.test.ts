import { GiB } from '@purlin/contract/rules/limits'
import { dayMs, type UsageGrouping } from '@purlin/contract/rules/usage/reports'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { batches } from '#/db/batches.ts'
import { usage as step } from '#/db/migrations/usage.ts'
import { forgetUse } from '#/db/rows/usage-periods.ts'
import { instancesOf, setQuota, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, fleetOnly, projectRead } from '#/testing/roles.ts'
import { disorder } from '#/testing/state.ts'
import { storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let start: number
const second = 1000
const hour = 3600 * second
const query = { project: 'demo' }
const me = () => w.as('projectCollaborator')

beforeEach(async () => {
  w = await openWorld({ timings: swift })
  start = w.clock.now()
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

/** Days pass, while the users stay signed in. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 6 * hour) {
    await w.jump(Math.min(left, 6 * hour))
    const now = w.clock.now()
    await inDb(w, (tx) => tx.updateTable('session').set({ timeCreated: now, timeLastUsed: now }).execute())
  }
}

interface Asked {
  by?: UsageGrouping[]
  tag?: string
  startTime?: Date
  endTime?: Date
  limit?: number
  pageToken?: string
}
const span = () => ({ startTime: new Date(start), endTime: new Date(w.clock.now()) })
const ofSilo = async (asked: Asked = {}) =>
  (await w.as('viewer').usageReport({ query: { ...span(), ...asked } })).items
const ofProject = async (asked: Asked = {}, project = 'demo') =>
  (await w.as('projectViewer').projectUsageReport({ params: { project }, query: { ...span(), ...asked } }))
    .items
const ofFleet = async (asked: Asked & { silo?: string } = {}) =>
  (await w.as('fleetAdmin').systemUsageReport({ query: { ...span(), ...asked } })).items

const amounts = (cpu: number, memory: number, storage: number, address: number) => ({
  cpuSeconds: cpu,
  memoryGibSeconds: memory,
  storageGibSeconds: storage,
  addressSeconds: address,
})

it('counts a machine from its start to its end, at the size that it then has', async () => {
  const vm = instancesOf(w)
  await vm.create('web', { ncpus: 2, memory: 4 * GiB })
  await w.advance(10 * second)
  expect(await ofProject()).toEqual([])
  await vm.start('web')
  await w.advance(90 * second)
  await vm.stop('web')
  await w.advance(30 * second)
  // The machine ended a tenth of a second later.
  const first = amounts(2 * 90, 4 * 90, 0, 0)
  expect(await ofProject()).toEqual([first])
  await vm.update('web', { ncpus: 8, memory: 16 * GiB })
  await vm.start('web')
  await w.advance(60 * second)
  const both = amounts(2 * 90 + 8 * 60, 4 * 90 + 16 * 60, 0, 0)
  for (const sums of [await ofProject(), await ofSilo(), await ofFleet(), await ofFleet({ silo: 'acme' })])
    expect(sums).toEqual([both])
  expect(await ofFleet({ silo: 'other' })).toEqual([])
  await vm.stop('web')
  await w.advance(20 * second)
  await vm.remove('web')
  expect(await ofProject()).toEqual([both])
})

it('counts disks, snapshots and addresses from when they are made to when they are deleted', async () => {
  const storage = storageOf(w)
  await instancesOf(w).makeDisk('data', 3)
  await w.advance(10 * second)
  await storage.snapshot('first', 'data')
  await w.advance(10 * second)
  await me().diskUpdate({ params: { disk: 'data' }, query, body: { size: 5 * GiB } })
  await me().floatingIpCreate({ query, body: { name: 'shop', description: '' } })
  await w.advance(10 * second)
  await storage.remove('data')
  await w.advance(10 * second)
  await me().floatingIpDelete({ params: { floatingIp: 'shop' }, query })
  await w.advance(10 * second)
  // The disk: 20 s of 3 GiB and 10 s of 5 GiB. The snapshot: 40 s of 3 GiB. The address: 20 s.
  expect(await ofProject()).toEqual([amounts(0, 0, 60 + 50 + 120, 20)])
})

it('counts an ephemeral address for as long as its machine has it', async () => {
  await instancesOf(w).create('web', { externalIps: [{ type: 'ephemeral' }] })
  await w.advance(15 * second)
  await me().instanceEphemeralIpDetach({ params: { instance: 'web' }, query })
  await w.advance(15 * second)
  await me().instanceEphemeralIpAttach({ params: { instance: 'web' }, query, body: {} })
  await w.advance(5 * second)
  await instancesOf(w).remove('web')
  await w.advance(5 * second)
  expect(await ofProject()).toEqual([amounts(0, 0, 0, 20)])
})

it('divides what lasts for days among them, in UTC', async () => {
  const day = Date.parse('2026-01-02T00:00:00Z')
  await instancesOf(w).makeDisk('data', 2)
  const first = (day + dayMs - start) / second
  await pass(day + 2 * dayMs + hour - w.clock.now())
  await storageOf(w).remove('data')
  await pass(dayMs)
  const days = await ofProject({ by: ['day'] })
  expect(days).toEqual(
    [first, dayMs / second, hour / second].map((seconds, i) => ({
      day: new Date(day + i * dayMs),
      ...amounts(0, 0, 2 * seconds, 0),
    })),
  )
  const part = { startTime: new Date(day + dayMs + hour), endTime: new Date(day + 2 * dayMs + 60 * second) }
  expect(await ofProject({ ...part, by: ['day'] })).toEqual([
    { day: new Date(day + dayMs), ...amounts(0, 0, 2 * 23 * 3600, 0) },
    { day: new Date(day + 2 * dayMs), ...amounts(0, 0, 2 * 60, 0) },
  ])
  expect(await ofProject(part)).toEqual([amounts(0, 0, 2 * (23 * 3600 + 60), 0)])
})

it('divides by the tags that each resource had at the time', async () => {
  const at = { params: { disk: 'data' }, query }
  const disk = { description: '', size: GiB, diskSource: { type: 'blank' as const, blockSize: 512 as const } }
  await me().diskCreate({ query, body: { ...disk, name: 'data', tags: { env: 'test run', team: 'a' } } })
  await me().diskCreate({ query, body: { ...disk, name: 'plain' } })
  await w.advance(10 * second)
  await me().diskUpdate({ ...at, body: { tags: { env: 'prod' } } })
  await w.advance(20 * second)
  await me().diskUpdate({ ...at, body: { tags: {} } })
  await w.advance(5 * second)
  await storageOf(w).remove('data')
  const byEnv = await ofProject({ tag: 'env' })
  expect(byEnv).toEqual([
    { tagValue: null, ...amounts(0, 0, 35 + 5, 0) },
    { tagValue: 'prod', ...amounts(0, 0, 20, 0) },
    { tagValue: 'test run', ...amounts(0, 0, 10, 0) },
  ])
  expect(await ofProject({ tag: 'team' })).toEqual([
    { tagValue: null, ...amounts(0, 0, 35 + 25, 0) },
    { tagValue: 'a', ...amounts(0, 0, 10, 0) },
  ])
})

it('keeps no tags that were removed with a larger size, and begins nothing for the same tags', async () => {
  await storageOf(w).make('data', { type: 'blank', blockSize: 512 })
  const put = (body: object) => me().diskUpdate({ params: { disk: 'data' }, query, body })
  await put({ tags: { env: 'test' } })
  await w.advance(10 * second)
  const { size } = await put({ tags: { env: 'test' } })
  const periods = () =>
    inDb(w, (tx) => tx.selectFrom('usagePeriod').select('timeBegan').where('timeEnded', 'is', null).execute())
  const [before] = await periods()
  expect(before?.timeBegan).toBeLessThan(w.clock.now() - 9 * second)
  await put({ size: size + GiB, tags: {} })
  const tags = await inDb(w, (tx) =>
    tx
      .selectFrom('usageTag')
      .innerJoin('usagePeriod', (join) =>
        join
          .onRef('usagePeriod.resourceId', '=', 'usageTag.resourceId')
          .onRef('usagePeriod.timeBegan', '=', 'usageTag.timeBegan'),
      )
      .select('usageTag.key')
      .where('usagePeriod.timeEnded', 'is', null)
      .execute(),
  )
  expect(tags).toEqual([])
})

it('names projects and silos, also after they were deleted', async () => {
  const made = await w.as('admin').projectCreate({ body: { name: 'gone', description: '' } })
  const disk = { description: '', size: GiB, diskSource: { type: 'blank' as const, blockSize: 512 as const } }
  await w.as('admin').diskCreate({ query: { project: 'gone' }, body: { ...disk, name: 'data' } })
  await instancesOf(w).makeDisk('data', 2)
  await w.advance(10 * second)
  await w.as('admin').diskDelete({ params: { disk: 'data' }, query: { project: 'gone' } })
  await w.as('admin').projectDelete({ params: { project: 'gone' } })
  const gone = { projectId: made.id, projectName: 'gone', ...amounts(0, 0, 10, 0) }
  const demo = { projectId: w.ids['demo'], projectName: 'demo', ...amounts(0, 0, 20, 0) }
  const byId = <T extends { projectId?: string | undefined }>(rows: T[]) =>
    rows.toSorted((a, b) => ((a.projectId ?? '') < (b.projectId ?? '') ? -1 : 1))
  expect(await ofSilo({ by: ['project'] })).toEqual(byId([gone, demo]))
  expect(await ofFleet({ by: ['silo'] })).toEqual([
    { siloId: w.ids['acme'], siloName: 'acme', ...amounts(0, 0, 30, 0) },
  ])
  const both = { siloId: w.ids['acme'], siloName: 'acme' }
  expect(await ofFleet({ by: ['silo', 'project'] })).toEqual(
    byId([gone, demo]).map((one) => ({ ...both, ...one })),
  )
})

it('can be read a page at a time, in whatever it is divided', async () => {
  await setQuota(w, { quotaStorage: 1000 * GiB })
  const disk = { description: '', size: GiB, diskSource: { type: 'blank' as const, blockSize: 512 as const } }
  for (const [i, team] of ['a b', 'c', 'ä%20', 'a'].entries())
    await me().diskCreate({ query, body: { ...disk, name: `d-${i}`, tags: { team } } })
  await instancesOf(w).makeDisk('plain')
  await pass(3 * dayMs)
  for (const asked of [{ tag: 'team' }, { tag: 'team', by: ['project' as const, 'day' as const] }]) {
    const all = await ofProject(asked)
    expect(all).toHaveLength(asked.by ? 20 : 5)
    const paged = []
    let pageToken: string | undefined
    do {
      const { items, nextPage } = await w.as('projectViewer').projectUsageReport({
        params: { project: 'demo' },
        query: { ...span(), ...asked, limit: 3, ...(pageToken === undefined ? {} : { pageToken }) },
      })
      paged.push(...items)
      pageToken = nextPage ?? undefined
    } while (pageToken !== undefined)
    expect(paged).toEqual(all)
  }
})

it('has costs once there are prices, exact to a millionth', async () => {
  await instancesOf(w).makeDisk('data', 7)
  await me().floatingIpCreate({ query, body: { name: 'shop', description: '' } })
  await w.advance(hour + second)
  expect(await ofProject()).toEqual([amounts(0, 0, 7 * 3601, 3601)])
  const prices = {
    currency: 'EUR',
    cpuHour: '0.035',
    memoryGibHour: null,
    storageGibHour: '0.00012',
    addressHour: '2',
  }
  const fleet = w.as('fleetAdmin')
  const saved = await fleet.usagePricesUpdate({ body: prices })
  const kept = { ...prices, cpuHour: '0.035', addressHour: '2.00', timeModified: new Date(w.clock.now()) }
  expect(saved).toEqual(kept)
  expect(await fleet.usagePricesView()).toEqual(kept)
  // 7 × 3601 s × 0.00012 / 3600 s + 3601 s × 2 / 3600 s = 0.000840233… + 2.000555…
  expect(await ofProject()).toMatchObject([{ cost: '2.001396', currency: 'EUR' }])
  const none = { currency: null, cpuHour: null, memoryGibHour: null, storageGibHour: null, addressHour: null }
  await fleet.usagePricesUpdate({ body: none })
  expect(await ofProject()).toEqual([amounts(0, 0, 7 * 3601, 3601)])
  const refused = (changes: object) =>
    expect(fleet.usagePricesUpdate({ body: { ...prices, ...changes } })).rejects.toMatchObject({
      status: 400,
    })
  for (const cpuHour of ['-1', '1e3', '0.0000001', '', '9999999999', ' 1']) await refused({ cpuHour })
  for (const currency of [null, '', 'two words']) await refused({ currency })
})

it('adds up more ends of one day than are read at once, also of the same second', async () => {
  await w.jump(hour)
  const ids = { inSilo: w.ids['acme'] ?? '', inProject: w.ids['demo'] ?? '' }
  const use = { cpus: 1, memoryGib: 2, storageGib: 0, addresses: 0 }
  // 15 000 end in the same second, and ten in each of the later ones.
  const ends = Array.from({ length: 25_000 }, (_, i) => (i < 15_000 ? 5 : 6 + (i % 1000)) * second)
  await inDb(w, async (tx) => {
    for (const [at, some] of [...batches(ends, 500)].entries())
      await tx
        .insertInto('usagePeriod')
        .values(
          some.map((end, i) => ({
            ...ids,
            ...use,
            resourceId: `many-${at}-${i}`,
            timeBegan: start,
            timeEnded: start + end,
          })),
        )
        .execute()
  })
  const seconds = ends.reduce((sum, end) => sum + end, 0) / second
  expect(await ofProject()).toEqual([amounts(seconds, 2 * seconds, 0, 0)])
  expect(await ofFleet({ silo: 'acme' })).toEqual([amounts(seconds, 2 * seconds, 0, 0)])
  await inDb(w, (tx) => tx.deleteFrom('usagePeriod').where('resourceId', 'like', 'many-%').execute())
})

it('ends now, and reaches back for as long as use is kept', async () => {
  await instancesOf(w).makeDisk('data')
  await w.advance(10 * second)
  const far = { endTime: new Date(start + dayMs) }
  expect(await ofProject(far)).toEqual([amounts(0, 0, 10, 0)])
  expect(await ofProject({ startTime: new Date(start + hour), ...far })).toEqual([])
  const refused = (asked: Asked) => expect(ofProject(asked)).rejects.toMatchObject({ status: 400 })
  await refused({ startTime: new Date(start + hour) })
  await refused({ endTime: new Date(start + 400 * dayMs) })
  await refused({ startTime: new Date(start - 401 * dayMs), endTime: new Date(start - 390 * dayMs) })
  await refused({ tag: 'no key' })
  await refused({ pageToken: 'nonsense' })
})

it('begins, at the update, with what there is', async () => {
  const vm = instancesOf(w)
  await vm.create('web', { ncpus: 2, memory: 4 * GiB, externalIps: [{ type: 'ephemeral' }] })
  await vm.makeDisk('data', 3)
  await me().diskUpdate({ params: { disk: 'data' }, query, body: { tags: { env: 'prod' } } })
  await storageOf(w).snapshot('first', 'data')
  await me().floatingIpCreate({ query, body: { name: 'shop', description: '' } })
  await w.advance(10 * second)
  await vm.start('web')
  await w.advance(20 * second)
  await inDb(w, async (tx) => {
    for (const table of ['usagePeriod', 'usageTag'] as const) await tx.deleteFrom(table).execute()
    await step.fill(tx as object as Parameters<typeof step.fill>[0])
  })
  // The machine runs since a tenth of a second after its start.
  expect(await ofProject()).toEqual([amounts(2 * 20, 4 * 20, 6 * 30, 2 * 30)])
  expect(await ofProject({ tag: 'env' })).toContainEqual({ tagValue: 'prod', ...amounts(0, 0, 3 * 30, 0) })
})

it('forgets use that ended long ago, and the names that only it needed', async () => {
  const disk = { description: '', size: GiB, diskSource: { type: 'blank' as const, blockSize: 512 as const } }
  await me().diskCreate({ query, body: { ...disk, name: 'old', tags: { env: 'prod' } } })
  await instancesOf(w).makeDisk('kept')
  await w.advance(10 * second)
  await storageOf(w).remove('old')
  await w.advance(10 * second)
  const forget = () => inDb(w, (tx) => forgetUse(tx, w.clock.now()))
  expect(await forget()).toBe(false)
  expect(await ofProject()).toEqual([amounts(0, 0, 20, 0)])
  const tags = await inDb(w, (tx) => tx.selectFrom('usageTag').selectAll().execute())
  expect(tags).toEqual([])
})

it('is seen by viewers of the silo and of the project, that of the fleet by its viewers', async () => {
  const ask = { query: span() }
  expect(
    await answers(w, (client) =>
      client.projectUsageReport({ params: { project: w.ids['demo'] ?? '' }, ...ask }),
    ),
  ).toEqual(projectRead)
  expect(await answers(w, (client) => client.usageReport(ask))).toMatchObject({
    admin: 'ok',
    viewer: 'ok',
    noRole: 403,
    projectAdmin: 403,
    anonymous: 401,
  })
  const others = Object.fromEntries(
    Object.entries(fleetOnly).map(([who, answer]) => [who, answer === 404 ? 403 : answer]),
  )
  expect(await answers(w, (client) => client.systemUsageReport(ask))).toEqual(others)
  expect(await answers(w, (client) => client.usagePricesView())).toEqual(others)
})
