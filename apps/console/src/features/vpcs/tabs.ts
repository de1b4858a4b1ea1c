import type { VpcTab } from '#/lib/addresses.ts'

/** The tabs of a VPC's page, in their order. */
export const vpcTabs: readonly (readonly [label: string, tab: VpcTab])[] = [
  ['Firewall Rules', 'firewall-rules'],
  ['Subnets', 'subnets'],
  ['Routers', 'routers'],
  ['Internet Gateways', 'internet-gateways'],
  ['Topology', 'topology'],
  ['Trace', 'trace'],
  ['Activity', 'activity'],
]
