/** The networks of all VPCs that have guests on this host, in its kernel. Needs the rights of root. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMutex, type SledNetwork } from '@purlin/core/ports'
import { dhcpOf, type OfHost } from '../compile/dhcp.ts'
import { nftOf } from '../compile/document.ts'
import { namesOf, type Names } from '../compile/names.ts'
import { routingOf } from '../compile/routing.ts'
import { addressIn, devices } from '../compile/texts.ts'
import type { RemotePeer } from '../compile/tunnel.ts'
import { devicesIn, ip, type Namespace } from './commands.ts'
import { allowedBy, endConnections } from './connections.ts'
import { Dnsmasq } from './dnsmasq.ts'
import { Edge } from './edge.ts'
import { NameServers } from './name-servers.ts'
import { namespaces } from './namespaces.ts'
import type { HostNetworks, NamedAddresses, NicTraffic } from '../privileged/networks.ts'
import { trafficOf } from './traffic.ts'
import { removeTunnel, Underlay } from './underlay.ts'
import { Vpc } from './vpc.ts'

export interface KernelNetworksOptions {
  /** Different for each server on this host: 1 to 8 letters and digits. */
  scope: string
  /** Has the networks in force, so that the next process takes them over. */
  folder: string
  /** The user whose machines have the guests. */
  owner: number
  /** The DNS servers of guests. */
  resolvers: readonly string[]
  /** The blocks of external addresses that the host leads to guests; null: any. */
  external: readonly string[] | null
  /** Blocks beyond the host that guests reach although they are private or the host's own. */
  reach: readonly string[]
  /** The IP address at which this host takes packets of VPCs from other hosts; it takes none without one. */
  tunnelAddress?: string | undefined
  /** The namespace that is the outside. */
  outside?: Namespace
}

const everywhere = ['0.0.0.0/0', '::/0']

/** A network that has guests here, or addresses that this host leads. */
const isInForce = ({ interfaces, led = [] }: SledNetwork) => interfaces.length > 0 || led.length > 0

/** Other namespaces have the names of probes and of the edge. */
const isVpcId = (text: string) => /^(?!edge$|n[\da-f]{12}$)[\da-z-]{1,64}$/.test(text)

/** All calls are idempotent, and change one thing after the other. */
export class KernelNetworks implements HostNetworks {
  #options: KernelNetworksOptions
  #edge: Edge
  #underlay: Underlay
  #changes = createMutex()
  #networks = new Map<string, SledNetwork>()
  #vpcs = new Map<string, Vpc>()
  /** Devices that a machine has opened, and that are not in the namespace of their VPC yet. */
  #ready = new Set<string>()
  /** The networks that are enforced, while the edge does not lead to them yet. */
  #toLead = new Set<string>()
  /** The networks that are enforced, while connections that they do not allow are left: the addresses whose guest was replaced. */
  #toEnd = new Map<string, Set<string>>()

  /** Of each network, what is made of it and of this host. */
  #arounds = new WeakMap<SledNetwork, { remote: RemotePeer[]; names: Names | undefined }>()

  private constructor(options: KernelNetworksOptions) {
    this.#options = options
    const { scope, outside = null, tunnelAddress: address } = options
    const underlay = new Underlay({ address, outside, table: `purlin_${scope}_tunnels` })
    this.#underlay = underlay
    this.#edge = new Edge({ ...options, outside, underlay, name: `${this.#prefix}-edge` })
  }

  /** Takes over the networks of the process before, and removes what it has left of others. */
  static async open(options: KernelNetworksOptions): Promise<KernelNetworks> {
    if (!/^[\da-z]{1,8}$/.test(options.scope)) throw new Error('a scope has 1 to 8 letters and digits')
    const networks = new KernelNetworks(options)
    await networks.#takeOver()
    return networks
  }

  get #prefix(): string {
    return `purlin-${this.#options.scope}`
  }

  /** Enforces a network, unless this version is in force. One without interfaces is removed. */
  set(network: SledNetwork): Promise<void> {
    return this.#changes(async () => {
      const { vpcId, version, interfaces } = network
      if (!isVpcId(vpcId)) throw new Error('a network has a malformed id')
      const isKnown = this.#networks.get(vpcId)?.version === version
      // Enforcing a network protects the host as well.
      if (isKnown || interfaces.length === 0) await this.#protect()
      if (isKnown && !this.#toLead.has(vpcId)) return
      if (!isKnown) {
        // Throws before anything changes.
        const ofHost = await this.#ofHost()
        const around = this.#around(network)
        nftOf(network, around)
        routingOf(network, () => true, around)
        dhcpOf(network, ofHost, around.names)
        await (interfaces.length === 0 ? this.#leave(network) : this.#enforce(network, ofHost))
        this.#toLead.add(vpcId)
      }
      await this.#edge.lead(this.#known())
      this.#toLead.clear()
    })
  }

  /** The networks with interfaces that are in force. Servers ask every half minute, so that the host is protected again soon. */
  held(): Promise<{ vpcId: string; version: number }[]> {
    return this.#changes(async () => {
      await this.#protect()
      // The blocks of the host may have changed.
      if (this.#known().length > 0 && this.#toLead.size === 0) await this.#edge.lead(this.#known())
      const ofHost = await this.#ofHost()
      for (const network of this.#active()) {
        if (this.#toEnd.has(network.vpcId)) await this.#endOthers(network)
        await this.#serve(network, ofHost)
      }
      const led = this.#known().filter(({ vpcId }) => !this.#toLead.has(vpcId))
      return led.map(({ vpcId, version }) => ({ vpcId, version }))
    })
  }

  async named(): Promise<NamedAddresses> {
    const { external } = this.#options
    return { tunnelAddress: this.#underlay.address ?? null, external: [...(external ?? everywhere)] }
  }

  /** Makes new devices for interfaces, which the owner may open and which lead nowhere yet; returns their names. */
  prepare(nicIds: readonly string[]): Promise<string[]> {
    return this.#changes(async () => {
      await this.#protect()
      for (const id of nicIds) await this.#drop(id)
      const names = nicIds.map(devices.nic)
      const user = String(this.#options.owner)
      for (const name of names) {
        await ip(null, 'tuntap', 'add', 'dev', name, 'mode', 'tap', 'user', user)
        await ip(null, 'link', 'set', 'dev', name, 'addrgenmode', 'none')
      }
      return names
    })
  }

  /** Connects devices that a machine has opened, at once or when their network comes. */
  connect(nicIds: readonly string[]): Promise<void> {
    return this.#changes(async () => {
      const there = await devicesIn(null)
      const own = nicIds.filter((id) => there.has(devices.nic(id)))
      for (const id of own) this.#ready.add(devices.nic(id))
      for (const network of this.#active())
        if (network.interfaces.some(({ id }) => own.includes(id)))
          await this.#enforce(network, await this.#ofHost())
    })
  }

  /** Removes the devices of interfaces whose machine has ended. */
  release(nicIds: readonly string[]): Promise<void> {
    return this.#changes(async () => {
      for (const id of nicIds) await this.#drop(id)
    })
  }

  /** Reads, and waits for no change. A network that goes at this moment has none. */
  async traffic(nicIds: readonly string[]): Promise<NicTraffic[]> {
    const asked = new Set(nicIds)
    const read: NicTraffic[] = []
    // One after the other: each is a process.
    for (const { vpcId, interfaces } of this.#active()) {
      const own = interfaces.filter(({ id }) => asked.has(id)).map(({ id }) => id)
      if (own.length > 0) read.push(...(await trafficOf(this.#vpcOf(vpcId).name, own).catch(() => [])))
    }
    return read
  }

  /** Removes all namespaces and devices. */
  clear(): Promise<void> {
    return this.#changes(async () => {
      for (const network of this.#active()) await this.#remove(network)
      this.#networks.clear()
      this.#toLead.clear()
      this.#toEnd.clear()
      await this.#edge.remove()
      await this.#underlay.remove()
      await this.#removeNamespaces(() => true)
    })
  }

  async #removeNamespaces(isLeft: (name: string) => boolean): Promise<void> {
    const own = (await namespaces()).filter((name) => name.startsWith(`${this.#prefix}-`))
    for (const name of own.filter(isLeft)) {
      await removeTunnel(name)
      await ip(null, 'netns', 'del', name)
    }
  }

  #active(): SledNetwork[] {
    return [...this.#networks.values()].filter(({ interfaces }) => interfaces.length > 0)
  }

  /** Those, and the ones that this host only leads addresses for. */
  #known(): SledNetwork[] {
    return [...this.#networks.values()].filter(isInForce)
  }

  async #protect(): Promise<void> {
    if (this.#known().length === 0) return
    await this.#edge.protect()
    await this.#underlay.protect(this.#known())
  }

  async #enforce(network: SledNetwork, ofHost: OfHost): Promise<void> {
    const { vpcId } = network
    const vpc = this.#vpcOf(vpcId)
    await this.#edge.make()
    // Before anything can arrive.
    await this.#underlay.protect([...this.#known().filter((one) => one.vpcId !== vpcId), network])
    await vpc.make()
    await this.#edge.connect(vpc.name, network)
    const own = network.interfaces.map(({ id }) => devices.nic(id))
    const ready = own.filter((device) => this.#ready.has(device))
    const there = ready.length > 0 ? await devicesIn(null) : new Set<string>()
    const taken = new Set(ready.filter((device) => there.has(device)))
    await vpc.enforce(network, taken, { carried: ofHost.mtu, names: this.#around(network).names })
    // Not before: the next attempt takes those that an attempt that failed has left.
    for (const device of ready) this.#ready.delete(device)
    const left = this.#toEnd.get(vpcId) ?? []
    this.#toEnd.set(vpcId, new Set([...left, ...this.#freshAddresses(network, ready)]))
    await this.#endOthers(network)
    // A machine that has started may have another system, and its addresses of IPv6 belong to clients.
    await this.#serve(network, ofHost, taken.size > 0)
    await this.#keep(network)
  }

  /** In force from now on, also for the next process. */
  async #keep(network: SledNetwork): Promise<void> {
    this.#networks.set(network.vpcId, network)
    const file = this.#fileOf(network.vpcId)
    await writeFile(`${file}.new`, JSON.stringify(network), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  /** Takes over a network without interfaces here, which may have addresses that this host leads. */
  async #leave(network: SledNetwork): Promise<void> {
    await this.#remove(network)
    if (!isInForce(network)) return
    await this.#edge.make()
    await this.#keep(network)
    await this.#protect()
  }

  /** Ends the connections that a network does not allow. Its rules are in force, so that a failure is no reason to go without it. */
  async #endOthers(network: SledNetwork): Promise<void> {
    const { vpcId } = network
    const isAllowed = allowedBy(network, this.#around(network))
    const fresh = this.#toEnd.get(vpcId) ?? new Set()
    try {
      await endConnections(
        { namespace: this.#vpcOf(vpcId).name, file: join(this.#options.folder, `${vpcId}.ended`) },
        (one) => fresh.has(one.source) || fresh.has(one.answer.source) || !isAllowed(one),
      )
      this.#toEnd.delete(vpcId)
    } catch (error) {
      process.emitWarning(`connections of VPC ${vpcId} are ended later: ${String(error)}`)
    }
  }

  /** The addresses whose guest is another one than before, or has started again. */
  #freshAddresses({ vpcId, interfaces, peers }: SledNetwork, started: readonly string[]): Set<string> {
    const known = this.#networks.get(vpcId)
    const before = new Map(known?.interfaces.map(({ id, ip: address }) => [id, address]))
    const macs = new Map(known?.peers.map(({ ip: address, mac }) => [address, mac]))
    const fresh = interfaces.filter(
      ({ id, ip: address }) => before.get(id) !== address || started.includes(devices.nic(id)),
    )
    const others = peers.filter(({ ip: address, mac }) => macs.get(address) !== mac)
    return new Set([...fresh, ...others].map((one) => addressIn(one.ip)))
  }

  async #remove(network: SledNetwork): Promise<void> {
    const { vpcId } = network
    this.#toEnd.delete(vpcId)
    await this.#dhcpOf(vpcId).stop()
    await this.#nameServersOf(vpcId).stop()
    await this.#vpcOf(vpcId).remove(this.#networks.get(vpcId))
    // Its version stays known, so that an older network does not come back.
    this.#networks.set(vpcId, { ...network, rules: [], routeSets: [], peers: [], interfaces: [] })
    await rm(this.#fileOf(vpcId), { force: true })
  }

  async #drop(nicId: string): Promise<void> {
    const device = devices.nic(nicId)
    this.#ready.delete(device)
    for (const { vpcId, interfaces } of this.#active())
      if (interfaces.some(({ id }) => id === nicId)) await this.#vpcOf(vpcId).drop(nicId)
    if ((await devicesIn(null)).has(device)) await ip(null, 'link', 'del', device)
  }

  #vpcOf(vpcId: string): Vpc {
    const vpc = this.#vpcs.get(vpcId) ?? new Vpc(this.#prefix, vpcId, this.#underlay)
    this.#vpcs.set(vpcId, vpc)
    return vpc
  }

  /** Starts a server of addresses or names that has ended again. */
  async #serve(network: SledNetwork, ofHost: OfHost, again = false): Promise<void> {
    const { vpcId } = network
    const { name } = this.#vpcOf(vpcId)
    const { names } = this.#around(network)
    await this.#nameServersOf(vpcId).serve(name, names)
    await this.#dhcpOf(vpcId).serve(name, dhcpOf(network, ofHost, names), again)
  }

  #around(network: SledNetwork): { remote: RemotePeer[]; names: Names | undefined } {
    const known = this.#arounds.get(network)
    const around = known ?? {
      remote: this.#underlay.remote(network),
      names: namesOf(network, this.#options.resolvers),
    }
    this.#arounds.set(network, around)
    return around
  }

  async #ofHost(): Promise<OfHost> {
    return { resolvers: this.#options.resolvers, mtu: await this.#underlay.mtu() }
  }

  #dhcpOf(vpcId: string): Dnsmasq {
    return new Dnsmasq(join(this.#options.folder, `${vpcId}.dhcp`))
  }

  #nameServersOf(vpcId: string): NameServers {
    const { folder } = this.#options
    return new NameServers({
      settings: join(folder, `${vpcId}.names`),
      // Another folder, as this one is closed to other users.
      hosts: join(`${folder}-names`, vpcId),
    })
  }

  #fileOf(vpcId: string): string {
    return join(this.#options.folder, `${vpcId}.json`)
  }

  async #takeOver(): Promise<void> {
    const { folder } = this.#options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const there = await namespaces()
    for (const name of await readdir(folder)) {
      const vpcId = /^(.*)\.json$/.exec(name)?.[1]
      if (vpcId === undefined || !isVpcId(vpcId)) continue
      // A host that was restarted has files and no namespaces.
      const known = JSON.parse(await readFile(this.#fileOf(vpcId), 'utf8')) as SledNetwork
      const namespace = known.interfaces.length > 0 ? this.#vpcOf(vpcId).name : this.#edge.name
      const network = there.includes(namespace) ? known : undefined
      if (network) this.#networks.set(vpcId, network)
      else await rm(this.#fileOf(vpcId), { force: true })
    }
    const known = new Set(this.#known().flatMap((one) => this.#namesOf(one)))
    await this.#removeNamespaces((name) => !known.has(name))
    // One that was not connected yet: its machine may have been connected by the process before, and does not ask again.
    const present = await devicesIn(null)
    for (const { id } of this.#active().flatMap(({ interfaces }) => interfaces))
      if (present.has(devices.nic(id))) this.#ready.add(devices.nic(id))
    // A process that ended at a bad moment may have left all denied.
    for (const network of this.#active()) await this.#enforce(network, await this.#ofHost())
    if (this.#known().length > 0) await this.#edge.make()
    await this.#protect()
    if (this.#known().length > 0) await this.#edge.lead(this.#known())
  }

  #namesOf({ vpcId, interfaces }: SledNetwork): string[] {
    const probes = interfaces.filter(({ owner }) => owner === 'probe')
    const own = probes.map(({ id }) => `${this.#prefix}-${devices.nic(id)}`)
    return [this.#vpcOf(vpcId).name, this.#edge.name, ...own]
  }
}
