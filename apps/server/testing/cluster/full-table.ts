import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The first message of a client of PostgreSQL. */
const startup = (): Buffer => {
  const words = Buffer.from('user\0postgres\0database\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeUInt32BE(head.length + words.length, 0)
  head.writeUInt32BE(3 << 16, 4)
  return Buffer.concat([head, words])
}
const refused = 'E'

/** Takes all free connections of a PostgreSQL server. Returns how to give them back. */
export async function takeConnections(url: string): Promise<() => void> {
  const { hostname: host, port } = new URL(url)
  const taken: Socket[] = []
  for (;;) {
    const socket = connect({ host, port: Number(port) })
    socket.on('error', () => undefined)
    socket.write(startup())
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (answer.toString('latin1', 0, 1) === refused) break
    taken.push(socket.resume())
  }
  return () => taken.forEach((socket) => socket.destroy())
}
