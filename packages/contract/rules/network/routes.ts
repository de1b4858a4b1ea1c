/** Routes of a VPC's routers. */
import { parseIp, parseNet } from './ip.ts'

/** A destination or a target. */
interface End {
  type: string
  value?: string
}

/** The version of IP that an end names with a literal address; undefined if it names none. */
export function familyOf({ type, value = '' }: End): 4 | 6 | undefined {
  if (type === 'ip') return parseIp(value)?.family
  return type === 'ip_net' ? parseNet(value)?.base.family : undefined
}

/** True if destination and target are addresses of different versions of IP: no packet can follow such a route. */
export function mixesFamilies(destination: End, target: End): boolean {
  const [from, to] = [familyOf(destination), familyOf(target)]
  return from !== undefined && to !== undefined && from !== to
}

/** The control plane itself makes those that are not custom. */
export type RouteKind = 'default' | 'vpc_subnet' | 'vpc_peering' | 'custom'
/** The changeable fields of a route, by its kind. */
export const changeableOf: Record<RouteKind, 'all' | 'target' | 'nothing'> = {
  default: 'target',
  vpc_subnet: 'nothing',
  vpc_peering: 'nothing',
  custom: 'all',
}
