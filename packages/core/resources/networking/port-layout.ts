/** The links of port settings with their interfaces and routes, and the rules about them. */
import { linksOfGeometry } from '@purlin/contract/rules/networking'
import { formatNet, parseIp, parseNet } from '@purlin/contract/rules/network/ip'
import type { BodyOf, World } from '#/context.ts'
import type { SwitchPortSettingsTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

/** Port settings as requests have them. */
export type Asked = BodyOf<'networkingSwitchPortSettingsCreate'>
/** How a link is discovered by its neighbors. */
export type LldpConfig = Asked['links'][number]['lldp'] & { id: string }
/** The part of settings that refers to nothing else. */
export interface Layout {
  links: (Asked['links'][number] & { lldp: LldpConfig })[]
  interfaces: (Asked['interfaces'][number] & { id: string })[]
  routes: Asked['routes']
}

/** The layout of stored settings. */
export function layoutIn({ layoutJson }: Pick<SwitchPortSettingsTable, 'layoutJson'>): Layout {
  const layout: Layout = JSON.parse(layoutJson)
  return layout
}

/** The layout that a request asks for. The links that there were keep the ids of their LLDP. Throws 400. */
export function layoutOf({ ids }: Pick<World, 'ids'>, asked: Asked, before: Layout | undefined): Layout {
  const { geometry } = asked.portConfig
  const most = linksOfGeometry[geometry]
  if (asked.links.length > most)
    throw fault.invalid(
      `a port with the geometry ${geometry} has at most ${most} link${most === 1 ? '' : 's'}`,
    )
  refuseTwice(asked.links.map(({ linkName }) => `link ${linkName}`))
  for (const { linkName } of [...asked.addresses, ...asked.interfaces, ...asked.routes, ...asked.bgpPeers])
    requireLink(asked, linkName)
  const known = new Map(before?.links.map(({ linkName, lldp }) => [linkName, lldp.id]))
  return {
    links: asked.links.map((link) => ({
      ...link,
      lldp: { ...checkedLldp(link.lldp), id: known.get(link.linkName) ?? ids.uuid() },
    })),
    interfaces: asked.interfaces.map((one) => ({ ...one, id: ids.uuid() })),
    routes: asked.routes.map(({ linkName, routes }) => ({ linkName, routes: routes.map(checkedRoute) })),
  }
}

/** Throws 400 for a link that the settings do not have. */
export function requireLink({ links }: Pick<Asked, 'links'>, name: string): void {
  if (!links.some(({ linkName }) => linkName === name))
    throw fault.invalid(`link "${name}" is not among the links of these settings`)
}

/** Throws 400 for something that is there twice. */
export function refuseTwice(all: readonly string[]): void {
  const twice = all.find((one, i) => all.indexOf(one) !== i)
  if (twice !== undefined) throw fault.invalid(`${twice} is given twice`)
}

/** Throws 400. */
export function checkedLldp<T extends Omit<LldpConfig, 'id'>>(lldp: T): T {
  if (lldp.managementIp != null && !parseIp(lldp.managementIp))
    throw fault.invalid(`invalid address: ${lldp.managementIp}`)
  return lldp
}

type Route = Asked['routes'][number]['routes'][number]

/** Throws 400 for a route that cannot be. */
function checkedRoute(route: Route): Route {
  const [net, gateway] = [parseNet(route.dst), parseIp(route.gw)]
  if (!net) throw fault.invalid(`invalid network: ${route.dst}`)
  if (!gateway) throw fault.invalid(`invalid address: ${route.gw}`)
  if (net.base.family !== gateway.family)
    throw fault.invalid(`the gateway ${route.gw} and ${route.dst} must be in the same address family`)
  return { ...route, dst: formatNet(net) }
}
