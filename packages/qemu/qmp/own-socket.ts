/** Sockets in folders that another process may change. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { connect, Socket } from 'node:net'

/** Opens a file only to name it (open(2)): Node has no constant for it. */
const pathOnly = 0o1000_0000

/**
 * Connects to a socket, and never through a link: QEMU, which a guest may have taken over, makes its sockets where it can put
 * links to those of the host. Emits `error` otherwise, as `connect` does.
 */
export function connectOwn(path: string): Socket {
  let file: number | undefined
  const closeFile = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  try {
    file = openSync(path, pathOnly | constants.O_NOFOLLOW)
    if (!fstatSync(file).isSocket()) throw new Error(`${path} is not a socket`)
    // This names the socket that was looked at, whatever has taken its place.
    const socket = connect(`/proc/self/fd/${file}`)
    return socket.once('connect', closeFile).once('close', closeFile)
  } catch (error) {
    closeFile()
    return new Socket().destroy(error as Error)
  }
}
