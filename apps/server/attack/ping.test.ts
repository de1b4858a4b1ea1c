import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { keepsWithin } from '../testing/bounds.ts'
import { pingsDuring } from '../testing/pinger.ts'
import { serveKnown } from '../testing/prepared.ts'
import { openSocket } from '../testing/requests.ts'

afterEach(killAll)

it('while a hundred connections say nothing, pings are answered within 100 ms (p99)', async () => {
  const server = await serveKnown()
  for (let i = 0; i < 100; i++) openSocket(server.url).socket.write('GET /v1/ping HTTP/1.1\r\n')
  await keepsWithin(100, async () => {
    const { sent, failed, p99 } = await pingsDuring(server, () => wait(1000))
    expect({ failed, isMeasured: sent > 20 }).toEqual({ failed: 0, isMeasured: true })
    return p99
  })
})

it('a server that stands still is noticed', async () => {
  const server = await serveKnown()
  const { failed, p99 } = await pingsDuring(server, async () => {
    server.signal('SIGSTOP')
    await wait(1500)
    server.signal('SIGCONT')
  })
  expect(failed).toBe(0)
  expect(p99).toBeGreaterThan(300)
})
