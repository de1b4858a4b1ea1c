/** Address lots, and the loopback addresses of switches, which are taken from them. */
import { kinds } from '@purlin/contract/rules/kinds'
import { bitsOf, formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { switchLocations, type SwitchLocation } from '@purlin/contract/rules/networking'
import { noteTarget } from '#/audit/touched.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { mapPage, pageById, pageByName } from '#/db/lists/pages.ts'
import { newRowId } from '#/db/row-id.ts'
import type { AddressLotBlockTable, AddressLotTable, LoopbackAddressTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { deleteRow, identityView, insertChild, insertNamed, newIdentity } from '../kind/rows.ts'
import { heldForRollBack } from './switch-snapshot.ts'
import { noteSwitches } from './note-switches.ts'
import { addBlocks, addressKey, blocksOf, blockView, poolWith } from './lot-blocks.ts'

const lotView = (row: AddressLotTable) => ({ ...identityView(row), kind: row.kind })
const wholeView = (lot: AddressLotTable, blocks: readonly AddressLotBlockTable[]) => ({
  lot: lotView(lot),
  blocks: blocks.map(blockView),
})
const loopbackView = (row: LoopbackAddressTable) => ({
  id: row.id,
  addressLotBlockId: row.addressLotBlockId,
  rackId: row.rackId,
  switchLocation: row.switchLocation,
  address: `${formatIp(fromKey(row.ipKey))}/${row.width}`,
})

type Lots = `networkingAddressLot${'List' | 'Create' | 'View' | 'Delete' | 'BlockList'}`
type Loopbacks = `networkingLoopbackAddress${'List' | 'Create' | 'Delete'}`
export const addressLots: Family<Lots | Loopbacks> = {
  async networkingAddressLotList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('addressLot')
    return mapPage(await pageByName(ctx, query, { rows, table: 'addressLot', holder: '' }), lotView)
  },

  async networkingAddressLotCreate(ctx, { body }) {
    permit(ctx)
    const known = await ctx.tx
      .selectFrom('addressLot')
      .selectAll()
      .where('name', '=', body.name)
      .executeTakeFirst()
    if (known) noteTarget(ctx.unit, 'addressLot', known)
    const lot =
      known ?? (await insertNamed(ctx, 'addressLot', { ...newIdentity(ctx, body), kind: body.kind }))
    return wholeView(lot, await addBlocks(ctx, lot, body.blocks))
  },

  async networkingAddressLotView(ctx, { params }) {
    const lot = await resolveInFleet(ctx, 'addressLot', params.addressLot)
    return wholeView(lot, await blocksOf(ctx.tx, lot))
  },

  async networkingAddressLotDelete(ctx, { params }) {
    const lot = await resolveInFleet(ctx, 'addressLot', params.addressLot)
    if (await isInUse(ctx.tx, lot)) throw fault.invalid('lot is in use')
    await ctx.tx.deleteFrom('addressLotBlock').where('addressLotId', '=', lot.id).execute()
    await deleteRow('addressLot')(ctx, lot)
  },

  async networkingAddressLotBlockList(ctx, { params, query }) {
    const lot = await resolveInFleet(ctx, 'addressLot', params.addressLot)
    const rows = ctx.tx.selectFrom('addressLotBlock').where('addressLotId', '=', lot.id)
    return mapPage(await pageById(ctx, query, { rows, table: 'addressLotBlock', holder: lot.id }), blockView)
  },

  async networkingLoopbackAddressList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('loopbackAddress')
    return mapPage(await pageById(ctx, query, { rows, table: 'loopbackAddress', holder: '' }), loopbackView)
  },

  async networkingLoopbackAddressCreate(ctx, { body }) {
    permit(ctx)
    await noteSwitches(ctx, body)
    const row = await reserve(ctx, body)
    ctx.wake('switches')
    return loopbackView(row)
  },

  async networkingLoopbackAddressDelete(ctx, { params }) {
    permit(ctx)
    const row = await ctx.tx
      .selectFrom('loopbackAddress')
      .selectAll()
      .where('ipKey', '=', addressKey(params.address))
      .where('rackId', '=', params.rackId)
      .where('switchLocation', '=', locationOf(params.switchLocation))
      .where('width', '=', params.subnetMask)
      .executeTakeFirst()
    if (!row) throw fault.notFound(kinds.loopbackAddress.type, `${params.address}/${params.subnetMask}`)
    await noteSwitches(ctx, row)
    await deleteRow('loopbackAddress')(ctx, row)
    ctx.wake('switches')
  },
}

/** Throws 400 for what cannot be the place of a switch. */
export function locationOf(text: string): SwitchLocation {
  const location = switchLocations.find((one) => one === text)
  if (!location) throw fault.invalid('Switch location must be switch0 or switch1')
  return location
}

/** Throws 400, 404. */
async function reserve(
  ctx: Ctx,
  body: BodyOf<'networkingLoopbackAddressCreate'>,
): Promise<LoopbackAddressTable> {
  const { tx } = ctx
  const switchLocation = locationOf(body.switchLocation)
  const ipKey = addressKey(body.address)
  const { family } = fromKey(ipKey)
  if (body.mask > bitsOf(family))
    throw fault.invalid(`invalid address: the mask of IPv${family} is at most ${bitsOf(family)}`)
  const lot = await resolveInFleet(ctx, 'addressLot', body.addressLot)
  const block = (await blocksOf(tx, lot)).find((one) => one.firstKey <= ipKey && one.lastKey >= ipKey)
  if (!block) throw fault.invalid('address not in lot')
  const rack = tx.selectFrom('rack').select('id').where('id', '=', body.rackId)
  if (!(await rack.executeTakeFirst())) throw fault.notFound(kinds.rack.type, body.rackId)
  const place = { rackId: body.rackId, switchLocation, ipKey }
  if (await isTaken(tx, place, body.anycast)) throw fault.invalid('address unavailable')
  const row = { id: newRowId(ctx.world), addressLotBlockId: block.id, ...place, width: body.mask }
  return insertChild(ctx, 'loopbackAddress', { ...row, isAnycast: body.anycast ? 1 : 0 })
}

/** True if something refers to a block of a lot. */
async function isInUse(tx: Tx, lot: AddressLotTable): Promise<boolean> {
  const blocks = tx.selectFrom('addressLotBlock').select('id').where('addressLotId', '=', lot.id)
  for (const table of ['loopbackAddress', 'switchPortAddress', 'bgpAnnouncement'] as const) {
    const uses = tx.selectFrom(table).select('id').where('addressLotBlockId', 'in', blocks)
    if (await uses.limit(1).executeTakeFirst()) return true
  }
  const { blockIds } = await heldForRollBack(tx)
  return (await blocks.execute()).some(({ id }) => blockIds.has(id))
}

/** True if a pool or a switch has the address; an anycast address may be on each switch once. */
async function isTaken(
  tx: Tx,
  { ipKey, rackId, switchLocation }: Pick<LoopbackAddressTable, 'ipKey' | 'rackId' | 'switchLocation'>,
  isAnycast: boolean,
): Promise<boolean> {
  if (await poolWith(tx, { firstKey: ipKey, lastKey: ipKey })) return true
  const ofPort = tx.selectFrom('switchPortAddress').select('id').where('ipKey', '=', ipKey)
  if (await ofPort.limit(1).executeTakeFirst()) return true
  if ((await heldForRollBack(tx)).ipKeys.includes(ipKey)) return true
  const same = await tx.selectFrom('loopbackAddress').selectAll().where('ipKey', '=', ipKey).execute()
  return same.some(
    (one) =>
      !isAnycast || one.isAnycast === 0 || (one.rackId === rackId && one.switchLocation === switchLocation),
  )
}
