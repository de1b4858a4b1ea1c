import { contains, parseIp, parseNet } from '@purlin/contract/rules/network/ip'
import type {
  LinkConfiguration,
  NeighborInfo,
  NetworkFilter,
  PeerConfiguration,
  SwitchConfiguration,
  SwitchStatus,
} from '@purlin/core/ports'
import { hash32 } from '../hash.ts'
import { BfdSession } from './bfd-session.ts'
import { BgpSession, type FarEnd, type SessionSettings } from './bgp-session.ts'
import { Neighbor } from './neighbor.ts'

/** A network that a router announces, and the autonomous systems on the way to it. */
export interface RouterRoute {
  network: string
  path: readonly number[]
}

/**
 * A router outside of the rack. It is set up as the switch expects it, except for what is given here, and announces the
 * default route.
 */
export interface Router {
  isAway?: boolean
  asn?: number
  key?: string | null
  answersBfd?: boolean
  routes?: readonly RouterRoute[]
}

/** The surroundings of a switch. */
export interface Surroundings {
  /** True if something is connected to a port and answers. */
  isUp(port: string): boolean
  routerAt(address: string): Router
}

/** The autonomous system of a router of which nothing is known. */
const usualAsn = 64_500

interface Place {
  port: string
  link: LinkConfiguration
}

/** One switch: its sessions and neighbors follow from its configuration and from what is around it. */
export class SimulatedSwitch {
  readonly #name: string
  readonly #around: Surroundings
  #configuration: SwitchConfiguration | null = null
  #sessions = new Map<string, BgpSession>()
  #bfd = new Map<string, BfdSession>()
  #neighbors = new Map<string, Neighbor>()

  constructor(name: string, around: Surroundings) {
    this.#name = name
    this.#around = around
  }

  get configuration(): SwitchConfiguration | null {
    return this.#configuration
  }

  configure(configuration: SwitchConfiguration, now: number): void {
    this.#advance(now)
    this.#configuration = configuration
    this.#settle(now)
  }

  /** As after a loss of power. */
  forget(): void {
    this.#configuration = null
    this.#sessions.clear()
    this.#bfd.clear()
    this.#neighbors.clear()
  }

  /** Something around it has changed. */
  face(now: number): void {
    this.#advance(now)
    this.#settle(now)
  }

  status(now: number): SwitchStatus {
    this.#advance(now)
    const places = this.#places()
    return {
      peers: places.flatMap((place) =>
        place.link.peers.flatMap(({ address }) => {
          const session = this.#sessions.get(sessionKey(place, address))
          const localAsn = this.#configuration?.asn ?? 0
          return session ? [{ port: place.port, address, localAsn, ...session.status() }] : []
        }),
      ),
      bfd: [...this.#bfd.values()].map(({ configuration, state }) => ({ ...configuration, state })),
      neighbors: places.flatMap((place) => {
        const seen = this.#neighbors.get(linkKey(place))?.seen(now)
        return seen ? [{ ...this.#neighborOf(place), ...seen }] : []
      }),
    }
  }

  /** Sessions and detection influence each other, so they advance together. */
  #advance(now: number): void {
    for (;;) {
      const [next] = [...this.#bfd.values()].toSorted((a, b) => a.due - b.due)
      if (!next || next.due > now) break
      const at = next.due
      if (!next.step()) continue
      for (const [key, session] of this.#sessions)
        if (key.endsWith(` ${next.configuration.remote}`)) session.lose(at)
    }
    for (const session of this.#sessions.values()) session.advance(now)
  }

  /** Brings sessions and neighbors in line with the configuration and with what is around. */
  #settle(now: number): void {
    const places = this.#places()
    const wanted = new Set<string>()
    for (const place of places) {
      wanted.add(linkKey(place))
      this.#listen(place, now)
      for (const peer of place.link.peers) {
        wanted.add(sessionKey(place, peer.address))
        this.#talk(place, peer, now)
      }
    }
    for (const { remote } of this.#configuration?.bfd ?? []) wanted.add(remote)
    for (const machines of [this.#sessions, this.#neighbors, this.#bfd])
      for (const key of machines.keys()) if (!wanted.has(key)) machines.delete(key)
    for (const session of this.#configuration?.bfd ?? []) {
      const known = this.#bfd.get(session.remote)
      const hears = this.#hears(session)
      if (known && JSON.stringify(known.configuration) === JSON.stringify(session)) known.listen(hears, now)
      else this.#bfd.set(session.remote, new BfdSession(session, hears, now))
    }
  }

  #talk(place: Place, peer: PeerConfiguration, now: number): void {
    const key = sessionKey(place, peer.address)
    const settings: SessionSettings = {
      asn: this.#configuration?.asn ?? 0,
      peer,
      exported: passing(peer.allowedExport, this.#configuration?.announced ?? []),
    }
    const farEnd = this.#farEnd(place, peer)
    const known = this.#sessions.get(key)
    known?.change(settings, now)
    known?.face(farEnd, now)
    if (!known) this.#sessions.set(key, new BgpSession(settings, farEnd, now))
  }

  #listen(place: Place, now: number): void {
    const known = this.#neighbors.get(linkKey(place)) ?? new Neighbor()
    this.#neighbors.set(linkKey(place), known)
    const isListening = place.link.lldp.isEnabled && this.#around.isUp(place.port)
    const speaks = place.link.peers.every(({ address }) => !this.#around.routerAt(address).isAway)
    known.listen({ isListening, speaks }, now)
  }

  #farEnd(place: Place, peer: PeerConfiguration): FarEnd {
    const router = this.#around.routerAt(peer.address)
    const hasKey = router.key === undefined || router.key === peer.md5AuthKey
    const asn = router.asn ?? peer.remoteAsn ?? usualAsn
    const everything = peer.address.includes(':') ? '::/0' : '0.0.0.0/0'
    const routes = router.routes ?? [{ network: everything, path: [asn] }]
    const trusted = routes.filter(({ path }) => !peer.enforceFirstAs || path[0] === asn)
    return {
      obstacle: this.#obstacle(place, peer),
      answers: router.isAway !== true && hasKey,
      asn,
      routes: passing(
        peer.allowedImport,
        trusted.map(({ network }) => network),
      ),
    }
  }

  /** Why no packet gets to a peer; null if packets do. */
  #obstacle(place: Place, { address, vlanId }: Pick<PeerConfiguration, 'address' | 'vlanId'>): string | null {
    if (!this.#around.isUp(place.port)) return `the link of ${place.port} is down`
    const leads = isConnected(place.link, address, vlanId) || isRouted(place.link, address, vlanId)
    return leads ? null : `no address and no route of ${place.link.name} leads to ${address}`
  }

  #hears({ remote, local, mode }: SwitchConfiguration['bfd'][number]): boolean {
    const { isAway = false, answersBfd = true } = this.#around.routerAt(remote)
    const own = this.#configuration?.loopbacks ?? []
    const places = this.#places()
    const addresses = [...own, ...places.flatMap(({ link }) => link.addresses.map(({ address }) => address))]
    const isOwn = local === null || addresses.some((one) => one.startsWith(`${local}/`))
    const isReached = places.some(
      ({ port, link }) =>
        this.#around.isUp(port) &&
        (isConnected(link, remote, null) || (mode === 'multi_hop' && isRouted(link, remote, null))),
    )
    return !isAway && answersBfd && isOwn && isReached
  }

  #places(): Place[] {
    return (this.#configuration?.ports ?? []).flatMap(({ name, links }) =>
      links.map((link) => ({ port: name, link })),
    )
  }

  /** The router at the other end of a link. */
  #neighborOf({ port, link }: Place): Omit<NeighborInfo, 'firstSeen' | 'lastSeen'> {
    const hash = hash32(`${this.#name} ${port}`, 1).toString(16).padStart(8, '0')
    return {
      port,
      localLink: link.name,
      linkName: `et-0/0/${hash32(port, 2) % 32}`,
      linkDescription: null,
      chassisId: `02:00:${hash.match(/../g)?.join(':') ?? ''}`,
      systemName: `edge-${hash.slice(0, 4)}`,
      systemDescription: 'Simulated router',
      managementIps: link.peers.map(({ address }) => address),
    }
  }
}

const linkKey = ({ port, link }: Place): string => `${port} ${link.name}`
const sessionKey = (place: Place, address: string): string => `${linkKey(place)} ${address}`

const passing = (filter: NetworkFilter, networks: readonly string[]): string[] =>
  networks.filter((network) => filter === null || filter.includes(network))

/** True if an address of the link is in the same network. */
function isConnected({ addresses }: LinkConfiguration, address: string, vlanId: number | null): boolean {
  const ip = parseIp(address)
  return addresses.some((own) => {
    const net = parseNet(own.address)
    const isSameVlan = vlanId === null || own.vlanId === vlanId
    return isSameVlan && net && ip && contains(net, ip) && !own.address.startsWith(`${address}/`)
  })
}

/** True if a route of the link leads there. */
function isRouted(link: LinkConfiguration, address: string, vlanId: number | null): boolean {
  const ip = parseIp(address)
  return link.routes.some(({ destination, gateway }) => {
    const net = parseNet(destination)
    return net && ip && contains(net, ip) && isConnected(link, gateway, vlanId)
  })
}
