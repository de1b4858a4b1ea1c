import { afterEach, beforeEach, expect, it } from 'vitest'
import { instancesOf } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { noteRunEnded } from './runs.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const hour = 3_600_000
const minute = 60_000
const query = { project: 'demo' }
const at = { params: { schedule: 'evening' }, query }
// The world begins at 3:04:05.
const evening = { type: 'daily', time: '04:00' } as const

let w: TestWorld
const rejects = rejectsIn(() => w)
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

type Body = Parameters<ReturnType<TestWorld['as']>['scheduleCreate']>[0]['body']
const create = (body: Partial<Body> = {}, who: Who = 'projectCollaborator') =>
  w.as(who).scheduleCreate({
    query,
    body: { name: 'evening', description: '', action: 'stop', tag: 'env=test', rule: evening, ...body },
  })
const update = (body: Parameters<ReturnType<TestWorld['as']>['scheduleUpdate']>[0]['body']) =>
  w.as('projectCollaborator').scheduleUpdate({ ...at, body })
const view = () => w.as('viewer').scheduleView(at)
const make = async (name: string, tags: Record<string, string> = {}) => {
  await instancesOf(w).create(name, { tags, start: true })
  await w.settle()
}
const states = async () => {
  const { items } = await w.as('viewer').instanceList({ query })
  return Object.fromEntries(items.map(({ name, runState }) => [name, runState]))
}
const taskOf = async () => {
  const { task } = await view()
  return w.as('projectCollaborator').taskView({ params: { task: task ?? '' } })
}
const attention = async () => {
  await w.advance(minute)
  const { items } = await w.as('fleetAdmin').attentionList({ query: {} })
  return items.filter(({ kind }) => kind === 'schedule_failing')
}
const setRole = (roleName: 'viewer' | 'collaborator') =>
  inDb(w, (tx) =>
    tx
      .updateTable('roleAssignment')
      .set({ roleName })
      .where('identityId', '=', w.ids['projectCollaborator'] ?? '')
      .execute(),
  )

it('stops the instances that have the tag when it is due, once for all runs that were missed', async () => {
  await make('build-1', { env: 'test' })
  await make('build-2', { env: 'test' })
  await make('shop', { env: 'prod' })
  const made = await create()
  expect(made).toMatchObject({
    action: 'stop',
    tag: 'env=test',
    instances: null,
    rule: evening,
    timeZone: 'UTC',
    paused: false,
    userId: w.ids['projectCollaborator'],
    timeNextRun: new Date('2026-01-02T04:00:00Z'),
    timeLastRun: null,
    task: null,
  })
  await w.another()
  await w.jump(hour)
  await w.advance(minute)
  expect(await states()).toEqual({ 'build-1': 'stopped', 'build-2': 'stopped', shop: 'running' })
  expect(await taskOf()).toMatchObject({ action: 'stop', state: 'completed', succeeded: 2, failed: 0 })
  await update({ rule: { type: 'hours', hours: 1, timeFirstRun: new Date('2026-01-02T05:00:00Z') } })
  await w.jump(5.5 * hour)
  // Those that are stopped are left as they are, which is no failure.
  expect(await taskOf()).toMatchObject({ totalItems: 2, skipped: 2, failed: 0 })
  const { items } = await w.as('projectCollaborator').taskList({ query: {} })
  expect(items).toHaveLength(2)
  expect(await view()).toMatchObject({ lastError: null, timeNextRun: new Date('2026-01-02T10:00:00Z') })
})

it('starts named instances, in another time zone, on days of the week', async () => {
  await make('build')
  await w.as('projectCollaborator').instanceStop({ params: { instance: 'build' }, query })
  await w.settle()
  const rule: Body['rule'] = { type: 'weekly', days: ['friday', 'monday'], time: '05:00' }
  const body: Partial<Body> = {
    action: 'start',
    tag: null,
    instances: ['build'],
    rule,
    timeZone: 'Europe/Berlin',
  }
  expect(await create(body)).toMatchObject({
    instances: [{ name: 'build' }],
    tag: null,
    rule: { ...rule, days: ['monday', 'friday'] },
    // 2 January 2026 is a Friday.
    timeNextRun: new Date('2026-01-02T04:00:00Z'),
  })
  await w.jump(hour)
  await w.advance(minute)
  expect(await states()).toEqual({ build: 'running' })
  expect(await view()).toMatchObject({ timeNextRun: new Date('2026-01-05T04:00:00Z') })
})

it('runs now for a person, in their name, and again when it is due', async () => {
  await make('build', { env: 'test' })
  await create({ paused: true })
  expect(await view()).toMatchObject({ paused: true, timeNextRun: null })
  const task = await w.as('admin').scheduleRun(at)
  await w.settle()
  expect(task).toMatchObject({ userId: w.ids['admin'], action: 'stop', totalItems: 1 })
  expect(await states()).toEqual({ build: 'stopped' })
  expect(await view()).toMatchObject({ task: task.id, paused: true, timeNextRun: null })
  expect(await update({ paused: false })).toMatchObject({ timeNextRun: new Date('2026-01-02T04:00:00Z') })
})

it('the roles of the person who has set it count at each run, and a failure needs attention', async () => {
  await make('build', { env: 'test' })
  await create()
  await setRole('viewer')
  await w.jump(hour)
  const lastError =
    'projectcollaborator may not stop instances in this project any more. Set the schedule again, so that it runs in your name'
  expect(await view()).toMatchObject({ lastError, timeNextRun: new Date('2026-01-03T04:00:00Z') })
  expect(await states()).toEqual({ build: 'running' })
  expect(await attention()).toMatchObject([
    {
      severity: 'warning',
      subject: { type: 'schedule', name: 'evening', within: 'acme' },
      text: `The schedule "evening" of project "demo" in silo "acme" fails: ${lastError}.`,
    },
  ])
  const set = await w.as('admin').scheduleUpdate({ ...at, body: {} })
  expect(set).toMatchObject({ userId: w.ids['admin'], lastError: null, timeFailedSince: null })
  expect(await attention()).toEqual([])
})

it('a schedule fails since its first run that failed for an instance, until one succeeds', async () => {
  await make('build', { env: 'test' })
  await create()
  const end = (failed: number, isWhole = true) =>
    inDb(w, async (tx) => {
      const { taskId } = await tx.selectFrom('schedule').select('taskId').executeTakeFirstOrThrow()
      await noteRunEnded(tx, taskId ?? '', { failed, isWhole, now: w.world.clock.now() })
    })
  const run = async () => {
    await w.as('projectCollaborator').scheduleRun(at)
    await w.settle()
  }
  await run()
  await end(2)
  const timeFailedSince = new Date(w.world.clock.now())
  await w.advance(minute)
  await end(1)
  expect(await view()).toMatchObject({ lastError: 'it failed for one instance', timeFailedSince })
  // One that was canceled has not succeeded.
  await end(0, false)
  expect(await view()).toMatchObject({ timeFailedSince })
  await run()
  expect(await view()).toMatchObject({ lastError: null, timeFailedSince: null })
})

it('a start that was missed after a stop is done after it, and waits for the machines', async () => {
  await make('build', { env: 'test' })
  await create()
  await create({ name: 'morning', action: 'start', rule: { type: 'daily', time: '05:00' } })
  await w.jump(3 * hour)
  await w.advance(10 * minute)
  expect(await states()).toEqual({ build: 'running' })
  const { items } = await w.as('projectCollaborator').taskList({ query: {} })
  expect(items.map(({ action, succeeded }) => [action, succeeded])).toEqual([
    ['start', 1],
    ['stop', 1],
  ])
})

it('a deactivated user starts and stops nothing', async () => {
  await make('build', { env: 'test' })
  await create()
  await inDb(w, (tx) =>
    tx
      .updateTable('siloUser')
      .set({ timeDeactivated: w.world.clock.now() })
      .where('id', '=', w.ids['projectCollaborator'] ?? '')
      .execute(),
  )
  await w.jump(hour)
  const { items } = await w.as('viewer').scheduleList({ query })
  expect(items[0]?.lastError).toContain('may not sign in any more')
  expect(await states()).toEqual({ build: 'running' })
})

it('a run that is due is not lost by a change of something else', async () => {
  await make('build', { env: 'test' })
  await create()
  await w.plane.loops.stop()
  await w.jump(hour)
  const due = new Date('2026-01-02T04:00:00Z')
  expect(await update({ description: 'other' })).toMatchObject({ timeNextRun: due })
  expect(await update({ rule: evening })).toMatchObject({ timeNextRun: due })
  await w.restart()
  await w.advance(minute)
  expect(await states()).toEqual({ build: 'stopped' })
})

it('of two runs at the same moment, one begins', async () => {
  await make('build', { env: 'test' })
  await create({ paused: true })
  const run = () => w.as('projectCollaborator').scheduleRun(at)
  const runs = await Promise.allSettled([run(), run()])
  expect(runs.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

it('a listed instance that is gone may stay in the list, and changes nothing for the others', async () => {
  await make('build')
  await make('gone')
  const { instances } = await create({ tag: null, instances: ['build', 'gone'] })
  await w.as('projectCollaborator').instanceStop({ params: { instance: 'gone' }, query })
  await w.settle()
  await w.as('projectCollaborator').instanceDelete({ params: { instance: 'gone' }, query })
  await w.settle()
  const ids = instances?.map(({ id }) => id) ?? []
  const { instances: left } = await update({ instances: ids })
  expect(left).toEqual([
    { id: ids[0], name: 'build' },
    { id: ids[1], name: null },
  ])
  await w.jump(hour)
  await w.advance(minute)
  expect(await states()).toEqual({ build: 'stopped' })
  expect(await view()).toMatchObject({ lastError: null })
  expect(await update({ tag: 'env' })).toMatchObject({ instances: null, tag: 'env' })
})

it.each<[Partial<Body>, number, RegExp]>([
  [{ tag: null }, 400, /exactly one of `instances`, `tag`/],
  [{ instances: ['x'] }, 400, /exactly one of `instances`, `tag`/],
  [{ tag: null, instances: [] }, 400, /"instances": at least one is needed/],
  [{ tag: null, instances: ['missing'] }, 404, /instance/],
  [{ tag: '=x' }, 400, /"tag": a key must not be empty/],
  [{ timeZone: 'Mars' }, 400, /"time_zone": it must be the name of a zone/],
  [{ rule: { type: 'daily', time: '24:00' } }, 400, /"time": it must be a time of day/],
  [{ rule: { type: 'weekly', days: [], time: '08:00' } }, 400, /"days": at least one day/],
  [{ rule: { type: 'monthly', day: 32, time: '08:00' } }, 400, /day/],
  [{ rule: { type: 'hours', hours: 745 } }, 400, /hours/],
  [{ tag: null, diskTag: 'env' }, 400, /"action": `stop` is not done to disks/],
  [{ keep: { daily: 1 } }, 400, /"keep": only for `snapshot`/],
  [{ action: 'snapshot' }, 400, /"keep": at least one snapshot/],
  [{ action: 'snapshot', keep: { daily: 0 } }, 400, /"keep": at least one snapshot/],
  [{ action: 'snapshot', keep: { daily: 101 } }, 400, /daily/],
  [{ action: 'snapshot', keep: { daily: 1 }, disks: ['missing'] }, 400, /exactly one of/],
  [{ action: 'snapshot', keep: { daily: 1 }, tag: null, disks: ['missing'] }, 404, /disk/],
  [{ action: 'snapshot', keep: { daily: 1 }, tag: null, disks: [] }, 400, /"disks": at least one/],
  [{ action: 'snapshot', keep: { daily: 1 }, tag: null, diskTag: '=x' }, 400, /"disk_tag": a key/],
])('%j is refused', async (body, status, message) => {
  await rejects(() => create(body), { status, message: expect.stringMatching(message) as string })
})

it('viewers see a schedule and can neither change nor run it', async () => {
  await create()
  for (const who of ['viewer', 'projectViewer'] as const) {
    await rejects(() => w.as(who).scheduleRun(at), { status: 403 })
    await rejects(() => w.as(who).scheduleUpdate({ ...at, body: {} }), { status: 403 })
  }
  await rejects(() => w.as('stranger').scheduleRun(at), { status: 404 })
})
