import { afterEach, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { startPinger } from '../testing/pinger.ts'
import { serve } from '../testing/process.ts'
import { openSocket } from '../testing/requests.ts'

afterEach(killAll)

it('while a hundred connections say nothing, pings are answered within 100 ms (p99)', async () => {
  const { url } = await serve()
  for (let i = 0; i < 100; i++) openSocket(url).socket.write('GET /v1/ping HTTP/1.1\r\n')
  const pinger = await startPinger(url)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const { sent, failed, p99 } = await pinger.stop()
  expect({ failed, isMeasured: sent > 20 }).toEqual({ failed: 0, isMeasured: true })
  expect(p99).toBeLessThan(100)
})

it('a server that stands still is noticed', async () => {
  const { url, signal } = await serve()
  const pinger = await startPinger(url)
  signal('SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, 500))
  signal('SIGCONT')
  const { failed, p99 } = await pinger.stop()
  expect(failed).toBe(0)
  expect(p99).toBeGreaterThan(300)
})
