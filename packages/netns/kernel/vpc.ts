/** The network of a VPC in the kernel of this host. */
import type { NetworkInterface, SledNetwork } from '@purlin/core/ports'
import { denyAll, nftOf } from '../compile/document.ts'
import { vpcLimits } from '../compile/limits.ts'
import type { Names } from '../compile/names.ts'
import { lastRules, routeProtocol, routingOf } from '../compile/routing.ts'
import { addressIn, devices, familyOf, macIn, routerLinkLocal, routerMac, widthIn } from '../compile/texts.ts'
import { applyNft, devicesIn, ip, ipBatch } from './commands.ts'
import { makeNamespace, namespaces, neighbour, removeNamespace, replaceRouting } from './namespaces.ts'
import { removeTunnel, type Underlay } from './underlay.ts'

/** Bytes of a packet that a device of a guest carries. */
const mtu = 1_500
const isNicDevice = (name: string) => /^n[\da-f]{12}$/.test(name)

interface Around {
  /** Bytes of a packet that reach other hosts. */
  carried: number
  names: Names | undefined
}

export class Vpc {
  readonly name: string
  readonly #prefix: string
  readonly #underlay: Underlay
  /** The routes that are in force, if this process has made them. */
  #routing = ''
  /** The same for the tunnel to other hosts. */
  #tunnel = ''

  constructor(prefix: string, vpcId: string, underlay: Underlay) {
    this.#prefix = prefix
    this.#underlay = underlay
    this.name = `${prefix}-${vpcId}`
  }

  /** Makes the namespace, in which nothing passes. */
  async make(): Promise<void> {
    await makeNamespace(this.name, { hasGuests: true, limits: vpcLimits, furnish: () => this.#furnish() })
  }

  async #furnish(): Promise<void> {
    this.#routing = ''
    this.#tunnel = ''
    await applyNft(this.name, denyAll)
    const ofHost = ['rule del pref 32766', 'rule del pref 32767']
    for (const family of [4, 6] as const) {
      const own = lastRules[family]
      const again = own.map((line) => line.replace(/^rule add (pref \d+).*/, 'rule del $1'))
      // IPv6 has only one of the host's, and there are no others if this is the first attempt.
      await ipBatch(this.name, [...ofHost, ...again], { family, mayFail: true })
      await ipBatch(this.name, own, { family })
    }
  }

  /**
   * Enforces a network. If routes change, all is denied until the new rules are there, so that no packet meets old rules on new
   * routes. `taken` are devices of the host that become those of interfaces.
   */
  async enforce(network: SledNetwork, taken: ReadonlySet<string>, { carried, names }: Around): Promise<void> {
    const remote = this.#underlay.remote(network)
    const rules = nftOf(network, { remote, names })
    const ends = remote.map(({ ip: address, mac, host }) => ({ ip: address, mac, host }))
    const tunnel = { ends, mtu: carried }
    const before = await devicesIn(this.name)
    await this.#removeOthers(network, before)
    const come: string[] = []
    for (const nic of network.interfaces) {
      const device = devices.nic(nic.id)
      if (taken.has(device)) await ip(null, 'link', 'set', device, 'netns', this.name)
      else if (nic.owner === 'probe' && !before.has(device))
        await this.#makeProbe(nic).catch(async (error: unknown) => {
          // Its device goes with it, so that the next attempt makes all of it.
          await removeNamespace(this.#probeName(nic.id))
          throw error
        })
      else continue
      come.push(device)
    }
    const present = new Set([...before, ...come])
    const routing = routingOf(network, (id) => present.has(devices.nic(id)), { remote, names })
    const nics = network.interfaces.filter(({ id }) => present.has(devices.nic(id)))
    const settings = nics.flatMap(settingsOf)
    const ways = JSON.stringify([network.vni, tunnel])
    const whole = JSON.stringify([routing, settings, ways])
    if (whole !== this.#routing || come.length > 0) {
      this.#routing = ''
      await applyNft(this.name, denyAll)
      if (ways !== this.#tunnel) {
        this.#tunnel = ''
        await this.#underlay.connect(this.name, network.vni, tunnel)
        this.#tunnel = ways
      }
      await ipBatch(this.name, settings)
      await replaceRouting(this.name, routeProtocol, routing)
      this.#routing = whole
    }
    await applyNft(this.name, rules)
  }

  async remove(network: SledNetwork | undefined): Promise<void> {
    for (const { id, owner } of network?.interfaces ?? [])
      if (owner === 'probe') await removeNamespace(this.#probeName(id))
    await removeTunnel(this.name)
    await removeNamespace(this.name)
    this.#routing = ''
    this.#tunnel = ''
  }

  /** Removes the device of an interface. */
  async drop(nicId: string): Promise<void> {
    const device = devices.nic(nicId)
    if (!(await namespaces()).includes(this.name) || !(await devicesIn(this.name)).has(device)) return
    await ip(this.name, 'link', 'del', device)
    this.#routing = ''
  }

  async #removeOthers({ interfaces }: SledNetwork, present: ReadonlySet<string>): Promise<void> {
    const own = new Set(interfaces.map(({ id }) => devices.nic(id)))
    for (const device of present) {
      if (!isNicDevice(device) || own.has(device)) continue
      await ip(this.name, 'link', 'del', device)
      // The zone of a probe is named by its device.
      await removeNamespace(`${this.#prefix}-${device}`)
    }
  }

  #probeName(nicId: string): string {
    return `${this.#prefix}-${devices.nic(nicId)}`
  }

  /** A probe is a namespace that answers pings. */
  async #makeProbe({ id, mac, ip: address, subnet, dhcp }: NetworkInterface): Promise<void> {
    const name = this.#probeName(id)
    await removeNamespace(name)
    await ip(null, 'netns', 'add', name)
    const ends = ['type', 'veth', 'peer', 'name', 'eth0', 'address', macIn(mac), 'netns', name]
    await ip(this.name, 'link', 'add', devices.nic(id), ...ends)
    const router = addressIn(dhcp.router)
    // With IPv6 nothing but the router is on the link, as guests hear from it.
    const own = familyOf(address) === 6 ? '/128 dev eth0 nodad' : `/${widthIn(subnet)} dev eth0`
    await ipBatch(name, [
      'link set lo up',
      `addr add ${addressIn(address)}${own}`,
      'link set eth0 up',
      neighbour(router, routerMac, 'eth0'),
      `route add default via ${router} dev eth0 onlink`,
    ])
  }
}

/** The router's side of a device, which knows its guest. */
function settingsOf({ id, ip: address, mac, subnet, dhcp }: NetworkInterface): string[] {
  const device = devices.nic(id)
  const isIpv6 = familyOf(dhcp.router) === 6
  const options = isIpv6 ? 'noprefixroute nodad' : 'noprefixroute'
  return [
    `link set dev ${device} address ${routerMac} mtu ${mtu}`,
    // It answers at once for the addresses of the other guests.
    `ntable change name arp_cache dev ${device} proxy_delay 0`,
    `link set dev ${device} up`,
    `addr replace ${addressIn(dhcp.router)}/${widthIn(subnet)} dev ${device} ${options}`,
    ...(isIpv6 ? [`addr replace ${routerLinkLocal}/64 dev ${device} nodad`] : []),
    neighbour(addressIn(address), macIn(mac), device),
  ]
}
