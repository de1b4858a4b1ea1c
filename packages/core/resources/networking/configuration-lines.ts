/** A configuration of a switch as lines of text, for comparing two of them. */
import type { LinkConfiguration, NetworkFilter, PeerConfiguration, SwitchConfiguration } from '#/ports.ts'

/** A setting. Two with the same text differ in their secret, which is never shown. */
export interface Line {
  text: string
  secret: string | null
}

const line = (text: string, secret: string | null = null): Line => ({ text, secret })
const given = (name: string, value: string | number | null): string[] =>
  value === null ? [] : [`${name} ${value}`]
const vlan = (vlanId: number | null): string => (vlanId === null ? '' : `, VLAN ${vlanId}`)

/** Every setting of a switch. */
export const linesOf = ({
  asn,
  announced,
  ports,
}: Pick<SwitchConfiguration, 'asn' | 'announced' | 'ports'>): Line[] => [
  ...given('AS', asn).map((text) => line(text)),
  ...announced.map((network) => line(`announces ${network}`)),
  ...ports.flatMap(({ name, geometry, links }) => [
    line(`${name}: geometry ${geometry}`),
    ...links.flatMap((link) => linesOfLink(`${name} ${link.name}`, link)),
  ]),
]

function linesOfLink(place: string, link: LinkConfiguration): Line[] {
  const { mtu, speed, fec, isNegotiated, equalizer, lldp } = link
  const parts = [
    speed,
    isNegotiated ? 'negotiated' : 'fixed',
    `MTU ${mtu}`,
    ...given('FEC', fec),
    ...(equalizer ? [`equalizer ${Object.values(equalizer).join('/')}`] : []),
  ]
  return [
    line(`${place}: ${parts.join(', ')}`),
    line(`${place}: LLDP ${lldp.isEnabled ? 'on' : 'off'}${textsOf(lldp)}`),
    ...link.addresses.map(({ address, vlanId }) => line(`${place}: address ${address}${vlan(vlanId)}`)),
    ...link.interfaces.map(({ kind, vlanId, usesV6 }) =>
      line(`${place}: interface ${kind}${vlan(vlanId)}${usesV6 ? ', IPv6' : ''}`),
    ),
    ...link.routes.map(({ destination, gateway, vlanId, priority }) =>
      line(
        [`${place}: route ${destination} by ${gateway}${vlan(vlanId)}`, ...given('priority', priority)].join(
          ', ',
        ),
      ),
    ),
    ...link.peers.map((peer) => line(`${place}: ${textOfPeer(peer)}`, peer.md5AuthKey)),
  ]
}

const textsOf = ({ isEnabled: _, ...texts }: LinkConfiguration['lldp']): string =>
  Object.entries(texts)
    .flatMap(([name, text]) => given(name, text))
    .map((text) => `, ${text}`)
    .join('')

const textOfPeer = (peer: PeerConfiguration): string =>
  [
    `BGP peer ${peer.address}${vlan(peer.vlanId)}`,
    ...given('AS', peer.remoteAsn),
    `hold time ${peer.holdTime} s`,
    `keepalive ${peer.keepalive} s`,
    `idle hold time ${peer.idleHoldTime} s`,
    `connect retry ${peer.connectRetry} s`,
    `delay open ${peer.delayOpen} s`,
    ...given('least TTL', peer.minTtl),
    ...given('metric', peer.multiExitDiscriminator),
    ...given('preference', peer.localPref),
    ...(peer.communities.length > 0 ? [`communities ${peer.communities.join(' ')}`] : []),
    ...(peer.enforceFirstAs ? ['first AS enforced'] : []),
    `accepts ${listed(peer.allowedImport)}`,
    `sends ${listed(peer.allowedExport)}`,
    peer.md5AuthKey === null ? 'no key' : 'with a key',
  ].join(', ')

const listed = (filter: NetworkFilter): string =>
  filter === null ? 'all networks' : filter.join(' ') || 'no networks'

/** The settings of a switch. */
export interface Lines {
  switchId: string
  rackId: string
  switchLocation: string
  lines: Line[]
}
export type Differing = Omit<Lines, 'lines'> & { added: string[]; removed: string[] }

/** The switches whose settings differ, with the lines that do. */
export function compare(before: readonly Lines[], after: readonly Lines[]): Differing[] {
  const former = new Map(before.map(({ switchId, lines }) => [switchId, lines]))
  return after
    .map(({ lines, ...one }) => {
      const known = former.get(one.switchId) ?? []
      return { ...one, added: missingIn(known, lines), removed: missingIn(lines, known) }
    })
    .filter(({ added, removed }) => added.length + removed.length > 0)
}

/** Two lines with the same text differ in a key, which is not shown. */
const missingIn = (some: readonly Line[], all: readonly Line[]): string[] => {
  const known = new Set(some.map(({ text, secret }) => JSON.stringify([text, secret])))
  const texts = new Set(some.map(({ text }) => text))
  return all
    .filter(({ text, secret }) => !known.has(JSON.stringify([text, secret])))
    .map(({ text }) => (texts.has(text) ? `${text} (another key)` : text))
}
