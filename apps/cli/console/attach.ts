/** Attaches the terminal to the serial console of an instance. */
import type { WebSocket } from 'ws'
import type { Run } from '../commands/operation.ts'
import { CliError } from '../errors.ts'
import { note, type Io } from '../io.ts'
import { printable } from '@purlin/contract/commands/printable'
import { createEscape } from './escape.ts'
import { bytesOf, refusal, socketOf } from './socket.ts'

/** How a connection ended. */
type End =
  | { at: 'left' }
  | { at: 'refused'; error: Error }
  | { at: 'closed'; reason: string; wasOpen: boolean; isFinal: boolean }

const firstPauseMs = 1000
const longestPauseMs = 15_000
const mostTries = 8
/** The session ended, or its permission: a new connection would be refused. */
const finalCodes = [1000, 1008]

/** Attaches until the user leaves with Enter ~ . or the console ends. Connects again after a failure of the network. */
export async function attach(run: Run): Promise<void> {
  const { io } = run
  const terminal = io.stdin.isTTY ? io.stdin : null
  await note(io, 'Leave with Enter ~ .')
  terminal?.setRawMode?.(true)
  try {
    await keepConnected(run)
  } finally {
    terminal?.setRawMode?.(false)
    io.stdin.pause()
  }
}

async function keepConnected(run: Run): Promise<void> {
  const { io } = run
  let isAgain = false
  let tries = 0
  for (;;) {
    const end = await connection(run, isAgain)
    if (end.at === 'left') return
    if (end.at === 'refused') throw end.error
    if (end.isFinal) throw new CliError('refused', end.reason || 'The console has ended')
    if (!end.wasOpen && !isAgain) throw new CliError('unreachable', end.reason)
    tries = end.wasOpen ? 1 : tries + 1
    if (tries > mostTries) throw new CliError('unreachable', end.reason)
    isAgain = true
    await note(io, `\r\n[${printable(end.reason || 'The connection was lost')}; connecting again]\r`)
    await io.sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1)))
  }
}

/** One connection, until it ends. A later one leaves out what was printed before. */
function connection(run: Run, isAgain: boolean): Promise<End> {
  const { io, args } = run
  const query = isAgain ? { ...args.query, most_recent: 0 } : args.query
  const socket = socketOf(run, query)
  const { promise, resolve } = Promise.withResolvers<End>()
  const input = inputTo(io, socket, () => resolve({ at: 'left' }))
  let wasOpen = false
  let failure = ''
  socket.once('open', () => (wasOpen = true))
  socket.on('message', (data) => {
    const bytes = bytesOf(data)
    // An empty message ends what was printed before: the terminal's answers to queries in that are dropped.
    if (bytes.length === 0) input.open()
    else io.stdout.write(bytes)
  })
  socket.once('unexpected-response', (_, response) => {
    void refusal(response).then((error) => resolve({ at: 'refused', error }))
  })
  socket.on('error', (error) => (failure = error.message))
  socket.once('close', (code, reason) => {
    resolve({
      at: 'closed',
      reason: reason.toString() || failure,
      wasOpen,
      isFinal: finalCodes.includes(code),
    })
  })
  const leave = () => resolve({ at: 'left' })
  io.signal.addEventListener('abort', leave)
  return promise.finally(() => {
    io.signal.removeEventListener('abort', leave)
    input.close()
    socket.close()
  })
}

/** Sends input to a socket, from the moment that it is open, until the user leaves. */
function inputTo(io: Io, socket: WebSocket, leave: () => void) {
  const escape = createEscape()
  let isOpen = false
  // A program's input waits for the console; that of a terminal may answer queries of the history.
  const early: Uint8Array[] = []
  const send = (bytes: Uint8Array) => {
    const { rest, isLeaving } = escape(bytes)
    if (rest.length > 0) socket.send(rest, { binary: true })
    if (isLeaving) leave()
  }
  const onData = (chunk: Uint8Array) => {
    if (isOpen) send(chunk)
    else if (!io.stdin.isTTY) early.push(chunk)
    else if (escape(chunk).isLeaving) leave()
  }
  io.stdin.on('data', onData)
  return {
    open() {
      isOpen = true
      for (const chunk of early.splice(0)) send(chunk)
    },
    close: () => void io.stdin.off('data', onData),
  }
}
