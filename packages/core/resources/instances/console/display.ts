/** The screen of an instance: users who see the instance see it, and those who may open its serial console control it. */
import type { Parsed } from '@purlin/contract/op'
import { operations, type Operations } from '@purlin/contract/operations'
import type { Family, RequestContext } from '#/context.ts'
import type { ConsoleListener, DisplayStream } from '#/ports.ts'
import { permitsInProject, resolve } from '#/auth/resolve.ts'
import { ask, gone, onlyUpgrade, reachable, type ClientStream, type OpenConsole } from './reachable.ts'
import { RfbClient, RfbError } from './rfb.ts'

const control = operations.instanceSerialConsoleStream.allow

export const display: Family<'instanceDisplay'> = { instanceDisplay: onlyUpgrade }

/** Opens the display. What a client sends that may only watch is dropped, except what it needs for that. Throws Fault. */
export async function openDisplay(
  ctx: RequestContext,
  input: unknown,
  to: ConsoleListener,
): Promise<OpenConsole> {
  const { params, query } = input as Parsed<Operations['instanceDisplay']>
  let mayControl = false
  const { id, sledId } = await reachable(ctx, 'screen', async (inner) => {
    const row = await resolve(inner, 'instance', { ...params, ...query })
    mayControl = await permitsInProject(inner, row.projectId, control)
    return row
  })
  const stream = await ask(ctx.world.sleds.openDisplay({ id, sledId }, to))
  if (stream === null) throw gone('screen')
  // A client that loses the right to control connects again to watch.
  return {
    instanceId: id,
    allow: mayControl ? control : ctx.op.allow,
    lostReason: `you may no longer ${mayControl ? 'control' : 'watch'} this screen`,
    stream: checked(stream, new RfbClient({ mayControl }), to),
  }
}

/** The stream for a client, which ends when the client does not keep to the protocol. */
function checked(stream: DisplayStream, client: RfbClient, to: ConsoleListener): ClientStream {
  let isOpen = true
  const close = () => {
    isOpen = false
    stream.close()
  }
  return {
    receive: (sent) => {
      if (!isOpen) return false
      try {
        const { bytes, isInput } = client.take(sent)
        for (const part of bytes) stream.write(part)
        return isInput
      } catch (error) {
        if (!(error instanceof RfbError)) throw error
        close()
        to.closed(error.message)
        return false
      }
    },
    close,
    setPaused: (isPaused) => {
      if (isOpen) stream.setPaused(isPaused)
    },
  }
}
