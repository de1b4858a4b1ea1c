import { sessionsOf } from '#/auth/sessions.ts'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { many } from '#/testing/new-instances.ts'
import { makeDisks, tasksOf } from '#/testing/tasks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(() => w.close())

const atOnce = 8
const remaining = async () => (await w.as('admin').diskList({ query: { project: 'demo' } })).items.length

it('a running task that is stopped begins no further batch', async () => {
  const { create, view } = tasksOf(w)
  const ids = await makeDisks(w, ...many(80, (i) => `d-${i}`))
  const { id } = await create({ kind: 'disk', action: 'delete', ids })
  while ((await view(id)).succeeded === 0) await yieldToEventLoop()
  const { succeeded } = await w.as('projectCollaborator').taskCancel({ params: { task: id } })
  while ((await view(id)).timeEnded === null) await yieldToEventLoop()
  const ended = await view(id)
  expect(ended).toMatchObject({ state: 'canceled', failed: 0, pending: 0 })
  expect(ended.succeeded).toBeLessThanOrEqual(succeeded + atOnce)
  expect(ended.canceled).toBe(ids.length - ended.succeeded)
  expect(await remaining()).toBe(ended.canceled)
})

it('a task continues after its owner has signed out, and is listed when they sign in again', async () => {
  const { create } = tasksOf(w)
  const ids = await makeDisks(w, 'a', 'b')
  await w.plane.loops.stop()
  const { id } = await create({ kind: 'disk', action: 'delete', ids })
  await w.as('projectCollaborator').logout({})
  await w.restart()
  await w.settle()
  expect(await remaining()).toBe(0)
  const url = `/v1/tasks/${id}`
  expect((await w.raw({ url, headers: {} })).status).toBe(401)
  const userId = w.ids['projectCollaborator'] ?? ''
  const session = await inDb(w, (tx) => sessionsOf(w.world).start(tx, userId))
  const { json } = await w.raw({ url, headers: { cookie: `session=${session}` } })
  expect(json).toMatchObject({ state: 'completed', succeeded: 2 })
})
