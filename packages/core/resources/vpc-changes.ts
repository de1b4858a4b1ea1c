/** The rows of a VPC's network, and as they were after a change that is not made. */
import type { VpcChange } from '@purlin/contract/operations/vpc-trace'
import type { Out } from '@purlin/contract/schema'
import type { Ctx } from '#/context.ts'
import { fault } from '#/faults.ts'
import { readVpc, type VpcRows } from '#/network/rows.ts'
import { ruleRows } from './firewall-rules.ts'

/** All that the model of the VPC is made from. Throws 404. */
export async function networkRows({ tx }: Pick<Ctx, 'tx'>, vpcId: string): Promise<VpcRows> {
  const rows = await readVpc(tx, vpcId)
  if (!rows) throw fault.notFound('vpc', vpcId)
  return rows
}

/** The same rows after a change. Throws 400 for rules that cannot be stored, 404 for what is not in the VPC. */
export function changedRows(
  ctx: Pick<Ctx, 'world' | 'now'>,
  rows: VpcRows,
  change: Out<typeof VpcChange>,
): VpcRows {
  switch (change.type) {
    case 'firewall_rules':
      return { ...rows, rules: ruleRows(ctx, rows.vpc, change.rules) }
    case 'detach_ip_pool':
      return { ...rows, gatewayPools: without(rows.gatewayPools, 'internet-gateway-ip-pool', change.id) }
    case 'detach_ip_address':
      return {
        ...rows,
        gatewayAddresses: without(rows.gatewayAddresses, 'internet-gateway-ip-address', change.id),
      }
    case 'delete_gateway':
      return { ...rows, gateways: without(rows.gateways, 'internet-gateway', change.id) }
    case 'delete_route':
      return { ...rows, routes: without(rows.routes, 'router-route', change.id) }
  }
}

function without<T extends { id: string }>(list: readonly T[], type: string, id: string): T[] {
  const left = list.filter((one) => one.id !== id.toLowerCase())
  if (left.length === list.length) throw fault.notFound(type, id)
  return left
}
