/** Settings of switch ports. Those of a name are replaced as a whole, on the ports that have them too. */
import { limits } from '@purlin/contract/rules/limits'
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import { insertRows } from '#/db/prepared.ts'
import type { SwitchPortAddressTable, SwitchPortSettingsTable } from '#/db/tables.ts'
import { entriesChanged, listChanges } from '#/audit/field-texts.ts'
import { noteChanges } from '#/audit/touched.ts'
import { fault } from '#/faults.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '../kind/rows.ts'
import { namedRow } from './named-row.ts'
import { addressRows, addressesOf } from './port-addresses.ts'
import { layoutIn, layoutOf, type Asked } from './port-layout.ts'
import { addressOfPeer, isAnother, peerRows, peersOf, peerView } from './port-peers.ts'
import { portsWith, refuseSecondAsn } from './ports-in-use.ts'
import { changeSwitches } from './changed-switches.ts'

type Address = Pick<SwitchPortAddressTable, 'ipKey' | 'width'>
const addressText = ({ ipKey, width }: Address): string => `${formatIp(fromKey(ipKey))}/${width}`

/** Whole settings as clients see them. */
async function settingsView(ctx: Ctx, row: SwitchPortSettingsTable) {
  const portSettingsId = row.id
  const { links, interfaces, routes } = layoutIn(row)
  const [addresses, peers] = [await addressesOf(ctx.tx, row.id), await peersOf(ctx, row.id)]
  return {
    ...identityView(row),
    port: { portSettingsId, geometry: row.geometry },
    links: links.map(({ lldp, txEq = null, ...link }) => ({
      ...link,
      portSettingsId,
      lldpLinkConfig: lldp,
      txEqConfig: txEq,
    })),
    addresses: addresses.map(({ ipKey, width, linkName, ...one }) => ({
      portSettingsId,
      addressLotId: one.addressLotId,
      addressLotName: one.name,
      addressLotBlockId: one.addressLotBlockId,
      address: addressText({ ipKey, width }),
      interfaceName: linkName,
      vlanId: one.vlanId,
    })),
    interfaces: interfaces.map(({ id, linkName, v6Enabled, kind }) => ({
      portSettingsId,
      id,
      interfaceName: linkName,
      v6Enabled,
      kind: kind.type,
    })),
    vlanInterfaces: interfaces.flatMap(({ id, kind }) =>
      kind.type === 'vlan' ? [{ interfaceConfigId: id, vlanId: kind.vid }] : [],
    ),
    routes: routes.flatMap(({ linkName, routes: ofLink }) =>
      ofLink.map(({ dst, gw, vid, ribPriority }) => ({
        portSettingsId,
        interfaceName: linkName,
        dst,
        gw,
        vlanId: vid ?? null,
        ribPriority: ribPriority ?? null,
      })),
    ),
    bgpPeers: peers.map(peerView),
    groups: [],
  }
}

export const portSettings: Family<`networkingSwitchPortSettings${'List' | 'Create' | 'View' | 'Delete'}`> = {
  async networkingSwitchPortSettingsList(ctx, { query: { portSettings: only, ...query } }) {
    permit(ctx)
    const all = ctx.tx.selectFrom('switchPortSettings')
    const one = only === undefined ? undefined : await namedRow(ctx, 'switchPortSettings', only)
    const rows = only === undefined ? all : all.where('id', '=', one?.id ?? '')
    return mapPage(
      await pageByName(ctx, query, { rows, table: 'switchPortSettings', holder: '' }),
      identityView,
    )
  },

  async networkingSwitchPortSettingsCreate(ctx, { body, query }) {
    permit(ctx)
    await changeSwitches(ctx, query.confirmWithin)
    return settingsView(ctx, await storeSettings(ctx, body))
  },

  async networkingSwitchPortSettingsView(ctx, { params }) {
    return settingsView(ctx, await resolveInFleet(ctx, 'switchPortSettings', params.port))
  },

  async networkingSwitchPortSettingsDelete(ctx, { query }) {
    permit(ctx)
    if (query.portSettings === undefined) throw fault.invalid('name or id required')
    const row = await namedRow(ctx, 'switchPortSettings', query.portSettings)
    if (!row) throw fault.invalid(`port settings not found: "${query.portSettings}"`)
    const [port] = await portsWith(ctx.tx, row)
    if (port)
      throw fault.conflict(
        `port settings are in use: clear those of port ${port.name} of ${port.switchLocation} first`,
      )
    await changeSwitches(ctx)
    await forgetParts(ctx, row)
    await deleteRow('switchPortSettings')(ctx, row)
  },
}

/** Makes settings, or replaces those of the same name. Throws 400, 409. */
export async function storeSettings(ctx: Ctx, body: Asked): Promise<SwitchPortSettingsTable> {
  if (body.groups.length > 0) throw fault.invalid(`port settings group not found: "${body.groups[0]}"`)
  const known = await namedRow(ctx, 'switchPortSettings', body.name)
  if (!known) await refuseOneMore(ctx)
  const layout = layoutOf(ctx.world, body, known && layoutIn(known))
  const content = { geometry: body.portConfig.geometry, layoutJson: JSON.stringify(layout) }
  const row = known
    ? await updateNamed(ctx, ['switchPortSettings', known], { ...identityChanges(ctx, body), ...content })
    : await insertNamed(ctx, 'switchPortSettings', { ...newIdentity(ctx, body), ...content })
  const peers = known ? await peersOf(ctx, known.id) : []
  const addresses = known ? await addressesOf(ctx.tx, known.id) : []
  await forgetParts(ctx, row)
  const of = { id: row.id, asked: body }
  const [addressesNow, peersNow] = [await addressRows(ctx, of), await peerRows(ctx, of, peers)]
  await insertRows(ctx.tx, 'switchPortAddress', addressesNow)
  await insertRows(ctx.tx, 'switchPortPeer', peersNow)
  noteChanges(
    ctx.unit,
    ['switchPortSettings', row],
    [
      ...listChanges('addresses', addresses.map(addressText), addressesNow.map(addressText)),
      ...listChanges('bgp_peers', peers.map(addressOfPeer), peersNow.map(addressOfPeer)),
      ...entriesChanged('bgp_peers', peersNow.filter((peer) => isAnother(peer, peers)).map(addressOfPeer)),
    ],
  )
  for (const port of await portsWith(ctx.tx, row)) await refuseSecondAsn(ctx.tx, port)
  return row
}

async function forgetParts({ tx }: Ctx, { id }: SwitchPortSettingsTable): Promise<void> {
  for (const table of ['switchPortAddress', 'switchPortPeer'] as const)
    await tx.deleteFrom(table).where('switchPortSettingsId', '=', id).execute()
}

/** Throws 400 where there are as many settings as there may be. */
async function refuseOneMore({ tx }: Ctx): Promise<void> {
  const most = limits.portSettings.count
  const has = (await tx.selectFrom('switchPortSettings').select('id').limit(most).execute()).length
  if (has >= most) throw fault.invalid(`There may be no more than ${most} settings of switch ports`)
}
