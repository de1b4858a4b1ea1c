/** Four servers on one PostgreSQL that is a millisecond away. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder } from '@purlin/server/testing/children'
import { startPostgres } from '@purlin/server/testing/postgres'
import { signIn } from '@purlin/server/testing/requests'
import { medianSpeed, speedFigures, type Figure, type Pace } from './figures.ts'
import { measure, type Speed } from './load.ts'
import * as loads from './loads.ts'
import { seed } from './seed.ts'
import { startServer } from './servers.ts'

const instances = 100
const servers = 4
const addedMs = 1

/** A way to a database on which every answer comes later. */
async function startDistance(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname: host, port } = new URL(url)
  const sockets = new Set<Socket>()
  const proxy = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: Number(port), host, noDelay: true })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        other.destroy()
        sockets.delete(one)
      })
    }
    near.on('data', (chunk) => far.write(chunk))
    // Equal waits end in the order in which they began.
    far.on('data', (chunk) => void sleep(addedMs).then(() => near.write(chunk)))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const way = new URL(url)
  way.port = String((proxy.address() as AddressInfo).port)
  const stop = async () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
    await once(proxy, 'close')
  }
  return { url: way.href, stop }
}

export async function distanceOnPostgres(pace: Pace): Promise<Figure[]> {
  const postgres = await startPostgres({ durable: true })
  const distance = await startDistance(postgres.url)
  const folder = newFolder()
  try {
    await seed({ databaseUrl: postgres.url }, instances)
    const place = { databaseUrl: distance.url, folder: folder.path }
    const first = await startServer(place)
    const others = Array.from({ length: servers - 1 }, () => startServer(place, ['--api-only']))
    const all = [first, ...(await Promise.all(others))]
    const { cookie } = await signIn(first.url)
    const view = { ...loads.viewAnew(instances), ...pace, cookie, connections: 1 }
    const found: Speed[] = []
    for (const { url: origin } of all) found.push(await measure({ ...view, origin }))
    await Promise.all(all.map((server) => server.stop()))
    return speedFigures('view, varied', medianSpeed(found))
  } finally {
    await distance.stop()
    await postgres.stop()
    folder.remove()
  }
}
