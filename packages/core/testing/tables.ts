/** The tables by name, for tests that look at all of them. */
import type { TableName } from '../db/tables.ts'

/** Every table there is. */
export const tables = [
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
  'snapshot',
  'image',
  'affinityGroup',
  'affinityMember',
  'sled',
  'lease',
  'migration',
] as const satisfies TableName[]

// A table that is missing above does not compile here.
const _complete: [Exclude<TableName, (typeof tables)[number]>] extends [never] ? true : never = true
