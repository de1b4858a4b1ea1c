import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { keepsWithin } from '../testing/bounds.ts'
import { pingsDuring } from '../testing/pinger.ts'
import { serveKnown } from '../testing/prepared.ts'
import { worst } from '../testing/worst.ts'

let server: Awaited<ReturnType<typeof serveKnown>>
beforeAll(async () => (server = await serveKnown({ args: ['--log-level', 'error'] })))
afterAll(killAll)

describe('pings are answered within 100 ms (p99) during', () => {
  it.each(Object.entries(worst))('%s', async (_, prepare) => {
    const attack = await prepare(server)
    await keepsWithin(100, async () => {
      const { sent, failed, p99 } = await pingsDuring(server, () => attack(1500))
      expect({ failed, isMeasured: sent > 20 }).toEqual({ failed: 0, isMeasured: true })
      return p99
    })
  })
})

it('a server that stands still is noticed', async () => {
  const { failed, p99 } = await pingsDuring(server, async () => {
    server.signal('SIGSTOP')
    await wait(1500)
    server.signal('SIGCONT')
  })
  expect(failed).toBe(0)
  expect(p99).toBeGreaterThan(300)
})
