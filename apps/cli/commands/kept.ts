/** Updates that replace all values of a resource: a command keeps the present ones that it does not give. */
import { flagsOf } from '@purlin/contract/commands/flags'
import { requestOf, type WireArgs } from '@purlin/contract/commands/request'
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { bare } from '@purlin/contract/schema'
import { text } from 'node:stream/consumers'
import type { Io } from '../io.ts'
import { send, type Server } from '../http/send.ts'
import { parseJson } from '../output/json.ts'

/** How the present values are read. */
interface Kept {
  view: OpShape
  /** The required fields of the body. */
  fields: readonly string[]
}

const all: Readonly<Record<string, OpShape>> = operations

/** Of an update whose view answers with all that its body needs; undefined for all other operations. */
export function keptOf(name: OperationName): Kept | undefined {
  const op: OpShape = operations[name]
  if (op.method !== 'PUT') return undefined
  const view = Object.values(all).find(({ method, path }) => method === 'GET' && path === op.path)
  const node = view?.response && bare(view.response.node)
  if (!view || node?.kind !== 'object') return undefined
  const answered = node.fields.map(({ wire }) => wire)
  const fields = flagsOf(op, name).flatMap(({ part, path: [field], isRequired }) =>
    part === 'body' && field !== undefined && isRequired ? [field] : [],
  )
  const isKept = fields.every((field) => answered.includes(field) || answered.includes(idOf(field)))
  return fields.length > 0 && isKept ? { view, fields } : undefined
}

/** Answers have the id of a resource that a body names. */
const idOf = (field: string) => `${field}_id`

/**
 * The arguments with the present values of required fields that were not given, and the tag of the answer that has them, with
 * which the update is refused if another user has changed the resource since. Throws CliError if it cannot be read.
 */
export async function withPresent(
  { io, server }: { io: Io; server: Server },
  name: OperationName,
  args: WireArgs,
): Promise<{ args: WireArgs; etag?: string | undefined }> {
  const kept = keptOf(name)
  const body = args.body as Readonly<Record<string, unknown>> | undefined
  const missing = kept?.fields.filter((field) => body?.[field] === undefined) ?? []
  if (!kept || missing.length === 0) return { args }
  const { headers, stream } = await send(
    server,
    requestOf(kept.view, { ...args, body: undefined }),
    io.signal,
  )
  const now = parseJson(await text(stream)) as Readonly<Record<string, unknown>>
  const present = missing.map((field) => [field, now[field] ?? now[idOf(field)] ?? null])
  return { args: { ...args, body: { ...Object.fromEntries(present), ...body } }, etag: headers.etag }
}
