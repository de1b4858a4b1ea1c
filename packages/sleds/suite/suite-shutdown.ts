import { expect } from 'vitest'
import {
  db,
  follow,
  running,
  specOf,
  until,
  untilState,
  web,
  type Rule,
  type SledHarness,
} from './suite-harness.ts'

/** A guest that is booting may not notice the first press. */
const pressUntilStopped = (h: SledHarness, sledId: string) =>
  until(h, 'a guest that has shut down', async () => {
    await h.driver.shutDown(web, sledId, 1)
    return (await h.driver.inspect(web, sledId))?.state === 'stopped'
  })

/** The rules for the power button, and for the list of machines. */
export function shutdownRules(rule: Rule) {
  rule(
    'a guest that obeys the power button stops, and its machine stays known until it is removed',
    async (h) => {
      const { states, seen } = follow(h)
      const { sledId } = await running(h)
      await pressUntilStopped(h, sledId)
      expect(seen.at(-1)?.guestShutdown).toBe(true)
      expect(states().filter((state) => state !== 'stopping')).toEqual(['starting', 'running', 'stopped'])
      expect(await h.driver.inspect(web, sledId)).toMatchObject({ state: 'stopped', guestShutdown: true })
      await h.driver.remove(web, sledId, 1)
      await untilState(h, web, sledId, null)
    },
  )

  rule('pressing the power button again does no harm', async (h) => {
    const { seen } = follow(h)
    const { sledId } = await running(h)
    await Promise.all([h.driver.shutDown(web, sledId, 1), h.driver.shutDown(web, sledId, 1)])
    await pressUntilStopped(h, sledId)
    await h.driver.shutDown(web, sledId, 1)
    await h.advance(h.maxWaitMs)
    expect(seen.filter((status) => status.state === 'stopped')).toHaveLength(1)
  })

  rule('the power button of another boot, or of no machine, does nothing', async (h) => {
    const { sledId } = await running(h, web, { boot: 2 })
    const { seen } = follow(h)
    await h.driver.shutDown(web, sledId, 1)
    await h.driver.shutDown(web, sledId, 3)
    await h.driver.shutDown(db, sledId, 2)
    await h.advance(h.maxWaitMs)
    expect(seen).toEqual([])
  })

  rule('a removal does not wait for a guest that shuts down', async (h) => {
    const { sledId } = await running(h)
    await h.driver.shutDown(web, sledId, 1)
    await h.driver.remove(web, sledId, 1)
    await untilState(h, web, sledId, null)
  })

  rule('a sled lists the machines that it has, until they are removed', async (h) => {
    const spec = await specOf(h)
    expect(await h.driver.machines(spec.sledId)).toEqual([])
    await running(h, web, { boot: 3 })
    await running(h, db)
    const list = async () => {
      const all = await h.driver.machines(spec.sledId)
      return all.toSorted((a, b) => a.id.localeCompare(b.id))
    }
    expect(await list()).toEqual([
      { id: web, boot: 3, state: 'running' },
      { id: db, boot: 1, state: 'running' },
    ])
    await h.crash(db, 'out of luck')
    await until(h, 'a failed machine', async () => (await list())[1]?.state === 'failed')
    await h.driver.remove(db, spec.sledId, 1)
    await untilState(h, db, spec.sledId, null)
    expect(await list()).toEqual([{ id: web, boot: 3, state: 'running' }])
  })
}
