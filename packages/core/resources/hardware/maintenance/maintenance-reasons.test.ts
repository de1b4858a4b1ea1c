/** The reasons and results of moves from a sled: in its plan, in a refused move, and after its maintenance. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addGroup, instancesOf, rowOf, sledRows, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let others: string[]
let here: string
const fleet = () => w.as('fleetAdmin')

beforeEach(async () => {
  w = await openWorld({ timings: swift, rack: { sleds: 3, cpuFamilies: ['amd_milan'] } })
  const [first = '', ...rest] = (await sledRows(w)).map(({ id }) => id)
  here = first
  others = rest
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

/** Opens or closes the other sleds. */
async function setOthers(state: 'provisionable' | 'non_provisionable'): Promise<void> {
  for (const sledId of others) await fleet().sledSetProvisionPolicy({ params: { sledId }, body: { state } })
}

/** The reason in the plan, which the refusal of a move has too. */
async function reasonOf(name: string): Promise<string> {
  const { items } = await fleet().sledMaintenancePlan({ params: { sledId: here }, query: {} })
  const reason = items.find((one) => one.name === name)?.reason ?? ''
  const { id: instance } = await rowOf(w, name)
  const error: unknown = await fleet()
    .instanceMove({ params: { instance }, query: {} })
    .catch((refused: unknown) => refused)
  expect(error).toMatchObject({ message: expect.stringContaining(reason) as string })
  expect(error).toMatchObject({ message: expect.stringContaining('Failed to move instance: ') as string })
  expect(error).not.toMatchObject({ message: expect.stringContaining(', or start it again') as string })
  return reason
}

it('the reasons are those of a move: they are about the other sleds', async () => {
  const vm = instancesOf(w, 'admin')
  await setOthers('non_provisionable')
  for (const name of ['plain', 'modern', 'tied', 'near']) await vm.create(name, { start: true })
  await w.advance(200)
  expect(await reasonOf('plain')).toBe('No other sled accepts instances now. Open one')
  await setOthers('provisionable')
  const { id } = await rowOf(w, 'modern')
  await inDb(w, (tx) =>
    tx.updateTable('instance').set({ cpuPlatform: 'amd_turin' }).where('id', '=', id).execute(),
  )
  expect(await reasonOf('modern')).toBe(
    'No other sled that takes instances can run the CPU platform amd_turin. Open one that can',
  )
  await addGroup(w, { name: 'pair', kind: 'affinity', policy: 'fail', members: ['tied', 'near'] })
  expect(await reasonOf('tied')).toBe(
    'All members of an affinity group whose policy is fail must be on one sled: "pair". The others are on this sled.',
  )
})

it('the results say where each instance went, and stay until the next maintenance of the sled', async () => {
  const vm = instancesOf(w, 'admin')
  await setOthers('non_provisionable')
  for (const name of ['a', 'b']) await vm.create(name, { start: true })
  await w.advance(200)
  await setOthers('provisionable')
  const at = { params: { sledId: here } }
  const begin = () => fleet().sledMaintenanceStart({ ...at, body: {} })
  const { taskId } = await begin()
  await w.advance(5_000)
  await fleet().sledMaintenanceEnd(at)
  await w.settle()
  expect(await fleet().sledView(at)).toMatchObject({ maintenance: null, maintenanceTaskId: taskId })
  const { items } = await w.as('fleetAdmin').taskItemList({ params: { task: taskId ?? '' }, query: {} })
  const serials = new Map((await sledRows(w)).map(({ id, serial }) => [id, serial]))
  for (const { name, result, message } of items) {
    const { sledId } = await rowOf(w, name)
    expect([result, message]).toEqual(['succeeded', `moved to sled ${serials.get(sledId ?? '')}`])
  }
  expect(items).toHaveLength(2)
  const again = await begin()
  expect(again.taskId).not.toBe(taskId)
  expect((await fleet().sledView(at)).maintenanceTaskId).toBe(again.taskId)
})
