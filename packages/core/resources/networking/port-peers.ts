/** The BGP peers of port settings. */
import { limits } from '@purlin/contract/rules/limits'
import { keysOf } from '@purlin/contract/rules/keys'
import { canonicalIp, formatNet, keyOf, parseIp, parseNet } from '@purlin/contract/rules/network/ip'
import type { Ctx } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import type { SwitchPortPeerTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { namedRow } from './named-row.ts'
import { refuseTwice, requireLink, type Asked } from './port-layout.ts'

type AskedPeer = Asked['bgpPeers'][number]['peers'][number]
/** A peer without its references and its key. */
export type Peer = Omit<AskedPeer, 'bgpConfig' | 'md5AuthKey' | 'hasMd5AuthKey'>

/** A stored peer. */
export function peerIn({ peerJson }: Pick<SwitchPortPeerTable, 'peerJson'>): Peer {
  const peer: Peer = JSON.parse(peerJson)
  return peer
}

/** The address by which a peer is known among those of settings. */
export const addressOfPeer = (row: SwitchPortPeerTable): string => peerIn(row).addr

/** True if there was a peer with this address, and it had other settings. */
export const isAnother = (row: SwitchPortPeerTable, before: readonly SwitchPortPeerTable[]): boolean => {
  const was = before.find((one) => addressOfPeer(one) === addressOfPeer(row))
  return was !== undefined && keysOf(row).some((key) => key !== 'id' && row[key] !== was[key])
}

/** A peer as clients see it: its key is never shown. */
export const peerView = ({ bgpConfigId, md5AuthKey, ...row }: SwitchPortPeerTable) => ({
  ...peerIn(row),
  bgpConfig: bgpConfigId,
  hasMd5AuthKey: md5AuthKey !== null,
})

/** The peers of settings, in the order of their addresses. */
export async function peersOf({ tx }: Pick<Ctx, 'tx'>, settingsId: string): Promise<SwitchPortPeerTable[]> {
  const rows = tx.selectFrom('switchPortPeer').selectAll().where('switchPortSettingsId', '=', settingsId)
  return (await rows.execute()).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}
const orderOf = (row: SwitchPortPeerTable): string => {
  const address = parseIp(addressOfPeer(row))
  return `${row.linkName} ${address ? keyOf(address) : ''}`
}

/** The rows of the peers that a request asks for. One without a key keeps the key that it had. Throws 400. */
export async function peerRows(
  ctx: Ctx,
  { id: switchPortSettingsId, asked }: { id: string; asked: Asked },
  before: readonly SwitchPortPeerTable[],
): Promise<SwitchPortPeerTable[]> {
  const peers = asked.bgpPeers.flatMap(({ linkName, peers: ofLink }) =>
    ofLink.map((peer) => ({ linkName, peer })),
  )
  if (peers.length > limits.portSettings.peers)
    throw fault.invalid(`settings may have at most ${limits.portSettings.peers} BGP peers`)
  refuseTwice(peers.map(({ peer }) => `BGP peer ${canonicalIp(peer.addr)}`))
  const rows: SwitchPortPeerTable[] = []
  for (const { linkName, peer } of peers) {
    requireLink(asked, peer.interfaceName)
    const { bgpConfig, md5AuthKey, hasMd5AuthKey: _, ...rest } = peer
    const config = await namedRow(ctx, 'bgpConfig', bgpConfig)
    if (!config) throw fault.invalid('BGP config not found')
    const checked = checkedPeer(rest)
    const known = before.find((row) => row.linkName === linkName && addressOfPeer(row) === checked.addr)
    rows.push({
      id: newRowId(ctx.world),
      switchPortSettingsId,
      bgpConfigId: config.id,
      linkName,
      peerJson: JSON.stringify(checked),
      md5AuthKey: md5AuthKey === undefined ? (known?.md5AuthKey ?? null) : checkedKey(md5AuthKey),
    })
  }
  return rows
}

function checkedKey(key: string | null): string | null {
  const isFine = key === null || (/^[ -~]+$/.test(key) && key.length <= limits.bgp.key)
  if (!isFine)
    throw fault.invalidValue('md5_auth_key', `it must be 1 to ${limits.bgp.key} printable ASCII characters`)
  return key
}

/** Throws 400 for a peer that no session can be with. */
function checkedPeer(peer: Peer): Peer {
  const address = parseIp(peer.addr)
  if (!address) throw fault.invalid(`invalid address: ${peer.addr}`)
  const addr = canonicalIp(peer.addr)
  // RFC 4271, section 4.2
  if (peer.holdTime !== 0 && (peer.holdTime < 3 || peer.holdTime > 65_535))
    throw fault.invalid(`hold_time of the BGP peer ${addr}: it must be 0 or from 3 to 65535 seconds`)
  if (peer.holdTime > 0 && (peer.keepalive === 0 || peer.keepalive >= peer.holdTime))
    throw fault.invalid(`keepalive of the BGP peer ${addr}: it must be shorter than its hold_time, and not 0`)
  if (peer.connectRetry === 0)
    throw fault.invalid(`connect_retry of the BGP peer ${addr}: it must be at least a second`)
  if (peer.remoteAsn === 0)
    throw fault.invalid(`remote_asn of the BGP peer ${addr}: 0 is no autonomous system`)
  return {
    ...peer,
    addr,
    allowedImport: checkedPolicy(peer.allowedImport),
    allowedExport: checkedPolicy(peer.allowedExport),
  }
}

function checkedPolicy(policy: Peer['allowedImport']): Peer['allowedImport'] {
  if (policy.type === 'no_filtering') return policy
  return {
    type: 'allow',
    value: policy.value.map((text) => {
      const net = parseNet(text)
      if (!net) throw fault.invalid(`invalid network: ${text}`)
      return formatNet(net)
    }),
  }
}
