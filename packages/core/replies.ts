/** Replies: the envelope of faults, the answers of operations, and the memory of answers that still hold. */
import type { OpShape } from '@purlin/contract/op'
import { encode } from '@purlin/contract/wire'
import type { Actor } from './access.ts'
import type { World } from './context.ts'
import { Contention, UniqueViolation } from './db/engine.ts'
import { Fault, fault } from './faults.ts'
import type { ApiRequest, ApiResponse } from './request.ts'

export const jsonHeaders = { 'content-type': 'application/json' }

/** The answer of an operation. */
export function replyOf(op: OpShape, result: unknown, headers: Record<string, string>): ApiResponse {
  const status = op.ok === 'upgrade' ? 200 : op.ok
  return { status, headers, body: op.response ? JSON.stringify(encode(op.response, result)) : null }
}

function faultOf(error: unknown): Fault | null {
  if (error instanceof Fault) return error
  if (error instanceof UniqueViolation)
    return fault.conflict('a competing request has just taken the same value')
  return error instanceof Contention ? fault.unavailable() : null
}

/** The envelope of anything that was thrown. What is no fault is logged and told to nobody. */
export function refusal(
  world: World,
  error: unknown,
  at: { requestId: string; request: ApiRequest },
): ApiResponse {
  const { requestId, request } = at
  const known = faultOf(error)
  const { status, code, message, headers } = known ?? fault.internal()
  if (!known) {
    const stack = error instanceof Error ? error.stack : String(error)
    world.log.error(
      { requestId, method: request.method, path: request.url.split('?')[0], stack },
      'request failed',
    )
  }
  const envelope = { request_id: requestId, ...(code ? { error_code: code } : {}), message }
  return {
    status,
    headers: { 'x-request-id': requestId, ...jsonHeaders, ...headers },
    body: JSON.stringify(envelope, null, 2),
  }
}

interface Remembered {
  response: ApiResponse
  fresh: () => boolean
}
const repliesPerActor = 200
const longestReply = 256 * 1024

/** Answers to reads, per actor, kept while no table they were made from has changed. */
export function createReplyCache() {
  const byActor = new WeakMap<Actor, Map<string, Remembered>>()
  return {
    get(actor: Actor, url: string): ApiResponse | undefined {
      const known = byActor.get(actor)?.get(url)
      if (known?.fresh()) return known.response
      if (known) byActor.get(actor)?.delete(url)
      return undefined
    },
    set(actor: Actor, url: string, entry: Remembered): void {
      if ((entry.response.body?.length ?? 0) > longestReply) return
      const mine = byActor.get(actor) ?? new Map<string, Remembered>()
      byActor.set(actor, mine)
      const oldest = mine.keys().next()
      if (mine.size >= repliesPerActor && !oldest.done) mine.delete(oldest.value)
      mine.set(url, entry)
    },
  }
}
