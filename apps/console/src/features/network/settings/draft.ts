/** Port settings as the editor holds them: a table for each of their parts. */
import type {
  SwitchPortSettingsCreate,
  SwitchPortSettings,
} from '@purlin/contract/operations/networking/port-settings'
import type { In, Out } from '@purlin/contract/schema'
import { keysOf } from '@purlin/contract/rules/keys'
import { interfaceKinds, linkFecs, linkSpeeds, type PortGeometry } from '@purlin/contract/rules/networking'
import { linesOf } from '#/lib/input/lines.ts'
import { text, textIn, type Row } from '#/resource/form/rowTable.ts'
import { lldpIn, lldpRow } from '#/features/hardware/change/discovery.ts'
import type { RowTableName } from './rows.ts'

export type Body = In<typeof SwitchPortSettingsCreate>
export type Settings = Out<typeof SwitchPortSettings>
type Peer = Settings['bgpPeers'][number]
type Policy = Peer['allowedImport']

export interface Draft extends Record<RowTableName, Row[]> {
  name: string
  description: string
  geometry: PortGeometry
}

export const emptyDraft: Draft = {
  name: '',
  description: '',
  geometry: 'qsfp28x1',
  links: [],
  addresses: [],
  interfaces: [],
  routes: [],
  peers: [],
}

const number = (value: number | null | undefined): number => value ?? Number.NaN
const networks = (policy: Policy): string => (policy.type === 'allow' ? policy.value.join('\n') : '')

const peerRow = (linkName: string, peer: Peer): Row => ({
  linkName,
  addr: peer.addr,
  bgpConfig: peer.bgpConfig,
  remoteAsn: number(peer.remoteAsn),
  md5AuthKey: text(peer.md5AuthKey),
  holdTime: peer.holdTime,
  idleHoldTime: peer.idleHoldTime,
  delayOpen: peer.delayOpen,
  connectRetry: peer.connectRetry,
  keepalive: peer.keepalive,
  minTtl: number(peer.minTtl),
  multiExitDiscriminator: number(peer.multiExitDiscriminator),
  localPref: number(peer.localPref),
  communities: peer.communities.join('\n'),
  enforceFirstAs: peer.enforceFirstAs,
  importPolicy: peer.allowedImport.type,
  importNetworks: networks(peer.allowedImport),
  exportPolicy: peer.allowedExport.type,
  exportNetworks: networks(peer.allowedExport),
  vlanId: number(peer.vlanId),
})

/** Saved settings as the body of the request that would save it again. `configs` has the names of BGP configurations. */
export function bodyOfSettings(settings: Settings, configs: ReadonlyMap<string, string>): Body {
  const { name, description, port, links, addresses, interfaces, vlanInterfaces, routes, bgpPeers } = settings
  const vids = new Map(vlanInterfaces.map(({ interfaceConfigId, vlanId }) => [interfaceConfigId, vlanId]))
  return {
    name,
    description,
    portConfig: { geometry: port.geometry },
    links: links.map(({ linkName, mtu, speed, autoneg, fec = null, lldpLinkConfig, txEqConfig = null }) => ({
      linkName,
      mtu,
      speed,
      autoneg,
      fec,
      txEq: txEqConfig,
      lldp: lldpLinkConfig ? withoutId(lldpLinkConfig) : { enabled: false },
    })),
    addresses: byLink(
      addresses.map((one) => [
        one.interfaceName,
        {
          addressLot: one.addressLotName,
          address: one.address,
          vlanId: one.vlanId ?? null,
        },
      ]),
    ).map(([linkName, of]) => ({ linkName, addresses: of })),
    interfaces: interfaces.map(({ id, interfaceName, v6Enabled, kind }) => ({
      linkName: interfaceName,
      v6Enabled,
      kind: kind === 'vlan' ? { type: kind, vid: vids.get(id) ?? 0 } : { type: kind },
    })),
    routes: byLink(
      routes.map(({ interfaceName, dst, gw, vlanId = null, ribPriority = null }) => [
        interfaceName,
        { dst, gw, vid: vlanId, ribPriority },
      ]),
    ).map(([linkName, of]) => ({ linkName, routes: of })),
    bgpPeers: byLink(
      bgpPeers.map(({ hasMd5AuthKey: _, ...peer }) => [
        peer.interfaceName,
        { ...peer, bgpConfig: configs.get(peer.bgpConfig) ?? peer.bgpConfig },
      ]),
    ).map(([linkName, peers]) => ({
      linkName,
      peers,
    })),
  }
}

const withoutId = <T extends { id: string }>({ id: _, ...rest }: T): Omit<T, 'id'> => rest

/** The values of each link, in the order of the links. */
function byLink<T>(pairs: readonly (readonly [link: string, value: T])[]): [string, T[]][] {
  const found = new Map<string, T[]>()
  for (const [link, value] of pairs) {
    const of = found.get(link) ?? []
    of.push(value)
    found.set(link, of)
  }
  return [...found]
}

/** Body of a request → form. */
export function draftOf(body: Body): Draft {
  const { name, description, portConfig, links, addresses, interfaces, routes, bgpPeers } = body
  return {
    name,
    description,
    geometry: portConfig.geometry,
    links: links.map(({ lldp, txEq, ...link }) => ({
      linkName: link.linkName,
      speed: link.speed,
      mtu: link.mtu,
      fec: text(link.fec),
      autoneg: link.autoneg,
      ...lldpRow(lldp),
      pre1: number(txEq?.pre1),
      pre2: number(txEq?.pre2),
      main: number(txEq?.main),
      post2: number(txEq?.post2),
      post1: number(txEq?.post1),
    })),
    addresses: addresses.flatMap(({ linkName, addresses: of }) =>
      of.map((one) => ({ linkName, ...one, vlanId: number(one.vlanId) })),
    ),
    interfaces: (interfaces ?? []).map(({ linkName, v6Enabled, kind }) => ({
      linkName,
      v6Enabled,
      kind: kind.type,
      vid: kind.type === 'vlan' ? kind.vid : Number.NaN,
    })),
    routes: (routes ?? []).flatMap(({ linkName, routes: of }) =>
      of.map(({ dst, gw, vid, ribPriority }) => ({
        linkName,
        dst,
        gw,
        vid: number(vid),
        ribPriority: number(ribPriority),
      })),
    ),
    peers: (bgpPeers ?? []).flatMap(({ linkName, peers }) => peers.map((peer) => peerRow(linkName, peer))),
  }
}

/** Form → body of a request. */
export function bodyOf({ name, description, geometry, ...tables }: Draft): Body {
  return {
    name,
    description,
    portConfig: { geometry },
    links: tables.links.map((row) => ({
      linkName: textIn(row, 'linkName'),
      mtu: Number(row['mtu']),
      speed: oneOf(keysOf(linkSpeeds), row['speed']),
      autoneg: row['autoneg'] === true,
      fec: linkFecs.find((one) => one === row['fec']) ?? null,
      lldp: lldpIn(row),
      txEq: gainsIn(row),
    })),
    addresses: byLink(
      tables.addresses.map((row) => [
        textIn(row, 'linkName'),
        {
          addressLot: textIn(row, 'addressLot'),
          address: textIn(row, 'address'),
          vlanId: numberOrNone(row, 'vlanId'),
        },
      ]),
    ).map(([linkName, addresses]) => ({ linkName, addresses })),
    interfaces: tables.interfaces.map((row) => {
      const type = oneOf(interfaceKinds, row['kind'])
      return {
        linkName: textIn(row, 'linkName'),
        v6Enabled: row['v6Enabled'] === true,
        kind: type === 'vlan' ? { type, vid: numberOrNone(row, 'vid') ?? 0 } : { type },
      }
    }),
    routes: byLink(
      tables.routes.map((row) => [
        textIn(row, 'linkName'),
        {
          dst: textIn(row, 'dst'),
          gw: textIn(row, 'gw'),
          vid: numberOrNone(row, 'vid'),
          ribPriority: numberOrNone(row, 'ribPriority'),
        },
      ]),
    ).map(([linkName, routes]) => ({ linkName, routes })),
    bgpPeers: byLink(tables.peers.map((row) => [textIn(row, 'linkName'), peerIn(row)])).map(
      ([linkName, peers]) => ({ linkName, peers }),
    ),
  }
}

function numberOrNone(row: Row, name: string): number | null {
  const value = row[name]
  return typeof value === 'number' && !Number.isNaN(value) ? value : null
}
const oneOf = <T extends string>(values: readonly [T, ...T[]] | readonly T[], value: unknown): T => {
  const found = values.find((one) => one === value) ?? values[0]
  if (found === undefined) throw new Error('no values')
  return found
}
function gainsIn(row: Row) {
  const [pre1, pre2, main, post2, post1] = ['pre1', 'pre2', 'main', 'post2', 'post1'].map((name) =>
    numberOrNone(row, name),
  )
  const gains = { pre1, pre2, main, post2, post1 }
  return Object.values(gains).every((gain) => gain === null) ? null : gains
}
const policyIn = (row: Row, name: string): Policy =>
  row[`${name}Policy`] === 'allow'
    ? { type: 'allow', value: linesOf(textIn(row, `${name}Networks`)) }
    : { type: 'no_filtering' }

const peerIn = (row: Row): Peer => ({
  addr: textIn(row, 'addr'),
  bgpConfig: textIn(row, 'bgpConfig'),
  // A peer is reached over its link.
  interfaceName: textIn(row, 'linkName'),
  holdTime: Number(row['holdTime']),
  idleHoldTime: Number(row['idleHoldTime']),
  delayOpen: Number(row['delayOpen']),
  connectRetry: Number(row['connectRetry']),
  keepalive: Number(row['keepalive']),
  remoteAsn: numberOrNone(row, 'remoteAsn'),
  minTtl: numberOrNone(row, 'minTtl'),
  ...(textIn(row, 'md5AuthKey') === '' ? {} : { md5AuthKey: textIn(row, 'md5AuthKey') }),
  multiExitDiscriminator: numberOrNone(row, 'multiExitDiscriminator'),
  localPref: numberOrNone(row, 'localPref'),
  communities: linesOf(textIn(row, 'communities')).map(Number),
  enforceFirstAs: row['enforceFirstAs'] === true,
  allowedImport: policyIn(row, 'import'),
  allowedExport: policyIn(row, 'export'),
  vlanId: numberOrNone(row, 'vlanId'),
})
