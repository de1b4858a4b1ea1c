/** Carries the screen of an instance between the server and a viewer at standard input and output. */
import type { Run } from '../commands/operation.ts'
import { CliError } from '../errors.ts'
import { bytesOf, refusal, socketOf } from './socket.ts'

/** Until the viewer leaves or the screen ends. */
export async function carryDisplay(run: Run): Promise<void> {
  const { io } = run
  if (io.stdout.isTTY)
    throw new CliError(
      'usage',
      'A screen is no text: connect a VNC viewer to this command, or open the console',
    )
  const socket = socketOf(run)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let failure = ''
  const send = (chunk: Uint8Array) => socket.send(chunk, { binary: true })
  socket.once('open', () => io.stdin.on('data', send).once('end', resolve))
  socket.on('message', (data) => {
    if (io.stdout.write(bytesOf(data))) return
    socket.pause()
    io.stdout.once('drain', () => socket.resume())
  })
  socket.once('unexpected-response', (_, response) => void refusal(response).then(reject))
  socket.on('error', (error) => (failure = error.message))
  socket.once('close', (_, reason) =>
    reject(
      new CliError(
        failure ? 'unreachable' : 'refused',
        reason.toString() || failure || 'The screen has ended',
      ),
    ),
  )
  const leave = () => resolve()
  io.signal.addEventListener('abort', leave)
  try {
    await promise
  } finally {
    io.signal.removeEventListener('abort', leave)
    io.stdin.off('data', send)
    io.stdin.pause()
    socket.close()
  }
}
