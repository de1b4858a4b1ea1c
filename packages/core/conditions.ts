/**
 * Writes on condition (RFC 9110, sections 8.8.3 and 13.1.1): what can be replaced or deleted is read with an
 * entity tag, and a PUT or DELETE may ask by `If-Match` that it is still what was read.
 */
import type { OpShape } from '@purlin/contract/op'
import { encode } from '@purlin/contract/wire'
import type { Ctx, World } from './context.ts'
import { fault } from './faults.ts'
import { readRequest, type AnyInput, type ApiRequest, type ApiResponse, type Incoming } from './request.ts'
import type { Match } from './router.ts'

type Work = (ctx: Ctx, input: AnyInput) => Promise<unknown>

export interface Conditions {
  /** The answer to a read with its tag, if it is one of what can be written. */
  tagged: (op: OpShape, reply: ApiResponse) => ApiResponse
  /** What has to be made sure of before this write, in its transaction; undefined for nothing. */
  before: (incoming: Incoming) => Promise<((ctx: Ctx) => Promise<void>) | undefined>
}

export function createConditions(
  { passwords }: Pick<World, 'passwords'>,
  table: {
    operations: Record<string, OpShape>
    route: (method: string, path: string) => Match
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
      const wanted = isConditional(match.op.method) ? request.header('if-match') : null
      if (wanted === null) return undefined
      const isRead = all.some(({ method, path }) => method === 'GET' && path === match.op.path)
      if (!isRead) throw fault.changedSince()
      const read = await readRequest(table.route, asRead(request))
      const { op, name } = read.match
      const work = table.handlerOf(name)
      if (!work || !op.response) throw fault.changedSince()
      const { response } = op
      return async (ctx) => {
        const value = await work({ ...ctx, op, search: read.search }, read.input)
        if (!holds(wanted, tagOf(JSON.stringify(encode(response, value))))) throw fault.changedSince()
      }
    },
  }
}

const isConditional = (method: string) => method === 'PUT' || method === 'DELETE'

/** The same address, to be read. */
const asRead = (request: ApiRequest): ApiRequest => ({
  method: 'GET',
  url: request.url,
  header: (name) => request.header(name),
  body: () => Promise.resolve(''),
  remote: request.remote,
  secure: request.secure,
})

// Whatever was found is enough for a star; a weak tag never matches.
const holds = (wanted: string, tag: string) =>
  wanted.trim() === '*' || wanted.split(',').some((one) => one.trim() === tag)
