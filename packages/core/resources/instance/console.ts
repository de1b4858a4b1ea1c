/** The serial console: its kept output, and the live stream. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { instanceCan } from '@purlin/contract/rules/instance'
import type { Family, FreeCtx } from '../../context.ts'
import { fault } from '../../faults.ts'
import { SledUnreachable, type ConsoleListener, type ConsoleStream } from '../../ports.ts'
import { resolve, type Selector } from '../../resolve.ts'

const defaultMaxBytes = 16_384
// One answer holds a JSON number per byte; more than this would be a burden for both sides.
const longestRead = 1024 * 1024
const wholeHistory = 2 * 1024 * 1024

/** The instance, if its console can be reached now. Throws 400, 403, 404. */
async function reachable(ctx: FreeCtx, selector: Selector): Promise<{ id: string; sledId: string }> {
  const row = await ctx.within('read', (inner) => resolve(inner, 'instance', selector))
  if (row.sledId === null && (row.runState === 'stopped' || row.runState === 'failed'))
    throw fault.invalid(`instance is ${row.runState} and has no active serial console server`)
  if (row.sledId === null || !instanceCan('serialConsole', row.runState))
    throw fault.invalid(`cannot connect to serial console of instance in state "${row.runState}"`)
  return { id: row.id, sledId: row.sledId }
}

const gone = () => fault.invalid('instance has no active serial console server')

async function ask<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    throw error instanceof SledUnreachable ? fault.unavailable() : error
  }
}

export const serialConsole: Family<'instanceSerialConsole' | 'instanceSerialConsoleStream'> = {
  instanceSerialConsole: {
    async free(ctx, { params, query }) {
      const { fromStart, mostRecent, project } = query
      if ((fromStart === undefined) === (mostRecent === undefined))
        throw fault.invalid("Exactly one of 'from_start' or 'most_recent' must be specified.")
      const { id, sledId } = await reachable(ctx, { ...params, project })
      const max = Math.min(query.maxBytes ?? defaultMaxBytes, longestRead)
      const range = fromStart === undefined ? { last: mostRecent ?? 0, max } : { from: fromStart, max }
      const chunk = await ask(ctx.world.sleds.readConsole(id, sledId, range))
      if (chunk === null) throw gone()
      if (chunk === 'dropped')
        throw fault.invalid(
          'the requested offset is no longer retained: the first and the latest 1 MiB are kept',
        )
      return { data: [...chunk.data], lastByteOffset: chunk.end }
    },
  },
  // Sockets are opened by the door through openSerialConsole; a plain request is told so by dispatch.
  instanceSerialConsoleStream: {
    free: () => Promise.reject(fault.badUpgrade('expected connection upgrade')),
  },
}

/** Opens the live console for an upgrade that dispatch has authenticated. Throws Fault. */
export async function openSerialConsole(
  ctx: FreeCtx,
  input: unknown,
  to: ConsoleListener,
): Promise<ConsoleStream> {
  const { params, query } = input as Parsed<Operations['instanceSerialConsoleStream']>
  const { id, sledId } = await reachable(ctx, { ...params, project: query.project })
  const stream = await ask(ctx.world.sleds.openConsole({ id, sledId }, query.mostRecent ?? wholeHistory, to))
  if (stream === null) throw gone()
  return stream
}
