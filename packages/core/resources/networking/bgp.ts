/** BGP: the autonomous systems that switches belong to, and the networks that they announce. */
import { limits } from '@purlin/contract/rules/limits'
import { boundsOf, formatNet, isAligned, keyOf, parseNet } from '@purlin/contract/rules/network/ip'
import { canonicalUuid, isUuid } from '@purlin/contract/rules/names'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import { insertRows } from '#/db/prepared.ts'
import { newRowId } from '#/db/row-id.ts'
import type {
  AddressLotBlockTable,
  BgpAnnounceSetTable,
  BgpAnnouncementTable,
  BgpConfigTable,
} from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { listChanges } from '#/audit/field-texts.ts'
import { noteChanges, noteTarget } from '#/audit/touched.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '../kind/rows.ts'
import { blocksOf } from './lot-blocks.ts'
import { changeSwitches } from './changed-switches.ts'

const configView = ({ asn, vrf, bgpAnnounceSetId, ...row }: BgpConfigTable) => ({
  ...identityView(row),
  asn,
  vrf,
  bgpAnnounceSetId,
})
const announcementView = ({ bgpAnnounceSetId, addressLotBlockId, network }: BgpAnnouncementTable) => ({
  announceSetId: bgpAnnounceSetId,
  addressLotBlockId,
  network,
})

type Configs = `networkingBgpConfig${'List' | 'Create' | 'Update' | 'Delete'}`
type Sets = `networkingBgpAnnounceSet${'List' | 'Update' | 'Delete'}` | 'networkingBgpAnnouncementList'
export const bgp: Family<Configs | Sets> = {
  async networkingBgpConfigList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('bgpConfig')
    return mapPage(await pageByName(ctx, query, { rows, table: 'bgpConfig', holder: '' }), configView)
  },

  async networkingBgpConfigCreate(ctx, { body }) {
    permit(ctx)
    await changeSwitches(ctx)
    return configView(await configOf(ctx, body))
  },

  async networkingBgpConfigUpdate(ctx, { params, query, body }) {
    permit(ctx)
    await changeSwitches(ctx, query.confirmWithin)
    return configView(await changeConfig(ctx, params.bgpConfig, body))
  },

  async networkingBgpConfigDelete(ctx, { query }) {
    const config = await resolveInFleet(ctx, 'bgpConfig', query.nameOrId)
    const peers = ctx.tx.selectFrom('switchPortPeer').select('id').where('bgpConfigId', '=', config.id)
    if (await peers.limit(1).executeTakeFirst())
      throw fault.conflict('BGP Config is in use and cannot be deleted')
    await changeSwitches(ctx)
    await deleteRow('bgpConfig')(ctx, config)
  },

  async networkingBgpAnnounceSetList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('bgpAnnounceSet')
    const all = { limit: limits.bgp.announceSets, ...query }
    const { items } = await pageByName(ctx, all, { rows, table: 'bgpAnnounceSet', holder: '' })
    return items.map(identityView)
  },

  async networkingBgpAnnounceSetUpdate(ctx, { body, query }) {
    permit(ctx)
    await changeSwitches(ctx, query.confirmWithin)
    return identityView(await replaceSet(ctx, body))
  },

  async networkingBgpAnnounceSetDelete(ctx, { params }) {
    const set = await resolveInFleet(ctx, 'bgpAnnounceSet', params.announceSet)
    const configs = ctx.tx.selectFrom('bgpConfig').select('id').where('bgpAnnounceSetId', '=', set.id)
    if (await configs.limit(1).executeTakeFirst()) throw fault.conflict('announce set in use')
    await changeSwitches(ctx)
    await ctx.tx.deleteFrom('bgpAnnouncement').where('bgpAnnounceSetId', '=', set.id).execute()
    await deleteRow('bgpAnnounceSet')(ctx, set)
  },

  async networkingBgpAnnouncementList(ctx, { params }) {
    const set = await resolveInFleet(ctx, 'bgpAnnounceSet', params.announceSet)
    const rows = ctx.tx.selectFrom('bgpAnnouncement').selectAll().where('bgpAnnounceSetId', '=', set.id)
    return (await rows.orderBy('network').execute()).map(announcementView)
  },
}

/** The configuration of an autonomous system: one that is asked for again is the one that there is. Throws 400, 404, 409. */
async function configOf(ctx: Ctx, body: BodyOf<'networkingBgpConfigCreate'>): Promise<BgpConfigTable> {
  const { asn, vrf = null } = body
  const same = await configWith(ctx, asn)
  const set = await resolveInFleet(ctx, 'bgpAnnounceSet', body.bgpAnnounceSetId)
  if (same && same.name !== body.name) throw secondOfAsn()
  if (same && same.bgpAnnounceSetId === set.id && same.vrf === vrf) {
    noteTarget(ctx.unit, 'bgpConfig', same)
    return same
  }
  return insertNamed(ctx, 'bgpConfig', { ...newIdentity(ctx, body), asn, vrf, bgpAnnounceSetId: set.id })
}

const secondOfAsn = () => fault.conflict('cannot have more than one configuration per ASN')

/** The configuration of an autonomous system. Throws 400 for a number that none has. */
async function configWith({ tx }: Ctx, asn: number): Promise<BgpConfigTable | undefined> {
  if (asn === 0) throw fault.invalid('asn: 0 is no autonomous system')
  return tx.selectFrom('bgpConfig').selectAll().where('asn', '=', asn).executeTakeFirst()
}

/** Changes a configuration, and with it the switches whose peers use it. Throws 400, 404, 409. */
export async function changeConfig(
  ctx: Ctx,
  nameOrId: string,
  body: BodyOf<'networkingBgpConfigUpdate'>,
): Promise<BgpConfigTable> {
  const config = await resolveInFleet(ctx, 'bgpConfig', nameOrId)
  const { asn = null, vrf, bgpAnnounceSetId = null } = body
  if (asn !== null && asn !== config.asn && (await configWith(ctx, asn))) throw secondOfAsn()
  const set = bgpAnnounceSetId === null ? null : await resolveInFleet(ctx, 'bgpAnnounceSet', bgpAnnounceSetId)
  return updateNamed(ctx, ['bgpConfig', config], {
    ...identityChanges(ctx, body),
    ...(asn === null ? {} : { asn }),
    ...(vrf === undefined ? {} : { vrf }),
    ...(set ? { bgpAnnounceSetId: set.id } : {}),
  })
}

/** Makes an announce set, or replaces the one of that name with all its networks. Throws 400, 404. */
export async function replaceSet(
  ctx: Ctx,
  body: BodyOf<'networkingBgpAnnounceSetUpdate'>,
): Promise<BgpAnnounceSetTable> {
  const sets = ctx.tx.selectFrom('bgpAnnounceSet')
  const known = await sets.selectAll().where('name', '=', body.name).executeTakeFirst()
  if (!known) await refuseOneMore(ctx)
  const set = known
    ? await updateNamed(ctx, ['bgpAnnounceSet', known], identityChanges(ctx, body))
    : await insertNamed(ctx, 'bgpAnnounceSet', newIdentity(ctx, body))
  const former = await networksIn(ctx, set)
  await ctx.tx.deleteFrom('bgpAnnouncement').where('bgpAnnounceSetId', '=', set.id).execute()
  const rows = await announcementsOf(ctx, set.id, body.announcement)
  await insertRows(ctx.tx, 'bgpAnnouncement', rows)
  const networks = listChanges(
    'networks',
    former,
    rows.map(({ network }) => network),
  )
  noteChanges(ctx.unit, ['bgpAnnounceSet', set], networks)
  return set
}

const networksIn = async ({ tx }: Ctx, { id }: BgpAnnounceSetTable): Promise<string[]> =>
  (await tx.selectFrom('bgpAnnouncement').select('network').where('bgpAnnounceSetId', '=', id).execute()).map(
    ({ network }) => network,
  )

/** Throws 400 where the list of all sets would be too long for one answer. */
async function refuseOneMore({ tx }: Ctx): Promise<void> {
  const most = limits.bgp.announceSets
  const has = (await tx.selectFrom('bgpAnnounceSet').select('id').limit(most).execute()).length
  if (has >= most) throw fault.invalid(`There may be no more than ${most} announce sets`)
}

type Asked = BodyOf<'networkingBgpAnnounceSetUpdate'>['announcement'][number]

/** Throws 400, 404. */
async function announcementsOf(
  ctx: Ctx,
  bgpAnnounceSetId: string,
  asked: readonly Asked[],
): Promise<BgpAnnouncementTable[]> {
  const found = new Map<string, BgpAnnouncementTable>()
  for (const one of asked) {
    const { network, firstKey, lastKey } = announced(one)
    if (found.has(network)) throw fault.invalid(`the network ${network} is announced twice`)
    const blocks = await blocksNamed(ctx, one.addressLotBlock)
    const block = blocks.find((some) => some.firstKey <= firstKey && some.lastKey >= lastKey)
    if (!block)
      throw fault.invalid(`the network ${network} is not within the address lot block ${one.addressLotBlock}`)
    const row = { id: newRowId(ctx.world), bgpAnnounceSetId, addressLotBlockId: block.id, network }
    found.set(network, row)
  }
  return [...found.values()]
}

/** A network and its first and last address. Throws 400. */
function announced({ network: text }: Asked) {
  const net = parseNet(text)
  if (!net) throw fault.invalid(`invalid network: ${text}`)
  if (!isAligned(net)) throw fault.hostBits(text)
  const { family } = net.base
  const { first, last } = boundsOf(net)
  const key = (value: bigint) => keyOf({ family, value })
  return { network: formatNet(net), firstKey: key(first), lastKey: key(last) }
}

/** The block with an id, or those of the lot with a name. Throws 404. */
async function blocksNamed({ tx }: Ctx, nameOrId: string): Promise<AddressLotBlockTable[]> {
  if (isUuid(nameOrId)) {
    const block = tx.selectFrom('addressLotBlock').selectAll().where('id', '=', canonicalUuid(nameOrId))
    const found = await block.executeTakeFirst()
    if (found) return [found]
  } else {
    const lot = tx.selectFrom('addressLot').select('id').where('name', '=', nameOrId)
    const found = await lot.executeTakeFirst()
    if (found) return blocksOf(tx, found)
  }
  throw fault.notFound('address-lot-block', nameOrId)
}
