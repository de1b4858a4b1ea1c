/** The addresses of port settings, which are taken from address lots. */
import { limits } from '@purlin/contract/rules/limits'
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import type { Ctx } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import type { SwitchPortAddressTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { addressKey, blocksOf, poolWith } from './lot-blocks.ts'
import { namedRow } from './named-row.ts'
import { refuseTwice, type Asked } from './port-layout.ts'

/** The addresses of settings with their lots, by link and address. */
export const addressesOf = (tx: Tx, settingsId: string) =>
  tx
    .selectFrom('switchPortAddress')
    .innerJoin('addressLotBlock', 'addressLotBlock.id', 'switchPortAddress.addressLotBlockId')
    .innerJoin('addressLot', 'addressLot.id', 'addressLotBlock.addressLotId')
    .select(['addressLotId', 'addressLot.name', 'addressLotBlockId', 'linkName', 'ipKey', 'width', 'vlanId'])
    .where('switchPortSettingsId', '=', settingsId)
    .orderBy('linkName')
    .orderBy('ipKey')
    .execute()

/** The rows of the addresses that a request asks for. Throws 400. */
export async function addressRows(
  ctx: Ctx,
  { id: switchPortSettingsId, asked }: { id: string; asked: Asked },
): Promise<SwitchPortAddressTable[]> {
  const all = asked.addresses.flatMap(({ linkName, addresses }) =>
    addresses.map(({ addressLot, address, vlanId = null }) => {
      const [ip = '', width] = address.split('/')
      return { addressLot, linkName, vlanId, ipKey: addressKey(ip), width: Number(width) }
    }),
  )
  if (all.length > limits.portSettings.addresses)
    throw fault.invalid(`settings may have at most ${limits.portSettings.addresses} addresses`)
  refuseTwice(all.map(({ ipKey }) => `address ${formatIp(fromKey(ipKey))}`))
  const rows: SwitchPortAddressTable[] = []
  for (const { addressLot, ...address } of all) {
    const lot = await namedRow(ctx, 'addressLot', addressLot)
    if (!lot) throw fault.invalid('AddressLot not found')
    const { ipKey } = address
    const block = (await blocksOf(ctx.tx, lot)).find((one) => one.firstKey <= ipKey && one.lastKey >= ipKey)
    if (!block) throw fault.invalid('address not in lot')
    if (await isTaken(ctx.tx, ipKey)) throw fault.invalid('address unavailable')
    rows.push({ id: newRowId(ctx.world), switchPortSettingsId, addressLotBlockId: block.id, ...address })
  }
  return rows
}

/** True if a pool, a loopback interface or other settings have an address. */
async function isTaken(tx: Tx, ipKey: string): Promise<boolean> {
  if (await poolWith(tx, { firstKey: ipKey, lastKey: ipKey })) return true
  for (const table of ['loopbackAddress', 'switchPortAddress'] as const)
    if (await tx.selectFrom(table).select('id').where('ipKey', '=', ipKey).limit(1).executeTakeFirst())
      return true
  return false
}
