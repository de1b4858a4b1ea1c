/** Reads the body of a request of node:http. */
import type { IncomingMessage } from 'node:http'
import type { BodyAllowance } from '@purlin/contract/http'
import { limits } from '@purlin/contract/rules/limits'
import { fault, giveBack } from '@purlin/core'
import type { BodyShare } from './body-budget.ts'

// A body that comes more slowly than this is cut, after some time in which a connection may falter.
const graceMs = 10_000
const slowestPerSecond = 16 * 1024
const patienceFor = (size: number): number => graceMs + (size / slowestPerSecond) * 1000

/** True if a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

// The memory that a piece takes at least.
const leastOfPiece = 256

/**
 * Reads a body. Bytes take room of the share when they arrive, not when their length is declared. Small bodies, such
 * as those of a sign-in, take none. Calls `begin` unless the declared length is too large. Throws what `allowed` says,
 * 503 without room, 408 if the body comes too slowly, 400 if it ends early.
 */
export async function readBody(
  message: IncomingMessage,
  allowed: BodyAllowance,
  { share, begin }: { share: BodyShare; begin: () => void },
): Promise<Buffer> {
  let room = 0
  const refusal = (size: number, held: number): Error | undefined => {
    if (size > allowed.limit) return allowed.beyond()
    const more = Math.max(0, held - limits.bodiesInFlight.small - room)
    if (!share.take(more)) {
      // The received part of this body is dropped, so that another one can be read to its end.
      share.release()
      return fault.tooManyBodies()
    }
    room += more
    return undefined
  }
  if (Number(message.headers['content-length'] ?? 0) > allowed.limit) throw allowed.beyond()
  begin()
  return collect(message, refusal)
}

/**
 * The pieces of a body that is too long for memory: the client is held back until they are taken. Throws what `allowed`
 * says beyond the limit, 408 if it comes too slowly, 400 if the body ends early.
 */
export async function* streamBody(
  message: IncomingMessage,
  allowed: BodyAllowance,
  begin: () => void,
): AsyncGenerator<Uint8Array> {
  if (Number(message.headers['content-length'] ?? 0) > allowed.limit) throw allowed.beyond()
  begin()
  let size = 0
  let waited = 0
  const pieces: AsyncIterator<Buffer> = message.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      // The time counts in which the client lets the server wait, not that in which the server holds it back.
      const began = performance.now()
      const { done, value } = await within(patienceFor(size) - waited, pieces.next())
      waited += performance.now() - began
      if (done) break
      size += value.length
      if (size > allowed.limit) throw allowed.beyond()
      yield value
    }
  } catch (error) {
    throw error instanceof Error && 'code' in error ? fault.badBody('the request ended early') : error
  } finally {
    // The rest is dropped by the server.
    void pieces.return?.()
  }
}

/** Throws 408 if the work takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(fault.slowBody()), Math.max(0, ms)).unref()
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

type Refusal = (size: number, held: number) => Error | undefined

/** Collects pieces until the end, or until `refusal` returns an error for their size and the memory they hold. */
function collect(message: IncomingMessage, refusal: Refusal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const started = performance.now()
  let chunks: Buffer[] = []
  let size = 0
  let held = 0
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
    held += Math.max(chunk.length, leastOfPiece)
    const error = refusal(size, held)
    if (error) refuse(error)
    else chunks.push(chunk)
  }
  const breakOff = () => {
    end()
    reject(fault.badBody('the request ended early'))
  }
  const watch = setInterval(() => {
    if (performance.now() - started > patienceFor(size)) refuse(fault.slowBody())
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
