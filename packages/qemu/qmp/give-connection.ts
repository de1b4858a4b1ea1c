/**
 * A process with the QMP socket of a QEMU as its channel: gives this QEMU a connection to a socket, whose path is its argument, and ends. Descriptors
 * are sent by Node on such channels only. QEMU refuses the text around it, and keeps the descriptor for `getfd`.
 */
import { connectOwn } from './own-socket.ts'

const [, , path = ''] = process.argv
const connection = connectOwn(path)
connection.once('error', () => process.exit(1))
connection.once('connect', () => {
  process.send?.({}, connection)
  setImmediate(() => process.exit())
})
