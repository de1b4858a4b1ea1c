/** Bodies that are sent and never finished: for attacks. */
import { openSocket, type RawSocket } from './requests.ts'

/** The path of the operation that takes the largest bodies. */
export const blockWrite = '/v1/disks/x/bulk-write?project=p'

/** The head of a POST whose body has this many bytes. */
export const headOf = (path: string, length: number, cookie = ''): string =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${cookie && `cookie: ${cookie}\r\n`}content-length: ${length}\r\n\r\n`

interface Pile {
  /** connections */
  count: number
  /** bytes of each body */
  length: number
  cookie?: string | undefined
}

/** Sends all but the last chunk of a body on many connections, and leaves open those that the server does not close. */
export async function pile(url: string, { count, length, cookie }: Pile): Promise<RawSocket[]> {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const sockets = Array.from({ length: count }, () => openSocket(url))
  for (const { socket } of sockets) socket.write(headOf(blockWrite, length, cookie))
  const send = async ({ socket, ended }: RawSocket) => {
    for (let sent = 0; sent < length - chunk.length && socket.writable; sent += chunk.length)
      if (!socket.write(chunk))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), ended])
  }
  await Promise.all(sockets.map(send))
  return sockets
}
