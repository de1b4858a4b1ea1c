/** Changes of some tags, one by one and as tasks, and the tags that are in use. */
import { kinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keptActs, makeKept, makeTagged, tagActs, type TagActs } from '#/testing/kinds/kept.ts'
import { disorder } from '#/testing/state.ts'
import { tasksOf, type TaskBody } from '#/testing/tasks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const query = { project: 'demo' }
const me = () => w.as('projectCollaborator')
const acts = { ...keptActs(() => w), ...tagActs(() => w) }

beforeAll(async () => {
  w = await openWorld({ rack: { sleds: 1 } })
  await makeKept(w)
  await makeTagged(w)
})
afterAll(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

/** The users of the kinds that not all collaborators of a project may change. */
const others: Partial<Record<string, 'admin' | 'collaborator'>> = { project: 'admin', probe: 'collaborator' }

describe.each(Object.entries<TagActs>(acts))('some tags of a %s', (name, { change, view, list }) => {
  it('are set and removed, and all others stay', async () => {
    await change({ set: { env: 'test', team: 'web' } })
    expect(await change({ set: { env: 'prod', cost: '7' } })).toEqual({
      tags: { cost: '7', env: 'prod', team: 'web' },
    })
    expect(await change({ remove: ['team', 'absent'], set: { env: 'live' } })).toEqual({
      tags: { cost: '7', env: 'live' },
    })
    expect((await view()).tags).toEqual({ cost: '7', env: 'live' })
    expect((await list(['tag:env=live'])).items).toHaveLength(1)
    expect((await list(['tag:team'])).items).toEqual([])
    expect(await change({ remove: ['cost', 'env'] })).toEqual({ tags: {} })
    expect(await view()).not.toHaveProperty('tags')
  })

  it('are changed by a task, for all that a list shows', async () => {
    await change({ set: { keep: 'me', old: 'x' } })
    const { id } = await view()
    const kind = kinds[name as keyof typeof acts].type
    const who = others[name] ?? 'projectCollaborator'
    const tags = { set: { shift: 'night' }, remove: ['old'] }
    const task = await tasksOf(w, who).run({ kind, action: 'change_tags', ids: [id], tags })
    expect(task).toMatchObject({ succeeded: 1, skipped: 0, failed: 0, tags })
    expect((await view()).tags).toEqual({ keep: 'me', shift: 'night' })
  })
})

it('of changes at the same moment, all are kept', async () => {
  await acts.disk.set({ tags: {} })
  const keys = Array.from({ length: 8 }, (_, i) => `k${i}`)
  await Promise.all(keys.map((key) => acts.disk.change({ set: { [key]: '' } })))
  expect(Object.keys((await acts.disk.view()).tags ?? {})).toEqual(keys)
})

it.each([
  ['nothing', {}, 'must have a tag'],
  ['a key that is set as well', { set: { a: '' }, remove: ['a'] }, '`a` is set as well'],
  ['a key with a space', { set: { 'a b': '' } }, 'a key begins with a letter or digit'],
])('refuses a change of %s, as a task too', async (_, body, message) => {
  await expect(acts.disk.change(body)).rejects.toMatchObject({ status: 400 })
  const { id } = await acts.disk.view()
  const task: TaskBody = { kind: 'disk', action: 'change_tags', ids: [id], tags: body }
  const error = await tasksOf(w)
    .preview(task)
    .catch((one: Error) => one)
  expect((error as Error).message).toContain(message)
})

it('refuses tags of another action, and their change without any', async () => {
  const { id } = await acts.disk.view()
  const wrong = { kind: 'disk' as const, ids: [id] }
  await expect(
    tasksOf(w).preview({ ...wrong, action: 'delete', tags: { set: { a: '' } } }),
  ).rejects.toMatchObject({ status: 400 })
  await expect(tasksOf(w).preview({ ...wrong, action: 'change_tags' })).rejects.toMatchObject({ status: 400 })
})

it('one too many is refused, and the task says of which', async () => {
  const full = Object.fromEntries(Array.from({ length: limits.tags.count }, (_, i) => [`f${i}`, '']))
  await acts.disk.set({ tags: full })
  await expect(acts.disk.change({ set: { more: '' } })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('51 tags') as string,
  })
  const { id } = await acts.disk.view()
  const tags = { set: { more: '' } }
  const task = await tasksOf(w).run({ kind: 'disk', action: 'change_tags', ids: [id], tags })
  expect(task).toMatchObject({ failed: 1 })
  const { items } = await me().taskItemList({ params: { task: task.id }, query: { result: 'failed' } })
  expect(items).toMatchObject([{ name: 'disk', message: expect.stringContaining('51 tags') as string }])
  await acts.disk.set({ tags: {} })
})

it('a viewer changes none, and a project or probe is not named to those who do not see it', async () => {
  const change = { params: { disk: 'disk' }, query, body: { set: { a: '' } } }
  await expect(w.as('projectViewer').diskTagsChange(change)).rejects.toMatchObject({ status: 403 })
  const { id } = await acts.project.view()
  const body: TaskBody = { kind: 'project', action: 'change_tags', ids: [id], tags: { set: { a: '' } } }
  const probe: TaskBody = { ...body, kind: 'probe', ids: [(await acts.probe.view()).id] }
  for (const one of [body, probe]) {
    const { skipped, names } = await w.as('projectCollaborator').taskPreview({ body: one })
    expect([names, skipped]).toMatchObject([[], [{ message: 'not found' }]])
  }
})

it('are in the audit log by their keys, of a change and of an update', async () => {
  await acts.vpc.set({ tags: { a: '1', b: '1' } })
  await acts.vpc.change({ set: { a: '2', c: '' }, remove: ['b'] })
  await acts.vpc.set({ description: 'other' })
  const { id } = await acts.vpc.view()
  const { items } = await w.as('admin').resourceActivity({ query: { resource: `vpc:${id}`, limit: 3 } })
  const seen = items.map(({ operationId, objects }) => [operationId, objects?.[0]?.tagKeys])
  expect(seen).toEqual([
    ['vpc_update', undefined],
    ['vpc_tags_change', ['a', 'b', 'c']],
    ['vpc_update', expect.arrayContaining(['a', 'b'])],
  ])
})

describe('the tags in use', () => {
  const keys = async (more: object = {}, who: 'projectViewer' | 'admin' = 'projectViewer') =>
    (await w.as(who).tagList({ query: { ...query, ...more } })).items.map(({ key, value }) => value ?? key)

  beforeAll(async () => {
    for (const { change, view } of Object.values<TagActs>(acts)) {
      const remove = Object.keys((await view()).tags ?? {})
      if (remove.length > 0) await change({ remove })
    }
    await acts.disk.set({ tags: { env: 'prod', Env: 'x', team: 'web' } })
    await acts.instance.set({ tags: { env: 'test', zone: 'ä' } })
    await acts.vpc.set({ tags: { env: 'prod' } })
    await acts.project.set({ tags: { hidden: 'yes' } })
  })

  it('are listed once each, in order, by how they begin', async () => {
    expect(await keys()).toEqual(['Env', 'env', 'team', 'zone'])
    expect(await keys({ prefix: 'e' })).toEqual(['env'])
    expect(await keys({ tag: 'env' })).toEqual(['prod', 'test'])
    expect(await keys({ tag: 'env', prefix: 't' })).toEqual(['test'])
    expect(await keys({ tag: 'absent' })).toEqual([])
  })

  it('include those of snapshots of instances, each with its instance in a list', async () => {
    const { instanceSnapshot } = acts
    await instanceSnapshot.set({ tags: { release: '4.2', env: 'staging' } })
    expect(await keys()).toEqual(['Env', 'env', 'release', 'team', 'zone'])
    expect(await keys({ tag: 'env' })).toEqual(['prod', 'staging', 'test'])
    expect((await instanceSnapshot.list(['tag:release=4.2'])).items).toHaveLength(1)
    const ofOther = { ...query, instance: 'instance', filter: ['tag:release'] }
    expect((await me().instanceSnapshotList({ query: ofOther })).items).toEqual([])
    await instanceSnapshot.change({ set: { release: '4.3' } })
    expect(await keys({ tag: 'release' })).toEqual(['4.3'])
    await instanceSnapshot.set({ tags: {} })
    expect(await keys()).toEqual(['Env', 'env', 'team', 'zone'])
  })

  it('are those of networks and schedules as well, and of probes for operators', async () => {
    const { vpcSubnet, antiAffinityGroup, schedule, probe } = acts
    const tagged = [vpcSubnet, antiAffinityGroup, schedule, probe]
    for (const [i, { change }] of tagged.entries()) await change({ set: { [`more-${i}`]: '' } })
    expect(await keys({ prefix: 'more' })).toEqual(['more-0', 'more-1', 'more-2'])
    const seen = await w.as('collaborator').tagList({ query: { ...query, prefix: 'more' } })
    expect(seen.items.map(({ key }) => key)).toEqual(['more-0', 'more-1', 'more-2', 'more-3'])
    for (const [i, { change }] of tagged.entries()) await change({ remove: [`more-${i}`] })
  })

  it('are paged', async () => {
    const all: string[] = []
    let pageToken: string | undefined
    do {
      const page = await me().tagList({ query: { ...query, limit: 1, ...(pageToken ? { pageToken } : {}) } })
      all.push(...page.items.map(({ key }) => key))
      pageToken = page.nextPage ?? undefined
    } while (pageToken !== undefined)
    expect(all).toEqual(['Env', 'env', 'team', 'zone'])
  })

  it('of projects are those that one may see', async () => {
    const ofSilo = async (who: 'projectViewer' | 'viewer') =>
      (await w.as(who).tagList({ query: {} })).items.map(({ key }) => key)
    expect([await ofSilo('projectViewer'), await ofSilo('viewer')]).toEqual([[], ['hidden']])
  })
})
