/**
 * What clients still send of a body that nobody reads is dropped, because browsers read an answer only when they have
 * sent all. It is dropped of a few requests at a time, so that others do not wait for it; of the rest the network
 * holds it back. After five seconds the connection is closed.
 */
import type { IncomingMessage } from 'node:http'
import { hasBody } from './body.ts'

const atOnce = 4
const most = { ms: 5000, bytes: 1024 * 1024 }

let running = 0
const waiting = new Set<() => void>()
const known = new WeakSet<IncomingMessage>()

/** Drops the rest of a body, up to a limit. Calling it twice is harmless. */
export function dropRest(message: IncomingMessage): void {
  if (!hasBody(message) || message.complete || message.destroyed || known.has(message)) return
  known.add(message)
  // A later error of the connection has nobody else to listen to it.
  message.on('error', () => undefined).pause()
  // Node drops a body itself, all at once, unless it has been asked for.
  message.read(0)
  // Once the body has arrived, the connection serves other requests.
  const close = () => {
    if (!message.complete) message.socket.destroy()
  }
  const timer = setTimeout(close, most.ms).unref()
  const end = startOrWait(message)
  message.once('end', end).once('close', () => {
    clearTimeout(timer)
    end()
  })
}

function startOrWait(message: IncomingMessage): () => void {
  let isRunning = false
  let dropped = 0
  const start = () => {
    waiting.delete(start)
    isRunning = true
    running++
    message.resume()
  }
  const end = () => {
    waiting.delete(start)
    if (!isRunning) return
    isRunning = false
    running--
    message.pause()
    const [next] = waiting
    next?.()
  }
  message.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > most.bytes) end()
  })
  message.pause()
  if (running < atOnce) start()
  else waiting.add(start)
  return end
}
