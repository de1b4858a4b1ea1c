/** The network between hosts, which carries packets for the guests of other hosts. */
import type { SledNetwork } from '@purlin/core/ports'
import { addressIn, devices, numberIn } from '../compile/texts.ts'
import {
  forwardingOf,
  mtuOver,
  remotePeersOf,
  tunnelNftOf,
  tunnelPort,
  type RemotePeer,
} from '../compile/tunnel.ts'
import { carriedFor, edgeMac, edgeVni, type Carried, type OtherHost } from '../compile/ways.ts'
import { applyNft, inside, ip, ipBatch, run, type Namespace } from './commands.ts'
import { neighbour } from './namespaces.ts'

interface UnderlayOptions {
  /** The address at which this host takes packets of others; undefined if it takes none. */
  address: string | undefined
  /** The namespace that has this address: null is the host's. */
  outside: Namespace
  /** of the rules of the host */
  table: string
}

interface Making {
  vni: number
  mtu: number
  /** of the device; any unless given */
  mac?: string | undefined
  ends: readonly Pick<RemotePeer, 'ip' | 'mac' | 'host'>[]
}

const mostVni = 2 ** 24 - 1
/** of a device that has no other */
const usualMtu = 1_500

export class Underlay {
  readonly address: string | undefined
  #outside: Namespace
  #table: string

  constructor({ address, outside, table }: UnderlayOptions) {
    this.address = address === undefined ? undefined : addressIn(address)
    this.#outside = outside
    this.#table = table
  }

  /** The guests of other hosts that this host reaches. */
  remote(network: SledNetwork): RemotePeer[] {
    return remotePeersOf(network, this.address)
  }

  /** The external addresses that cross the way between edges. */
  carried(networks: readonly SledNetwork[]): Carried[] {
    return carriedFor(networks, this.address)
  }

  /** Lets the host take packets for these networks, and only from where their guests are. */
  async protect(networks: readonly SledNetwork[]): Promise<void> {
    if (this.address === undefined) return
    const taken = networks
      .filter(({ interfaces }) => interfaces.length > 0)
      .map((network) => ({ vni: network.vni, remote: this.remote(network) }))
    const of = { networks: taken, carried: this.carried(networks) }
    await applyNft(this.#outside, tunnelNftOf(this.#table, this.address, of))
  }

  /** Bytes of a packet of a guest that reach other hosts as well. */
  async mtu(): Promise<number> {
    if (this.address === undefined) return usualMtu
    const links = JSON.parse(await ip(this.#outside, '-j', 'addr', 'show')) as {
      mtu: number
      addr_info: { local?: string }[]
    }[]
    const own = links.find(({ addr_info }) => addr_info.some(({ local }) => local === this.address))
    return mtuOver(own?.mtu ?? usualMtu, this.address)
  }

  /** Makes the device of a VPC again, with an entry for each guest of other hosts; without any there is none. */
  async connect(namespace: string, vni: number, { ends, mtu }: Pick<Making, 'ends' | 'mtu'>) {
    await this.#make(namespace, { vni, mtu, ends })
  }

  /** Makes the device of the edge again, with an entry for each other host. Packets that are too large for the hosts' network are broken up. */
  async connectEdge(namespace: string, others: readonly OtherHost[]): Promise<void> {
    const ends = others.map(({ hop, mac, address }) => ({ ip: hop, mac, host: address }))
    const own = this.address === undefined ? undefined : edgeMac(this.address)
    await this.#make(namespace, { vni: edgeVni, mtu: usualMtu, mac: own, ends })
  }

  async #make(namespace: string, { vni, mtu, mac, ends }: Making): Promise<void> {
    await removeTunnel(namespace)
    if (ends.length === 0 || this.address === undefined) return
    const device = devices.tunnel
    const kind = ['type', 'vxlan', 'id', numberIn(vni, mostVni), 'local', this.address]
    const of = [...kind, 'dstport', String(tunnelPort), 'nolearning']
    const known = mac === undefined ? [] : ['address', mac]
    // Made on the host, it keeps sending from there.
    await ip(this.#outside, 'link', 'add', device, 'mtu', String(mtu), ...known, 'netns', namespace, ...of)
    await ip(namespace, 'link', 'set', 'dev', device, 'addrgenmode', 'none', 'up')
    await ipBatch(
      namespace,
      ends.map((one) => neighbour(one.ip, one.mac, device)),
    )
    await run('bridge', ['-n', namespace, '-batch', '-'], `${forwardingOf(ends).join('\n')}\n`)
  }

  async remove(): Promise<void> {
    await inside(this.#outside, ['nft', 'delete', 'table', 'inet', this.#table]).catch(() => '')
  }
}

/** Removes the device of a VPC, unless there is none: the kernel removes that of a namespace some time after it. */
export const removeTunnel = (namespace: string): Promise<string> =>
  ip(namespace, 'link', 'del', devices.tunnel).catch(() => '')
