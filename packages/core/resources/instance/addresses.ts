/** When the external addresses of an instance may change, and how many it may have. */
import { instanceCan } from '@purlin/contract/rules/instance'
import { limits } from '@purlin/contract/rules/limits'
import type { Ctx } from '../../context.ts'
import type { RunState } from '../../db/tables.ts'
import { fault, type Fault } from '../../faults.ts'
import type { InstanceRow } from './view.ts'

const unhealthy = () => fault.invalid('cannot modify instance IPs, instance is in unhealthy state')
/** States that do not pass by themselves, or have a reason of their own; in all others waiting helps. */
const refusals: Partial<Record<RunState, () => Fault>> = {
  creating: () => fault.invalid('cannot modify instance IPs, instance is still being created'),
  failed: unhealthy,
  repairing: unhealthy,
}

/** Refuses a change of external addresses by the state of the instance. Throws 400, 503. */
export function checkIpsMayChange({ runState }: Pick<InstanceRow, 'runState'>): void {
  if (!instanceCan('changeExternalIps', runState)) throw (refusals[runState] ?? fault.unavailable)()
}

/** The sled that runs the instance is told of its addresses anew. */
export async function tellAddresses(ctx: Ctx, { id }: Pick<InstanceRow, 'id'>): Promise<void> {
  await ctx.tx
    .updateTable('instance')
    .set({ dueAt: ctx.now })
    .where('id', '=', id)
    .where('sledId', 'is not', null)
    .execute()
  ctx.wake('instances')
}

/** Refuses one address more than an instance may have; its share for source NAT does not count. Throws 400. */
export async function checkRoomForIp(ctx: Pick<Ctx, 'tx'>, instanceId: string): Promise<void> {
  const { externalIps } = limits.instance
  const rows = await ctx.tx
    .selectFrom('externalIp')
    .select('id')
    .where('instanceId', '=', instanceId)
    .where('kind', '!=', 'snat')
    .limit(externalIps)
    .execute()
  if (rows.length >= externalIps)
    throw fault.invalid(`an instance may not have more than ${externalIps} external IP addresses`)
}
