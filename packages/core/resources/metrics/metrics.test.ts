import { GiB } from '@purlin/contract/rules/limits'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fleetId } from '#/db/rows/fleet.ts'
import { instancesOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { dropOld } from '#/timeseries/maintenance.ts'
import { createTimeseriesReader } from '#/timeseries/store-read.ts'

let w: TestWorld
const minute = 60_000
const day = 24 * 60 * minute
const epoch = new Date(0)
const [space, cpus, ram] = ['virtual_disk_space_provisioned', 'cpus_provisioned', 'ram_provisioned'] as const
type Metric = typeof space | typeof cpus | typeof ram
type Who = Parameters<TestWorld['as']>[0]

const later = () => new Date(w.clock.now() + 1)
const valuesOf = ({ items }: { items: { datum: { datum: unknown } }[] }) =>
  items.map((one) => one.datum.datum)
const ofSilo = async (metricName: Metric, who: Who = 'viewer') =>
  valuesOf(
    await w.as(who).siloMetric({ params: { metricName }, query: { startTime: epoch, endTime: later() } }),
  )
const ofProject = async (metricName: Metric, project = 'demo', who: Who = 'projectViewer') =>
  valuesOf(
    await w
      .as(who)
      .siloMetric({ params: { metricName }, query: { project, startTime: epoch, endTime: later() } }),
  )
const ofFleet = async (metricName: Metric, silo?: string) =>
  valuesOf(
    await w
      .as('fleetAdmin')
      .systemMetric({ params: { metricName }, query: { silo, startTime: epoch, endTime: later() } }),
  )

describe('provisioned resources', () => {
  beforeEach(async () => {
    w = await openWorld({ timings: swift })
  })
  afterEach(() => w.close())

  it('has a sample for each start and stop, of the project, the silo and the fleet', async () => {
    const vm = instancesOf(w)
    await vm.create('web', { ncpus: 2, memory: GiB })
    expect(await ofProject(cpus)).toEqual([])
    await vm.start('web')
    await w.advance(minute)
    await vm.create('db', { ncpus: 4, memory: 2 * GiB, start: true })
    await w.advance(minute)
    await vm.stop('web')
    await w.advance(minute)
    for (const values of [
      await ofProject(cpus),
      await ofSilo(cpus),
      await ofFleet(cpus),
      await ofFleet(cpus, 'acme'),
    ])
      expect(values).toEqual([2, 6, 4])
    expect(await ofProject(ram)).toEqual([GiB, 3 * GiB, 2 * GiB])
    expect(await ofProject(space)).toEqual([])
    expect(await ofFleet(cpus, 'other')).toEqual([])
  })

  it('counts disks and snapshots while they are there', async () => {
    const vm = instancesOf(w)
    const query = { project: 'demo' }
    await vm.makeDisk('data', 3)
    await w.advance(minute)
    const snapshot = { name: 'yesterday', description: '', disk: 'data' }
    await w.as('projectCollaborator').snapshotCreate({ query, body: snapshot })
    await w.advance(minute)
    await w.as('projectCollaborator').snapshotDelete({ params: { snapshot: 'yesterday' }, query })
    await w.as('projectCollaborator').diskDelete({ params: { disk: 'data' }, query })
    // Of changes in one millisecond the last one counts.
    expect(await ofProject(space)).toEqual([3 * GiB, 6 * GiB, 0])
    expect(await ofProject(cpus)).toEqual([])
  })

  it('is a sum over projects and silos', async () => {
    await w.as('admin').projectCreate({ body: { name: 'second', description: '' } })
    const disk = (project: string) =>
      w.as('admin').diskCreate({
        query: { project },
        body: { name: 'd', description: '', size: GiB, diskSource: { type: 'blank', blockSize: 512 } },
      })
    await disk('demo')
    await w.advance(1)
    await disk('second')
    expect(await ofProject(space, 'second', 'viewer')).toEqual([GiB])
    expect(await ofSilo(space)).toEqual([GiB, 2 * GiB])
    expect(await ofFleet(space)).toEqual([GiB, 2 * GiB])
  })

  it('a change requested earlier and committed later is the newest sample', async () => {
    const vm = instancesOf(w)
    await vm.makeDisk('first')
    await inDb(w, (tx) =>
      tx
        .updateTable('usageSample')
        .set((eb) => ({ at: eb('at', '+', 5) }))
        .execute(),
    )
    await vm.makeDisk('second')
    await w.advance(10)
    expect(await ofProject(space)).toEqual([2 * GiB])
  })

  it('can be queried as timeseries', async () => {
    const vm = instancesOf(w)
    await vm.makeDisk('one')
    await w.advance(minute)
    await vm.makeDisk('two')
    const reader = createTimeseriesReader(w.world)
    const schema = await reader.schema(`collection_target:${space}`)
    if (!schema) throw new Error('no schema')
    const all = { schema, equal: new Map(), test: () => true, from: null, until: null, limit: null }
    const found = await reader.read(all, 100)
    expect(found.map((one) => String(one.fields['id']?.value)).toSorted()).toEqual(
      [fleetId, w.ids['acme'] ?? '', w.ids['demo'] ?? ''].toSorted(),
    )
    const one = { ...all, equal: new Map([['id', w.ids['demo'] ?? '']]), from: w.clock.now() - 1 }
    const [series] = await reader.read(one, 100)
    expect(series?.points).toMatchObject({ startTimes: null, values: { of: Float64Array.of(2 * GiB) } })
    for (const [side, value] of [
      ['first', GiB],
      ['last', 2 * GiB],
    ] as const)
      expect(
        (await reader.read({ ...one, from: null, limit: { side, count: 1 } }, 100))[0]?.points,
      ).toMatchObject({ values: { of: Float64Array.of(value) } })
    await expect(reader.read(all, 5)).rejects.toMatchObject({ name: 'TooManyPoints' })
  })

  it('old samples are deleted, except the one that is still valid', async () => {
    const vm = instancesOf(w)
    await vm.makeDisk('kept')
    await w.advance(minute)
    await vm.makeDisk('newer')
    await vm.create('web', { start: true })
    await w.advance(minute)
    await vm.stop('web')
    await w.advance(minute)
    await dropOld(w.world.engine, w.clock.now() + 31 * day, () => Promise.resolve(true))
    expect(await ofProject(space)).toEqual([2 * GiB])
    expect(await ofProject(cpus)).toEqual([])
  })
})

describe('samples of provisioned resources', () => {
  let begin: number
  beforeAll(async () => {
    w = await openWorld()
    begin = w.clock.now()
    for (let i = 0; i < 7; i++) {
      await instancesOf(w).makeDisk(`disk-${i}`)
      await w.advance(minute)
    }
  })
  afterAll(() => w.close())

  type Query = Parameters<ReturnType<TestWorld['as']>['siloMetric']>[0]['query']
  const ask = (query: Partial<Query>) =>
    w.as('viewer').siloMetric({
      params: { metricName: space },
      query: { startTime: epoch, endTime: later(), ...query },
    })
  const giB = async (query: Partial<Query>) => valuesOf(await ask(query)).map((value) => Number(value) / GiB)

  it.each([
    ['ascending', [1, 2, 3, 4, 5, 6, 7]],
    ['descending', [7, 6, 5, 4, 3, 2, 1]],
  ] as const)('page by page, %s', async (order, expected) => {
    for (const limit of [1, 2, 3, 7, 8]) {
      const seen: number[] = []
      let pageToken: string | undefined
      do {
        const page = await ask({ order, limit, pageToken })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        seen.push(...valuesOf(page).map((value) => Number(value) / GiB))
        pageToken = page.nextPage ?? undefined
      } while (pageToken !== undefined)
      expect(seen).toEqual(expected)
    }
  })

  it('a page token contains its range and order', async () => {
    const first = await ask({ order: 'descending', limit: 2, endTime: new Date(begin + 5 * minute) })
    const url = `/v1/metrics/${space}?page_token=${first.nextPage}&limit=2`
    const { json } = await w.raw({ url, who: 'viewer' })
    expect(json.items).toEqual([
      { timestamp: new Date(begin + 2 * minute).toISOString(), datum: { type: 'i64', datum: 3 * GiB } },
      { timestamp: new Date(begin + minute).toISOString(), datum: { type: 'i64', datum: 2 * GiB } },
    ])
  })

  it('the start belongs to the range, the end does not', async () => {
    const at = (minutes: number) => new Date(begin + minutes * minute)
    expect(await giB({ startTime: at(2), endTime: at(4) })).toEqual([3, 4])
    // The value when the range began.
    expect(await giB({ endTime: at(4), order: 'descending', limit: 1 })).toEqual([4])
    expect(await giB({ startTime: at(4), endTime: at(4) })).toEqual([])
    await expect(giB({ startTime: at(4), endTime: at(3) })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"end_time": it is before start_time') as string,
    })
  })

  const refused = async (url: string, who: Who, status: number, message?: RegExp) => {
    const answer = await w.raw({ url, who })
    expect(answer.status, answer.text).toBe(status)
    if (message) expect(answer.text).toMatch(message)
  }
  const range = 'start_time=2026-01-01T00:00:00Z&end_time=2026-02-01T00:00:00Z'
  const token = (last: string) =>
    Buffer.from(
      JSON.stringify({ v: 'v1', page_start: { query: { start_time: epoch, end_time: later() }, last } }),
    ).toString('base64url')

  it.each([
    ['/v1/metrics/nonsense', 'viewer', 400, /metric_name/],
    [`/v1/metrics/${cpus}?start_time=2026-01-01T00:00:00Z`, 'viewer', 400, /end_time/],
    [`/v1/metrics/${cpus}?${range}&order=sideways`, 'viewer', 400, /order|sideways/],
    [`/v1/metrics/${cpus}?${range}&project=nope`, 'viewer', 404, /project with name/],
    [`/v1/metrics/${cpus}?${range}&project=demo`, 'stranger', 404, /project with name/],
    [`/v1/metrics/${cpus}?${range}&project=demo`, 'noRole', 404, /project with name/],
    [`/v1/metrics/${cpus}?${range}`, 'noRole', 200],
    [`/v1/metrics/${cpus}?${range}`, 'projectViewer', 200],
    [`/v1/system/metrics/${cpus}?${range}`, 'admin', 403],
    [`/v1/system/metrics/${cpus}?${range}&silo=nope`, 'fleetAdmin', 404, /silo with name/],
    ['/v1/system/timeseries/schemas', 'admin', 403],
  ] as [string, Who, number, RegExp?][])('%s as %s: %i', async (path, who, status, message) => {
    const url = path.endsWith('nonsense') ? `${path}?${range}` : path
    await refused(url, who, status, message)
  })

  it('a token that was tampered with is refused', async () => {
    for (const last of ['x', '1.5', '1e40'])
      await refused(`/v1/metrics/${cpus}?page_token=${token(last)}`, 'viewer', 400, /corrupted token/)
  })
})

describe('schemas of timeseries', () => {
  beforeAll(async () => {
    w = await openWorld()
  })
  afterAll(() => w.close())

  it('page by name', async () => {
    const seen: string[] = []
    let pageToken: string | undefined
    do {
      const page = await w.as('fleetAdmin').systemTimeseriesSchemaList({ query: { limit: 5, pageToken } })
      seen.push(...page.items.map((one) => one.timeseriesName))
      pageToken = page.nextPage ?? undefined
    } while (pageToken !== undefined)
    expect(seen).toHaveLength(27)
    expect(seen).toEqual([...new Set(seen)].toSorted())
  })

  it('include those of health checks, which have no samples yet', async () => {
    const { items } = await w.as('fleetAdmin').systemTimeseriesSchemaList({ query: {} })
    const fields = (name: string) =>
      items
        .find((one) => one.timeseriesName === `virtual_machine:${name}`)
        ?.fieldSchema.flatMap((field) => (field.source === 'metric' ? [field.name] : []))
    expect([fields('check'), fields('incomplete_check')]).toEqual([['state', 'reason'], ['failure_reason']])
    const query = 'get virtual_machine:check | filter state == "running" | align mean_within(1m)'
    const { tables } = await w.as('fleetAdmin').systemTimeseriesQuery({ body: { query } })
    expect(tables).toEqual([{ name: 'virtual_machine:check', timeseries: [] }])
  })

  it('describe the value and the fields that identify series', async () => {
    const { items } = await w.as('fleetAdmin').systemTimeseriesSchemaList({ query: {} })
    const usage = items.find((one) => one.timeseriesName === 'virtual_machine:vcpu_usage')
    expect(usage).toMatchObject({
      datumType: 'cumulative_u64',
      units: 'nanoseconds',
      authzScope: 'project',
      version: 1,
    })
    expect(usage?.fieldSchema.map(({ name, fieldType, source }) => [name, fieldType, source])).toEqual([
      ['instance_id', 'uuid', 'target'],
      ['project_id', 'uuid', 'target'],
      ['silo_id', 'uuid', 'target'],
      ['sled_id', 'uuid', 'target'],
      ['sled_model', 'string', 'target'],
      ['sled_revision', 'u32', 'target'],
      ['sled_serial', 'string', 'target'],
      ['state', 'string', 'metric'],
      ['vcpu_id', 'u32', 'metric'],
    ])
  })
})
