import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { pingsDuring } from '../testing/pinger.ts'
import { serveKnown } from '../testing/prepared.ts'
import { worst } from '../testing/worst.ts'

let server: Awaited<ReturnType<typeof serveKnown>>
beforeAll(async () => (server = await serveKnown({ args: ['--log-level', 'error'], realPasswords: true })))
afterAll(killAll)

// `pings.soak.ts` has all attacks, on both databases, and the bound for the time of an answer.
const attacks = [
  'a hundred silent connections',
  '120 bodies of strangers',
  '120 bodies of one user',
  'a flood of sign-ins',
]

describe('every ping is answered during', () => {
  it.each(attacks)('%s', async (name) => {
    const attack = await worst[name]?.(server)
    const { sent, failed } = await pingsDuring(server, async () => attack?.(1500))
    expect({ failed, isAttack: attack !== undefined, isMeasured: sent > 0 }).toEqual({
      failed: 0,
      isAttack: true,
      isMeasured: true,
    })
  })
})
