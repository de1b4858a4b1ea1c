/**
 * Drops the rest of a body that no handler reads, because browsers read an answer only after they have sent the whole
 * body. A few bodies are dropped at a time, so that other requests do not wait; flow control holds back the others.
 * After five seconds the connection is closed.
 */
import type { IncomingMessage } from 'node:http'
import { createSemaphore } from '@purlin/contract/semaphore'
import { hasBody } from './body.ts'

const most = { ms: 5000, bytes: 1024 * 1024 }

const limit = createSemaphore({ running: 4 })
const known = new WeakSet<IncomingMessage>()

/** Drops the rest of a body, up to a limit. Calling it twice is harmless. */
export function dropRest(message: IncomingMessage): void {
  if (!hasBody(message) || message.complete || message.destroyed || known.has(message)) return
  known.add(message)
  // Without a listener, a later error of the connection would end the process.
  message.on('error', () => undefined).pause()
  // Node drops a body itself, all at once, unless it has been asked for.
  message.read(0)
  // Once the body has arrived, the connection serves other requests.
  const close = () => {
    if (!message.complete) message.socket.destroy()
  }
  const timer = setTimeout(close, most.ms).unref()
  const clear = () => clearTimeout(timer)
  message.once('end', clear).once('close', clear)
  void limit(() => drop(message))
}

/** Reads a body until its end or the limit. */
async function drop(message: IncomingMessage): Promise<void> {
  if (message.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  let dropped = 0
  message.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > most.bytes) resolve()
  })
  message.once('end', resolve).once('close', resolve).resume()
  await promise
  message.pause()
}
