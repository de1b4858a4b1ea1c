import { afterAll, beforeAll, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { pingsDuring } from '../testing/pinger.ts'
import { serveKnown } from '../testing/prepared.ts'
import { worst } from '../testing/worst.ts'

let server: Awaited<ReturnType<typeof serveKnown>>
beforeAll(async () => (server = await serveKnown({ args: ['--log-level', 'error'] })))
afterAll(killAll)

// For longer than `ping.test.ts` does it, and in one try.
it.each(Object.entries(worst))('pings are answered within 100 ms (p99) during %s', async (_, prepare) => {
  const attack = await prepare(server)
  const { failed, p99 } = await pingsDuring(server, () => attack(10_000))
  expect(failed).toBe(0)
  expect(p99).toBeLessThan(100)
})
