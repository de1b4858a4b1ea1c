/** Reads the body of a request of node:http. */
import type { IncomingMessage } from 'node:http'
import type { BodyAllowance } from '@purlin/contract/http'
import { fault, giveBack } from '@purlin/core'
import type { BodyShare } from './body-budget.ts'

// A body that comes more slowly than this is cut, after some time in which a connection may falter.
const graceMs = 10_000
const slowestPerSecond = 16 * 1024

/** True if a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/**
 * Reads a body whose bytes have room in a share; a length that is declared has to fit before any of it is read.
 * `begin` is called then. Throws what `allowed` says, 503 without room, 408 if it comes too slowly, 400 if it ends early.
 */
export async function readBody(
  message: IncomingMessage,
  allowed: BodyAllowance,
  { share, begin }: { share: BodyShare; begin: () => void },
): Promise<Buffer> {
  let room = 0
  const refusal = (size: number): Error | undefined => {
    if (size > allowed.limit) return allowed.beyond()
    const more = Math.max(0, size - room)
    if (!share.take(more)) return fault.tooManyBodies()
    room += more
    return undefined
  }
  const refused = refusal(Number(message.headers['content-length'] ?? 0))
  if (refused) throw refused
  begin()
  return collect(message, refusal)
}

/** Collects until the end, or until `refusal` has one for the size so far. */
function collect(message: IncomingMessage, refusal: (size: number) => Error | undefined): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const started = performance.now()
  let chunks: Buffer[] = []
  let size = 0
  const end = () => {
    clearInterval(watch)
    message.off('data', take).off('error', breakOff).off('close', breakOff)
  }
  const refuse = (error: Error) => {
    end()
    chunks = []
    // Held back until the answer is on its way.
    message.pause()
    reject(error)
  }
  const take = (chunk: Buffer) => {
    size += chunk.length
    const error = refusal(size)
    if (error) refuse(error)
    else chunks.push(chunk)
  }
  const breakOff = () => {
    end()
    reject(fault.badBody('the request ended early'))
  }
  const watch = setInterval(() => {
    const patience = graceMs + (size / slowestPerSecond) * 1000
    if (performance.now() - started > patience) refuse(fault.slowBody())
  }, 1000).unref()
  message.on('data', take).once('error', breakOff).once('close', breakOff)
  message.once('end', () => {
    end()
    resolve(join(chunks, size))
  })
  return promise
}

function join(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
    giveBack(chunk)
  }
  return whole
}
