/** Opens the live consoles of instances for upgrades, with an entry in the audit log. */
import { operations } from '@purlin/contract/operations'
import type { RequestContext } from '#/context.ts'
import { Fault, fault } from '#/faults.ts'
import type { ConsoleListener } from '#/ports.ts'
import { openDisplay } from './display.ts'
import type { OpenConsole } from './reachable.ts'
import { openSerialConsole } from './serial.ts'

/** Opens the live console of an upgrade that dispatch has authenticated. Throws Fault. */
export async function openConsole(
  ctx: RequestContext,
  input: unknown,
  to: ConsoleListener,
): Promise<OpenConsole> {
  const open = ctx.op.path === operations.instanceDisplay.path ? openDisplay : openSerialConsole
  try {
    const opened = await open(ctx, input, to)
    await ctx.audit.succeeded()
    return opened
  } catch (error) {
    await ctx.audit.failed(error instanceof Fault ? error : fault.internal())
    throw error
  }
}
