/** The parts and connections of a VPC, from the same model as the networks of sleds. */
import type { VpcTopology } from '@purlin/contract/operations/vpcs/vpc-topology'
import type { Out } from '@purlin/contract/schema'
import { limits } from '@purlin/contract/rules/limits'
import type { InstanceState } from '@purlin/contract/rules/states'
import { resolve } from '#/auth/resolve.ts'
import { together } from '#/concurrency/together.ts'
import type { Family } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { networkInSlices, type VpcNetwork } from '#/network/model.ts'
import { namesOf } from '#/network/names.ts'
import { routingOf } from '#/network/routes.ts'
import { instanceIdsIn, type VpcRows } from '#/network/rows.ts'
import { inQueue } from '#/resources/metrics/query-queues.ts'
import { networkRows } from '../vpc-changes.ts'

type Topology = Out<typeof VpcTopology>
type States = ReadonlyMap<string, InstanceState>

export const vpcTopologies: Family<'vpcTopology'> = {
  vpcTopology: {
    withoutTransaction: (request, { params, query }) =>
      inQueue(request, async () => {
        const [rows, states] = await request.transaction('read', async (ctx) => {
          const { id } = await resolve(ctx, 'vpc', { ...params, ...query })
          return together([networkRows(ctx, id), statesIn(ctx.tx, id)])
        })
        // Rules do not affect the connections.
        const withoutRules = { ...rows, rules: [] }
        return topologyOf(withoutRules, await networkInSlices(withoutRules), states)
      }),
  },
}

/** The states of the instances that have an interface in a VPC, by id. */
async function statesIn(tx: Tx, vpcId: string): Promise<States> {
  const ids = instanceIdsIn(tx, vpcId)
  const rows = await tx.selectFrom('instance').select(['id', 'runState']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, runState }) => [id, runState]))
}

const byName = <T>(rows: readonly T[], name: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
const first = <T extends { name: string }>(rows: readonly T[], limit: number): T[] =>
  byName(rows, (row) => row.name).slice(0, limit)

function topologyOf(rows: VpcRows, network: VpcNetwork, states: States): Topology {
  const most = limits.topology
  const interfacesOf = Map.groupBy(rows.nics, ({ subnetId }) => subnetId)
  const probes = rows.nics.filter(({ owner }) => owner === 'probe').length
  const subnets = first(rows.subnets, most.subnets)
  const shown = subnets.flatMap(({ id }) => interfacesOf.get(id) ?? [])
  return {
    gateways: first(rows.gateways, most.gateways).map(({ id, name }) => ({
      id,
      name,
      ...attachedTo(rows, id),
    })),
    // Every subnet uses that of the system.
    routers: first(rows.routers, rows.routers.length)
      .toSorted((a, b) => Number(b.kind === 'system') - Number(a.kind === 'system'))
      .slice(0, most.routers)
      .map(routerView(rows)),
    subnets: subnets.map(({ id, name, ipv4Block, ipv6Block, customRouterId }) => {
      const totalInterfaces = interfacesOf.get(id)?.length ?? 0
      return { id, name, ipv4Block, ipv6Block, customRouterId, totalInterfaces }
    }),
    interfaces: interfacesOn(
      shown.filter(({ owner }) => owner === 'instance'),
      network,
      states,
    ),
    probes: probesOn(
      shown.filter(({ owner }) => owner === 'probe'),
      network,
    ),
    totals: {
      gateways: rows.gateways.length,
      routers: rows.routers.length,
      subnets: rows.subnets.length,
      interfaces: rows.nics.length - probes,
      probes,
    },
  }
}

function attachedTo({ gatewayPools, gatewayAddresses }: VpcRows, gatewayId: string) {
  const isAttached = (one: { internetGatewayId: string }) => one.internetGatewayId === gatewayId
  return {
    totalIpPools: gatewayPools.filter(isAttached).length,
    totalIpAddresses: gatewayAddresses.filter(isAttached).length,
  }
}

/** Makes the function that shows a router with the gateways that its routes lead to. */
function routerView(rows: VpcRows) {
  const routing = routingOf(rows, namesOf(rows))
  const routes = Map.groupBy(rows.routes, ({ vpcRouterId }) => vpcRouterId)
  return ({ id, name, kind }: VpcRows['routers'][number]): Topology['routers'][number] => {
    const ids = routing
      .routesFor(id)
      .flatMap(({ routerId, target }) => (routerId === id && target.type === 'gateway' ? [target.id] : []))
    return { id, name, kind, totalRoutes: routes.get(id)?.length ?? 0, gatewayIds: [...new Set(ids)] }
  }
}

function interfacesOn(
  nics: VpcRows['nics'],
  { interfaces }: VpcNetwork,
  states: States,
): Topology['interfaces'] {
  const inModel = new Map(interfaces.map((one) => [one.id, one]))
  const shown = byName(nics, ({ instanceName, name }) => `${instanceName} ${name}`)
  return shown
    .slice(0, limits.topology.interfaces)
    .flatMap(({ id, name, subnetId, instanceId, instanceName }) => {
      const model = inModel.get(id)
      const runState = states.get(instanceId)
      if (!model || !runState) return []
      const externalIps = model.nat.inbound.map(({ ip }) => ip)
      const { ip, primary } = model
      return [{ id, name, subnetId, instanceId, instanceName, runState, ip, primary, externalIps }]
    })
}

const probesOn = (nics: VpcRows['nics'], { interfaces }: VpcNetwork): Topology['probes'] => {
  const inModel = new Map(interfaces.map((one) => [one.id, one]))
  return byName(nics, ({ instanceName }) => instanceName)
    .slice(0, limits.topology.probes)
    .flatMap(({ id: interfaceId, subnetId, instanceId, instanceName }) => {
      const model = inModel.get(interfaceId)
      if (!model) return []
      const externalIps = model.nat.inbound.map(({ ip }) => ip)
      return [{ id: instanceId, name: instanceName, subnetId, interfaceId, ip: model.ip, externalIps }]
    })
}
