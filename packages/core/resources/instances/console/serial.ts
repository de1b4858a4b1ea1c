/** The serial console: its kept output, and its live stream. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import type { Family, RequestContext } from '#/context.ts'
import { fault } from '#/faults.ts'
import type { ConsoleListener } from '#/ports.ts'
import { resolve } from '#/auth/resolve.ts'
import { openFollowing } from './follow.ts'
import { ask, gone, onlyUpgrade, reachable, type ConsoleNoun, type OpenConsole } from './reachable.ts'

const noun: ConsoleNoun = 'serial console'
const defaultMaxBytes = 16_384
// A response has one JSON number per byte, so larger reads would cost much on both sides.
const longestRead = 1024 * 1024
const wholeHistory = 2 * 1024 * 1024

export const serialConsole: Family<'instanceSerialConsole' | 'instanceSerialConsoleStream'> = {
  instanceSerialConsole: {
    async withoutTransaction(ctx, { params, query }) {
      const { fromStart, mostRecent, project } = query
      if ((fromStart === undefined) === (mostRecent === undefined))
        throw fault.invalid("Exactly one of 'from_start' or 'most_recent' must be specified.")
      const { id, sledId } = await reachable(ctx, noun, (inner) =>
        resolve(inner, 'instance', { ...params, project }),
      )
      const max = Math.min(query.maxBytes ?? defaultMaxBytes, longestRead)
      const range = fromStart === undefined ? { last: mostRecent ?? 0, max } : { from: fromStart, max }
      const chunk = await ask(ctx.world.sleds.readConsole(id, sledId, range))
      if (chunk === null) throw gone(noun)
      if (chunk === 'dropped')
        throw fault.invalid(
          'the requested offset is no longer retained: the first and the latest 1 MiB are kept',
        )
      return { data: [...chunk.data], lastByteOffset: chunk.end }
    },
  },
  instanceSerialConsoleStream: onlyUpgrade,
}

/** Opens the live stream. Throws Fault. */
export async function openSerialConsole(
  ctx: RequestContext,
  input: unknown,
  to: ConsoleListener,
): Promise<OpenConsole> {
  const { params, query } = input as Parsed<Operations['instanceSerialConsoleStream']>
  const machine = await reachable(ctx, noun, (inner) =>
    resolve(inner, 'instance', { ...params, project: query.project }),
  )
  const start = { last: query.mostRecent ?? wholeHistory }
  const stream = await ask(openFollowing({ world: ctx.world, machine, to }, start))
  if (stream === null) throw gone(noun)
  return {
    instanceId: machine.id,
    allow: ctx.op.allow,
    lostReason: 'you may no longer open this serial console',
    stream: {
      receive: (bytes) => {
        stream.write(bytes)
        return true
      },
      close: () => stream.close(),
    },
  }
}
