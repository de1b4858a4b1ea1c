import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { instancesOf, setQuota } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const GiB = 2 ** 30
const hour = 3_600_000
const minute = 60_000
const query = { project: 'demo' }
const at = { params: { disk: 'disk' }, query }
const hourly = { everyHours: 1, keep: 2 }

let w: TestWorld
const rejects = rejectsIn(() => w)
beforeEach(async () => {
  w = await openWorld()
  await storageOf(w).make('disk', { type: 'blank', blockSize: 512 })
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

type Body = Parameters<ReturnType<TestWorld['as']>['diskSnapshotScheduleUpdate']>[0]['body']
const set = async (body: Partial<Body> = {}, who: Who = 'projectCollaborator') => {
  const { schedule } = await w.as(who).diskSnapshotScheduleUpdate({ ...at, body: { ...hourly, ...body } })
  await w.settle()
  return schedule
}
const view = async () => (await w.as('viewer').diskSnapshotScheduleView(at)).schedule
const made = async () => {
  const { items } = await w.as('viewer').snapshotList({ query })
  return items.filter(({ scheduleId }) => scheduleId !== undefined).map(({ name }) => name)
}
const after = (hours: number) => new Date(Date.parse('2026-01-02T03:04:05Z') + hours * hour)
const called = (hours: number) =>
  `disk-${after(hours).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`
const isClaim = (result: unknown): result is { leaseUntil: number } =>
  typeof result === 'object' && result !== null && 'leaseUntil' in result

/** Lets something happen once a run has been claimed, before it has made its snapshot. */
function onceClaimed(then: () => Promise<unknown>): void {
  const { engine } = w.world
  const transaction = engine.transaction.bind(engine)
  engine.transaction = async (...asked) => {
    const result = await transaction(...asked)
    if (isClaim(result) && result.leaseUntil > w.world.clock.now()) {
      engine.transaction = transaction
      await then()
    }
    return result
  }
}
const setRole = (roleName: 'viewer' | 'collaborator') =>
  inDb(w, (tx) =>
    tx
      .updateTable('roleAssignment')
      .set({ roleName })
      .where('identityId', '=', w.ids['projectCollaborator'] ?? '')
      .execute(),
  )
const attention = async () => {
  await w.advance(minute)
  const { items } = await w.as('fleetAdmin').attentionList({ query: {} })
  return items.filter(({ kind }) => kind === 'snapshots_failing')
}

it('a disk has no schedule until one is set, and none after it is deleted, while the snapshots stay', async () => {
  expect(await view()).toBeNull()
  const first = await set({ timeFirstRun: after(0) })
  expect(first).toMatchObject({
    ...hourly,
    paused: false,
    userId: w.ids['projectCollaborator'],
    timeFirstRun: after(0),
    timeNextRun: after(0),
    timeLastRun: null,
    lastError: null,
  })
  expect(await view()).toEqual({ ...first, timeNextRun: after(1), timeLastRun: after(0) })
  await w.as('projectCollaborator').diskSnapshotScheduleDelete(at)
  expect(await view()).toBeNull()
  await w.jump(2 * hour)
  expect(await made()).toEqual([called(0)])
  const again = w.as('projectCollaborator').diskSnapshotScheduleDelete(at)
  const message = 'not found: snapshot schedule of disk "disk"'
  await expect(again).rejects.toMatchObject({ status: 404, message })
  // A new schedule keeps the snapshots of former ones.
  await set({ keep: 1 })
  await w.jump(hour)
  expect(await made()).toEqual([called(0), called(3)])
})

it('viewers see a schedule and cannot change it, and others do not see the disk', async () => {
  await set({ paused: true })
  for (const who of ['viewer', 'projectViewer'] as const) {
    const client = w.as(who)
    expect((await client.diskSnapshotScheduleView(at)).schedule?.keep).toBe(2)
    await rejects(() => client.diskSnapshotScheduleUpdate({ ...at, body: hourly }), { status: 403 })
    await rejects(() => client.diskSnapshotScheduleDelete(at), { status: 403 })
  }
  for (const who of ['noRole', 'stranger', 'fleetAdmin'] as const)
    await rejects(() => w.as(who).diskSnapshotScheduleUpdate({ ...at, body: hourly }), { status: 404 })
})

it.each([
  [{ everyHours: 0 }, /every_hours/],
  [{ everyHours: limits.snapshotSchedule.hours + 1 }, /every_hours/],
  [{ keep: 0 }, /keep/],
  [{ keep: limits.snapshotSchedule.keep + 1 }, /keep/],
  [{ timeZone: 'Europe/Nowhere' }, /"time_zone": it must be the name of a zone/],
  [{ timeZone: '+02:00' }, /"time_zone": it must be the name of a zone/],
  [{ timeFirstRun: after(24 * 366 + 1) }, /"time_first_run": it can be at most 366 days ahead/],
])('%j is refused', async (body, message) => {
  await rejects(() => set(body), { status: 400, message: expect.stringMatching(message) as string })
})

it('runs are due at multiples of the interval, counted from the first one', async () => {
  expect(await set({ everyHours: 24, timeFirstRun: after(30) })).toMatchObject({ timeNextRun: after(30) })
  expect(await set({ everyHours: 24, timeFirstRun: after(-23) })).toMatchObject({ timeNextRun: after(1) })
  // The first run stays unless it is given, and what is set again is the same.
  expect(await set({ everyHours: 12, timeFirstRun: null })).toMatchObject({ timeNextRun: after(1) })
  expect(await set({ everyHours: 12 })).toMatchObject({ timeFirstRun: after(-23), timeNextRun: after(1) })
  expect(await set({ paused: true })).toMatchObject({ paused: true, timeNextRun: null })
  await w.jump(3 * hour)
  expect(await made()).toEqual([])
})

it('runs keep to the clock of the time zone, which stays until another is given', async () => {
  // At 3:00 in the summer of Berlin, and in its winter.
  const timeFirstRun = new Date('2025-07-01T01:00:00Z')
  const inWinter = { timeZone: 'Europe/Berlin', timeNextRun: new Date('2026-01-03T02:00:00Z') }
  const daily = { everyHours: 24 }
  expect(await set({ ...daily, timeFirstRun, timeZone: 'Europe/Berlin' })).toMatchObject(inWinter)
  expect(await set({ ...daily, timeZone: null })).toMatchObject(inWinter)
  const inUtc = { timeZone: 'UTC', timeNextRun: new Date('2026-01-03T01:00:00Z') }
  expect(await set({ ...daily, timeZone: 'UTC' })).toMatchObject(inUtc)
  expect(await view()).toMatchObject(inUtc)
})

it('each run makes a snapshot in the name of the user and deletes the oldest beyond those to keep', async () => {
  await storageOf(w).snapshot('by-hand', 'disk')
  await set({ timeFirstRun: after(1) })
  expect(await made()).toEqual([])
  for (let i = 0; i < 3; i++) await w.jump(hour)
  expect(await made()).toEqual([called(2), called(3)])
  const snapshots = (await w.as('viewer').snapshotList({ query })).items
  expect(snapshots.map(({ name }) => name)).toEqual(['by-hand', called(2), called(3)])
  const { diskId, ...newest } = await storageOf(w).viewSnapshot(called(3))
  const schedule = await view()
  expect(newest).toMatchObject({
    scheduleId: schedule?.id,
    state: 'ready',
    description: 'Made by the snapshot schedule of disk "disk"',
  })
  const [, , entry] = (
    await w.as('admin').siloAuditLogList({ query: { startTime: after(0), limit: 1000 } })
  ).items.filter(({ operationId }) => operationId === 'snapshot_create')
  expect(entry).toMatchObject({
    actor: { kind: 'silo_user', siloUserId: w.ids['projectCollaborator'] },
    userAgent: `snapshot schedule ${schedule?.id}`,
  })
  expect(diskId).toBeDefined()
})

it('missed runs are made up for once, by one of several servers', async () => {
  await set({ timeFirstRun: after(1), keep: 100 })
  await w.another()
  await w.jump(5.5 * hour)
  expect(await made()).toEqual([called(5.5)])
  expect(await view()).toMatchObject({ timeNextRun: after(6), timeLastRun: after(5.5), lastError: null })
  await w.restart()
  await w.jump(hour)
  expect(await made()).toEqual([called(5.5), called(6.5)])
})

it('snapshots that are used are deleted, and only those that are ready', async () => {
  const of = storageOf(w)
  await set({ keep: 1, timeFirstRun: after(1) })
  await w.jump(hour)
  const first = await of.viewSnapshot(called(1))
  await of.image('image', first.id)
  await of.make('copy', { type: 'snapshot', snapshotId: first.id })
  await w.jump(hour)
  expect(await made()).toEqual([called(2)])
  expect(await of.state('copy')).toBe('detached')
  await inDb(w, (tx) => tx.updateTable('snapshot').set({ state: 'faulted' }).execute())
  await w.jump(hour)
  expect(await made()).toEqual([called(2), called(3)])
})

it('an old snapshot that cannot be deleted is said to be, and is deleted by a later run', async () => {
  await set({ keep: 1, timeFirstRun: after(1) })
  await w.jump(hour)
  // It changes after the run has found it.
  const { engine } = w.world
  const transaction = engine.transaction.bind(engine)
  engine.transaction = async (...asked) => {
    const result = await transaction(...asked)
    const isOld = Array.isArray(result) && (result[0] as { name?: string } | undefined)?.name === called(1)
    if (isOld && Object.keys(result[0] as object).length === 2) await setState('destroyed')
    return result
  }
  const setState = (state: 'destroyed' | 'ready') =>
    inDb(w, (tx) => tx.updateTable('snapshot').set({ state }).where('name', '=', called(1)).execute())
  await w.jump(hour)
  engine.transaction = transaction
  expect(await made()).toEqual([called(1), called(2)])
  expect(await view()).toMatchObject({
    timeLastRun: after(2),
    lastError: `the old snapshot ${called(1)} was not deleted: snapshot cannot be deleted in state destroyed`,
  })
  await setState('ready')
  await w.jump(hour)
  expect(await made()).toEqual([called(3)])
  expect(await view()).toMatchObject({ lastError: null })
})

it('a full quota is shown and needs attention until a run succeeds, which is attempted each hour', async () => {
  await setQuota(w, { quotaStorage: GiB })
  await set({ everyHours: 12 })
  expect(await view()).toMatchObject({
    timeLastRun: null,
    timeNextRun: after(1),
    lastError: expect.stringContaining('Storage Limit Exceeded: 1 GiB wanted, 0 B left of 1 GiB') as string,
  })
  expect(await attention()).toMatchObject([
    {
      severity: 'warning',
      subject: { type: 'disk', name: 'disk', within: 'acme' },
      since: after(0),
      text: expect.stringContaining(
        'The snapshot schedule of disk "disk" of project "demo" in silo "acme" fails: Insufficient capacity',
      ) as string,
    },
  ])
  await w.jump(hour)
  expect(await view()).toMatchObject({ timeNextRun: new Date(after(2).getTime() + minute) })
  await setQuota(w, { quotaStorage: 10 * GiB })
  await w.jump(hour)
  expect(await view()).toMatchObject({ timeNextRun: after(12), lastError: null })
  expect(await made()).toHaveLength(1)
  expect(await attention()).toEqual([])
})

it('the roles of the user count at each run, until another user sets it', async () => {
  await set({ timeFirstRun: after(1) })
  await setRole('viewer')
  await w.jump(hour)
  const lost =
    'projectcollaborator may not create snapshots in this project any more. Set the schedule again, so that it runs in your name'
  expect(await view()).toMatchObject({ lastError: lost, timeNextRun: after(2) })
  expect(await attention()).toHaveLength(1)
  await setRole('collaborator')
  await w.jump(hour)
  expect(await view()).toMatchObject({ lastError: null })
  await w
    .as('admin')
    .localIdpUserDelete({ params: { userId: w.ids['projectCollaborator'] ?? '' }, query: { silo: 'acme' } })
  await w.jump(hour)
  expect(await view()).toMatchObject({
    lastError: 'the user who has set it was deleted. Set the schedule again, so that it runs in your name',
  })
  expect(await made()).toHaveLength(1)
  expect(await set({}, 'admin')).toMatchObject({ userId: w.ids['admin'], lastError: null })
  await w.jump(hour)
  expect(await made()).toHaveLength(2)
})

it('a paused schedule that has failed needs no attention', async () => {
  await setQuota(w, { quotaStorage: GiB })
  await set()
  expect(await attention()).toHaveLength(1)
  await set({ paused: true })
  expect(await attention()).toEqual([])
})

it('a disk that cannot be snapshotted now is tried again, an attached one is no problem', async () => {
  await inDb(w, (tx) => tx.updateTable('disk').set({ state: 'import_ready' }).execute())
  await set({ everyHours: 24 })
  expect(await view()).toMatchObject({ lastError: 'the disk is import ready', timeNextRun: after(1) })
  await inDb(w, (tx) => tx.updateTable('disk').set({ state: 'detached' }).execute())
  await instancesOf(w).create('web', { bootDisk: { type: 'attach', name: 'disk' } })
  await w.jump(hour)
  expect(await made()).toEqual([called(1)])
})

it('a name that is taken fails the run, and the next one is made', async () => {
  await storageOf(w).snapshot(called(1), 'disk')
  await set({ timeFirstRun: after(1) })
  await w.jump(hour)
  expect(await view()).toMatchObject({ lastError: `already exists: snapshot "${called(1)}"` })
  await w.jump(hour)
  expect(await made()).toEqual([called(2)])
})

it('a schedule that changes or ends during a run makes nothing, and goes with its disk', async () => {
  await set({ timeFirstRun: after(1) })
  onceClaimed(() =>
    w.as('projectCollaborator').diskSnapshotScheduleUpdate({ ...at, body: { ...hourly, paused: true } }),
  )
  await w.jump(hour)
  expect(await made()).toEqual([])
  expect(await view()).toMatchObject({ paused: true, lastError: null, timeLastRun: null })
  await set({ timeFirstRun: after(2) })
  onceClaimed(() => storageOf(w).remove('disk'))
  await w.jump(hour)
  expect(await made()).toEqual([])
  expect(await inDb(w, (tx) => tx.selectFrom('snapshotSchedule').selectAll().execute())).toEqual([])
  await storageOf(w).make('disk', { type: 'blank', blockSize: 512 })
  expect(await view()).toBeNull()
})
