/** Fields of VPCs, their parts, addresses and explanations of their traffic. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'
import { unlessKnown } from './shared.ts'

const { firewall, nic, topology } = limits
const pool = 'The name or id of the IP pool; the default pool of the silo unless given.'
const ipv4 = 'The range of IPv4 addresses, such as `10.0.1.0/24`.'
const dnsName = 'The name of the VPC in DNS'
const cascade =
  'If true, the delete also removes the references that would otherwise prevent it; false unless given.'
const transit = `Further networks that it may send from and receive for, at most ${nic.transitIps}`
const primary = 'True for the interface that carries the external addresses.'
const asked = 'in lists that ask for it'
const destination = 'The packets that the route applies to, by their destination.'
const target = 'Where the route sends them.'
const end = {
  type: 'Whether it is a VPC, a subnet, an instance, an address or a range.',
  value: 'The name, the address, or the range in CIDR notation.',
}
const addresses = {
  kind: 'The kind of address: floating, ephemeral, or shared for outgoing traffic (SNAT).',
  ip: 'The IP address.',
  ipPoolId: 'The id of the pool that it is from.',
}
const timeLastUsed = `When it was last detached from an instance, ${unlessKnown}.`
const attachedCounts = {
  totalIpPools: 'The number of attached IP pools.',
  totalIpAddresses: 'The number of attached addresses.',
}
const result = 'Whether the packet passes or is dropped.'
const firewallRule = {
  status: 'Whether the rule applies.',
  direction: 'Whether the rule is about packets to or from its targets.',
  targets: `The interfaces that the rule applies to, at most ${firewall.perRule}; any of them.`,
  filters: 'The packets that the rule applies to.',
  action: 'Whether these packets are allowed or denied.',
  priority: 'Rules with smaller numbers are evaluated first, from 0 to 65535.',
}
const probe = {
  interfaceId: 'The id of its interface.',
  ip: 'The private address in the subnet.',
  externalIps: 'The addresses by which it can be reached from outside.',
}
const change = 'A change that is not made; the answer is as if it were.'
const total = 'The number in the VPC; if its list is shorter, the rest was left out.'
const reach = { result: 'Whether the traffic passes.' }
const effect = 'How much of an effect it has: none, or part of what it seems to.'

export const networks: FieldSentences = {
  floatingIpList: { unused: 'If true, only addresses that are attached to no instance.' },
  Vpc: {
    systemRouterId: 'The id of the router that serves subnets without a custom one.',
    ipv6Prefix: 'The IPv6 prefix, a unique local /48.',
    dnsName: `${dnsName}.`,
    totalFirewallRules: `The number of its firewall rules, ${asked}.`,
  },
  vpcList: { totalFirewallRules: 'If true, each VPC comes with the number of its firewall rules.' },
  VpcCreate: { ipv6Prefix: 'The IPv6 prefix, a unique local /48; a random one unless given.' },
  VpcUpdate: { dnsName: `${dnsName}; absent or null keeps the present one.` },
  VpcSubnet: {
    ipv4Block: ipv4,
    ipv6Block: 'The range of IPv6 addresses, a /64 in the prefix of the VPC.',
    customRouterId: 'The id of its custom router; absent or null if only the system router applies.',
  },
  VpcSubnetCreate: {
    ipv6Block: 'The range of IPv6 addresses, a /64 in the prefix of the VPC; a free one unless given.',
    customRouter:
      'The name or id of a custom router, which is evaluated before the system router; none unless given.',
  },
  VpcSubnetUpdate: {
    customRouter: 'The name or id of a custom router; absent or null removes the present one.',
  },
  VpcRouter: { kind: 'Whether the system made the router or a user.' },
  RouterRoute: { kind: 'The origin of the route; only custom ones can be deleted.', destination, target },
  VpcRouterRouteCreate: { destination, target },
  VpcRouterRouteUpdate: { destination, target },
  RouteDestination: {
    type: 'The kind of destination.',
    value: 'The address, range or name of the destination.',
  },
  RouteTarget: {
    type: 'The kind of target; `drop` discards the packets.',
    value: 'The address or name of the target.',
  },
  InternetGateway: { attached: `Its attachments, ${asked}.` },
  InternetGatewayAttached: {
    ...attachedCounts,
    ipPoolId: 'The id of the first attached pool by name; null if there is none.',
    address: 'The first attached address by name; null if there is none.',
    totalRoutes: 'The number of routes to the gateway.',
  },
  internetGatewayList: { attached: 'If true, each gateway comes with its attachments.' },
  vpcDelete: {
    cascade:
      'If true, its subnets are deleted with it; refused before anything is deleted while they have network interfaces.',
  },
  ipPoolDelete: {
    cascade:
      'If true, its ranges are removed with it; refused before anything is removed while one of their addresses is in use.',
  },
  internetGatewayDelete: { cascade },
  internetGatewayIpPoolDelete: { cascade, pool: 'The name or id of the attachment.' },
  internetGatewayIpAddressDelete: { cascade, address: 'The name or id of the attachment.' },
  InternetGatewayIpPoolCreate: { ipPool: 'The name or id of the IP pool.' },
  InternetGatewayIpAddress: { address: 'The address that packets leave with.' },
  InstanceNetworkInterface: {
    mac: 'The MAC address.',
    ip: 'The private address in the subnet.',
    primary,
    transitIps: `${transit}.`,
  },
  InstanceNetworkInterfaceCreate: {
    vpcName: 'The name of the VPC.',
    subnetName: 'The name of the subnet in it.',
    ip: 'The private address in the subnet; the lowest free one unless given.',
    transitIps: `${transit}; none unless given.`,
  },
  InstanceNetworkInterfaceUpdate: {
    primary: 'If true, it becomes the primary interface; false, which is the default, changes nothing.',
    transitIps: `${transit}; none unless given.`,
  },
  ExternalIp: { ...addresses, timeLastUsed },
  ProbeInfo: {
    sled: 'The id of the sled that it is on.',
    interface: 'Its interface in the network of the project.',
    externalIps: 'Its addresses outside of the network.',
  },
  Probe: { sled: 'The id of the sled that it is on.' },
  ProbeCreate: {
    sled: 'The id of a sled that is in service, answers and is not in maintenance.',
    ipPool: pool,
  },
  ProbeExternalIp: {
    kind: addresses.kind,
    ip: addresses.ip,
    firstPort: 'The first of its ports.',
    lastPort: 'The last of its ports.',
  },
  NetworkInterface: {
    kind: 'The resource that it belongs to.',
    mac: 'The MAC address.',
    ip: 'The private address in the subnet.',
    subnet: 'The range of addresses of the subnet.',
    vni: 'The number of the virtual network, which packets between sleds have.',
    primary,
    slot: 'Its position among the interfaces of the same resource.',
    transitIps: `${transit}.`,
  },
  NetworkInterfaceKind: {
    type: 'Whether it is an instance, a service of the system or a probe.',
    id: 'The id of the resource.',
  },
  EphemeralIpCreate: { pool },
  FloatingIp: {
    instanceId: 'The id of the instance that it is attached to; absent or null if there is none.',
    timeLastUsed,
  },
  FloatingIpCreate: { pool, ip: 'The address; the lowest free one of the pool unless given.' },
  FloatingIpAttach: {
    kind: 'The kind of resource that it is attached to.',
    parent: 'The name or id of that resource.',
    move: 'True to take it from the instance that it is attached to, in the same step; absent or null as false.',
  },
  vpcFirewallRulesView: {
    first: 'Only this number of rules, in the order of evaluation; all of them by name unless given.',
  },
  VpcFirewallRules: { rules: 'The firewall rules.' },
  VpcFirewallRuleUpdateParams: { rules: `All firewall rules, at most ${firewall.rules}; none unless given.` },
  VpcFirewallRule: firewallRule,
  VpcFirewallRuleUpdate: {
    name: 'The name, unique among the rules of the VPC.',
    description: `A text for people, at most ${limits.description} characters; it may be empty.`,
  },
  VpcFirewallRuleFilter: {
    hosts: 'The other ends of the traffic; any host if absent or null.',
    ports: 'Destination ports and ranges, such as `22` or `8000-8080`; any if absent or null.',
    protocols: 'Protocols; any if absent or null.',
  },
  VpcFirewallRuleTarget: end,
  VpcFirewallRuleHostFilter: end,
  VpcFirewallRuleProtocol: {
    type: 'The protocol.',
    value: 'For ICMP, only these messages; null for all.',
  },
  VpcFirewallIcmpFilter: {
    icmpType: 'The type of ICMP message.',
    code: 'A code or a range of codes, such as `0-3`; any if absent or null.',
  },
  VpcTraceRequest: {
    source: 'The end that sends the packet.',
    destination: 'The end that should receive it.',
    protocol: 'The protocol, with its port or message.',
    sourceAddress: 'The source address in the packet; that of the interface of the source unless given.',
    assumeRunning: 'If true, stopped instances count as running; false unless given.',
    change,
  },
  TraceEnd: {
    type: 'Whether it is an instance, an interface or an address.',
    value: 'The name or id of the instance, the id of the interface, or the address.',
  },
  TraceProtocol: {
    type: 'The protocol.',
    port: 'The destination port.',
    icmpType: 'The type of ICMP message.',
    code: 'The code of the ICMP message.',
  },
  VpcTrace: { result, steps: 'The steps of the packet in order; the last one drops or delivers it.' },
  TraceStep: {
    type: 'The kind of step.',
    result,
    instanceId: 'The id of the instance; null if it is none of the VPC, or a probe.',
    interfaceId: 'The id of the interface; null if it is none of the VPC.',
    address: 'The address that the step is about; null if there is none.',
    rule: 'The firewall rule that decides; null if none applies.',
    route: 'The route that decides; null if none applies.',
    candidates: 'All routes to the destination, in the order of evaluation.',
    gatewayId: 'The id of the internet gateway.',
  },
  TraceRule: { action: firewallRule.action, priority: firewallRule.priority },
  TraceRoute: { routerId: 'The id of its router.', destination: 'The range of the route.' },
  TraceAddress: { ...addresses, ipPoolId: 'The id of the pool that it is from; null if it is from none.' },
  VpcChange: {
    type: 'The kind of change.',
    rules: 'The firewall rules that replace the present ones.',
    id: 'The id of the resource that is deleted, detached or renamed.',
    routerId: 'The id of the router of the route.',
    name: 'The name of the route, if it is new.',
    destination: 'The destination of the route.',
    target: 'The target of the route.',
    ids: `The ids of the instances that are deleted, at most ${limits.trace.instances}.`,
  },
  InstanceReachability: {
    running: 'True if the instance runs; the answer is as if it did.',
    vpcId: 'The id of the VPC of its primary interface; null without an interface.',
    outbound: 'Whether the instance can reach the outside.',
    inbound: 'Whether the outside can reach the instance.',
  },
  'InstanceReachability.outbound': {
    ...reach,
    address: 'The address that its packets leave with; null if there is none.',
  },
  'InstanceReachability.inbound': {
    ...reach,
    addresses: 'The addresses by which the outside can reach it.',
    open: 'The traffic that is allowed from anywhere.',
  },
  OpenPorts: {
    protocol: 'The protocol.',
    firstPort: 'The first port; null for all ports.',
    lastPort: 'The last port, included; null for all ports.',
  },
  VpcEffects: {
    rules: 'Firewall rules with no effect, or less than they seem to have.',
    routes: 'Routes with no effect.',
  },
  VpcRuleEffect: {
    ruleId: 'The id of the rule.',
    name: 'The name of the rule.',
    effect,
    byRuleId: 'The id of the rule that decides before it; null if there is none.',
  },
  VpcRouteEffect: {
    routeId: 'The id of the route.',
    routerId: 'The id of its router.',
    name: 'The name of the route.',
    effect,
  },
  VpcPreviewRequest: {
    change,
    traffic: 'Whether the answer has the traffic that the change opens and closes; false unless given.',
  },
  VpcPreview: {
    instances: 'The running instances that would lose something: the first hundred by name.',
    totalInstances: 'The number of all such instances.',
    references:
      'The rules and routes that refer to the changed resource or have its address: the first hundred by name.',
    totalReferences: 'The number of all such rules and routes.',
    effects: 'The rules and routes without effect after the change.',
    path: 'The path of a packet by a route that is set; null if no instance uses its router.',
    traffic: 'The traffic that firewall rules open and close by the change, if it was asked for.',
  },
  VpcPath: {
    routeId: 'The id that the trace has for the route.',
    instanceId: 'The id of the instance that sends the packet.',
    destination: 'An address of the destination of the route.',
    totalInstances: 'The number of instances in subnets that use the router.',
    trace: 'The path of the packet after the change, as if all instances were running.',
  },
  VpcTraffic: {
    complete: 'False if the rules are too many to compare all of the traffic.',
    groups:
      'Instances that gain and lose the same, running or not: the first hundred groups, the largest first.',
    totalGroups: 'The number of all groups.',
  },
  VpcTrafficGroup: {
    opens: 'The traffic that firewall rules let pass only after the change.',
    closes: 'The traffic that they let pass only before it.',
    instances: 'The instances: the first hundred by name.',
    totalInstances: 'The number of all instances of the group.',
  },
  VpcTrafficChange: {
    direction: 'Whether it comes to the instances or leaves them.',
    traffic: 'Protocols and destination ports.',
    peers: 'The other ends, in words for people.',
    except: 'The parts of these that the change does not concern.',
    text: 'All of it, in words for people.',
  },
  'VpcPreview.instances': { losses: 'What the instance would lose.' },
  VpcReference: {
    kind: 'Whether it is a firewall rule or a route.',
    id: 'The id of the rule or route.',
    router: 'The name of the router of a route; null for a rule.',
    hasEffect: 'True if it has an effect after the change.',
    text: 'Its effect after the change, in words for people.',
  },
  VpcTopology: {
    gateways: `Internet gateways by name, at most ${topology.gateways}.`,
    routers: `Routers by name, that of the system first, at most ${topology.routers}.`,
    subnets: `Subnets by name, at most ${topology.subnets}.`,
    interfaces: `Interfaces of instances in these subnets by instance, at most ${topology.interfaces}.`,
    probes: `Probes in these subnets by name, at most ${topology.probes}.`,
    totals: 'The number of each in the VPC.',
  },
  'VpcTopology.totals': { gateways: total, routers: total, subnets: total, interfaces: total, probes: total },
  TopologyGateway: attachedCounts,
  TopologyRouter: {
    kind: 'Whether the system made the router or a user.',
    totalRoutes: 'The number of its routes.',
    gatewayIds: 'The ids of the internet gateways that its routes lead to.',
  },
  TopologySubnet: {
    ipv4Block: ipv4,
    ipv6Block: 'The range of IPv6 addresses.',
    customRouterId: 'The id of the router that is evaluated before the system router; null for none.',
    totalInterfaces: 'The number of its interfaces, those of probes included.',
  },
  TopologyProbe: probe,
  TopologyInterface: {
    runState: 'What the instance is doing.',
    ip: 'The private address in the subnet.',
    primary,
    externalIps: 'The addresses by which it can be reached from outside.',
  },
}
