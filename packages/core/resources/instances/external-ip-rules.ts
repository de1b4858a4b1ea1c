/** When the external addresses of an instance may change, and how many it may have. */
import { instanceAnswer, type InstanceState } from '@purlin/contract/rules/states'
import { limits } from '@purlin/contract/rules/limits'
import type { Ctx } from '#/context.ts'
import { fault, type Fault } from '#/faults.ts'
import type { InstanceRow } from './view.ts'

const unhealthy = () => fault.invalid('cannot modify instance IPs, instance is in unhealthy state')
/** The faults of states that last; in all others the request can be repeated later. */
const refusals: Partial<Record<InstanceState, () => Fault>> = {
  creating: () => fault.invalid('cannot modify instance IPs, instance is still being created'),
  failed: unhealthy,
  repairing: unhealthy,
}

/** Throws 400 or 503 if the external IPs cannot change in the instance's state. */
export function checkIpsMayChange({ runState }: Pick<InstanceRow, 'runState'>): void {
  if (instanceAnswer('changeExternalIps', runState) === 'refuse')
    throw (refusals[runState] ?? fault.unavailable)()
}

/** Has the loop send the instance's addresses to its sled. */
export async function resendAddresses(ctx: Ctx, { id }: Pick<InstanceRow, 'id'>): Promise<void> {
  await ctx.tx
    .updateTable('instance')
    .set({ dueAt: ctx.now })
    .where('id', '=', id)
    .where('sledId', 'is not', null)
    .execute()
  ctx.wake('instances')
  ctx.wake(`networks ${id}`)
}

/** Throws 400 if the instance has the maximum of external IPs; source NAT does not count. */
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
