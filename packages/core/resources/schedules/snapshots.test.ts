import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { instancesOf, setQuota, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { storageOf } from '#/testing/storage.ts'
import { tasksOf } from '#/testing/tasks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const hour = 3_600_000
const minute = 60_000
const query = { project: 'demo' }
const at = { params: { schedule: 'nightly' }, query }
// The world begins at 3:04:05.
const nightly = { type: 'daily', time: '04:00' } as const

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  // The tests take longer than sessions last.
  const times = { timeCreated: Date.parse('2027-01-01'), timeLastUsed: Date.parse('2027-01-01') }
  await inDb(w, (tx) => tx.updateTable('session').set(times).execute())
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const me = () => w.as('projectCollaborator')
type Body = Parameters<ReturnType<TestWorld['as']>['scheduleCreate']>[0]['body']
const create = (body: Partial<Body> = {}) =>
  me().scheduleCreate({
    query,
    body: {
      name: 'nightly',
      description: '',
      action: 'snapshot',
      keep: { daily: 2 },
      rule: nightly,
      ...body,
    },
  })
const view = () => w.as('viewer').scheduleView(at)
const taskOf = async () => tasksOf(w).view((await view()).task ?? '')
const itemsOf = async () => tasksOf(w).items((await view()).task ?? '')
const snapshots = async () => (await w.as('viewer').snapshotList({ query })).items
const names = async () => (await snapshots()).map(({ name }) => name)
const disk = (name: string, tags?: Record<string, string>) =>
  me().diskCreate({
    query,
    body: { name, description: '', size: GiB, diskSource: { type: 'blank', blockSize: 512 }, tags },
  })
const ofWeb = { ...query, instance: 'web' }
const wholes = async () => (await w.as('viewer').instanceSnapshotList({ query: ofWeb })).items
const makeWeb = async (start = false) => {
  for (const name of ['root', 'data']) await disk(name)
  const disks = ['root', 'data'].map((name) => ({ type: 'attach' as const, name }))
  await instancesOf(w).create('web', { start, disks, tags: { env: 'prod' }, autoRestartPolicy: 'never' })
  await w.settle()
}
/** To the next run, and until its task has ended. */
const nextDay = async (hours = 24) => {
  await w.jump(hours * hour)
  await w.advance(minute)
}
const attention = async () => {
  await w.advance(minute)
  const { items } = await w.as('fleetAdmin').attentionList({ query: {} })
  return items.filter(({ kind }) => kind === 'schedule_failing')
}

it('takes a snapshot of each disk with the tag, and deletes only what it has made itself', async () => {
  await disk('a', { env: 'prod' })
  await disk('b', { env: 'prod' })
  await disk('c')
  await storageOf(w).snapshot('by-hand', 'a')
  const made = await create({ diskTag: 'env=prod' })
  expect(made).toMatchObject({
    action: 'snapshot',
    instances: null,
    tag: null,
    disks: null,
    diskTag: 'env=prod',
    keep: { hourly: 0, daily: 2, weekly: 0, monthly: 0 },
  })
  await nextDay(1)
  expect(await names()).toEqual(['a-nightly-20260102-040405', 'b-nightly-20260102-040405', 'by-hand'])
  const [first] = await snapshots()
  expect(first).toMatchObject({ scheduleId: made.id })
  expect(await taskOf()).toMatchObject({ schedule: made.id, kind: 'disk', succeeded: 2, failed: 0 })
  await nextDay()
  await nextDay()
  expect(await names()).toEqual([
    'a-nightly-20260103-040505',
    'a-nightly-20260104-040605',
    'b-nightly-20260103-040505',
    'b-nightly-20260104-040605',
    'by-hand',
  ])
  expect(await itemsOf()).toMatchObject([
    { name: 'a', result: 'succeeded' },
    { name: 'b', result: 'succeeded' },
    { name: 'a-nightly-20260102-040405', operation: 'snapshot_delete', result: 'succeeded' },
    { name: 'b-nightly-20260102-040405', operation: 'snapshot_delete', result: 'succeeded' },
  ])
  expect(await view()).toMatchObject({ lastError: null })
  await me().scheduleDelete(at)
  expect(await names()).toHaveLength(5)
})

it('takes snapshots of whole instances, keeps protected ones and names them', async () => {
  await makeWeb()
  await create({ tag: 'env', keep: { daily: 1 } })
  await nextDay(1)
  const [first] = await wholes()
  expect(first).toMatchObject({ name: 'nightly-20260102-040405', scheduleId: (await view()).id })
  expect(first?.disks).toHaveLength(2)
  await me().snapshotUpdate({
    params: { snapshot: first?.disks[0]?.snapshotId ?? '' },
    query: {},
    body: { protected: true },
  })
  await nextDay()
  expect(await itemsOf()).toMatchObject([
    { name: 'web', result: 'succeeded' },
    {
      name: 'nightly-20260102-040405 of web',
      operation: 'instance_snapshot_delete',
      result: 'skipped',
      message: 'protected from deletion',
    },
  ])
  await nextDay()
  expect((await wholes()).map(({ name }) => name)).toEqual([
    'nightly-20260102-040405',
    'nightly-20260104-040605',
  ])
  expect(await snapshots()).toHaveLength(4)
  expect(await view()).toMatchObject({ lastError: null })
})

it('a snapshot that could not be replaced stays: a full quota fails the run, which is seen and ends with a later one', async () => {
  await disk('a')
  await create({ disks: ['a'], keep: { daily: 1 } })
  await nextDay(1)
  const [first] = await names()
  await setQuota(w, { quotaStorage: 2 * GiB })
  await nextDay()
  expect(await names()).toEqual([first])
  expect(await itemsOf()).toMatchObject([
    { result: 'failed', message: expect.stringContaining('Storage Limit Exceeded') as string },
    { result: 'skipped', message: 'kept: it is among those that the schedule keeps' },
  ])
  expect(await view()).toMatchObject({ lastError: 'it failed for one disk' })
  expect(await attention()).toMatchObject([{ subject: { type: 'schedule', name: 'nightly' } }])
  await setQuota(w, { quotaStorage: 10 * GiB })
  await nextDay()
  expect(await names()).toEqual(['a-nightly-20260104-040705'])
  expect(await view()).toMatchObject({ lastError: null })
  expect(await attention()).toEqual([])
})

it('while a machine writes, old ones are deleted once the new one is ready', async () => {
  await makeWeb(true)
  await create({ instances: ['web'], keep: { daily: 1 } })
  await nextDay(1)
  await nextDay()
  expect(await itemsOf()).toMatchObject([
    { name: 'web', result: 'succeeded' },
    { name: 'nightly-20260102-040405 of web', result: 'succeeded' },
  ])
  expect((await wholes()).map(({ name, state }) => [name, state])).toEqual([
    ['nightly-20260103-040505', 'ready'],
  ])
})

it.each([
  // The last run of the day is at 23:00 in Berlin, in winter and in summer.
  ['2026-03-28T12:00:00Z', ['2026-03-28T22:00', '2026-03-29T21:00', '2026-03-30T01:00']],
  ['2026-10-24T12:00:00Z', ['2026-10-24T21:00', '2026-10-25T22:00', '2026-10-26T01:00']],
])('days are those of the time zone when clocks change after %s', async (begin, kept) => {
  await disk('a')
  await create({
    disks: ['a'],
    keep: { daily: 3 },
    rule: { type: 'hours', hours: 1, timeFirstRun: new Date(begin) },
    timeZone: 'Europe/Berlin',
  })
  const now = w.world.clock.now()
  await w.jump(Date.parse(begin) - now)
  for (let passed = 0; passed < 37; passed++) await w.jump(hour)
  const times = (await snapshots()).map(({ timeCreated }) => timeCreated.toISOString().slice(0, 16))
  expect(times.toSorted()).toEqual(kept)
})

it('missed runs are made up for once, and a run of the loop is not repeated by a server that has stalled', async () => {
  await disk('a')
  await create({ disks: ['a'], keep: { hourly: 9 }, rule: { type: 'hours', hours: 1 } })
  await w.advance(minute)
  await w.jump(5.5 * hour)
  expect(await names()).toHaveLength(2)
  // Another server has taken the run over, and has ended it.
  const { engine } = w.world
  const transaction = engine.transaction.bind(engine)
  let isTaken = false
  engine.transaction = async (...asked) => {
    const result: unknown = await transaction(...asked)
    const isClaim = typeof result === 'object' && result !== null && 'leaseUntil' in result && 'tag' in result
    if (isClaim && result.leaseUntil !== 0) {
      engine.transaction = transaction
      isTaken = true
      await me().scheduleRun(at)
    }
    return result as never
  }
  await w.jump(hour)
  await w.advance(minute)
  expect(isTaken).toBe(true)
  expect((await me().taskList({ query: {} })).items).toHaveLength(3)
  expect(await view()).toMatchObject({ lastError: null })
})

it('snapshots of disks that are due do not delay what projects have scheduled', async () => {
  for (const name of ['a', 'b', 'c']) {
    await disk(name)
    const due = { everyHours: 24, keep: 1, timeFirstRun: new Date('2026-01-02T04:00:00Z') }
    await me().diskSnapshotScheduleUpdate({ params: { disk: name }, query, body: due })
  }
  await makeWeb(true)
  await create({ action: 'stop', keep: null, instances: ['web'] })
  const begun: string[] = []
  const { engine } = w.world
  const transaction = engine.transaction.bind(engine)
  engine.transaction = async (...asked) => {
    const result: unknown = await transaction(...asked)
    if (typeof result === 'object' && result !== null && 'leaseUntil' in result)
      begun.push('everyHours' in result ? 'disk' : 'project')
    return result as never
  }
  await w.jump(hour)
  engine.transaction = transaction
  expect(begun.filter((one, i) => one === 'disk' || begun.indexOf(one) === i).slice(0, 4)).toEqual([
    'project',
    'disk',
    'disk',
    'disk',
  ])
})

it('runs do not push out what a person has begun', async () => {
  await disk('a')
  const tags = { set: { env: 'prod' } }
  const { id } = await tasksOf(w).run({ kind: 'disk', action: 'change_tags', ids: [], tags })
  await create({ disks: ['a'], keep: { hourly: 1 }, rule: { type: 'hours', hours: 1 } })
  await inDb(w, async (tx) => {
    const task = await tx.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const runs = Array.from({ length: 120 }, (_, i) => ({
      ...task,
      id: `run-${i}`,
      at: task.at + 1 + i,
      scheduleId: 'gone',
    }))
    await tx.insertInto('task').values(runs).execute()
  })
  await nextDay(1)
  const { items } = await me().taskList({ query: { limit: 1000 } })
  expect(items.filter(({ schedule }) => schedule !== undefined)).toHaveLength(100)
  expect(items.at(-1)).toMatchObject({ id })
})

it('another user may take no snapshots any more, which the schedule says', async () => {
  await disk('a')
  await create({ disks: ['a'] })
  await inDb(w, (tx) =>
    tx
      .updateTable('roleAssignment')
      .set({ roleName: 'viewer' })
      .where('identityId', '=', w.ids['projectCollaborator'] ?? '')
      .execute(),
  )
  await nextDay(1)
  expect(await view()).toMatchObject({
    lastError: expect.stringContaining('may not take snapshots in this project any more') as string,
  })
  expect(await names()).toEqual([])
})

it('an update changes what is kept, and an action without snapshots keeps none', async () => {
  await makeWeb()
  await create({ instances: ['web'] })
  const update = (body: Parameters<ReturnType<typeof me>['scheduleUpdate']>[0]['body']) =>
    me().scheduleUpdate({ ...at, body })
  expect(await update({ keep: { weekly: 3 } })).toMatchObject({ keep: { daily: 0, weekly: 3 } })
  expect(await update({ description: 'x' })).toMatchObject({ keep: { weekly: 3 } })
  await expect(update({ disks: ['data'], action: 'stop' })).rejects.toMatchObject({ status: 400 })
  expect(await update({ disks: ['data'] })).toMatchObject({ instances: null, disks: [{ name: 'data' }] })
  await expect(update({ action: 'start' })).rejects.toMatchObject({
    message: expect.stringContaining('"action": `start` is not done to disks') as string,
  })
  expect(await update({ action: 'start', tag: 'env' })).toMatchObject({ keep: null, disks: null })
})
