import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pile } from '../testing/bodies.ts'
import { killAll } from '../testing/children.ts'
import { pingsDuring, type Pings } from '../testing/pinger.ts'
import { admin, serve, type ServerProcess } from '../testing/process.ts'
import { signIn } from '../testing/requests.ts'
import { startSignInFlood } from '../testing/sign-in-flood.ts'

// How long others wait can be judged on an idle machine only.
let server: ServerProcess
beforeEach(async () => (server = await serve()))
afterEach(killAll)

const length = 8 * 1024 * 1024

/** Waits for what was begun, and some seconds more. */
async function lasting(seconds: number, begun: unknown): Promise<void> {
  await begun
  await wait(seconds * 1000)
}
const expectPrompt = ({ failed, p99 }: Pings) => {
  expect(failed).toBe(0)
  expect(p99).toBeLessThan(100)
}

it('pings are answered within 100 ms (p99) during 120 bodies of strangers', async () => {
  expectPrompt(await pingsDuring(server, () => lasting(2, pile(server.url, { count: 120, length }))))
})

it('pings are answered within 100 ms (p99) during 120 bodies of one user', async () => {
  const { cookie } = await signIn(server.url)
  expectPrompt(await pingsDuring(server, () => lasting(2, pile(server.url, { count: 120, length, cookie }))))
})

it('pings are answered within 100 ms (p99) during a flood of sign-ins', async () => {
  expectPrompt(await pingsDuring(server, () => lasting(5, startSignInFlood(server.url, admin.silo))))
})
