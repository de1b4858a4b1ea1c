/**
 * The steps of a trace with their ids and sentences. The named resources are links: a rule, a route, a gateway, an
 * address.
 */
import type { TraceStep } from '@purlin/contract/operations/vpcs/vpc-trace'
import { keyOf, parseIp } from '@purlin/contract/rules/network/ip'
import type { Out } from '@purlin/contract/schema'
import type { VpcNetwork } from './model.ts'
import type { FirewallVerdict, Packet } from './packet.ts'
import type { VpcRows } from './rows.ts'
import type { NetworkRoute, VmAddress } from './sled-network.ts'

type Step = Out<typeof TraceStep>
type Nic = VpcNetwork['interfaces'][number]
export type Words = ReturnType<typeof wordsOf>

const kindWords = { floating: 'floating IP', ephemeral: 'ephemeral IP', snat: 'SNAT address' } as const
const sourceTexts = {
  own_address: (who: string, ip: string) => `${who} sends with its own address ${ip}.`,
  transit_ip: (who: string, ip: string) => `${who} may send with ${ip} because of its transit IPs.`,
  foreign_address: (who: string, ip: string) =>
    `${who} may not send with ${ip}: it is neither its own address nor in its transit IPs. Add a transit IP to the interface if the instance forwards packets.`,
  not_running: (who: string) => `${who} is not running, so it sends no packets. Start it.`,
} as const

export function wordsOf(rows: VpcRows) {
  return { ...endWords(rows), ...wayWords(rows), ...gatewayWords(rows) }
}

const nameOf = ({ nics }: VpcRows, { id }: { id: string }): string => {
  const nic = nics.find((one) => one.id === id)
  if (!nic) throw new Error(`no interface ${id}`)
  if (nic.owner === 'probe') return `Probe '${nic.instanceName}'`
  const isAlone = nics.every(({ instanceId }) => instanceId !== nic.instanceId || nic.isPrimary === 1)
  return isAlone
    ? `Instance '${nic.instanceName}'`
    : `Interface '${nic.name}' of instance '${nic.instanceName}'`
}
const ids = ({ id, owner, instanceId }: Nic) => ({
  interfaceId: id,
  instanceId: owner === 'instance' ? instanceId : null,
})

/** Words for where a packet begins and ends. */
function endWords(rows: VpcRows) {
  const name = (nic: { id: string }) => nameOf(rows, nic)
  const drop = (reason: Step['reason'], text: string) => ({ result: 'drop', reason, text }) as const
  const nowhere = { interfaceId: null, instanceId: null }
  return {
    sourceCheck: (nic: Nic, address: string, reason: keyof typeof sourceTexts): Step => ({
      type: 'source_check',
      result: reason === 'own_address' || reason === 'transit_ip' ? 'pass' : 'drop',
      reason,
      text: sourceTexts[reason](name(nic), address),
      ...ids(nic),
      address,
    }),
    noSender: (address: string): Step => ({
      type: 'source_check',
      ...drop(
        'nobody_sends',
        `No interface of the VPC has ${address}, so no packets have it as their source.`,
      ),
      ...nowhere,
      address,
    }),
    notRunning: (nic: Nic): Step => ({
      type: 'delivery',
      ...drop('not_running', `${name(nic)} has ${nic.ip} but is not running. Start it.`),
      ...ids(nic),
      address: nic.ip,
    }),
    noInterface: (address: string): Step => ({
      type: 'delivery',
      ...drop('nobody_has_address', `No interface of the VPC has ${address}.`),
      ...nowhere,
      address,
    }),
    notAccepted: (nic: Nic, address: string): Step => ({
      type: 'delivery',
      ...drop(
        'not_accepted',
        `${name(nic)} does not take packets for ${address}: it is neither its own address nor in its transit IPs. Add a transit IP to the interface if the instance forwards packets.`,
      ),
      ...ids(nic),
      address,
    }),
    delivered: (nic: Nic, address: string): Step => {
      const isLast = nic.ip === address
      return {
        type: 'delivery',
        result: 'pass',
        reason: isLast ? 'delivered' : 'must_forward',
        text: isLast
          ? `${name(nic)} receives it at ${address}.`
          : `${name(nic)} receives it and must forward it to ${address} itself.`,
        ...ids(nic),
        address,
      }
    },
    left: ({ destination }: Packet): Step => ({
      type: 'delivery',
      result: 'pass',
      reason: 'left',
      text: `It leaves the VPC for ${destination}.`,
      ...nowhere,
      address: destination,
    }),
  }
}

/** Words for firewalls and routes. */
function wayWords(rows: VpcRows) {
  const name = (nic: { id: string }) => nameOf(rows, nic)
  const routerName = (id: string) => rows.routers.find((one) => one.id === id)?.name ?? id
  const view = ({ id, name: called, routerId, destination }: NetworkRoute) => ({
    id,
    name: called,
    routerId,
    destination,
  })
  return {
    firewall: (type: 'firewall_out' | 'firewall_in', nic: Nic, { action, rule }: FirewallVerdict): Step => ({
      type,
      result: action === 'allow' ? 'pass' : 'drop',
      reason: rule ? 'rule' : 'no_rule',
      text: firewallText(type, name(nic), { action, rule }),
      ...ids(nic),
      rule: rule && { id: rule.id, name: rule.name, action, priority: rule.priority },
    }),
    noRoute: (destination: string): Step => ({
      type: 'route',
      result: 'drop',
      reason: 'no_route',
      text: `No route leads to ${destination}. Add one to the custom router of the subnet.`,
      route: null,
      candidates: [],
    }),
    route: (route: NetworkRoute, all: readonly NetworkRoute[]): Step => {
      const isDrop = route.target.type === 'drop'
      const which = `Route '${route.name}' of router '${routerName(route.routerId)}' (${route.destination})`
      return {
        type: 'route',
        result: isDrop ? 'drop' : 'pass',
        reason: isDrop ? 'drop_route' : 'route',
        text: isDrop ? `${which} drops it.` : `${which} ${targetText(rows, route.target)}.`,
        route: view(route),
        candidates: all.map(view),
      }
    },
  }
}

function firewallText(type: string, who: string, { action, rule }: FirewallVerdict): string {
  const way = type === 'firewall_out' ? `to leave ${lower(who)}` : `to reach ${lower(who)}`
  if (rule)
    return `Rule '${rule.name}' (priority ${rule.priority}) ${action === 'allow' ? 'allows' : 'denies'} it ${way}.`
  return action === 'allow'
    ? `No rule denies it ${way}.`
    : `No rule allows it ${way}. Add an inbound rule that does.`
}

function targetText({ gateways }: VpcRows, target: NetworkRoute['target']): string {
  switch (target.type) {
    case 'drop':
      return 'drops it'
    case 'local':
      return 'delivers it within the VPC'
    case 'ip':
      return `sends it to ${target.ip}`
    case 'gateway':
      return `sends it to gateway '${gateways.find(({ id }) => id === target.id)?.name ?? target.id}'`
  }
}

/** Words for the way out and in. */
function gatewayWords(rows: VpcRows) {
  const name = (nic: { id: string }) => nameOf(rows, nic)
  const view = ({ kind, ip, firstPort, lastPort }: VmAddress) => {
    const row = rows.externalIps.find(
      (one) => one.kind === kind && one.firstPort === firstPort && one.ipKey === keyOfText(ip),
    )
    return { kind, ip, firstPort, lastPort, ipPoolId: row?.ipPoolId ?? null }
  }
  return {
    address: view,
    gateway: (gatewayId: string, nic: Nic, as: VmAddress): Step => ({
      type: 'gateway',
      result: 'pass',
      reason: 'address',
      text: `${name(nic)} leaves by gateway '${gatewayName(rows, gatewayId)}' with its ${kindWords[as.kind]} ${as.ip}.`,
      gatewayId,
      address: view(as),
    }),
    noAddress: (gatewayId: string, nic: Nic, destination: string): Step => ({
      type: 'gateway',
      result: 'drop',
      ...missingAddress(rows, { gatewayId, nic, destination, name: name(nic) }),
      gatewayId,
      address: null,
    }),
    externalAddress: (nic: Nic, as: VmAddress): Step => ({
      type: 'external_address',
      result: 'pass',
      reason: 'address',
      text: `${as.ip} is the ${kindWords[as.kind]} of ${lower(name(nic))}.`,
      address: view(as),
    }),
    noExternalAddress: (nic: Nic): Step => ({
      type: 'external_address',
      result: 'drop',
      reason: nic.primary ? 'no_external_address' : 'not_primary',
      text: nic.primary
        ? `${name(nic)} has no address that can be reached from outside. Attach an ephemeral or floating IP.`
        : `${name(nic)} cannot be reached from outside: only the primary interface carries external addresses.`,
      address: null,
    }),
    noEntry: (address: string): Step => ({
      type: 'external_address',
      result: 'drop',
      reason: 'no_external_address',
      text: `${address} is no external address of an instance of this VPC. Private addresses cannot be reached from outside: attach an ephemeral or floating IP.`,
      address: null,
    }),
  }
}

interface Missing {
  gatewayId: string
  nic: Nic
  destination: string
  name: string
}

/** Why an interface has no address with which it may leave by a gateway. */
function missingAddress(
  rows: VpcRows,
  { gatewayId, nic, destination, name }: Missing,
): { reason: Step['reason']; text: string } {
  const gateway = `gateway '${gatewayName(rows, gatewayId)}'`
  const attached = [...rows.gatewayPools, ...rows.gatewayAddresses].some(
    ({ internetGatewayId }) => internetGatewayId === gatewayId,
  )
  if (!attached) return { reason: 'nothing_attached', text: `No pool is attached to ${gateway}. Attach one.` }
  if (!nic.primary)
    return {
      reason: 'not_primary',
      text: `${name} cannot leave by ${gateway}: only the primary interface carries external addresses.`,
    }
  const held = rows.externalIps.filter(({ instanceId }) => instanceId === nic.instanceId)
  if (held.length === 0)
    return {
      reason: 'no_external_address',
      text: `${name} has no external address to leave by ${gateway} with. Attach an ephemeral or floating IP.`,
    }
  const family = String(parseIp(destination)?.family ?? 4)
  if (!held.some(({ ipKey }) => ipKey.startsWith(family)))
    return {
      reason: 'other_family',
      text: `${name} has no external IPv${family} address to reach ${destination} with.`,
    }
  return {
    reason: 'not_covered',
    text: `None of the external addresses of ${lower(name)} is of a pool that is attached to ${gateway}. Attach their pool, or give the instance an address of an attached pool.`,
  }
}

const gatewayName = ({ gateways }: VpcRows, id: string): string =>
  gateways.find((one) => one.id === id)?.name ?? id
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
function keyOfText(text: string): string {
  const address = parseIp(text)
  return address ? keyOf(address) : ''
}
