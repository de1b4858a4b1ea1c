import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { swift } from '#/testing/machines.ts'
import { addInstance } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
let web: string
let elsewhere: string

beforeAll(async () => {
  w = await openWorld({ collects: true, timings: swift })
  await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
  web = (await addInstance(w, 'web', { start: true, ncpus: 2 })).id
  elsewhere = (await addInstance(w, 'web', { start: true }, 'elsewhere')).id
  await w.advance(180_000)
})
afterAll(() => w.close())

const ofProject = async (query: string, who: Who = 'projectViewer') =>
  (await w.as(who).timeseriesQuery({ query: { project: 'demo' }, body: { query } })).tables
const ofFleet = async (query: string) =>
  (await w.as('fleetAdmin').systemTimeseriesQuery({ body: { query } })).tables
const instancesIn = (tables: Awaited<ReturnType<typeof ofProject>>) =>
  new Set(tables.flatMap(({ timeseries }) => timeseries.map(({ fields }) => fields['instance_id']?.value)))

describe('answers', () => {
  it('the query of the CPU chart: for each vCPU, the mean time in all states adds up to the interval', async () => {
    const [from, until] = [150_000, 30_000].map((ms) =>
      new Date(w.clock.now() - ms).toISOString().slice(0, -1),
    )
    const [table, ...more] = await ofProject(
      `get virtual_machine:vcpu_usage | filter timestamp >= @${from} && timestamp < @${until}` +
        ` && instance_id == "${web}" | align mean_within(20s) | group_by [vcpu_id], sum`,
    )
    expect(more).toEqual([])
    expect(table?.name).toBe('virtual_machine:vcpu_usage')
    expect(table?.timeseries.map(({ fields }) => fields)).toEqual([
      { vcpu_id: { type: 'u32', value: 0 } },
      { vcpu_id: { type: 'u32', value: 1 } },
    ])
    for (const { points } of table?.timeseries ?? []) {
      expect(points.timestamps.at(-1)).toBe(`${until}Z`)
      const { metricType, values } = points.values[0] ?? {}
      expect([metricType, values?.type]).toEqual(['gauge', 'double'])
      // The first window has the counts before it.
      const settled = values?.values.slice(1) ?? []
      expect(settled).toHaveLength(6)
      for (const value of settled) expect(Number(value) / 5e9).toBeCloseTo(1, 3)
    }
  })
  it('a project sees only its machines, for any query; the fleet sees all', async () => {
    const query = 'get virtual_machine:vcpu_usage | filter vcpu_id >= 0 || vcpu_id < 0 | last 1'
    expect(instancesIn(await ofProject(query))).toEqual(new Set([web]))
    expect(instancesIn(await ofProject(`{ ${query}; get virtual_machine:reset } | last 1`))).toEqual(
      new Set([web]),
    )
    expect(await ofProject(`get virtual_machine:reset | filter instance_id == "${elsewhere}"`)).toEqual([
      { name: 'virtual_machine:reset', timeseries: [] },
    ])
    expect(instancesIn(await ofFleet(query))).toEqual(new Set([web, elsewhere]))
  })
  it('only the fleet sees metrics without a project', async () => {
    const query = 'get collection_target:cpus_provisioned | last 1'
    await expect(ofProject(query)).rejects.toThrow(/The identifiers \[silo_id, project_id\] are not valid/)
    const [table] = await ofFleet(query)
    const values = table?.timeseries.map(({ points }) => points.values[0]?.values.values[0])
    expect(values?.toSorted()).toEqual([1, 2, 3, 3])
  })
  it('bounds that belong to a range or not are kept to the millisecond', async () => {
    const gauges = 'get collection_target:cpus_provisioned'
    const [table] = await ofFleet(`${gauges} | filter timestamp <= @now()`)
    const times = table?.timeseries.flatMap(({ points }) => points.timestamps) ?? []
    const last = times.toSorted().at(-1)?.slice(0, -1)
    const count = async (cmp: string) => {
      const [found] = await ofFleet(`${gauges} | filter timestamp ${cmp} @${last}`)
      return found?.timeseries.flatMap(({ points }) => points.timestamps).length ?? 0
    }
    const [before, until, from, after] = [
      await count('<'),
      await count('<='),
      await count('>='),
      await count('>'),
    ]
    expect([until, after, before + from]).toEqual([times.length, 0, times.length])
    expect(from).toBeGreaterThan(0)
  })
  it('distributions come as such', async () => {
    const body = {
      name: 'data',
      description: '',
      size: 2 ** 30,
      diskSource: { type: 'blank' as const, blockSize: 512 as const },
    }
    await addInstance(w, 'db', { start: true, disks: [{ type: 'create', ...body }] })
    await w.advance(120_000)
    const [table] = await ofProject('get virtual_disk:io_latency | last 2')
    expect(table?.timeseries.length).toBeGreaterThan(0)
    for (const { points } of table?.timeseries ?? [])
      expect(points.values[0]).toMatchObject({
        metricType: 'delta',
        values: { type: 'integer_distribution' },
      })
  })
})
