import { GiB, TiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { instancesOf, setQuota, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const fleet = () => w.as('fleetAdmin')
const capacity = () => fleet().capacityView({})

beforeEach(async () => {
  const rack = { sleds: 3, usableHardwareThreads: 20, reservoirSize: 90 * GiB, usablePhysicalRam: 100 * GiB }
  w = await openWorld({ timings: swift, rack: { ...rack, cpuFamilies: ['amd_milan'] } })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

it('as many instances of a size fit as placement then accepts', async () => {
  const vm = instancesOf(w, 'admin')
  await vm.create('other', { ncpus: 3, memory: 5 * GiB, start: true })
  await w.advance(200)
  const sleds = (await fleet().sledList({ query: {} })).items
  const free = sleds.find(({ capacity: of }) => of?.threads.reserved === 0)
  await fleet().sledSetProvisionPolicy({
    params: { sledId: free?.id ?? '' },
    body: { state: 'non_provisionable' },
  })
  const size = { ncpus: 4, memory: 16 * GiB }
  const offered = (await capacity()).fits.find(
    (one) => one.ncpus === size.ncpus && one.memory === size.memory,
  )
  let started = 0
  for (; started < 20; started++) {
    await vm.create(`vm-${started}`, size)
    const isAccepted = await vm.start(`vm-${started}`).then(
      () => true,
      () => false,
    )
    if (!isAccepted) break
  }
  expect(started).toBe(offered?.count)
  // Two sleds are open: 17 and 20 threads, 85 and 90 GiB.
  expect(started).toBe(4 + 5)
  expect(await capacity()).toMatchObject({
    threads: { usable: 60, reserved: 3 + 9 * 4 },
    memory: { usable: 270 * GiB, reserved: 5 * GiB + 9 * 16 * GiB },
    racks: [{ serial: 'PRR26110003', threads: { usable: 60 } }],
  })
})

it('estimates 70 % of what there is', async () => {
  expect((await capacity()).estimate).toEqual({
    threads: 42,
    memory: 210 * GiB,
    storage: Math.ceil(3 * 32 * 0.909 * 0.7) * TiB,
  })
})

it('counts no sled that is missing', async () => {
  const [sled] = (await fleet().sledList({ query: {} })).items
  w.sleds.loseSled(sled?.id ?? '')
  await w.settle()
  expect((await capacity()).threads.usable).toBe(40)
})

it('counts the storage that sleds share once', async () => {
  const share = (ids: readonly string[]) =>
    inDb(w, async (tx) => {
      const json = JSON.stringify({ sharedStorage: 2 * TiB, load: { threads: 1, memory: 1, storage: TiB } })
      await tx.updateTable('sled').set({ hostJson: json }).where('id', 'in', ids).execute()
    })
  const [first, ...others] = (await fleet().sledList({ query: {} })).items.map(({ id }) => id)
  const own = (await capacity()).storage.usable / 3
  await share(others)
  expect((await capacity()).storage).toMatchObject({ usable: own + 2 * TiB })
  expect((await capacity()).estimate.storage).toBeGreaterThan(2 * TiB)
  await share([first ?? ''])
  expect(await capacity()).toMatchObject({
    storage: { usable: 2 * TiB, reserved: 0, used: TiB },
    estimate: { storage: Math.ceil(2 * 1024 * 0.7) * GiB },
  })
})

const placeable = async () => (await w.as('viewer').utilizationView({ query: {} })).placeable
const query = { project: 'demo' }
const makeDisk = (name: string, size: number) =>
  w.as('admin').diskCreate({
    query,
    body: { name, description: '', size, diskSource: { type: 'blank', blockSize: 512 } },
  })
/** Three sleds with ten disks each, for instances. */
const ofSled = 32e12

it('the disks of sleds have room for what is not provisioned, whether a disk is in use or not', async () => {
  expect((await placeable())?.storage).toBe(3 * ofSled)
  await makeDisk('data', 3 * GiB)
  await w.settle()
  await w.as('admin').snapshotCreate({ query, body: { name: 'monday', description: '', disk: 'data' } })
  expect((await placeable())?.storage).toBe(3 * ofSled - 6 * GiB)
  expect((await capacity()).storage).toMatchObject({ usable: 3 * ofSled, reserved: 6 * GiB })
  const [sled] = (await fleet().sledList({ query: {} })).items
  w.sleds.loseSled(sled?.id ?? '')
  await w.settle()
  expect((await placeable())?.storage).toBe(2 * ofSled - 6 * GiB)
})

it('the folder that sleds share has room for its free bytes, once, and a disk may be larger', async () => {
  const share = (load: { storage: number } | null) =>
    inDb(w, (tx) =>
      tx
        .updateTable('sled')
        .set({ hostJson: JSON.stringify({ sharedStorage: 2 * TiB, load }) })
        .execute(),
    )
  await share({ storage: 1.5 * TiB })
  expect((await placeable())?.storage).toBe(TiB / 2)
  await makeDisk('sparse', 700 * GiB)
  expect((await placeable())?.storage).toBe(TiB / 2)
  await share({ storage: 2.5 * TiB })
  expect((await placeable())?.storage).toBe(0)
  await share(null)
  expect(await placeable()).not.toHaveProperty('storage')
})

it('members see no more of the storage than their quota leaves', async () => {
  await makeDisk('data', 3 * GiB)
  await setQuota(w, { quotaStorage: 10 * GiB })
  expect((await placeable())?.storage).toBe(7 * GiB)
  await setQuota(w, { quotaStorage: GiB })
  expect((await placeable())?.storage).toBe(0)
})

it('says how long it will last at the pace of the last 30 days', async () => {
  expect((await capacity()).trends.threads).toEqual({ perDay: null, daysUntilFull: null })
  const day = 24 * 3_600_000
  const now = w.clock.now()
  await inDb(w, (tx) =>
    tx
      .insertInto('usageSample')
      .values(
        Array.from({ length: 31 }, (_, i) => ({
          id: fleetId,
          metric: 'cpus_provisioned' as const,
          at: now - (30 - i) * day,
          value: i * 2,
        })),
      )
      .execute(),
  )
  const { threads, memory } = (await capacity()).trends
  expect(threads.perDay).toBeCloseTo(2)
  expect(threads.daysUntilFull).toBeCloseTo(30)
  expect(memory).toEqual({ perDay: null, daysUntilFull: null })
})
