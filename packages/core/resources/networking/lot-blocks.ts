/** The blocks of address lots. None overlaps another, and those of the infrastructure overlap no IP pool. */
import { formatIp, fromKey, keyOf, parseIp } from '@purlin/contract/rules/network/ip'
import { limits } from '@purlin/contract/rules/limits'
import type { LotKind } from '@purlin/contract/rules/networking'
import type { Ctx } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import type { AddressLotBlockTable, AddressLotTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { heldForRollBack } from './switch-snapshot.ts'

type Keys = Pick<AddressLotBlockTable, 'firstKey' | 'lastKey'>
/** The bounds of a block, as requests have them. */
export interface Bounds {
  firstAddress: string
  lastAddress: string
}

const textOf = ({ firstKey, lastKey }: Keys) => `${formatIp(fromKey(firstKey))}-${formatIp(fromKey(lastKey))}`

export const blockView = ({ id, firstKey, lastKey }: AddressLotBlockTable) => ({
  id,
  firstAddress: formatIp(fromKey(firstKey)),
  lastAddress: formatIp(fromKey(lastKey)),
})

/** The key of an address. Throws 400. */
export function addressKey(text: string): string {
  const address = parseIp(text)
  if (!address) throw fault.invalid(`invalid address: ${text}`)
  return keyOf(address)
}

function keysOf({ firstAddress, lastAddress }: Bounds): Keys {
  const [firstKey, lastKey] = [addressKey(firstAddress), addressKey(lastAddress)]
  if (firstKey[0] !== lastKey[0]) throw fault.invalid('Block bounds must be in same address family')
  if (firstKey > lastKey) throw fault.invalid('Invalid range, first must be <= last')
  return { firstKey, lastKey }
}

const isSame = (a: Keys, b: Keys) => a.firstKey === b.firstKey && a.lastKey === b.lastKey

/** All blocks of a lot, in the order of their addresses. */
export const blocksOf = (tx: Tx, lot: { id: string }): Promise<AddressLotBlockTable[]> =>
  tx
    .selectFrom('addressLotBlock')
    .selectAll()
    .where('addressLotId', '=', lot.id)
    .orderBy('firstKey')
    .execute()

/** Adds the blocks that a lot does not have yet, and returns all that it has. Throws 400. */
export async function addBlocks(
  ctx: Ctx,
  lot: AddressLotTable,
  blocks: readonly Bounds[],
): Promise<AddressLotBlockTable[]> {
  const all = await blocksOf(ctx.tx, lot)
  for (const keys of blocks.map(keysOf)) {
    if (all.some((known) => isSame(known, keys))) continue
    if (all.length >= limits.addressLot.blocks)
      throw fault.invalid(`An address lot may not have more than ${limits.addressLot.blocks} blocks`)
    await refuseOverlap(ctx.tx, lot.kind, keys)
    const block = { id: newRowId(ctx.world), addressLotId: lot.id, ...keys }
    await ctx.tx.insertInto('addressLotBlock').values(block).execute()
    all.push(block)
  }
  return all.toSorted((a, b) => (a.firstKey < b.firstKey ? -1 : 1))
}

async function refuseOverlap(tx: Tx, kind: LotKind, keys: Keys): Promise<void> {
  const other = await tx
    .selectFrom('addressLotBlock')
    .innerJoin('addressLot', 'addressLot.id', 'addressLotBlock.addressLotId')
    .select('addressLot.name')
    .where('firstKey', '<=', keys.lastKey)
    .where('lastKey', '>=', keys.firstKey)
    .limit(1)
    .executeTakeFirst()
  if (other)
    throw fault.invalid(`The block ${textOf(keys)} overlaps with a block of the address lot "${other.name}"`)
  // Addresses of pools are announced from lots of that kind.
  if (kind === 'infra' && (await poolWith(tx, keys)))
    throw fault.invalid(`The block ${textOf(keys)} overlaps with a range of an IP pool`)
}

/** True if an IP pool has an address of a range. */
export async function poolWith(tx: Tx, { firstKey, lastKey }: Keys): Promise<boolean> {
  const range = tx.selectFrom('ipPoolRange').select('id').where('firstKey', '<=', lastKey)
  return (await range.where('lastKey', '>=', firstKey).limit(1).executeTakeFirst()) !== undefined
}

/** True if the infrastructure uses an address of a range, so that no pool can have it. */
export async function isOfInfrastructure(tx: Tx, { firstKey, lastKey }: Keys): Promise<boolean> {
  const block = await tx
    .selectFrom('addressLotBlock')
    .innerJoin('addressLot', 'addressLot.id', 'addressLotBlock.addressLotId')
    .select('addressLotBlock.id')
    .where('addressLot.kind', '=', 'infra')
    .where('firstKey', '<=', lastKey)
    .where('lastKey', '>=', firstKey)
    .limit(1)
    .executeTakeFirst()
  if (block) return true
  for (const table of ['loopbackAddress', 'switchPortAddress'] as const) {
    const taken = tx.selectFrom(table).select('id').where('ipKey', '>=', firstKey)
    if (await taken.where('ipKey', '<=', lastKey).limit(1).executeTakeFirst()) return true
  }
  return (await heldForRollBack(tx)).ipKeys.some((ipKey) => firstKey <= ipKey && ipKey <= lastKey)
}
