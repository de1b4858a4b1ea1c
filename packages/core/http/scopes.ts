/** Reads the answers of addresses as the users who watch them. */
import type { OpShape } from '@purlin/contract/op'
import { digestOf } from '@purlin/contract/rules/events'
import type { RequestContext, World } from '#/context.ts'
import { isOutage } from '#/db/engine.ts'
import type { TableName } from '#/db/tables.ts'
import type { Scopes } from '#/events/events.ts'
import { Fault, fault } from '#/faults.ts'
import { failureOf, replyOf } from './replies/replies.ts'
import type { AnyHandler, AnyInput, Incoming, Reader } from './request.ts'

interface Around {
  world: Pick<World, 'clock'>
  reader: Pick<Reader, 'readGet'>
  handlerOf: (name: string) => AnyHandler
  open: (incoming: Incoming) => Promise<RequestContext>
}

/** True if it only reads content of projects: its answer is then the same for all users with the same roles. */
const isOfProjects = ({ allow }: OpShape): boolean =>
  [allow].flat().every((word: string) => word.startsWith('project.'))

export function createScopes({ world, reader, handlerOf, open }: Around): Scopes {
  function find(address: string) {
    try {
      const found = reader.readGet(address)
      const { op } = found.match
      if (op.ok !== 200 || op.streams) throw fault.notWatched(address)
      return found
    } catch (error) {
      if (error instanceof Fault && !error.message.startsWith('scope ')) throw fault.ofScope(address, error)
      throw error
    }
  }
  return {
    isOfProjects: (address) => isOfProjects(find(address).match.op),
    async read(address, actor, signal) {
      const found = find(address)
      const tables = new Set<TableName>()
      const request = { method: 'GET', url: address, headers: {}, ...(signal ? { signal } : {}) }
      try {
        const ctx = await open({ ...found, request, sender: { actor, at: world.clock.now() } })
        const value = await answer(handlerOf(found.match.name), ctx, { input: found.input, tables })
        const { body } = await replyOf(found.match.op, value, [])
        return { digest: digestOf(body ?? ''), tables }
      } catch (error) {
        if (isOutage(error) || signal?.aborted) throw error
        const refused = failureOf(error)
        return { digest: `${refused.status}`, tables, refused: fault.ofScope(address, refused) }
      }
    },
  }
}

/** Runs a handler and collects the tables that its transactions read. */
function answer(
  handler: AnyHandler,
  ctx: RequestContext,
  { input, tables }: { input: AnyInput; tables: Set<TableName> },
): Promise<unknown> {
  const transaction: RequestContext['transaction'] = (mode, work) => ctx.transaction(mode, work, tables)
  if ('withoutTransaction' in handler) return handler.withoutTransaction({ ...ctx, transaction }, input)
  return transaction('read', (one) => handler(one, input))
}
