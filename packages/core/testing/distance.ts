/** A database that is farther away than it is: answers come later. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Distance {
  /** The URL of the database by this way. */
  url: string
  port: number
  stop: () => Promise<void>
}

/** Hands on what arrives on one connection. */
type Forward = (chunk: Buffer, send: (chunk: Buffer) => void) => void

/** Each answer comes this much later. */
export const later = (ms: number) => (): Forward => (chunk, send) =>
  // Equal waits end in the order in which they began.
  void sleep(ms).then(() => send(chunk))

/** Answers are sent together, once no more have come for this long: as from a database that takes no time itself. */
export const together = (ms: number) => (): Forward => {
  let held: Buffer[] = []
  let timer: NodeJS.Timeout | undefined
  return (chunk, send) => {
    held.push(chunk)
    clearTimeout(timer)
    timer = setTimeout(() => {
      send(Buffer.concat(held))
      held = []
    }, ms)
  }
}

/** A way to the database at `url` on which answers come as `delayed` says. */
export async function startDistance(url: string, delayed: () => Forward): Promise<Distance> {
  const { hostname: host, port: databasePort } = new URL(url)
  const sockets = new Set<Socket>()
  const proxy = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: Number(databasePort), host, noDelay: true })
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
    const forward = delayed()
    far.on('data', (chunk) => forward(chunk, (answer) => near.write(answer)))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const way = new URL(url)
  way.port = String(port)
  const stop = async () => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
    await once(proxy, 'close')
  }
  return { url: way.href, port, stop }
}
