/** The serial console: its kept output, and the live stream. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { instanceAnswer } from '@purlin/contract/rules/states'
import type { Family, RequestContext } from '#/context.ts'
import { Fault, fault } from '#/faults.ts'
import { SledUnreachable, type ConsoleListener, type ConsoleStream } from '#/ports.ts'
import { resolve, type Selector } from '#/auth/resolve.ts'
import { requireReach } from '../hardware/reach.ts'

const defaultMaxBytes = 16_384
// A response has one JSON number per byte, so larger reads would cost much on both sides.
const longestRead = 1024 * 1024
const wholeHistory = 2 * 1024 * 1024

/** The instance, if its console can be reached now. Throws 400, 403, 404. */
async function reachable(
  ctx: RequestContext,
  selector: Selector<'instance'>,
): Promise<{ id: string; sledId: string }> {
  const row = await ctx.transaction('read', (inner) => resolve(inner, 'instance', selector))
  if (row.sledId === null && (row.runState === 'stopped' || row.runState === 'failed'))
    throw fault.invalid(`instance is ${row.runState} and has no active serial console server`)
  if (row.sledId === null || instanceAnswer('serialConsole', row.runState) === 'refuse')
    throw fault.invalid(`cannot connect to serial console of instance in state "${row.runState}"`)
  requireReach(ctx.world, row.sledId)
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
    async withoutTransaction(ctx, { params, query }) {
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
  // The server opens sockets through openSerialConsole; a request without an upgrade fails.
  instanceSerialConsoleStream: {
    withoutTransaction: () => Promise.reject(fault.badUpgrade('expected connection upgrade')),
  },
}

/** A live console, and the instance that it is of. */
export interface OpenConsole {
  instanceId: string
  stream: ConsoleStream
}

/** Opens the live console for an upgrade that dispatch has authenticated. Throws Fault. */
export async function openSerialConsole(
  ctx: RequestContext,
  input: unknown,
  to: ConsoleListener,
): Promise<OpenConsole> {
  try {
    const opened = await open(ctx, input, to)
    await ctx.audit.succeeded()
    return opened
  } catch (error) {
    await ctx.audit.failed(error instanceof Fault ? error : fault.internal())
    throw error
  }
}

async function open(ctx: RequestContext, input: unknown, to: ConsoleListener): Promise<OpenConsole> {
  const { params, query } = input as Parsed<Operations['instanceSerialConsoleStream']>
  const { id, sledId } = await reachable(ctx, { ...params, project: query.project })
  const stream = await ask(ctx.world.sleds.openConsole({ id, sledId }, query.mostRecent ?? wholeHistory, to))
  if (stream === null) throw gone()
  return { instanceId: id, stream }
}
