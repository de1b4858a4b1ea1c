/** The rows that decide about the network of a VPC: all that the model of it is made from. */
import type {
  ExternalIpTable,
  InstanceTable,
  InternetGatewayIpAddressTable,
  InternetGatewayIpPoolTable,
  InternetGatewayTable,
  NetworkInterfaceTable,
  RouterRouteTable,
  Tx,
  VpcFirewallRuleTable,
  VpcRouterTable,
  VpcSubnetTable,
  VpcTable,
} from '#/db/tables.ts'

// Of these there are thousands, so that only what is needed is read.
const nicColumns = [
  'id',
  'name',
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

/** An interface with what is known of its instance. */
export type NicRow = Pick<NetworkInterfaceTable, (typeof nicColumns)[number]> & {
  instanceName: InstanceTable['name']
  hostname: InstanceTable['hostname']
  /** where its instance is placed, null while it is not */
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
  /** of the instances of the interfaces */
  externalIps: readonly ExternalIpRow[]
}

/** Reads the rows of a VPC; undefined if there is none with this id. */
export async function readVpc(tx: Tx, vpcId: string): Promise<VpcRows | undefined> {
  const vpc = await tx.selectFrom('vpc').selectAll().where('id', '=', vpcId).executeTakeFirst()
  if (!vpc) return undefined
  const inVpc = <T extends 'vpcSubnet' | 'vpcRouter' | 'vpcFirewallRule' | 'internetGateway'>(table: T) =>
    tx
      .selectFrom(table as 'vpcRouter')
      .selectAll()
      .where('vpcId', '=', vpcId)
      .orderBy('id')
      .execute() as Promise<unknown>
  const routerIds = tx.selectFrom('vpcRouter').select('id').where('vpcId', '=', vpcId)
  const gatewayIds = tx.selectFrom('internetGateway').select('id').where('vpcId', '=', vpcId)
  const instanceIds = tx.selectFrom('networkInterface').select('instanceId').where('vpcId', '=', vpcId)
  return {
    vpc,
    subnets: (await inVpc('vpcSubnet')) as VpcSubnetTable[],
    routers: (await inVpc('vpcRouter')) as VpcRouterTable[],
    rules: (await inVpc('vpcFirewallRule')) as VpcFirewallRuleTable[],
    gateways: (await inVpc('internetGateway')) as InternetGatewayTable[],
    routes: await tx.selectFrom('routerRoute').selectAll().where('vpcRouterId', 'in', routerIds).execute(),
    gatewayPools: await tx
      .selectFrom('internetGatewayIpPool')
      .selectAll()
      .where('internetGatewayId', 'in', gatewayIds)
      .execute(),
    gatewayAddresses: await tx
      .selectFrom('internetGatewayIpAddress')
      .selectAll()
      .where('internetGatewayId', 'in', gatewayIds)
      .execute(),
    nics: await tx
      .selectFrom('networkInterface')
      .innerJoin('instance', 'instance.id', 'networkInterface.instanceId')
      .select(nicColumns.map((column) => `networkInterface.${column}` as const))
      .select(['instance.name as instanceName', 'instance.hostname', 'instance.sledId'])
      .where('networkInterface.vpcId', '=', vpcId)
      .orderBy('networkInterface.id')
      .execute(),
    externalIps: await tx
      .selectFrom('externalIp')
      .select(externalIpColumns)
      .where('instanceId', 'in', instanceIds)
      .execute(),
  }
}
