import { afterEach, beforeEach, expect, it } from 'vitest'
import { instancesOf } from '#/testing/machines.ts'
import { disorder } from '#/testing/state.ts'
import { tasksOf, type TaskBody } from '#/testing/tasks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const query = { project: 'demo' }
let w: TestWorld
let ids: string[]
beforeEach(async () => {
  w = await openWorld()
  await instancesOf(w).create('build', { tags: { env: 'test' }, start: true })
  await w.settle()
  ids = []
  for (const name of ['evening-one', 'evening-two', 'nightly']) {
    const { id } = await w.as('projectCollaborator').scheduleCreate({
      query,
      body: {
        name,
        description: '',
        action: 'stop',
        tag: 'env=test',
        rule: { type: 'daily', time: '22:00' },
        paused: name === 'nightly',
      },
    })
    ids.push(id)
  }
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const all = async () => (await w.as('viewer').scheduleList({ query })).items
const begin = (action: TaskBody['action'], who: Who = 'projectCollaborator') =>
  tasksOf(w, who).run({ kind: 'schedule', action, ids })

it('the words of a name find schedules, in their list and in the search over all kinds', async () => {
  const { items } = await w.as('viewer').scheduleList({ query: { ...query, find: 'evening' } })
  expect(items.map(({ name }) => name)).toEqual(['evening-one', 'evening-two'])
  const found = await w.as('viewer').search({ query: { q: 'nightly' } })
  expect(found.items).toMatchObject([{ type: 'schedule', name: 'nightly' }])
})

it('many are paused and resumed by a task, which leaves the others as they are', async () => {
  expect(await begin('pause')).toMatchObject({ succeeded: 2, skipped: 1, failed: 0 })
  expect((await all()).map(({ paused }) => paused)).toEqual([true, true, true])
  expect(await begin('resume', 'admin')).toMatchObject({ succeeded: 3 })
  expect(await all()).toMatchObject(ids.map(() => ({ paused: false, userId: w.ids['admin'] })))
})

it('many are run now, each as a task, and deleted', async () => {
  expect(await begin('run')).toMatchObject({ succeeded: 3, failed: 0 })
  await w.advance(60_000)
  const { items } = await w.as('projectCollaborator').taskList({ query: {} })
  const runs = items.filter(({ schedule }) => schedule !== undefined)
  expect(new Set(runs.map(({ schedule }) => schedule))).toEqual(new Set(ids))
  expect(runs.every(({ state }) => state === 'completed')).toBe(true)
  expect(await instancesOf(w).view('build')).toMatchObject({ runState: 'stopped' })
  expect(await begin('delete')).toMatchObject({ succeeded: 3 })
  expect(await all()).toEqual([])
})

it('viewers change none of them', async () => {
  for (const action of ['pause', 'run', 'delete'] as const)
    expect(await begin(action, 'projectViewer')).toMatchObject({
      succeeded: 0,
      failed: action === 'pause' ? 2 : 3,
    })
  expect((await all()).map(({ paused }) => paused)).toEqual([false, false, true])
})
