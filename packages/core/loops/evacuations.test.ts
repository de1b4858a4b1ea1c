/** Many instances that move, and several servers that move them. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { GiB } from '@purlin/contract/rules/limits'
import { endingWhen, instancesOf, rowOf, sledRows, swift } from '#/testing/machines.ts'
import fc from '#/testing/properties.ts'
import { inWholeRun, sampleOnOtherEngines, skipsLong } from '#/testing/samples.ts'
import { disorder } from '#/testing/state.ts'
import { rootDocument, updateFixture } from '#/testing/updates/fixtures.ts'
import { openWorld, sha256, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const open = async () => {
  w = await openWorld({
    sha256,
    timings: swift,
    rack: {
      sleds: 3,
      cpuFamilies: ['amd_milan'],
      usableHardwareThreads: 1024,
      usablePhysicalRam: 4096 * GiB,
    },
  })
}
beforeEach(open)
afterEach(() => w.close())

const at = (sledId: string) => ({ params: { sledId } })
const namesOf = (count: number) => Array.from({ length: count }, (_, i) => `vm-${String(i).padStart(3, '0')}`)

/** Starts instances on the first sled, while the others are closed. Returns its id. */
async function fill(names: readonly string[]): Promise<string> {
  const [here = '', ...others] = (await sledRows(w)).map(({ id }) => id)
  const set = (id: string, state: 'provisionable' | 'non_provisionable') =>
    w.as('fleetAdmin').sledSetProvisionPolicy({ ...at(id), body: { state } })
  for (const id of others) await set(id, 'non_provisionable')
  const vm = instancesOf(w, 'admin')
  for (const name of names) await vm.create(name, { start: true, networkInterfaces: { type: 'none' } })
  await w.advance(1_000)
  for (const id of others) await set(id, 'provisionable')
  return here
}

/** Each instance runs where its row says, has never been started again, and is nowhere else. */
async function expectOnce(names: readonly string[]): Promise<void> {
  const sleds = (await sledRows(w)).map(({ id }) => id)
  for (const name of names) {
    const row = await rowOf(w, name)
    expect(row).toMatchObject({
      name,
      runState: 'running',
      boot: 1,
      migrationId: null,
      migrationSledId: null,
    })
    const found = []
    for (const id of sleds) if (await w.sleds.inspect(row.id, id)) found.push(id)
    expect(found, name).toEqual([row.sledId])
  }
  expect(await disorder(w)).toEqual([])
}

it('a sled with many instances is emptied while its lists can be read', { timeout: 300_000 }, async () => {
  const names = sampleOnOtherEngines(namesOf(inWholeRun(100, 500)))
  const here = await fill(names)
  const admin = w.as('fleetAdmin')
  const { taskId } = await admin.sledMaintenanceStart({ ...at(here), body: {} })
  const task = { params: { task: taskId ?? '' } }
  const limit = 20
  let last = names.length
  for (let rounds = 0; (await admin.taskView(task)).timeEnded === null; rounds++) {
    expect(rounds).toBeLessThan(names.length)
    await w.advance(100)
    const { items } = await admin.sledInstanceList({ ...at(here), query: { limit } })
    const { maintenance } = await admin.sledView(at(here))
    const remaining = maintenance?.remaining ?? -1
    expect(items).toHaveLength(Math.min(limit, remaining))
    expect(remaining).toBeLessThanOrEqual(last)
    last = remaining
    expect((await admin.taskList({ query: { limit } })).items).toHaveLength(1)
    expect((await admin.taskItemList({ ...task, query: { limit } })).items).toHaveLength(
      Math.min(limit, names.length),
    )
  }
  expect(await admin.taskView(task)).toMatchObject({ succeeded: names.length, failed: 0, canceled: 0 })
  expect(await admin.sledView(at(here))).toMatchObject({ maintenance: { state: 'empty', remaining: 0 } })
  await expectOnce(names)
  expect(w.errors).toEqual([])
})

/** Two servers in place of the first one. One of them can end. */
async function twoServers() {
  let isGone = false
  await w.plane.loops.stop()
  const first = await w.another(endingWhen(() => isGone, w.sleds))
  const second = await w.another()
  const end = async () => {
    isGone = true
    await first.plane.loops.stop()
    w.errors.length = 0
  }
  return { first, second, end }
}

const runs = inWholeRun(2, 40)

it('of two servers that empty a sled, one may end at any time', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 30 }), async (ms, count) => {
      await w.close()
      await open()
      const names = namesOf(count)
      const here = await fill(names)
      const { first, second, end } = await twoServers()
      const { taskId } = await first.as('fleetAdmin').sledMaintenanceStart({ ...at(here), body: {} })
      await w.advance(ms)
      await end()
      const admin = second.as('fleetAdmin')
      await w.advance(120_000)
      expect(await admin.taskView({ params: { task: taskId ?? '' } })).toMatchObject({
        state: 'completed',
        succeeded: count,
      })
      expect(await admin.sledView(at(here))).toMatchObject({ maintenance: { state: 'empty' } })
      await expectOnce(names)
      expect(w.errors).toEqual([])
    }),
    { numRuns: runs },
  )
})

it.skipIf(skipsLong())(
  'of two servers that roll a release out, one may end at any time',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 120 }), async (steps) => {
        await w.close()
        await open()
        const admin = w.as('fleetAdmin')
        await admin.systemUpdateTrustRootCreate({ query: {}, body: rootDocument() })
        for (const version of ['1.0.0', '1.1.0'])
          await admin.systemUpdateRepositoryUpload({
            query: { fileName: `${version}.zip` },
            body: updateFixture(`${version}.zip`),
          })
        const names = namesOf(6)
        await fill(names)
        const { first, second, end } = await twoServers()
        await first.as('fleetAdmin').targetReleaseUpdate({ body: { systemVersion: '1.1.0' } })
        for (let i = 0; i < steps; i++) await w.advance(1_000)
        await end()
        const status = () => second.as('fleetAdmin').systemUpdateStatus({})
        for (let i = 0; (await status()).componentsByReleaseVersion['1.1.0'] !== 8; i++) {
          expect(i, JSON.stringify(await status())).toBeLessThan(300)
          await w.advance(2_000)
        }
        await w.advance(30_000)
        expect(await status()).toMatchObject({ step: null, next: null, waitsFor: null })
        for (const { maintenanceSince, provisionPolicy } of await sledRows(w))
          expect([maintenanceSince, provisionPolicy]).toEqual([null, 'provisionable'])
        await expectOnce(names)
        expect(w.errors).toEqual([])
      }),
      { numRuns: runs },
    )
  },
)
