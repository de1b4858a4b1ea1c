/** The picture and the list of a VPC: its parts in words, and their connections. */
import { keysOf } from '@purlin/contract/rules/keys'
import { countOf } from '@purlin/contract/rules/kinds'
import type { InstanceState } from '@purlin/contract/rules/states'
import { paths, sections, type VpcTarget } from '#/lib/addresses.ts'
import type { Topology } from './queries.ts'

export type NodeKind = 'gateway' | 'router' | 'subnet' | 'interface' | 'probe'

/** A gateway, router or subnet. */
export interface TopologyNode {
  id: string
  kind: NodeKind
  name: string
  /** Addresses, and what else is known of it. */
  details: string[]
  href: string
}

/** An interface, under the name of its instance. */
export interface InterfaceNode extends TopologyNode {
  interfaceName: string
  instanceId: string
  ip: string
  state: InstanceState
  externalIps: string[]
}

/** A probe, which only operators have a page of: it leads to its subnet. */
export interface ProbeNode extends TopologyNode {
  ip: string
  externalIps: string[]
  subnet: string
}

export interface SubnetNode extends TopologyNode {
  interfaces: InterfaceNode[]
}

/** From what is nearer to the outside to what is nearer to the instances. */
export interface Link {
  from: string
  to: string
  /** A router that is evaluated after another one. */
  isSecond: boolean
}

export interface Nodes {
  gateways: TopologyNode[]
  routers: TopologyNode[]
  subnets: SubnetNode[]
  probes: ProbeNode[]
  links: Link[]
}

export function nodesOf(topology: Topology, target: VpcTarget): Nodes {
  const byName = (name: string) => ({ ...target, name })
  const interfaces = Map.groupBy(topology.interfaces, ({ subnetId }) => subnetId)
  const probes = Map.groupBy(topology.probes, ({ subnetId }) => subnetId)
  const interfaceCount = ({ id, totalInterfaces }: Topology['subnets'][number]) => {
    const own = probes.get(id)?.length ?? 0
    return countOf(totalInterfaces, 'interface') + (own > 0 ? `, ${countOf(own, 'probe')}` : '')
  }
  return {
    gateways: topology.gateways.map(({ id, name, ...attached }) => ({
      id,
      kind: 'gateway',
      name,
      details: [attachedText(attached)],
      href: sections.internetGateway.view(byName(name)),
    })),
    routers: topology.routers.map(({ id, name, kind, totalRoutes }) => ({
      id,
      kind: 'router',
      name,
      details: [`${kind}, ${countOf(totalRoutes, 'route')}`],
      href: sections.vpcRouter.view(byName(name)),
    })),
    subnets: topology.subnets.map((subnet) => ({
      id: subnet.id,
      kind: 'subnet',
      name: subnet.name,
      details: [subnet.ipv4Block, subnet.ipv6Block, interfaceCount(subnet)],
      href: sections.vpcSubnet.edit(byName(subnet.name)),
      interfaces: (interfaces.get(subnet.id) ?? []).map((one) => interfaceNode(one, target)),
    })),
    probes: topology.subnets.flatMap(({ id: subnetId, name: subnet }) =>
      (probes.get(subnetId) ?? []).map(({ id, name, ip, externalIps }) => ({
        id,
        kind: 'probe' as const,
        name,
        details: [ip, ...externalIps],
        href: sections.vpcSubnet.edit(byName(subnet)),
        ip,
        externalIps,
        subnet,
      })),
    ),
    links: linksOf(topology),
  }
}

function interfaceNode(one: Topology['interfaces'][number], { project }: VpcTarget): InterfaceNode {
  const { id, name: interfaceName, instanceId, instanceName, ip, runState: state, externalIps } = one
  const outside =
    externalIps.length > 0 ? [`${externalIps.length} external at ${externalIps.join(', ')}`] : []
  return {
    id,
    kind: 'interface',
    name: instanceName,
    details: [ip, state, ...outside, `interface ${interfaceName}`],
    href: paths.instanceTab({ project, instance: instanceName }, 'networking'),
    interfaceName,
    instanceId,
    ip,
    state,
    externalIps,
  }
}

function attachedText({
  totalIpPools,
  totalIpAddresses,
}: Pick<Topology['gateways'][number], 'totalIpPools' | 'totalIpAddresses'>) {
  const counts = [
    [totalIpPools, 'IP pool'],
    [totalIpAddresses, 'IP address'],
  ] as const
  const attached = counts.filter(([count]) => count > 0)
  if (attached.length === 0) return 'nothing attached'
  return attached.map(([count, noun]) => countOf(count, noun)).join(', ')
}

function linksOf({ gateways, routers, subnets }: Topology): Link[] {
  const listed = new Set([...gateways, ...routers].map(({ id }) => id))
  const system = routers.find(({ kind }) => kind === 'system')?.id
  const ways = routers.flatMap(({ id, gatewayIds }) =>
    gatewayIds.map((from) => ({ from, to: id, isSecond: false })),
  )
  const uses = subnets.flatMap(({ id: to, customRouterId }) => {
    const custom = customRouterId === null ? [] : [{ from: customRouterId, to, isSecond: false }]
    return system === undefined ? custom : [...custom, { from: system, to, isSecond: custom.length > 0 }]
  })
  return [...ways, ...uses].filter(({ from }) => listed.has(from))
}

/** All that is known of a part. It begins with the words that the picture shows, in their order. */
export const describe = ({ name, kind, details }: TopologyNode): string =>
  `${kind === 'interface' ? 'instance' : kind} ${name}, ${details.join(', ')}`

/** Which of the kinds were cut, in words; undefined if none was. */
export function cutText({ totals, ...lists }: Topology): string | undefined {
  const nouns = {
    gateways: 'internet gateway',
    routers: 'router',
    subnets: 'subnet',
    interfaces: 'interface',
    probes: 'probe',
  } as const
  const cut = keysOf(nouns).filter((kind) => lists[kind].length < totals[kind])
  if (cut.length === 0) return undefined
  const parts = cut.map((kind) => `${lists[kind].length} of ${countOf(totals[kind], nouns[kind])}`)
  return `Only the first by name are shown: ${parts.join(', ')}.`
}

/** Everything that is on the way between a part and the outside, and the other interfaces of its instance; by id. */
export function relatedTo(id: string, { subnets, links }: Nodes): ReadonlySet<string> {
  const all = subnets.flatMap((subnet) => subnet.interfaces.map((one) => ({ ...one, subnetId: subnet.id })))
  const self = all.find((one) => one.id === id)
  const related = new Set([id, ...(self ? [self.subnetId] : [])])
  // A set may grow while one walks it: what leads to what was added is added as well.
  for (const one of related) for (const { from, to } of links) if (to === one) related.add(from)
  const below = new Set([id])
  for (const one of below) for (const { from, to } of links) if (from === one) below.add(to)
  const siblings = self ? all.filter(({ instanceId }) => instanceId === self.instanceId) : []
  return new Set([...related, ...below, ...siblings.map((one) => one.id)])
}
