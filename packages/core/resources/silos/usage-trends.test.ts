import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const day = 24 * 3_600_000
const own = () => w.as('projectViewer').utilizationView({ query: { trends: true } })
const operators = () =>
  w.as('fleetAdmin').siloUtilizationView({ params: { silo: 'acme' }, query: { trends: true } })

it('says how long the quotas of a silo last, only if asked', async () => {
  expect(await w.as('projectViewer').utilizationView({ query: {} })).not.toHaveProperty('trends')
  const params = { silo: 'acme' }
  expect(await w.as('fleetAdmin').siloUtilizationView({ params, query: {} })).not.toHaveProperty('trends')
  const unknown = { perDay: null, daysUntilFull: null }
  expect((await own()).trends).toEqual({ cpus: unknown, memory: unknown, storage: unknown })
  const { id } = await w.as('fleetAdmin').siloView({ params })
  const values = Array.from({ length: 31 }, (_, i) => ({
    id,
    metric: 'virtual_disk_space_provisioned' as const,
    at: w.clock.now() - (30 - i) * day,
    value: i * GiB,
  }))
  await inDb(w, (tx) => tx.insertInto('usageSample').values(values).execute())
  const { trends, capacity } = await own()
  expect(trends?.storage.perDay).toBeCloseTo(GiB, -3)
  expect(trends?.storage.daysUntilFull).toBeCloseTo(Number(capacity.storage) / GiB)
  expect(trends?.cpus).toEqual(unknown)
  expect((await operators()).trends).toEqual(trends)
})
