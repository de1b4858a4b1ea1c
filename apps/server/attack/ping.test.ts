import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { pingsDuring } from '../testing/pinger.ts'
import { serveKnown } from '../testing/prepared.ts'
import { worst } from '../testing/worst.ts'

let server: Awaited<ReturnType<typeof serveKnown>>
beforeAll(async () => (server = await serveKnown({ args: ['--log-level', 'error'] })))
afterAll(killAll)

// How long each answer takes depends on the machine: `pings.soak.ts` has the bound.
describe('every ping is answered during', () => {
  it.each(Object.entries(worst))('%s', async (_, prepare) => {
    const attack = await prepare(server)
    const { sent, failed } = await pingsDuring(server, () => attack(1500))
    expect({ failed, isMeasured: sent > 0 }).toEqual({ failed: 0, isMeasured: true })
  })
})
