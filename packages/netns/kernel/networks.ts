/** The networks of all VPCs that have guests on this host, in its kernel. Needs the rights of root. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMutex, type SledNetwork } from '@purlin/core/ports'
import { dhcpOf } from '../compile/dhcp.ts'
import { nftOf } from '../compile/document.ts'
import { routingOf } from '../compile/routing.ts'
import { addressIn, devices } from '../compile/texts.ts'
import { devicesIn, ip, type Namespace } from './commands.ts'
import { allowedBy, endConnections } from './connections.ts'
import { Dhcp } from './dhcp.ts'
import { Edge } from './edge.ts'
import { namespaces } from './namespaces.ts'
import type { HostNetworks, NicTraffic } from '../privileged/networks.ts'
import { trafficOf } from './traffic.ts'
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
  /** The namespace that is the outside. */
  outside?: Namespace
}

/** Other namespaces have the names of probes and of the edge. */
const isVpcId = (text: string) => /^(?!edge$|n[\da-f]{12}$)[\da-z-]{1,64}$/.test(text)

/** All calls are idempotent, and change one thing after the other. */
export class KernelNetworks implements HostNetworks {
  #options: KernelNetworksOptions
  #edge: Edge
  #changes = createMutex()
  #networks = new Map<string, SledNetwork>()
  #vpcs = new Map<string, Vpc>()
  /** Devices that a machine has opened, and that are not in the namespace of their VPC yet. */
  #ready = new Set<string>()
  /** The networks that are enforced, while the edge does not lead to them yet. */
  #toLead = new Set<string>()
  /** The networks that are enforced, while connections that they do not allow are left: the addresses whose guest was replaced. */
  #toEnd = new Map<string, Set<string>>()

  private constructor(options: KernelNetworksOptions) {
    this.#options = options
    this.#edge = new Edge({ outside: null, ...options, name: `${this.#prefix}-edge` })
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
      await this.#protect()
      const isKnown = this.#networks.get(vpcId)?.version === version
      if (isKnown && !this.#toLead.has(vpcId)) return
      if (!isKnown) {
        // Throws before anything changes.
        nftOf(network)
        routingOf(network, () => true)
        dhcpOf(network, this.#options.resolvers)
        await (interfaces.length === 0 ? this.#remove(network) : this.#enforce(network))
        this.#toLead.add(vpcId)
      }
      await this.#edge.lead(this.#active())
      this.#toLead.clear()
    })
  }

  /** The networks with interfaces that are in force. Servers ask every half minute, so that the host is protected again soon. */
  held(): Promise<{ vpcId: string; version: number }[]> {
    return this.#changes(async () => {
      await this.#protect()
      // The blocks of the host may have changed.
      if (this.#active().length > 0 && this.#toLead.size === 0) await this.#edge.lead(this.#active())
      for (const network of this.#active()) {
        if (this.#toEnd.has(network.vpcId)) await this.#endOthers(network)
        await this.#serveDhcp(network)
      }
      const led = this.#active().filter(({ vpcId }) => !this.#toLead.has(vpcId))
      return led.map(({ vpcId, version }) => ({ vpcId, version }))
    })
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
        if (network.interfaces.some(({ id }) => own.includes(id))) await this.#enforce(network)
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
      const left = (await namespaces()).filter((name) => name.startsWith(`${this.#prefix}-`))
      for (const name of left) await ip(null, 'netns', 'del', name)
    })
  }

  #active(): SledNetwork[] {
    return [...this.#networks.values()].filter(({ interfaces }) => interfaces.length > 0)
  }

  async #protect(): Promise<void> {
    if (this.#active().length > 0) await this.#edge.protect()
  }

  async #enforce(network: SledNetwork): Promise<void> {
    const { vpcId } = network
    const vpc = this.#vpcOf(vpcId)
    await this.#edge.make()
    await vpc.make()
    await this.#edge.connect(vpc.name, network)
    const own = network.interfaces.map(({ id }) => devices.nic(id))
    const ready = own.filter((device) => this.#ready.has(device))
    const there = ready.length > 0 ? await devicesIn(null) : new Set<string>()
    await vpc.enforce(network, new Set(ready.filter((device) => there.has(device))))
    // Not before: the next attempt takes those that an attempt that failed has left.
    for (const device of ready) this.#ready.delete(device)
    const left = this.#toEnd.get(vpcId) ?? []
    this.#toEnd.set(vpcId, new Set([...left, ...this.#freshAddresses(network, ready)]))
    await this.#endOthers(network)
    await this.#serveDhcp(network)
    this.#networks.set(vpcId, network)
    const file = this.#fileOf(vpcId)
    await writeFile(`${file}.new`, JSON.stringify(network), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  /** Ends the connections that a network does not allow. Its rules are in force, so that a failure is no reason to go without it. */
  async #endOthers(network: SledNetwork): Promise<void> {
    const { vpcId } = network
    const isAllowed = allowedBy(network)
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
  #freshAddresses({ vpcId, interfaces }: SledNetwork, started: readonly string[]): Set<string> {
    const before = new Map(this.#networks.get(vpcId)?.interfaces.map(({ id, ip: address }) => [id, address]))
    const fresh = interfaces.filter(
      ({ id, ip: address }) => before.get(id) !== address || started.includes(devices.nic(id)),
    )
    return new Set(fresh.map((one) => addressIn(one.ip)))
  }

  async #remove(network: SledNetwork): Promise<void> {
    const { vpcId } = network
    this.#toEnd.delete(vpcId)
    await this.#dhcpOf(vpcId).stop()
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
    const vpc = this.#vpcs.get(vpcId) ?? new Vpc(this.#prefix, vpcId)
    this.#vpcs.set(vpcId, vpc)
    return vpc
  }

  /** Starts a server that has ended again. */
  async #serveDhcp(network: SledNetwork): Promise<void> {
    const { vpcId } = network
    await this.#dhcpOf(vpcId).serve(this.#vpcOf(vpcId).name, dhcpOf(network, this.#options.resolvers))
  }

  #dhcpOf(vpcId: string): Dhcp {
    return new Dhcp(join(this.#options.folder, `${vpcId}.dhcp`))
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
      const isThere = there.includes(this.#vpcOf(vpcId).name)
      const text = await readFile(this.#fileOf(vpcId), 'utf8')
      const network = isThere ? (JSON.parse(text) as SledNetwork) : undefined
      if (network) this.#networks.set(vpcId, network)
      else await rm(this.#fileOf(vpcId), { force: true })
    }
    const known = new Set(this.#active().flatMap((one) => this.#namesOf(one)))
    const left = there.filter((name) => name.startsWith(`${this.#prefix}-`) && !known.has(name))
    for (const name of left) await ip(null, 'netns', 'del', name)
    // One that was not connected yet: its machine may have been connected by the process before, and does not ask again.
    const present = await devicesIn(null)
    for (const { id } of this.#active().flatMap(({ interfaces }) => interfaces))
      if (present.has(devices.nic(id))) this.#ready.add(devices.nic(id))
    // A process that ended at a bad moment may have left all denied.
    for (const network of this.#active()) await this.#enforce(network)
    if (this.#active().length > 0) await this.#edge.lead(this.#active())
  }

  #namesOf({ vpcId, interfaces }: SledNetwork): string[] {
    const probes = interfaces.filter(({ owner }) => owner === 'probe')
    const own = probes.map(({ id }) => `${this.#prefix}-${devices.nic(id)}`)
    return [this.#vpcOf(vpcId).name, this.#edge.name, ...own]
  }
}
