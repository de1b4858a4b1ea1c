/** The transactions of a request. Each attempt of one has its own unit of work. */
import { isRecorded, type OpShape } from '@purlin/contract/op'
import {
  newUnitOfWork,
  type Actor,
  type AuditRecord,
  type Common,
  type Ctx,
  type RequestContext,
  type Waking,
  type World,
} from '#/context.ts'
import { StorageFull, UniqueViolation, type Begun } from '#/db/engine.ts'
import type { TableName } from '#/db/tables.ts'
import { limitReads } from '#/db/read-limits.ts'
import { evenWhileFull, goesOnWhileFull } from '#/db/while-full.ts'
import { fault } from '#/faults.ts'
import type { Incoming } from './request.ts'

interface Surroundings {
  environment: { world: World; wake: (loop: Waking) => void }
  incoming: Incoming
  /** The common part of every context of the request. */
  common: Common
  actor: Actor | null
  audit: AuditRecord
}

/** The function by which the handler of a request runs transactions. */
export function createTransactions({
  environment: { world, wake },
  incoming: { match, request },
  common,
  actor,
  audit,
}: Surroundings): RequestContext['transaction'] {
  const isReading = !isRecorded(match.op)

  return async <T>(mode: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, reads?: Set<TableName>) => {
    if (!actor) throw fault.unauthorized()
    let unit = newUnitOfWork()
    const endAttempt = () => {
      for (const end of unit.endings.splice(0)) end()
    }
    const attempt = (begun: Begun, isFirstTry: boolean): Promise<T> => {
      endAttempt()
      const checkedWork = async (touches: Ctx['unit']['touches']) => {
        unit = newUnitOfWork({ touches, isFirstTry })
        const { woken } = unit
        const ctx = { ...common, tx: begun.tx, unit, actor, wake: (loop: Waking) => void woken.add(loop) }
        const result = await work(ctx)
        if (!ctx.unit.isChecked) throw new Error(`${match.name} has not checked a permission`)
        return result
      }
      return mode === 'read' ? audit.look(checkedWork) : audit.attempt(begun, checkedWork)
    }
    const once = (isFirstTry: boolean) =>
      world.engine.transaction(
        mode,
        (tx, pipelineWithCommit) => attempt({ tx, pipelineWithCommit }, isFirstTry),
        reads,
      )
    const run = () =>
      once(true).catch((error: unknown) => {
        if (error instanceof UniqueViolation) return once(false)
        throw error
      })
    const read = () =>
      limitReads(world.engine, actor.userId, () => {
        if (isReading && request.signal?.aborted) throw fault.clientGone()
        return run()
      })
    const value = await (mode === 'read' ? read() : writeInRoom(world, match.op, run)).finally(endAttempt)
    for (const loop of unit.woken) wake(loop)
    if (mode !== 'read') wake('audit')
    return value
  }
}

/** Throws StorageFull, for operations that free no room also while there is only a reserve. */
async function writeInRoom<T>(world: World, op: OpShape, write: () => Promise<T>): Promise<T> {
  if (goesOnWhileFull(op)) return evenWhileFull(write)
  if (world.storage?.isFull()) throw new StorageFull('the reserve has been given up')
  return write()
}
