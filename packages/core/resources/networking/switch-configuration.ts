/** The configuration of a switch, computed from all that requests have stored. */
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { edgeIn } from '#/db/rows/edge.ts'
import type { SwitchPortTable, SwitchTable, Tx } from '#/db/tables.ts'
import type { LinkConfiguration, NetworkFilter, PeerConfiguration, SwitchConfiguration } from '#/ports.ts'
import { addressesOf } from './port-addresses.ts'
import { layoutIn, type Layout } from './port-layout.ts'
import { peerIn, peersOf, type Peer } from './port-peers.ts'

type Unversioned = Omit<SwitchConfiguration, 'version'>

/** Everything but the version, always in the same order. */
export async function configurationOf(
  tx: Tx,
  one: Pick<SwitchTable, 'id' | 'rackId' | 'location'>,
): Promise<Unversioned> {
  const ports = await tx
    .selectFrom('switchPort')
    .selectAll()
    .where('switchId', '=', one.id)
    .where('portSettingsId', 'is not', null)
    .where('missingSince', 'is', null)
    .orderBy('name')
    .execute()
  return {
    ...(await announcedBy(tx, one)),
    ports: (await Promise.all(ports.map((port) => portOf(tx, port)))).flat(),
    loopbacks: await loopbacksOf(tx, one),
    bfd: await detectionOf(tx, one),
    answersPings: (await edgeIn(tx)).answersPings === 1,
  }
}

/** The autonomous system of the switch, which is that of its peers, and what it announces. */
async function announcedBy(tx: Tx, { id }: { id: string }): Promise<Pick<Unversioned, 'asn' | 'announced'>> {
  const configs = await tx
    .selectFrom('switchPort')
    .innerJoin('switchPortPeer', 'switchPortPeer.switchPortSettingsId', 'switchPort.portSettingsId')
    .innerJoin('bgpConfig', 'bgpConfig.id', 'switchPortPeer.bgpConfigId')
    .select(['asn', 'bgpAnnounceSetId'])
    .distinct()
    .where('switchId', '=', id)
    .execute()
  const [config] = configs
  if (!config) return { asn: null, announced: [] }
  const networks = await tx
    .selectFrom('bgpAnnouncement')
    .select('network')
    .where('bgpAnnounceSetId', '=', config.bgpAnnounceSetId)
    .orderBy('network')
    .execute()
  return { asn: config.asn, announced: networks.map(({ network }) => network) }
}

async function portOf(tx: Tx, { name, portSettingsId }: SwitchPortTable): Promise<Unversioned['ports']> {
  const settings = await tx
    .selectFrom('switchPortSettings')
    .selectAll()
    .where('id', '=', portSettingsId ?? '')
    .executeTakeFirst()
  if (!settings) return []
  const { links, interfaces, routes } = layoutIn(settings)
  const addresses = await addressesOf(tx, settings.id)
  const peers = await peersOf({ tx }, settings.id)
  const inLink = <T extends { linkName: string }>(all: readonly T[], link: string) =>
    all.filter(({ linkName }) => linkName === link)
  return [
    {
      name,
      geometry: settings.geometry,
      links: links.map((link) => ({
        ...linkOf(link),
        addresses: inLink(addresses, link.linkName).map(({ ipKey, width, vlanId }) => ({
          address: `${formatIp(fromKey(ipKey))}/${width}`,
          vlanId,
        })),
        interfaces: inLink(interfaces, link.linkName).map(({ kind, v6Enabled }) => ({
          kind: kind.type,
          vlanId: kind.type === 'vlan' ? kind.vid : null,
          usesV6: v6Enabled,
        })),
        routes: inLink(routes, link.linkName).flatMap(({ routes: ofLink }) =>
          ofLink.map(({ dst, gw, vid = null, ribPriority = null }) => ({
            destination: dst,
            gateway: gw,
            vlanId: vid,
            priority: ribPriority,
          })),
        ),
        peers: inLink(peers, link.linkName).map((row) => peerOf(peerIn(row), row.md5AuthKey)),
      })),
    },
  ]
}

type Own = Omit<LinkConfiguration, 'addresses' | 'interfaces' | 'routes' | 'peers'>
const linkOf = ({
  linkName,
  mtu,
  speed,
  fec = null,
  autoneg,
  txEq = null,
  lldp,
}: Layout['links'][number]): Own => ({
  name: linkName,
  mtu,
  speed,
  fec,
  isNegotiated: autoneg,
  equalizer: txEq && withoutAbsent(txEq),
  lldp: {
    isEnabled: lldp.enabled,
    linkName: lldp.linkName ?? null,
    linkDescription: lldp.linkDescription ?? null,
    chassisId: lldp.chassisId ?? null,
    systemName: lldp.systemName ?? null,
    systemDescription: lldp.systemDescription ?? null,
    managementIp: lldp.managementIp ?? null,
  },
})
const withoutAbsent = ({
  pre1 = null,
  pre2 = null,
  main = null,
  post2 = null,
  post1 = null,
}: NonNullable<Layout['links'][number]['txEq']>) => ({ pre1, pre2, main, post2, post1 })

const peerOf = (peer: Peer, md5AuthKey: string | null): PeerConfiguration => ({
  address: peer.addr,
  remoteAsn: peer.remoteAsn ?? null,
  holdTime: peer.holdTime,
  idleHoldTime: peer.idleHoldTime,
  delayOpen: peer.delayOpen,
  connectRetry: peer.connectRetry,
  keepalive: peer.keepalive,
  minTtl: peer.minTtl ?? null,
  md5AuthKey,
  multiExitDiscriminator: peer.multiExitDiscriminator ?? null,
  localPref: peer.localPref ?? null,
  communities: peer.communities,
  enforceFirstAs: peer.enforceFirstAs,
  allowedImport: filterOf(peer.allowedImport),
  allowedExport: filterOf(peer.allowedExport),
  vlanId: peer.vlanId ?? null,
})
const filterOf = (policy: Peer['allowedImport']): NetworkFilter =>
  policy.type === 'allow' ? policy.value : null

type Place = Pick<SwitchTable, 'rackId' | 'location'>

async function loopbacksOf(tx: Tx, { rackId, location }: Place): Promise<string[]> {
  const rows = await tx
    .selectFrom('loopbackAddress')
    .selectAll()
    .where('rackId', '=', rackId)
    .orderBy('ipKey')
    .execute()
  return rows
    .filter(({ switchLocation }) => switchLocation === location)
    .map(({ ipKey, width }) => `${formatIp(fromKey(ipKey))}/${width}`)
}

/** Sessions name the location of a switch, without a rack: each rack has them. */
async function detectionOf(tx: Tx, { location }: Place): Promise<Unversioned['bfd']> {
  const rows = await tx.selectFrom('bfdSession').selectAll().orderBy('remoteKey').execute()
  return rows
    .filter(({ switchLocation }) => switchLocation === location)
    .map(({ remoteKey, localKey, mode, detectionThreshold, requiredRx }) => ({
      remote: formatIp(fromKey(remoteKey)),
      local: localKey === null ? null : formatIp(fromKey(localKey)),
      mode,
      detectionThreshold,
      requiredRx,
    }))
}
