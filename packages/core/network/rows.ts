/** The rows that decide about the network of a VPC: all that the model of it is made from. */
import { together } from '#/concurrency/together.ts'
import type {
  ExternalIpTable,
  InstanceTable,
  InternetGatewayIpAddressTable,
  InternetGatewayIpPoolTable,
  InternetGatewayTable,
  NetworkInterfaceTable,
  RouterRouteTable,
  Tables,
  Tx,
  VpcFirewallRuleTable,
  VpcRouterTable,
  VpcSubnetTable,
  VpcTable,
} from '#/db/tables.ts'

// There are thousands of these, so only the necessary columns are read.
const nicColumns = [
  'id',
  'name',
  'owner',
  'instanceId',
  'subnetId',
  'mac',
  'ipKey',
  'slot',
  'isPrimary',
  'transitIpsJson',
] as const satisfies (keyof NetworkInterfaceTable)[]
const externalIpColumns = [
  'kind',
  'ipKey',
  'ipPoolId',
  'instanceId',
  'firstPort',
  'lastPort',
] as const satisfies (keyof ExternalIpTable)[]
export type ExternalIpRow = Pick<ExternalIpTable, (typeof externalIpColumns)[number]>

/** An interface with the facts of its instance or probe. */
export type NicRow = Pick<NetworkInterfaceTable, (typeof nicColumns)[number]> & {
  instanceName: InstanceTable['name']
  hostname: InstanceTable['hostname']
  /** where its owner is placed, null while it is not */
  sledId: InstanceTable['sledId']
}

export interface VpcRows {
  vpc: VpcTable
  subnets: readonly VpcSubnetTable[]
  routers: readonly VpcRouterTable[]
  routes: readonly RouterRouteTable[]
  rules: readonly VpcFirewallRuleTable[]
  gateways: readonly InternetGatewayTable[]
  gatewayPools: readonly InternetGatewayIpPoolTable[]
  gatewayAddresses: readonly InternetGatewayIpAddressTable[]
  nics: readonly NicRow[]
  /** of the owners of the interfaces */
  externalIps: readonly ExternalIpRow[]
}

/** Reads the rows of a VPC in one round trip to the database; undefined if there is none with this id. */
export async function readVpc(tx: Tx, vpcId: string): Promise<VpcRows | undefined> {
  const inVpc = <T extends 'vpcSubnet' | 'vpcRouter' | 'vpcFirewallRule' | 'internetGateway'>(table: T) =>
    tx
      .selectFrom(table as 'vpcRouter')
      .selectAll()
      .where('vpcId', '=', vpcId)
      .orderBy('id')
      .execute() as Promise<unknown> as Promise<Tables[T][]>
  const routerIds = tx.selectFrom('vpcRouter').select('id').where('vpcId', '=', vpcId)
  const gatewayIds = tx.selectFrom('internetGateway').select('id').where('vpcId', '=', vpcId)
  const ofGateways = <T extends 'internetGatewayIpPool' | 'internetGatewayIpAddress'>(table: T) =>
    tx
      .selectFrom(table as 'internetGatewayIpPool')
      .selectAll()
      .where('internetGatewayId', 'in', gatewayIds)
      .execute() as Promise<unknown> as Promise<Tables[T][]>
  const [vpc, subnets, routers, rules, gateways, routes, gatewayPools, gatewayAddresses, nics, externalIps] =
    await together([
      tx.selectFrom('vpc').selectAll().where('id', '=', vpcId).executeTakeFirst(),
      inVpc('vpcSubnet'),
      inVpc('vpcRouter'),
      inVpc('vpcFirewallRule'),
      inVpc('internetGateway'),
      tx.selectFrom('routerRoute').selectAll().where('vpcRouterId', 'in', routerIds).execute(),
      ofGateways('internetGatewayIpPool'),
      ofGateways('internetGatewayIpAddress'),
      nicsOf(tx, vpcId),
      externalIpsOf(tx, vpcId),
    ])
  const rest = { routes, gatewayPools, gatewayAddresses, nics, externalIps }
  return vpc && { vpc, subnets, routers, rules, gateways, ...rest }
}

/** The subnets of a VPC. Its interfaces are found by them: no index begins with their VPC. */
export const subnetIdsOf = (tx: Tx, vpcId: string) =>
  tx.selectFrom('vpcSubnet').select('id').where('vpcId', '=', vpcId)

const nicsOf = async (tx: Tx, vpcId: string): Promise<NicRow[]> => {
  const selected = nicColumns.map((column) => `networkInterface.${column}` as const)
  const [ofInstances, ofProbes] = await together([
    tx
      .selectFrom('networkInterface')
      .innerJoin('instance', 'instance.id', 'networkInterface.instanceId')
      .select(selected)
      .select(['instance.name as instanceName', 'instance.hostname', 'instance.sledId'])
      .where('networkInterface.subnetId', 'in', subnetIdsOf(tx, vpcId))
      .orderBy('networkInterface.id')
      .execute(),
    tx
      .selectFrom('probe')
      .innerJoin('networkInterface', 'networkInterface.instanceId', 'probe.id')
      .select(selected)
      .select(['probe.name as instanceName', 'probe.name as hostname', 'probe.sledId'])
      .where('probe.subnetId', 'in', subnetIdsOf(tx, vpcId))
      .orderBy('networkInterface.id')
      .execute(),
  ])
  return [...ofInstances, ...ofProbes]
}

/** The ids of the instances and probes that have interfaces in a VPC. */
export const instanceIdsIn = (tx: Tx, vpcId: string) =>
  tx.selectFrom('networkInterface').select('instanceId').where('subnetId', 'in', subnetIdsOf(tx, vpcId))

const externalIpsOf = (tx: Tx, vpcId: string): Promise<ExternalIpRow[]> =>
  tx
    .selectFrom('externalIp')
    .select(externalIpColumns)
    .where('instanceId', 'in', instanceIdsIn(tx, vpcId))
    .execute()
