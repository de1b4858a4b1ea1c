/** The rows of a VPC's network, and as they were after a change that is not made. */
import type { VpcChange as ChangeSchema } from '@purlin/contract/operations/vpcs/vpc-trace'
import type { Out } from '@purlin/contract/schema'
import type { Ctx } from '#/context.ts'
import { fault } from '#/faults.ts'
import { addressOf } from '#/network/names.ts'
import type { Reference } from '#/network/references.ts'
import { readVpc, type NicRow, type VpcRows } from '#/network/rows.ts'
import { ruleRows } from './firewall-rules.ts'
import { routesWith } from './router-routes.ts'
import { hasInterfaces } from './vpc-subnets.ts'

export type VpcChange = Out<typeof ChangeSchema>

/** All that the model of the VPC is made from. Throws 404. */
export async function networkRows({ tx }: Pick<Ctx, 'tx'>, vpcId: string): Promise<VpcRows> {
  const rows = await readVpc(tx, vpcId)
  if (!rows) throw fault.notFound('vpc', vpcId)
  return rows
}

/** The same rows after a change. Throws 400 for an invalid change, 404 for a resource outside of the VPC. */
export function changedRows(ctx: Pick<Ctx, 'world' | 'now'>, rows: VpcRows, change: VpcChange): VpcRows {
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
    case 'set_route':
      return { ...rows, routes: routesWith(ctx, rows, change) }
    case 'delete_subnet': {
      const subnets = without(rows.subnets, 'vpc-subnet', change.id)
      if (rows.nics.some(({ subnetId }) => isId(subnetId, change.id))) throw hasInterfaces()
      // Its route in the system router goes with it.
      return { ...rows, subnets, routes: rows.routes.filter(({ subnetId }) => !isId(subnetId, change.id)) }
    }
    case 'delete_instances':
      return withoutNics(rows, ({ instanceId }) => isAmong(change.ids, instanceId))
    case 'delete_interface': {
      without(rows.nics, 'instance-network-interface', change.id)
      return withoutNics(rows, ({ id }) => isId(id, change.id))
    }
    case 'rename_vpc':
      return rows
    case 'rename_subnet':
      without(rows.subnets, 'vpc-subnet', change.id)
      return rows
  }
}

/** The names and private addresses that rules and routes may have of what a change deletes or renames. */
export function namesChangedBy(rows: VpcRows, change: VpcChange): Reference[] {
  switch (change.type) {
    case 'rename_vpc':
      return [{ type: 'vpc', value: rows.vpc.name }]
    case 'rename_subnet':
    case 'delete_subnet':
      return rows.subnets
        .filter(({ id }) => isId(id, change.id))
        .map(({ name }) => ({ type: 'subnet', value: name }))
    case 'delete_instances': {
      const nics = rows.nics.filter(({ instanceId }) => isAmong(change.ids, instanceId))
      return [...instancesOf(nics), ...addressesOf(nics)]
    }
    case 'delete_interface': {
      const nics = rows.nics.filter(({ id }) => isId(id, change.id))
      const ofInstance = rows.nics.filter(({ instanceId }) => instanceId === nics[0]?.instanceId)
      return [...(ofInstance.length === 1 ? instancesOf(nics) : []), ...addressesOf(nics)]
    }
    default:
      return []
  }
}

const instancesOf = (nics: readonly NicRow[]): Reference[] =>
  [...new Set(nics.filter(({ owner }) => owner === 'instance').map(({ instanceName }) => instanceName))].map(
    (value) => ({ type: 'instance', value }),
  )

const addressesOf = (nics: readonly NicRow[]): Reference[] =>
  nics.map((nic) => ({ type: 'ip', value: addressOf(nic) }))

const isAmong = (ids: readonly string[], id: string): boolean => ids.some((given) => isId(id, given))
const isId = (id: string | null, given: string): boolean => id === given.toLowerCase()

const withoutNics = (rows: VpcRows, isGone: (nic: NicRow) => boolean): VpcRows => ({
  ...rows,
  nics: rows.nics.filter((nic) => !isGone(nic)),
})

function without<T extends { id: string }>(list: readonly T[], type: string, id: string): T[] {
  const left = list.filter((one) => one.id !== id.toLowerCase())
  if (left.length === list.length) throw fault.notFound(type, id)
  return left
}
