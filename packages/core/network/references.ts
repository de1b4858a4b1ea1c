/** The references of rules and routes, as stored in their rows. */
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

/** The destination of a route's packets, and its target. */
export type Destination = Out<typeof RouteDestination>
export type Target = Out<typeof RouteTarget>

/** The filters of a rule as they are stored. */
export const filtersIn = (rule: { filtersJson: string }) => JSON.parse(rule.filtersJson) as Filters
/** The targets of a rule as they are stored. */
export const targetsIn = (rule: { targetsJson: string }) => JSON.parse(rule.targetsJson) as Reference[]
/** The destination and target of a route as they are stored. */
export const wayIn = (route: { destinationJson: string; targetJson: string }) => ({
  destination: JSON.parse(route.destinationJson) as Destination,
  target: JSON.parse(route.targetJson) as Target,
})
/** The transit networks of an interface as they are stored. */
export const transitIpsIn = (nic: { transitIpsJson: string }) => JSON.parse(nic.transitIpsJson) as string[]
