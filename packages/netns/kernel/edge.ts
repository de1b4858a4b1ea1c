/** The namespace between the VPCs of a host and its outside. Guests never reach the host itself by it. */
import type { SledNetwork } from '@purlin/core/ports'
import {
  edgeDevices,
  edgeNftOf,
  edgeRoutingOf,
  entryAddress,
  externalAddresses,
  hostNftOf,
} from '../compile/edge.ts'
import { gatewaysOf } from '../compile/gateways.ts'
import { edgeLimits } from '../compile/limits.ts'
import { routeProtocol } from '../compile/routing.ts'
import { othersIn, type OtherHost } from '../compile/ways.ts'
import { beyond, devices, families, familyOf, netIn, shortOf } from '../compile/texts.ts'
import { applyNft, devicesIn, inside, ip, ipBatch, type Namespace } from './commands.ts'
import {
  linkMacs,
  makeLink,
  makeNamespace,
  neighbour,
  removeNamespace,
  replaceRouting,
} from './namespaces.ts'
import { removeTunnel, type Underlay } from './underlay.ts'

interface EdgeOptions {
  /** of its namespace */
  name: string
  /** Different on each host and for each server: its devices and addresses are made of it. */
  scope: string
  /** The namespace that is the outside: null is the host's. */
  outside: Namespace
  /** The blocks of external addresses that the outside may lead here; null: any. */
  external: readonly string[] | null
  /** Blocks beyond the host that guests reach although they are private or the host's own. */
  reach: readonly string[]
  /** The DNS servers of guests. */
  resolvers: readonly string[]
  /** The way to other hosts. */
  underlay: Underlay
}

export class Edge {
  readonly name: string
  /** The device of the outside that leads to the guests. */
  readonly hostDevice: string
  readonly hostAddress: string
  readonly ownAddress: string
  #outside: Namespace
  #external: readonly string[] | null
  #allowed: Pick<EdgeOptions, 'reach' | 'resolvers'>
  /** The rules and routes in force, if this process has made it. */
  #led = ''
  #underlay: Underlay
  /** The other hosts that it is connected with, if this process has done so. */
  #others = ''

  constructor({ name, scope, outside, external, reach, resolvers, underlay }: EdgeOptions) {
    this.#underlay = underlay
    this.name = name
    this.hostDevice = `pl-${scope}`
    this.#outside = outside
    this.#external = external
    this.#allowed = { reach, resolvers }
    // Each server has two addresses of a range that is used on one link only.
    const at = Number.parseInt(shortOf(scope).slice(0, 4), 16)
    const base = `169.254.${64 + (at >> 9)}.`
    const last = (at & 0x3f) * 4
    this.hostAddress = `${base}${last + 1}`
    this.ownAddress = `${base}${last + 2}`
  }

  /** Keeps guests from the host: makes its rules again, as they go with all others where someone flushes those of the host. */
  async protect(): Promise<void> {
    await applyNft(this.#outside, hostNftOf(this.#table, this.hostDevice))
  }

  /** Makes the namespace and its link to the outside. */
  async make(): Promise<void> {
    await this.protect()
    await makeNamespace(this.name, { hasGuests: false, limits: edgeLimits, furnish: () => this.#furnish() })
  }

  async #furnish(): Promise<void> {
    this.#led = ''
    this.#others = ''
    await ip(this.#outside, 'link', 'del', this.hostDevice).catch(() => '')
    // Before the link, so that nothing passes without rules.
    await applyNft(this.name, edgeNftOf([], { ...this.#allowed, own: [] }))
    await makeLink({
      from: { namespace: this.name, device: edgeDevices.uplink },
      to: { namespace: this.#outside, device: this.hostDevice },
    })
    await ipBatch(this.name, [
      `addr replace ${this.ownAddress}/30 dev ${edgeDevices.uplink}`,
      neighbour(this.hostAddress, linkMacs.outer, edgeDevices.uplink),
    ])
    await ipBatch(this.#outside, [
      `addr replace ${this.hostAddress}/30 dev ${this.hostDevice}`,
      neighbour(this.ownAddress, linkMacs.inner, this.hostDevice),
    ])
  }

  get #table(): string {
    return `purlin_${this.hostDevice.slice('pl-'.length)}`
  }

  /** Connects a VPC: its entry and its gateways. Those that it has no more are removed with their other ends. */
  async connect(namespace: string, network: SledNetwork): Promise<void> {
    const [here, there] = await Promise.all([devicesIn(namespace), devicesIn(this.name)])
    const entry = [devices.entry, edgeDevices.entry(network.vpcId)] as const
    const gateways = gatewaysOf(network).map((id) => [devices.gateway(id), edgeDevices.gateway(id)] as const)
    const wanted = [entry, ...gateways]
    const names = new Set<string>(wanted.map(([inner]) => inner))
    for (const device of here)
      if (/^g[\da-f]{12}$/.test(device) && !names.has(device)) await ip(namespace, 'link', 'del', device)
    for (const [inner, outer] of wanted) {
      if (here.has(inner)) continue
      // Its routes have gone with the device before.
      this.#led = ''
      if (there.has(outer)) await ip(this.name, 'link', 'del', outer)
      await this.#join({ namespace, inner, outer }).catch(async (error: unknown) => {
        // The next attempt makes all of it.
        await ip(namespace, 'link', 'del', inner).catch(() => '')
        throw error
      })
    }
  }

  async #join({ namespace, inner, outer }: { namespace: string; inner: string; outer: string }) {
    await makeLink({
      from: { namespace, device: inner },
      to: { namespace: this.name, device: outer },
    })
    const out = families.map((family) => neighbour(beyond[family], linkMacs.outer, inner))
    await ipBatch(namespace, out)
    if (inner !== devices.entry) return
    const into = families.map((family) => neighbour(entryAddress[family], linkMacs.inner, outer))
    await ipBatch(this.name, into)
  }

  /** The blocks that the devices of the outside are in now. */
  async #blocksOutside(): Promise<string[]> {
    const devices = JSON.parse(await ip(this.#outside, '-j', 'addr', 'show')) as {
      addr_info: { local?: string; prefixlen: number }[]
    }[]
    return devices
      .flatMap(({ addr_info }) => addr_info)
      .flatMap(({ local, prefixlen }) => (local === undefined ? [] : [netIn(`${local}/${prefixlen}`)]))
      .toSorted()
  }

  /** Leads packets to the guests of these networks, and those of no others. Nothing changes if all is as it was. */
  async lead(networks: readonly SledNetwork[]): Promise<void> {
    const others = othersIn(this.#underlay.carried(networks))
    const document = edgeNftOf(networks, { ...this.#allowed, own: await this.#blocksOutside() }, others)
    const routing = edgeRoutingOf(networks, { 4: this.hostAddress }, others)
    await this.#connect(others)
    const whole = JSON.stringify([document, routing])
    if (whole === this.#led) return
    this.#led = ''
    await applyNft(this.name, document)
    await replaceRouting(this.name, routeProtocol, routing)
    const own = externalAddresses(networks, this.#external).filter((one) => familyOf(one) === 4)
    const lines = own.map(
      (one) => `route replace ${one}/32 via ${this.ownAddress} dev ${this.hostDevice} proto ${routeProtocol}`,
    )
    const known = await ip(
      this.#outside,
      '-j',
      'route',
      'show',
      'dev',
      this.hostDevice,
      'proto',
      String(routeProtocol),
    )
    const stale = (JSON.parse(known || '[]') as { dst: string }[])
      .map(({ dst }) => dst)
      .filter((dst) => !own.includes(dst.replace(/\/32$/, '')))
    await ipBatch(this.#outside, [...lines, ...stale.map((dst) => `route del ${dst} dev ${this.hostDevice}`)])
    this.#led = whole
  }

  async #connect(others: readonly OtherHost[]): Promise<void> {
    const whole = JSON.stringify(others)
    if (whole === this.#others) return
    this.#others = ''
    // Its routes go with the device before.
    this.#led = ''
    await this.#underlay.connectEdge(this.name, others)
    this.#others = whole
  }

  /** Removes all that was made. */
  async remove(): Promise<void> {
    this.#led = ''
    this.#others = ''
    await removeTunnel(this.name)
    await removeNamespace(this.name)
    await inside(this.#outside, ['nft', 'delete', 'table', 'inet', this.#table]).catch(() => '')
  }
}
