/**
 * Conditional writes (RFC 9110, sections 8.8.3 and 13.1.1): what can be replaced or deleted is read with an
 * entity tag, and a PUT, PATCH or DELETE may require by `If-Match` that it has not changed since.
 */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import type { OpShape } from '@purlin/contract/op'
import type { Ctx, World } from '#/context.ts'
import { fault } from '#/faults.ts'
import { replyOf } from './replies/replies.ts'
import { readRequest, type AnyInput, type Incoming, type Reader } from './request.ts'

type Work = (ctx: Ctx, input: AnyInput) => Promise<unknown>

export interface Conditions {
  /** The answer to a read, with an entity tag if the resource can be written. */
  tagged: (op: OpShape, reply: ApiResponse) => ApiResponse
  /** The check to run before the write, in its transaction; undefined without a condition. */
  before: (incoming: Incoming) => Promise<((ctx: Ctx) => Promise<void>) | undefined>
}

export function createConditions(
  { passwords }: Pick<World, 'passwords'>,
  table: {
    operations: Record<string, OpShape>
    reader: Reader
    /** The handler of an operation that works in a transaction. */
    handlerOf: (name: string) => Work | undefined
  },
): Conditions {
  const all = Object.values(table.operations)
  const writable = new Set(all.filter(({ method }) => isConditional(method)).map(({ path }) => path))
  const tagOf = (body: string) => `"${passwords.fingerprint(body).slice(0, 32)}"`

  return {
    tagged: (op, reply) =>
      reply.body === null || !writable.has(op.path)
        ? reply
        : { ...reply, headers: { ...reply.headers, etag: tagOf(reply.body) } },

    async before({ request, match }) {
      const condition = isConditional(match.op.method) ? request.headers['if-match'] : undefined
      if (condition === undefined) return undefined
      const isRead = all.some(({ method, path }) => method === 'GET' && path === match.op.path)
      if (!isRead) throw fault.changedSince()
      const read = await readRequest(table.reader, asRead(request))
      const { op, name } = read.match
      const work = table.handlerOf(name)
      if (!work || !op.response) throw fault.changedSince()
      return async (ctx) => {
        // That the caller may read it does not permit the write.
        const unit = { ...ctx.unit, isChecked: false }
        const value = await work({ ...ctx, op, search: read.search, unit }, read.input)
        const { body } = await replyOf(op, value, [])
        if (!holds(condition, tagOf(body ?? ''))) throw fault.changedSince()
      }
    },
  }
}

const isConditional = (method: string) => ['PUT', 'PATCH', 'DELETE'].includes(method)

/** The GET request of the same address. */
const asRead = (request: ApiRequest): ApiRequest => ({
  method: 'GET',
  url: request.url,
  headers: request.headers,
  remote: request.remote,
  secure: request.secure,
})

// `*` matches any state; a weak tag never matches.
const holds = (condition: string, tag: string) =>
  condition.trim() === '*' || condition.split(',').some((one) => one.trim() === tag)
