/** What rules and routes refer to, as their rows have it. */
import type { VpcFirewallRule } from '@purlin/contract/operations/vpcs/vpc-firewall-rules'
import type { RouteDestination, RouteTarget } from '@purlin/contract/operations/vpcs/vpc-routers'
import type { Out } from '@purlin/contract/schema'

type Rule = Out<typeof VpcFirewallRule>
/** Which interfaces a rule applies to, or which other ends. */
export type Reference = Rule['targets'][number]
/** Filters as they are stored: null is no restriction. */
export interface Filters {
  hosts: Reference[] | null
  ports: string[] | null
  protocols: NonNullable<Rule['filters']['protocols']> | null
}

/** What packets a route is for, and where it sends them. */
export type Destination = Out<typeof RouteDestination>
export type Target = Out<typeof RouteTarget>
