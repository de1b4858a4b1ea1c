import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { readGauges } from './gauges.ts'

const GiB = 2 ** 30
let world: TestWorld
beforeAll(async () => (world = await openWorld()))
afterAll(() => world.close())

describe('the gauges of monitoring', () => {
  it('follow instances and what they take of their sleds', async () => {
    const { plane } = world
    const before = await readGauges(plane.world)
    expect(before.instances).toEqual([])
    expect(before.sledUp.map(({ value }) => value)).toEqual(before.sledUp.map(() => 1))

    const create = (name: string, start: boolean) =>
      world.as('admin').instanceCreate({
        query: { project: 'demo' },
        body: { name, description: '', hostname: name, ncpus: 3, memory: 5 * GiB, start },
      })
    await create('runs', true)
    await create('rests', false)
    await world.advance(60_000)
    const after = await readGauges(plane.world)
    const byState = Object.fromEntries(after.instances.map(({ labels, value }) => [labels['state'], value]))
    expect(byState).toEqual({ running: 1, stopped: 1 })
    const reserved = (all: typeof after.sledThreads) =>
      all.filter(({ labels }) => labels['use'] === 'reserved').reduce((sum, { value }) => sum + value, 0)
    expect(reserved(after.sledThreads)).toBe(3)
    expect(reserved(after.sledMemory)).toBe(5 * GiB)
    expect(after.provisionedCpus).toEqual([{ labels: {}, value: 3 }])
    expect(after.provisionedMemory).toEqual([{ labels: {}, value: 5 * GiB }])
    expect(after.tasks).toEqual([])
  })
})
