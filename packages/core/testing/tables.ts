/** The tables by name, for tests that look at all of them. */
import type { TableName } from '../db/tables.ts'

const known = [
  'silo',
  'siloUser',
  'siloGroup',
  'groupMember',
  'roleAssignment',
  'session',
  'sshKey',
  'project',
  'usage',
  'vpc',
  'vpcRouter',
  'routerRoute',
  'vpcSubnet',
  'vpcFirewallRule',
  'internetGateway',
  'internetGatewayIpPool',
  'networkInterface',
  'ipPool',
  'ipPoolRange',
  'ipPoolSilo',
  'freedAddress',
  'snatBlock',
  'externalIp',
  'instance',
  'instanceSshKey',
  'disk',
  'layer',
  'snapshot',
  'image',
  'affinityGroup',
  'affinityMember',
  'sled',
  'timeseriesSource',
  'timeseriesField',
  'timeseriesChunk',
  'sledSamples',
  'usageSample',
  'lease',
  'migration',
] as const satisfies TableName[]

// A table that is missing above does not compile here.
type Known = [Exclude<TableName, (typeof known)[number]>] extends [never] ? TableName : never
/** Every table there is. */
export const tables: readonly Known[] = known
