/** Maintenance among other work: random orders of requests and failures, and the races that were found. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fleetId } from '#/db/rows/fleet.ts'
import { grant } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { instancesOf, rowOf, sledRows, swift } from '#/testing/machines.ts'
import fc from '#/testing/properties.ts'
import { inWholeRun, sampleOnOtherEngines } from '#/testing/samples.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
const open = async () => {
  w = await openWorld({ timings: swift, rack: { sleds: 3, cpuFamilies: ['amd_milan'] } })
  vm = instancesOf(w, 'admin')
}
beforeEach(open)
afterEach(async () => {
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const fleet = () => w.as('fleetAdmin')
const at = (sledId: string) => ({ params: { sledId } })
const begin = (sledId: string, stopUnmovable = false) =>
  fleet().sledMaintenanceStart({ ...at(sledId), body: { stopUnmovable } })
const openTasks = () =>
  inDb(w, (tx) =>
    tx
      .selectFrom('task')
      .selectAll()
      .where('timeEnded', 'is', null)
      .where('state', '!=', 'preparing')
      .execute(),
  )
const names = ['a', 'b', 'c', 'd']

/** Some may be refused, as long as nothing is left in disorder. */
const tried = (request: Promise<unknown>) =>
  request.catch((error: { status: number }) => {
    if (error.status >= 500 && error.status !== 503 && error.status !== 507) throw error
  })

type Step = readonly [what: (typeof whats)[number], which: number]
const whats = [
  'start',
  'stop',
  'reboot',
  'begin',
  'begin with stops',
  'cancel',
  'end',
  'lose',
  'restore',
  'crash',
  'shut down',
  'fail migration',
  'forget',
  'expunge',
  'wait',
  'wait long',
  'restart',
] as const

async function take([what, which]: Step): Promise<unknown> {
  const name = names[which % names.length] ?? ''
  const sleds = await sledRows(w)
  const sled = sleds[which % sleds.length]
  const sledId = sled?.id ?? ''
  const { id } = await rowOf(w, name)
  switch (what) {
    case 'start':
      return tried(vm.start(name))
    case 'stop':
      return tried(vm.stop(name))
    case 'reboot':
      return tried(vm.reboot(name))
    case 'begin':
      return tried(begin(sledId))
    case 'begin with stops':
      return tried(begin(sledId, true))
    case 'cancel':
      return (
        sled?.maintenanceTaskId && tried(fleet().taskCancel({ params: { task: sled.maintenanceTaskId } }))
      )
    case 'end':
      return tried(fleet().sledMaintenanceEnd(at(sledId)))
    case 'lose':
      return w.sleds.loseSled(sledId)
    case 'restore':
      return w.sleds.restoreSled(sledId)
    case 'crash':
      return w.sleds.crash(id, 'smoke')
    case 'shut down':
      return w.sleds.guestShutdown(id)
    case 'fail migration':
      return w.sleds.failNextMigration(id, 'too much change')
    case 'forget':
      return w.sleds.forget(id)
    case 'expunge':
      return which % 5 === 0 && sleds.length > 2 && tried(fleet().sledExpunge(at(sledId)))
    case 'wait':
      return w.advance(40 + which * 10)
    case 'wait long':
      return w.advance(7_000)
    case 'restart':
      // Hosts number their reports by their clock.
      await w.advance(100)
      return w.restart()
  }
}

const isReachable = (id: string, sledId: string) => w.sleds.inspect(id, sledId).catch(() => null)

it('a reset on the way is done where the instance stays if its migration fails', async () => {
  await vm.create('web', { start: true })
  await w.advance(100)
  const { id, sledId } = await rowOf(w, 'web')
  w.sleds.failNextMigration(id, 'too much change')
  await begin(sledId ?? '')
  await w.settle()
  await vm.reboot('web')
  await w.advance(1_000)
  expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', sledId, migrationSledId: null })
  expect(await w.sleds.inspect(id, sledId ?? '')).toMatchObject({ state: 'running', reset: 1 })
})

it('of two operators who begin at once, one is refused', async () => {
  await vm.create('web', { start: true })
  await w.advance(100)
  const sledId = (await rowOf(w, 'web')).sledId ?? ''
  await inDb(w, (tx) =>
    grant(tx, {
      resourceType: 'fleet',
      resourceId: fleetId,
      identityType: 'silo_user',
      identityId: w.ids['noRole'] ?? '',
      roleName: 'admin',
    }),
  )
  const both = await Promise.allSettled([
    begin(sledId),
    w.as('noRole').sledMaintenanceStart({ ...at(sledId), body: {} }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await w.settle()
  expect(await openTasks()).toHaveLength(1)
  await w.advance(5_000)
  expect(await openTasks()).toEqual([])
})

it('a sled is not taken out of service while instances are on their way to it', async () => {
  await vm.create('web', { start: true })
  await w.advance(100)
  await begin((await rowOf(w, 'web')).sledId ?? '')
  await w.settle()
  const to = (await rowOf(w, 'web')).migrationSledId ?? ''
  await expect(fleet().sledExpunge(at(to))).rejects.toMatchObject({ status: 400 })
  await w.advance(5_000)
  expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', sledId: to, boot: 1 })
})

it('an instance that was lost with the sled that it moved to restarts elsewhere', async () => {
  await vm.create('web', { start: true })
  await w.advance(100)
  await begin((await rowOf(w, 'web')).sledId ?? '')
  await w.settle()
  const { id, migrationSledId: to } = await rowOf(w, 'web')
  // It arrives, and no server hears of it before the sled goes away.
  await w.plane.loops.stop()
  await w.clock.advance(200)
  expect(await w.sleds.inspect(id, to ?? '')).toMatchObject({ state: 'running' })
  w.sleds.loseSled(to ?? '')
  await w.another()
  await w.advance(5_000)
  await fleet().sledExpunge(at(to ?? ''))
  await w.advance(60_000)
  const row = await rowOf(w, 'web')
  expect(row).toMatchObject({ runState: 'running', boot: 2, migrationSledId: null })
  expect(row.sledId).not.toBe(to)
})

const runs = sampleOnOtherEngines(Array.from({ length: inWholeRun(8, 100) }))

it(
  'whatever happens in which order, each instance ends as it should, once',
  { timeout: 300_000 },
  async () => {
    const step = fc.tuple(fc.constantFrom(...whats), fc.nat(9))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async (steps) => {
        await w.close()
        await open()
        for (const name of names) await vm.create(name, { start: true, networkInterfaces: { type: 'none' } })
        await w.advance(100)
        for (const one of steps) {
          await take(one)
          await w.quiet()
        }
        for (const { id } of await sledRows(w)) {
          w.sleds.restoreSled(id)
          await tried(fleet().sledMaintenanceEnd(at(id)))
        }
        for (let i = 0; i < 12; i++) await w.advance(90_000)
        expect(await disorder(w)).toEqual([])
        expect(await openTasks()).toEqual([])
        for (const name of names) {
          const row = await rowOf(w, name)
          expect(row).toMatchObject({
            name,
            runState: row.desired,
            migrationId: null,
            migrationSledId: null,
          })
          for (const { id } of await sledRows(w))
            expect((await isReachable(row.id, id))?.state ?? 'none', `${name} on ${id}`).toBe(
              row.desired === 'running' && id === row.sledId ? 'running' : 'none',
            )
        }
        expect(w.errors).toEqual([])
      }),
      { numRuns: runs.length },
    )
  },
)
