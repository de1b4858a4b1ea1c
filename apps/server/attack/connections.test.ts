import { afterEach, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { keepsWithin } from '../testing/bounds.ts'
import { startPinger } from '../testing/pinger.ts'
import { serveKnown } from '../testing/prepared.ts'
import { ask, openSocket } from '../testing/requests.ts'

afterEach(killAll)

const isOpen = ({ socket }: ReturnType<typeof openSocket>) => !socket.destroyed
const said = (lines: readonly string[]) => lines.filter((line) => line.includes('too many')).length

/** Opens this many connections, and waits until each is there or closed: the system queues 511 that wait for the server. */
async function connect(url: string, from: string, count: number) {
  const sockets = Array.from({ length: count }, () => openSocket(url, from))
  const isThere = ({ socket, ended }: (typeof sockets)[number]) =>
    Promise.race([ended, new Promise((resolve) => socket.once('connect', resolve))])
  await Promise.all(sockets.map(isThere))
  return sockets
}

it('one address has a limit of connections, and others are answered within 100 ms (p99) during an attack', async () => {
  const server = await serveKnown()
  const statusFor = (from: string) =>
    ask(server.url, '/v1/ping', { from }).then(
      ({ status }) => status,
      () => 0,
    )
  let address = 0
  await keepsWithin(100, async () => {
    const pinger = await startPinger(server)
    const from = `127.0.2.${++address}`
    const sockets: ReturnType<typeof openSocket>[] = []
    for (let wave = 0; wave < 6; wave++) sockets.push(...(await connect(server.url, from, 250)))
    await expect.poll(() => sockets.filter(isOpen).length).toBe(512)
    const { failed, p99 } = await pinger.stop()
    expect(failed).toBe(0)
    for (const { socket } of sockets) socket.destroy()
    await expect.poll(() => statusFor(from)).toBe(200)
    return p99
  })
  // Logged once for a while, for any number of refusals.
  await expect.poll(() => said(server.lines())).toBe(1)
})

it('all addresses together have a limit, both are settings, and a proxy is no address', async () => {
  const limited = await serveKnown({
    args: ['--max-connections', '20', '--max-connections-per-address', '15'],
  })
  const from = (address: string) => Array.from({ length: 15 }, () => openSocket(limited.url, address))
  const [mine, others] = [from('127.0.0.1'), from('127.0.1.1')]
  await expect.poll(() => [mine, others].map((all) => all.filter(isOpen).length)).toEqual([15, 5])
  const proxied = await serveKnown({
    env: { PURLIN_MAX_CONNECTIONS_PER_ADDRESS: '2', PURLIN_BEHIND_PROXY: 'true' },
  })
  const many = Array.from({ length: 15 }, () => openSocket(proxied.url))
  expect((await ask(proxied.url, '/v1/ping')).status).toBe(200)
  expect(many.filter(isOpen).length).toBe(15)
})
