import { limits } from '@purlin/contract/rules/limits'
import { DatabaseUnavailable, type Engine } from '#/db/engine.ts'
import type { TaskTable } from '#/db/tables.ts'
import { openTestEngine } from '#/testing/engines.ts'
import { addGroup, forceRow, instancesOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { many } from '#/testing/new-instances.ts'
import { makeDisks, makeMachines, tasksOf, type TaskBody } from '#/testing/tasks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let w: TestWorld
const broken = { after: Infinity }
beforeEach(async () => {
  broken.after = Infinity
  w = await openWorld({ timings: swift, engine: breakable(await openTestEngine()) })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

/** An engine that stores nothing after `broken.after` writes, like one whose server has been killed. */
function breakable(engine: Engine): Engine {
  const transaction: Engine['transaction'] = (mode, work, reads) =>
    mode !== 'read' && broken.after-- <= 0
      ? Promise.reject(new DatabaseUnavailable('killed'))
      : engine.transaction(mode, work, reads)
  return {
    ...engine,
    transaction,
    ...(engine.independentTransaction ? { independentTransaction: transaction } : {}),
  }
}

const as = (who: Who = 'projectCollaborator') => w.as(who)
const create = (body: TaskBody, who?: Who) => tasksOf(w, who).create(body)
const view = (task: string, who?: Who) => tasksOf(w, who).view(task)
const run = (body: TaskBody, who?: Who) => tasksOf(w, who).run(body)
const items = (task: string, query: { result?: 'failed' | 'skipped' | 'canceled' } = {}, who?: Who) =>
  tasksOf(w, who).items(task, query)
const disks = (...names: string[]) => makeDisks(w, ...names)
const machines = (...names: string[]) => makeMachines(w, ...names)
const names = async () =>
  (await as().diskList({ query: { project: 'demo' } })).items.map(({ name }) => name).toSorted()
/** The number of times that an operation has succeeded, by the name of its target. */
const recorded = (operation: string) =>
  inDb(w, async (tx) => {
    const rows = [
      ...(await tx
        .selectFrom('auditPending')
        .select(['operation', 'status', 'detailsJson', 'actorId', 'userAgent'])
        .execute()),
      ...(await tx
        .selectFrom('auditEntry')
        .select(['operation', 'status', 'detailsJson', 'actorId', 'userAgent'])
        .execute()),
    ]
    return rows.filter((row) => row.operation === operation)
  })

describe('a task', () => {
  it('does its action to each item, as the person who made it, and says how it went', async () => {
    const ids = await disks('a', 'b', 'c')
    const task = await create({ kind: 'disk', action: 'delete', ids: ids.slice(0, 2) })
    expect(task).toMatchObject({
      state: 'waiting',
      totalItems: 2,
      pending: 2,
      kind: 'disk',
      action: 'delete',
    })
    await w.settle()
    expect(await view(task.id)).toMatchObject({ state: 'completed', pending: 0, succeeded: 2, failures: [] })
    expect(await names()).toEqual(['c'])
    const entries = await recorded('disk_delete')
    expect(entries).toHaveLength(2)
    for (const entry of entries)
      expect(entry).toMatchObject({ actorId: w.ids['projectCollaborator'], userAgent: `task ${task.id}` })
    expect(await recorded('task_create')).toHaveLength(1)
  })

  it('starts, stops, reboots and deletes instances; leaves those whose state does not allow it', async () => {
    const ids = await machines('a', 'b', 'c')
    await forceRow(w, 'c', { runState: 'repairing' })
    const states = async () =>
      Promise.all(['a', 'b'].map(async (name) => (await instancesOf(w).view(name)).runState))
    expect(await run({ kind: 'instance', action: 'start', ids })).toMatchObject({ succeeded: 2, skipped: 1 })
    await w.advance(200)
    expect(await states()).toEqual(['running', 'running'])
    expect(await run({ kind: 'instance', action: 'reboot', ids: ids.slice(0, 2) })).toMatchObject({
      succeeded: 2,
    })
    await w.advance(200)
    const stop = await run({ kind: 'instance', action: 'stop', ids: ids.slice(0, 2) })
    await w.advance(200)
    expect([stop.succeeded, ...(await states())]).toEqual([2, 'stopped', 'stopped'])
    const again = await run({ kind: 'instance', action: 'stop', ids: ids.slice(0, 2) })
    expect(again).toMatchObject({ state: 'completed', succeeded: 0, skipped: 2 })
    expect((await items(again.id, { result: 'skipped' }))[0]).toMatchObject({ name: 'a', message: 'stopped' })
    expect(await run({ kind: 'instance', action: 'delete', ids })).toMatchObject({ succeeded: 2, skipped: 1 })
    expect((await as().instanceList({ query: { project: 'demo' } })).items.map(({ name }) => name)).toEqual([
      'c',
    ])
  })

  it('creates snapshots with different names, deletes them, images and floating IPs, and adds to a group', async () => {
    const long = 'x'.repeat(63)
    const task = await run({ kind: 'disk', action: 'snapshot', ids: await disks('data', long) })
    expect(task).toMatchObject({ succeeded: 2 })
    const { items: made } = await as().snapshotList({ query: { project: 'demo' } })
    expect(made.map(({ name }) => name).toSorted()).toEqual([
      'data-20260102-030405',
      expect.stringMatching(/^x{40}-[a-z0-9]{6}-20260102-030405$/),
    ])
    expect(await run({ kind: 'snapshot', action: 'delete', ids: made.map(({ id }) => id) })).toMatchObject({
      succeeded: 2,
    })
    const group = await addGroup(w, { name: 'apart', kind: 'anti_affinity', policy: 'allow', members: [] })
    const added = await run({
      kind: 'instance',
      action: 'add_to_group',
      group,
      ids: await machines('a', 'b'),
    })
    expect(added).toMatchObject({ succeeded: 2, group })
    const members = await as().antiAffinityGroupMemberList({
      params: { antiAffinityGroup: group },
      query: {},
    })
    expect(members.items).toHaveLength(2)
    const body = { name: 'front', description: '' }
    const { id } = await as().floatingIpCreate({ query: { project: 'demo' }, body })
    expect(await run({ kind: 'floating-ip', action: 'delete', ids: [id] })).toMatchObject({ succeeded: 1 })
  })

  it('deletes VPCs, and leaves those that are protected or have subnets', async () => {
    const query = { project: 'demo' }
    const vpcs: string[] = []
    for (const name of ['empty', 'kept', 'used']) {
      const body = { name, description: '', dnsName: name }
      vpcs.push((await as().vpcCreate({ query, body })).id)
    }
    const [, kept = '', used = ''] = vpcs
    await as().vpcProtectionUpdate({ params: { vpc: kept }, query: {}, body: { protected: true } })
    // Each is made with a subnet.
    for (const vpc of vpcs.filter((id) => id !== used))
      for (const { id } of (await as().vpcSubnetList({ query: { vpc } })).items)
        await as().vpcSubnetDelete({ params: { subnet: id }, query: {} })
    const task = await run({ kind: 'vpc', action: 'delete', ids: vpcs })
    expect(task).toMatchObject({ state: 'completed', succeeded: 1, skipped: 1, failed: 1 })
    expect(await items(task.id, { result: 'skipped' })).toMatchObject([
      { name: 'kept', message: 'protected from deletion' },
    ])
    expect(await items(task.id, { result: 'failed' })).toMatchObject([{ name: 'used' }])
    const left = (await as().vpcList({ query })).items.map(({ name }) => name)
    expect(left.toSorted()).toEqual(['default', 'kept', 'used'])
  })

  it('has a time that no other of its user has, also if several are made at once', async () => {
    const ids = await disks('a')
    const body = { kind: 'disk', action: 'delete', ids } as const
    const made = await Promise.all(Array.from({ length: 8 }, () => create(body)))
    expect(new Set(made.map(({ timeCreated }) => timeCreated.getTime())).size).toBe(8)
    await w.settle()
  })

  it('is made for all that a list shows', async () => {
    await disks('web-1', 'web-2', 'log')
    const query = '/v1/disks?project=demo&find=web'
    const preview = await as().taskPreview({ body: { kind: 'disk', action: 'delete', query } })
    expect(preview).toMatchObject({ totalItems: 2, skipped: [], names: ['web-1', 'web-2'] })
    expect(await names()).toHaveLength(3)
    expect(await run({ kind: 'disk', action: 'delete', query })).toMatchObject({
      totalItems: 2,
      succeeded: 2,
    })
    expect(await names()).toEqual(['log'])
  })

  it('is not made if others match than in its preview', async () => {
    await disks('web-1', 'web-2')
    const asked = { kind: 'disk', action: 'delete', query: '/v1/disks?project=demo&find=web' } as const
    const { digest } = await as().taskPreview({ body: asked })
    await as().diskDelete({ params: { disk: 'web-1' }, query: { project: 'demo' } })
    await disks('web-3')
    await expect(create({ ...asked, digest })).rejects.toMatchObject({ status: 412 })
    expect(await names()).toEqual(['web-2', 'web-3'])
    const again = await as().taskPreview({ body: asked })
    expect(again.digest).not.toBe(digest)
    expect(await run({ ...asked, digest: again.digest })).toMatchObject({ succeeded: 2 })
  })

  it('is not made if it would delete other disks than in its preview', async () => {
    const ids = await machines('a', 'b')
    await disks('late')
    const asked = { kind: 'instance', action: 'delete_with_disks', ids } as const
    const { digest } = await as().taskPreview({ body: asked })
    const plain = { ...asked, action: 'delete' } as const
    const before = await as().taskPreview({ body: plain })
    const { items: found } = await as().diskList({ query: { project: 'demo' } })
    await as().instanceDiskAttach({
      params: { instance: ids[0] ?? '' },
      query: {},
      body: { disk: found[0]?.id ?? '' },
    })
    await expect(create({ ...asked, digest })).rejects.toMatchObject({ status: 412 })
    expect(await names()).toEqual(['late'])
    expect((await as().taskPreview({ body: plain })).digest).toBe(before.digest)
    const again = await as().taskPreview({ body: asked })
    expect(await run({ ...asked, digest: again.digest })).toMatchObject({ succeeded: 2 })
    expect(await names()).toEqual([])
  })

  it('reports an item that fails with the error of its operation', async () => {
    const [a = '', b = ''] = await machines('a', 'b')
    await forceRow(w, 'a', { runState: 'failed' })
    // It changes after the plan, and before any server takes the task.
    await w.plane.loops.stop()
    const { id } = await create({ kind: 'instance', action: 'delete', ids: [a, b] })
    await forceRow(w, 'a', { runState: 'running' })
    const second = await w.another()
    await w.settle()
    expect(await view(id)).toMatchObject({ state: 'completed', succeeded: 1, failed: 1 })
    const [failed] = await items(id, { result: 'failed' })
    expect(failed).toMatchObject({ name: 'a', code: 'InvalidRequest' })
    expect((await view(id)).failures).toEqual([
      { code: 'InvalidRequest', message: failed?.message, count: 1 },
    ])
    await forceRow(w, 'a', { runState: 'stopped' })
    const retry = await second.as('projectCollaborator').taskRetry({ params: { task: id } })
    expect(retry).toMatchObject({ retryOf: id, totalItems: 1 })
    await w.settle()
    expect(await view(retry.id)).toMatchObject({ state: 'completed', succeeded: 1 })
    await expect(as().taskRetry({ params: { task: retry.id } })).rejects.toMatchObject({ status: 400 })
  })
})

describe('permissions', () => {
  it('a viewer may ask, and each item is refused', async () => {
    const ids = await disks('a')
    const task = await run({ kind: 'disk', action: 'delete', ids }, 'projectViewer')
    expect(task).toMatchObject({ succeeded: 0, failed: 1 })
    expect((await items(task.id, {}, 'projectViewer'))[0]).toMatchObject({
      result: 'failed',
      code: 'Forbidden',
    })
    expect(await names()).toEqual(['a'])
  })

  it('resources that the user may not see are not found, and have no name', async () => {
    const ids = await disks('a')
    for (const who of ['noRole', 'stranger'] as const) {
      const task = await run({ kind: 'disk', action: 'delete', ids }, who)
      expect(task).toMatchObject({ succeeded: 0, skipped: 1 })
      expect((await items(task.id, {}, who))[0]).toMatchObject({ name: ids[0], message: 'not found' })
    }
    const body = { kind: 'disk', action: 'delete', query: '/v1/disks?project=demo' } as const
    await expect(create(body, 'stranger')).rejects.toMatchObject({ status: 404, code: 'ObjectNotFound' })
  })

  it('only administrators see, stop and retry tasks of other users', async () => {
    const { id } = await run({ kind: 'disk', action: 'delete', ids: await disks('a') })
    const at = { params: { task: id } }
    const other = as('collaborator')
    for (const ask of [
      () => other.taskView(at),
      () => other.taskItemList({ ...at, query: {} }),
      () => other.taskCancel(at),
      () => other.taskRetry(at),
    ])
      await expect(ask()).rejects.toMatchObject({ status: 404, code: 'ObjectNotFound' })
    expect((await other.taskList({ query: {} })).items).toEqual([])
  })

  it('a user who has lost the role is refused; a deleted user ends the task', async () => {
    await w.plane.loops.stop()
    const ids = await disks('a', 'b')
    const revoked = await create({ kind: 'disk', action: 'delete', ids })
    const orphan = await create({ kind: 'disk', action: 'delete', ids }, 'collaborator')
    await inDb(w, async (tx) => {
      await tx
        .deleteFrom('roleAssignment')
        .where('identityId', '=', w.ids['projectCollaborator'] ?? '')
        .execute()
      await tx
        .deleteFrom('siloUser')
        .where('id', '=', w.ids['collaborator'] ?? '')
        .execute()
    })
    await w.restart()
    await w.settle()
    const row = (id: string) =>
      inDb(w, (tx) => tx.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirst())
    expect(await row(orphan.id)).toMatchObject({ state: 'failed', message: 'the user was deleted' })
    expect(await view(revoked.id)).toMatchObject({ state: 'completed', failed: 2, succeeded: 0 })
    expect((await items(revoked.id))[0]).toMatchObject({ code: 'ObjectNotFound' })
    expect((await w.as('admin').diskList({ query: { project: 'demo' } })).items).toHaveLength(2)
  })
})

describe('refused requests', () => {
  it.each<[string, TaskBody]>([
    ['an action that is not done to the kind', { kind: 'image', action: 'stop', ids: [] }],
    ['neither ids nor query', { kind: 'disk', action: 'delete' }],
    ['both', { kind: 'disk', action: 'delete', ids: [], query: '/v1/disks?project=demo' }],
    ['the list of another kind', { kind: 'disk', action: 'delete', query: '/v1/images?project=demo' }],
    ['names for another action', { kind: 'disk', action: 'delete', ids: [], namePattern: '{disk}-{time}' }],
    ['equal names for all items', { kind: 'disk', action: 'snapshot', ids: [], namePattern: 'nightly' }],
    ['names that are none', { kind: 'disk', action: 'snapshot', ids: [], namePattern: '{disk}_{time}' }],
    [
      'names that are too long',
      { kind: 'disk', action: 'snapshot', ids: [], namePattern: `${'x'.repeat(48)}{disk}` },
    ],
    [
      'a group for another action',
      { kind: 'disk', action: 'delete', ids: [], group: '7f3a9e2c-0000-4000-8000-000000000000' },
    ],
    ['no group', { kind: 'instance', action: 'add_to_group', ids: [] }],
    [
      'a filter that the list does not have',
      { kind: 'disk', action: 'delete', query: '/v1/disks?project=demo&filter=x:y' },
    ],
    [
      'too many ids',
      {
        kind: 'disk',
        action: 'delete',
        ids: many(limits.task.items + 1, () => '7f3a9e2c-0000-4000-8000-000000000000'),
      },
    ],
  ])('%s', async (_, body) => {
    await expect(create(body)).rejects.toMatchObject({ status: 400 })
    expect((await as().taskList({ query: {} })).items).toEqual([])
  })

  it('more open tasks than a person may have', async () => {
    await w.plane.loops.stop()
    const body: TaskBody = { kind: 'disk', action: 'delete', ids: [] }
    for (let i = 0; i < limits.task.open; i++) await create(body)
    await expect(create(body)).rejects.toMatchObject({ status: 429, code: 'TooManyRequests' })
    await create(body, 'admin')
  })
})

describe('stopping, restarting and keeping', () => {
  const pendingOf = async (id: string) => (await view(id)).pending

  it('a canceled task stops; its remaining items can be retried', async () => {
    const ids = await disks('a', 'b', 'c')
    await w.plane.loops.stop()
    const { id } = await create({ kind: 'disk', action: 'delete', ids })
    expect(await as().taskCancel({ params: { task: id } })).toMatchObject({
      state: 'canceled',
      canceled: 3,
      pending: 0,
    })
    await w.restart()
    expect(await view(id)).toMatchObject({ state: 'canceled', canceled: 3, succeeded: 0 })
    expect(await items(id, { result: 'canceled' })).toHaveLength(3)
    expect(await names()).toHaveLength(3)
    expect((await view(id)).timeEnded).not.toBeNull()
    const retry = await as().taskRetry({ params: { task: id } })
    await w.settle()
    expect(await view(retry.id)).toMatchObject({ succeeded: 3 })
    // One that has ended stays as it is.
    expect(await as().taskCancel({ params: { task: retry.id } })).toMatchObject({ state: 'completed' })
  })

  it.each([1, 2, 4, 9, 14])(
    'the database is away after %i writes: the task waits, and does each item once',
    async (writes) => {
      const ids = await disks(...many(20, (i) => `d-${i}`))
      // The task itself takes three.
      broken.after = 3 + writes
      const { id } = await create({ kind: 'disk', action: 'delete', ids })
      await w.quiet()
      expect(broken.after).toBeLessThan(0)
      expect((await view(id)).pending).toBeGreaterThan(0)
      broken.after = Infinity
      await w.advance(6_000)
      expect(await view(id)).toMatchObject({ state: 'completed', succeeded: 20, failed: 0 })
      expect(await names()).toEqual([])
      expect((await recorded('disk_delete')).filter(({ status }) => status === 204)).toHaveLength(20)
    },
  )

  it('several servers share the tasks, and none does an item twice', async () => {
    const other = await w.another()
    const ids = await disks(...many(40, (i) => `d-${i}`))
    const [mine, theirs] = [ids.slice(0, 20), ids.slice(20)]
    const first = await create({ kind: 'disk', action: 'delete', ids: mine })
    const second = await other
      .as('admin')
      .taskCreate({ body: { kind: 'disk', action: 'delete', ids: theirs } })
    await w.settle()
    expect([await pendingOf(first.id), (await view(second.id, 'admin')).pending]).toEqual([0, 0])
    expect(await names()).toEqual([])
    expect((await recorded('disk_delete')).filter(({ status }) => status === 204)).toHaveLength(40)
  })

  it('lists own tasks, newest first, in pages, and items in pages', async () => {
    const ids = await disks('a', 'b', 'c')
    const made: string[] = []
    for (const id of ids) made.unshift((await run({ kind: 'disk', action: 'delete', ids: [id] })).id)
    const first = await as().taskList({ query: { limit: 2 } })
    expect(first.items.map(({ id }) => id)).toEqual(made.slice(0, 2))
    const rest = await as().taskList({ query: { limit: 2, pageToken: first.nextPage ?? '' } })
    expect(rest.items.map(({ id }) => id)).toEqual(made.slice(2))
    const task = await run({ kind: 'disk', action: 'delete', ids })
    const at = { params: { task: task.id } }
    const page = await as().taskItemList({ ...at, query: { limit: 2 } })
    const next = await as().taskItemList({ ...at, query: { limit: 2, pageToken: page.nextPage ?? '' } })
    expect([...page.items, ...next.items].map(({ id }) => id)).toEqual(ids)
  })

  it('removes old tasks, and those of a person beyond the number that is kept', async () => {
    const old = await run({ kind: 'disk', action: 'delete', ids: await disks('a') })
    await inDb(w, async (tx) => {
      const [row] = await tx.selectFrom('task').selectAll().where('id', '=', old.id).execute()
      for (let i = 1; i <= limits.task.kept; i++)
        await tx
          .insertInto('task')
          .values({ ...(row as TaskTable), id: `more-${i}`, at: w.clock.now() + i })
          .execute()
    })
    await w.advance(1000)
    await run({ kind: 'disk', action: 'delete', ids: [] })
    const count = (table: 'task' | 'taskItem') =>
      inDb(w, async (tx) => (await tx.selectFrom(table).selectAll().execute()).length)
    expect([await count('task'), await count('taskItem')]).toEqual([limits.task.kept, 0])
    await w.jump((limits.task.days + 1) * 24 * 3_600_000)
    await w.advance(3_600_000)
    expect(await count('task')).toBe(0)
  })
})

it('tasks are listed by words, and pages keep their moment', async () => {
  const ids = await machines('a', 'b')
  const first = await run({ kind: 'instance', action: 'stop', ids: ids.slice(0, 1) })
  await w.advance(60 * 60_000)
  const second = await run({ kind: 'instance', action: 'start', ids })
  const found = async (...filter: string[]) =>
    (await as().taskList({ query: { filter } })).items.map(({ id }) => id)
  expect(await found('action:stop')).toEqual([first.id])
  expect(await found('-action:stop')).toEqual([second.id])
  expect(await found('kind:instance', 'state:completed')).toEqual([second.id, first.id])
  expect(await found('kind:floating-ip')).toEqual([])
  expect(await found('created:>30m')).toEqual([first.id])
  expect(await found('items:>1')).toEqual([second.id])
  expect(await found('ended:<30m')).toEqual([second.id])
  const counted = async (...filter: string[]) =>
    (await as().taskList({ query: { filter, total: true, limit: 1 } })).totalItems
  expect([await counted(), await counted('action:stop'), await counted('kind:disk')]).toEqual([2, 1, 0])
  const query = { filter: ['created:<2h'], limit: 1 }
  const page = await as().taskList({ query })
  await w.advance(90 * 60_000)
  const rest = await as().taskList({ query: { ...query, pageToken: page.nextPage ?? '' } })
  expect(rest.items.map(({ id }) => id)).toEqual([first.id])
  expect((await w.raw({ who: 'projectCollaborator', url: '/v1/tasks?filter=state:odd' })).status).toBe(400)
})
