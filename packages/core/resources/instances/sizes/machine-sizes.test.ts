import { GiB, limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(() => w.close())

const fleet = () => w.as('fleetAdmin')
const offered = async () => (await w.as('noRole').offeredMachineSizeList({ query: {} })).items
const size = (name: string, ncpus = 1, memory = GiB) => ({ name, description: '', ncpus, memory })

it('begins with sizes for most work, for much computation and for much memory', async () => {
  const sizes = await offered()
  expect(sizes.map(({ ncpus }) => ncpus)).toEqual([2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 16, 16])
  expect(sizes.find(({ name }) => name === 'memory-16')).toMatchObject({ ncpus: 16, memory: 128 * GiB })
  const { fits } = await fleet().capacityView()
  expect(fits.map(({ name }) => name)).toEqual(expect.arrayContaining(sizes.map(({ name }) => name)))
})

it('offers the sizes of the fleet until the silo has its own, and again after the last one', async () => {
  const query = { silo: 'acme' }
  const made = await fleet().siloMachineSizeCreate({ query, body: size('tiny') })
  expect((await offered()).map(({ name }) => name)).toEqual(['tiny'])
  expect((await fleet().siloMachineSizeList({ query: { silo: 'other' } })).items).toEqual([])
  await fleet().siloMachineSizeDelete({ params: { siloMachineSize: made.id }, query })
  expect(await offered()).toHaveLength(12)
})

it('can have no size at all', async () => {
  for (const { name } of await offered()) await fleet().machineSizeDelete({ params: { machineSize: name } })
  expect(await offered()).toEqual([])
  expect((await fleet().capacityView()).fits).toEqual([])
})

it('takes only sizes that an instance can have', async () => {
  const { maxCpus, maxMemory } = limits.instance
  const refused = { status: 400 }
  for (const wrong of [
    size('a', 0),
    size('a', maxCpus + 1),
    size('a', 1, GiB + 1),
    size('a', 1, maxMemory + GiB),
  ]) {
    await expect(fleet().machineSizeCreate({ body: wrong })).rejects.toMatchObject(refused)
    await expect(
      fleet().siloMachineSizeCreate({ query: { silo: 'acme' }, body: wrong }),
    ).rejects.toMatchObject(refused)
  }
  const change = (body: { ncpus?: number; memory?: number }) =>
    fleet().machineSizeUpdate({ params: { machineSize: 'cpu-2' }, body })
  await expect(change({ memory: 1 })).rejects.toMatchObject(refused)
  expect(await change({ memory: 3 * GiB })).toMatchObject({ ncpus: 2, memory: 3 * GiB })
})

it('has room for a limited number', async () => {
  const has = (await offered()).length
  for (let i = has; i < limits.machineSizes; i++) await fleet().machineSizeCreate({ body: size(`size-${i}`) })
  await expect(fleet().machineSizeCreate({ body: size('more') })).rejects.toMatchObject({ status: 507 })
})

it('is kept by administrators of the fleet alone', async () => {
  const forbidden = { status: 403 }
  await expect(w.as('admin').machineSizeCreate({ body: size('own') })).rejects.toMatchObject(forbidden)
  await expect(
    w.as('admin').siloMachineSizeCreate({ query: { silo: 'acme' }, body: size('own') }),
  ).rejects.toMatchObject(forbidden)
  await expect(w.as('admin').machineSizeList({ query: {} })).rejects.toMatchObject(forbidden)
})
