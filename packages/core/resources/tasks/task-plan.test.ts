import type { ApiError } from '@purlin/contract/client'
import { GiB, limits } from '@purlin/contract/rules/limits'
import { addFloatingIp, inDb } from '#/testing/networks/networks.ts'
import { addGroup, forceRow, instancesOf, swift } from '#/testing/machines.ts'
import { many } from '#/testing/new-instances.ts'
import { makeDisks, makeMachines, tasksOf } from '#/testing/tasks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const tasks = () => tasksOf(w)
const reasons = (skipped: readonly { message: string; count: number }[]) =>
  skipped.map(({ message, count }) => `${count} ${message}`).toSorted()
const snapshots = async () =>
  (await w.as('projectViewer').snapshotList({ query })).items.map(({ name }) => name).toSorted()

describe('snapshots', () => {
  it('of instances are made of their disks; the preview names these, and the instances without one', async () => {
    const ids = await makeMachines(w, 'web', 'db', 'empty')
    await makeDisks(w, 'web-boot', 'db-boot', 'db-data', 'free')
    for (const [instance, disk] of [
      ['web', 'web-boot'],
      ['db', 'db-boot'],
      ['db', 'db-data'],
    ] as const)
      await instancesOf(w).attach(instance, disk)
    await inDb(w, (tx) =>
      tx.updateTable('disk').set({ state: 'maintenance' }).where('name', '=', 'db-data').execute(),
    )
    const body = { kind: 'instance', action: 'snapshot', ids } as const
    const { totalItems, skipped, names } = await tasks().preview(body)
    expect({ totalItems, names, skipped: reasons(skipped) }).toEqual({
      totalItems: 4,
      names: ['web-boot', 'db-boot'],
      skipped: ['1 maintenance', '1 without a disk'],
    })
    expect(skipped.map(({ names: left = [] }) => left.join()).toSorted()).toEqual(['db-data', 'empty'])
    const matching = { ...body, ids: null, query: '/v1/instances?project=demo&find=web' }
    expect((await tasks().preview(matching)).names).toEqual(['web-boot'])
    const task = await tasks().run(body)
    expect(task).toMatchObject({ kind: 'disk', action: 'snapshot', succeeded: 2, skipped: 2, failed: 0 })
    expect(await snapshots()).toEqual(['db-boot-20260102-030405', 'web-boot-20260102-030405'])
  })

  it('of whole instances are of all their disks; one without a disk or with one of that name is left', async () => {
    const ids = await makeMachines(w, 'web', 'db', 'empty')
    await makeDisks(w, 'web-boot', 'db-boot', 'db-data')
    for (const [instance, disk] of [
      ['web', 'web-boot'],
      ['db', 'db-boot'],
      ['db', 'db-data'],
    ] as const)
      await instancesOf(w).attach(instance, disk)
    const body = { kind: 'instance', action: 'snapshot_together', ids, namePattern: 'monday' } as const
    const before = await tasks().preview(body)
    expect([before.names, reasons(before.skipped)]).toEqual([['web', 'db'], ['1 without a disk']])
    expect(await tasks().run({ ...body, ids: ids.slice(0, 1) })).toMatchObject({ succeeded: 1 })
    expect(await tasks().run(body)).toMatchObject({ succeeded: 1, skipped: 2, failed: 0 })
    expect(await snapshots()).toEqual(['monday-db-boot', 'monday-db-data', 'monday-web-boot'])
    expect(await tasks().run({ ...body, namePattern: null })).toMatchObject({ succeeded: 2, skipped: 1 })
    expect(await snapshots()).toContain('snapshot-20260102-030405-web-boot')
    await inDb(w, (tx) =>
      tx.updateTable('disk').set({ state: 'maintenance' }).where('name', '=', 'db-data').execute(),
    )
    expect(reasons((await tasks().preview({ ...body, namePattern: 'tuesday' })).skipped)).toEqual([
      '1 with a disk that is maintenance',
      '1 without a disk',
    ])
    for (const namePattern of ['Monday', '{time}', 'a-{time}-{time}', 'n'.repeat(47)])
      await expect(tasks().preview({ ...body, namePattern })).rejects.toMatchObject({ status: 400 })
  })

  it('have the names that the task says; a disk whose snapshot would have a name that is taken is left', async () => {
    const ids = await makeDisks(w, 'a', 'b')
    const body = { kind: 'disk', action: 'snapshot', ids, namePattern: 'before-{disk}' } as const
    expect(await tasks().run({ ...body, ids: ids.slice(0, 1) })).toMatchObject({
      succeeded: 1,
      namePattern: 'before-{disk}',
    })
    const { skipped, names } = await tasks().preview(body)
    expect([names, reasons(skipped)]).toEqual([['b'], ['1 with a snapshot of that name already']])
    expect(await tasks().run(body)).toMatchObject({ succeeded: 1, skipped: 1, failed: 0 })
    expect(await snapshots()).toEqual(['before-a', 'before-b'])
  })

  it.each([
    ['/v1/disks?project=demo&finds=a', 'this list has no parameter "finds"'],
    ['/v1/disks?project=demo&find=a&page%5Ftoken=x', 'without a page token'],
    ['/v1/disks?project=demo&constructor=a', 'this list has no parameter "constructor"'],
  ])('are refused for a query that would not restrict the list as it says: %s', async (query, why) => {
    await makeDisks(w, 'a', 'b')
    const error = await tasks()
      .preview({ kind: 'disk', action: 'delete', query })
      .catch((e: ApiError) => e)
    expect(error).toMatchObject({ status: 400 })
    expect((error as ApiError).message).toContain(why)
  })

  it('take nothing that the list does not show, with a second question mark in a value', async () => {
    await makeDisks(w, 'a', 'b')
    const query = '/v1/disks?project=demo&find=a?b'
    expect((await tasks().preview({ kind: 'disk', action: 'delete', query })).names).toEqual([])
  })

  it('keep their names when they are tried again', async () => {
    const ids = await makeDisks(w, 'a')
    await w.plane.loops.stop()
    const { id } = await tasks().create({ kind: 'disk', action: 'snapshot', ids, namePattern: 'x-{disk}' })
    await inDb(w, (tx) => tx.updateTable('disk').set({ state: 'maintenance' }).execute())
    await w.restart()
    await w.settle()
    expect(await tasks().view(id)).toMatchObject({
      state: 'completed',
      failures: [{ message: 'its state does not allow this action now', count: 1 }],
    })
    await inDb(w, (tx) => tx.updateTable('disk').set({ state: 'detached' }).execute())
    expect(await tasks().retry(id)).toMatchObject({ succeeded: 1 })
    expect(await snapshots()).toEqual(['x-a'])
  })
})

describe('additions to a group', () => {
  const groups = [
    ['add_to_group', 'anti_affinity'],
    ['add_to_affinity_group', 'affinity'],
  ] as const

  it.each(groups)('%s: running instances and present members are skipped', async (action, kind) => {
    const ids = await makeMachines(w, 'a', 'b', 'c')
    await forceRow(w, 'b', { runState: 'running' })
    const group = await addGroup(w, { name: 'apart', kind, policy: 'allow', members: ['c'] })
    const body = { kind: 'instance', action, ids, group } as const
    const { skipped, names } = await tasks().preview(body)
    expect([names, reasons(skipped)]).toEqual([['a'], ['1 in the group already', '1 running']])
    expect(await tasks().run(body)).toMatchObject({ succeeded: 1, skipped: 2, group })
    const client = w.as('projectViewer')
    const { items } =
      kind === 'affinity'
        ? await client.affinityGroupMemberList({ params: { affinityGroup: group }, query: {} })
        : await client.antiAffinityGroupMemberList({ params: { antiAffinityGroup: group }, query: {} })
    expect(items.map(({ value }) => value.name)).toEqual(['a', 'c'])
    await forceRow(w, 'b', { runState: 'stopped' })
  })

  it('stop at the number of members that a group can have', async () => {
    const most = limits.affinity.members
    const ids = await makeMachines(w, ...many(most + 1, (i) => `m-${i}`))
    const group = await addGroup(w, { name: 'apart', kind: 'anti_affinity', policy: 'allow' })
    const { skipped } = await tasks().preview({ kind: 'instance', action: 'add_to_group', ids, group })
    expect(reasons(skipped)).toEqual([`1 beyond the ${most} members that a group can have`])
  })

  it('to a group that is not there, is of the other kind or is not for this person to see are refused', async () => {
    const ids = await makeMachines(w, 'a')
    const group = await addGroup(w, { name: 'near', kind: 'affinity', policy: 'allow' })
    const missing = { status: 404, code: 'ObjectNotFound' }
    const apart = { kind: 'instance', action: 'add_to_group', ids, group } as const
    await expect(tasks().create(apart)).rejects.toMatchObject(missing)
    const near = { ...apart, action: 'add_to_affinity_group' } as const
    await expect(tasksOf(w, 'stranger').preview(near)).rejects.toMatchObject(missing)
    expect(await tasksOf(w, 'projectViewer').run(near)).toMatchObject({ succeeded: 0, failed: 1 })
  })
})

describe('disks', () => {
  it('are detached from instances that do not run; the others are named with the reason', async () => {
    await makeMachines(w, 'web', 'db', 'busy')
    const ids = await makeDisks(w, 'root', 'data', 'logs', 'more', 'free')
    for (const [instance, disk] of [
      ['web', 'root'],
      ['web', 'data'],
      ['db', 'logs'],
      ['busy', 'more'],
    ] as const)
      await instancesOf(w).attach(instance, disk)
    await forceRow(w, 'web', { bootDiskId: ids[0] ?? null })
    await forceRow(w, 'busy', { runState: 'running' })
    const detach = { kind: 'disk', action: 'detach', ids } as const
    const { names, skipped } = await tasks().preview(detach)
    expect(names).toEqual(['data', 'logs'])
    expect(skipped.map((one) => `${one.message}: ${one.names?.join() ?? ''}`).toSorted()).toEqual([
      'attached to an instance that is running: more',
      'not attached: free',
      'the boot disk of its instance: root',
    ])
    expect(await tasks().run(detach)).toMatchObject({ succeeded: 2, skipped: 3, failed: 0 })
    const left = (await w.as('projectViewer').diskList({ query })).items.filter(
      ({ state }) => state.state === 'attached',
    )
    expect(left.map(({ name }) => name)).toEqual(['more', 'root'])
    await forceRow(w, 'busy', { runState: 'stopped' })
  })

  it('stay with an instance that has started since, and are no failure once another request detached them', async () => {
    await makeMachines(w, 'web', 'db')
    const ids = await makeDisks(w, 'data', 'logs')
    await instancesOf(w).attach('web', 'data')
    await instancesOf(w).attach('db', 'logs')
    await w.plane.loops.stop()
    const { id } = await tasks().create({ kind: 'disk', action: 'detach', ids })
    await forceRow(w, 'web', { runState: 'running' })
    await w.as('projectCollaborator').instanceDiskDetach({
      params: { instance: 'db' },
      query,
      body: { disk: 'logs' },
    })
    await w.restart()
    await w.settle()
    expect(await tasks().view(id)).toMatchObject({
      succeeded: 0,
      skipped: 1,
      failed: 1,
      failures: [{ message: 'cannot detach disk: instance is not fully stopped', count: 1 }],
    })
    await forceRow(w, 'web', { runState: 'stopped' })
  })

  it('are attached to one instance in the order of their names; those that cannot be are named', async () => {
    const most = limits.instance.disks
    const [web = '', db = '', busy = ''] = await makeMachines(w, 'web', 'db', 'busy')
    await forceRow(w, 'busy', { runState: 'running' })
    const [here = '', there = '', gone = '', ...free] = await makeDisks(
      w,
      'here',
      'there',
      'gone',
      ...many(most, (i) => `data-${String(most - i).padStart(2, '0')}`),
    )
    await instancesOf(w).attach('web', 'here')
    await instancesOf(w).attach('db', 'there')
    await inDb(w, (tx) => tx.updateTable('disk').set({ state: 'faulted' }).where('id', '=', gone).execute())
    const chosen = [...free, here, there, gone]
    const attach = { kind: 'disk', action: 'attach', ids: chosen, instance: web } as const
    const { names, skipped } = await tasks().preview(attach)
    const inOrder = many(most, (i) => `data-${String(i + 1).padStart(2, '0')}`)
    expect(names).toEqual(inOrder.slice(0, most - 1))
    expect(skipped.map((one) => `${one.message}: ${one.names?.join() ?? ''}`).toSorted()).toEqual([
      'attached to another instance: there',
      'attached to the instance already: here',
      `beyond the ${most} disks that an instance can have: ${inOrder.at(-1)}`,
      'faulted: gone',
    ])
    const task = await tasks().run(attach)
    expect(task).toMatchObject({ instance: web, group: null, succeeded: most - 1, skipped: 4, failed: 0 })
    const slots = await inDb(w, (tx) =>
      tx.selectFrom('disk').select('name').where('instanceId', '=', web).orderBy('slot').execute(),
    )
    expect(slots.map(({ name }) => name)).toEqual(['here', ...inOrder.slice(0, most - 1)])
    const toBusy = { ...attach, ids: free, instance: busy }
    expect(reasons((await tasks().preview(toBusy)).skipped)).toEqual([
      '1 for an instance that is running',
      `${most - 1} attached to another instance`,
    ])
    await forceRow(w, 'busy', { runState: 'stopped' })
    const everything = { ...attach, ids: null, query: '/v1/disks?project=demo&find=data', instance: db }
    expect((await tasks().preview(everything)).names).toEqual([inOrder.at(-1)])
  })

  it('are not attached by a task without an instance, or to one that this person does not see', async () => {
    const [web = ''] = await makeMachines(w, 'web')
    const ids = await makeDisks(w, 'data')
    const attach = { kind: 'disk', action: 'attach', ids } as const
    const refused = { status: 400, message: expect.stringContaining('instance') }
    await expect(tasks().preview(attach)).rejects.toMatchObject(refused)
    await expect(tasks().create({ ...attach, group: web })).rejects.toMatchObject(refused)
    await expect(tasks().preview({ ...attach, action: 'delete', instance: web })).rejects.toMatchObject(
      refused,
    )
    const [id = ''] = ids
    await expect(tasks().preview({ ...attach, instance: id })).rejects.toMatchObject({ status: 404 })
    const given = { ...attach, instance: web.toUpperCase() }
    await expect(tasksOf(w, 'stranger').preview(given)).rejects.toMatchObject({ status: 404 })
    expect(await tasksOf(w, 'projectViewer').run(given)).toMatchObject({ succeeded: 0, failed: 1 })
    await w.as('admin').projectCreate({ body: { name: 'other', description: '' } })
    const elsewhere = await w.as('admin').diskCreate({
      query: { project: 'other' },
      body: { name: 'far', description: '', size: GiB, diskSource: { type: 'blank', blockSize: 512 } },
    })
    expect((await tasksOf(w, 'admin').preview({ ...given, ids: [elsewhere.id] })).skipped).toMatchObject([
      { message: 'in another project than the instance' },
    ])
    expect(await tasks().run(given)).toMatchObject({ succeeded: 1, failed: 0 })
  })

  it('lose no place and take no other disk when further requests attach at the same time', async () => {
    const most = limits.instance.disks
    const [web = '', db = ''] = await makeMachines(w, 'web', 'db')
    const mine = await makeDisks(w, ...many(most, (i) => `mine-${String(i).padStart(2, '0')}`))
    const [taken = ''] = mine
    const others = await makeDisks(w, 'extra', 'more')
    await w.plane.loops.stop()
    const attach = { kind: 'disk', action: 'attach' } as const
    const first = await tasks().create({ ...attach, ids: mine, instance: web })
    const second = await tasksOf(w, 'admin').create({ ...attach, ids: others, instance: web })
    const third = await tasksOf(w, 'projectAdmin').create({ ...attach, ids: [taken], instance: db })
    const own = w.as('projectCollaborator')
    await own.instanceDiskAttach({ params: { instance: db }, query: {}, body: { disk: taken } })
    await w.restart()
    await w.settle()
    const all = await tasks().view(first.id)
    const two = await tasksOf(w, 'admin').view(second.id)
    expect([all.succeeded + two.succeeded, all.failed + two.failed]).toEqual([most, 2])
    expect(await tasksOf(w, 'projectAdmin').view(third.id)).toMatchObject({ succeeded: 1, failed: 0 })
    const { failures = [] } = all
    expect(failures.map(({ message }) => message)).toContain(
      'cannot attach disk "…": disk is attached to another instance',
    )
    const slots = await inDb(w, (tx) =>
      tx.selectFrom('disk').select('slot').where('instanceId', '=', web).orderBy('slot').execute(),
    )
    expect(slots.map(({ slot }) => slot)).toEqual(many(most, (i) => i))
  })

  it('are detached by collaborators only', async () => {
    await makeMachines(w, 'web')
    const ids = await makeDisks(w, 'data')
    await instancesOf(w).attach('web', 'data')
    const detach = { kind: 'disk', action: 'detach', ids } as const
    expect(await tasksOf(w, 'projectViewer').run(detach)).toMatchObject({ succeeded: 0, failed: 1 })
    expect((await tasksOf(w, 'stranger').preview(detach)).skipped).toMatchObject([{ message: 'not found' }])
  })
})

describe('floating IPs', () => {
  it('are detached where they are attached, and deleted where they are not', async () => {
    await makeMachines(w, 'web', 'broken')
    const ids: string[] = []
    for (const [name, instance] of [['a', 'web'], ['b', 'broken'], ['c']] as const) {
      const id = await addFloatingIp(w, name)
      ids.push(id)
      const body = { kind: 'instance', parent: instance ?? '' } as const
      if (instance)
        await w.as('projectCollaborator').floatingIpAttach({ params: { floatingIp: id }, query: {}, body })
    }
    await forceRow(w, 'broken', { runState: 'failed' })
    const detach = { kind: 'floating-ip', action: 'detach', ids } as const
    expect(reasons((await tasks().preview(detach)).skipped)).toEqual([
      '1 attached to an instance that is failed',
      '1 not attached',
    ])
    expect(await tasks().run(detach)).toMatchObject({ succeeded: 1, skipped: 2 })
    const remove = { kind: 'floating-ip', action: 'delete', ids } as const
    expect(reasons((await tasks().preview(remove)).skipped)).toEqual(['1 attached to an instance'])
    expect(await tasks().run(remove)).toMatchObject({ succeeded: 2, skipped: 1 })
    await forceRow(w, 'broken', { runState: 'stopped' })
  })
})

it('failures are counted by reason regardless of names, and can be listed by reason', async () => {
  const ids = await makeDisks(w, 'a', 'b', 'c')
  await w.plane.loops.stop()
  const { id } = await tasks().create({ kind: 'disk', action: 'snapshot', ids, namePattern: '{disk}' })
  for (const name of ['a', 'b'])
    await w.as('projectCollaborator').snapshotCreate({ query, body: { name, description: '', disk: name } })
  await w.as('projectCollaborator').diskDelete({ params: { disk: 'c' }, query })
  await w.restart()
  await w.settle()
  const { failures = [] } = await tasks().view(id)
  expect(reasons(failures)).toEqual(['1 not found: disk with id "…"', '2 already exists: snapshot "…"'])
  const [taken] = failures
  const listed = await tasks().items(id, { reason: taken?.message ?? '' })
  expect(listed.map(({ name }) => name)).toEqual(['a', 'b'])
})
