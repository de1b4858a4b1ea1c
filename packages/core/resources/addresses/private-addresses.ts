/** The addresses of an interface: an IP address of its subnet, and a MAC address of its VPC. */
import {
  boundsOf,
  contains,
  formatIp,
  formatNet,
  fromKey,
  keyOf,
  parseIp,
} from '@purlin/contract/rules/network/ip'
import type { Ctx, InTransaction } from '#/context.ts'
import type { VpcSubnetTable } from '#/db/tables.ts'
import { prepared } from '#/db/prepared.ts'
import { fault } from '#/faults.ts'
import { macs } from '#/network/mac.ts'
import {
  addFreed,
  after,
  drawFree,
  firstGap,
  lowestFreed,
  netOf,
  randomBelow,
  removeFreed,
} from './allocation.ts'

type Db = Pick<Ctx, 'tx'>

/** The first addresses of every subnet: network, gateway and three spare ones. */
export const reservedAddresses = 5n

/** The columns of a subnet that the allocation of a private address needs. */
export type SubnetSpace = Pick<VpcSubnetTable, 'id' | 'name' | 'ipv4Block' | 'ipv6Block' | 'nextKey'>

/**
 * Allocates the requested or the lowest free IPv4 address of a subnet. This transaction must have read the subnet's
 * row, and must not have allocated from it since. The caller inserts its row. Throws 400.
 */
export async function takePrivateIp(
  ctx: InTransaction,
  subnet: SubnetSpace,
  requested?: string | null,
): Promise<string> {
  if (requested != null) return takeRequested(ctx, subnet, requested)
  const freed = await lowestFreed(ctx, subnet.id)
  if (freed !== null) {
    await removeFreed(ctx, subnet.id, freed)
    return freed
  }
  const last = keyOf({ family: 4, value: boundsOf(netOf(subnet.ipv4Block)).last - 1n })
  // Above the watermark there are only addresses that users have requested.
  const used = (from: string, limit: number) => usedInSubnet(ctx, subnet.id, { from, limit })
  const ipKey = await firstGap({ from: subnet.nextKey, last }, ctx.unit.isFirstTry ? noneUsed : used)
  if (ipKey === null)
    throw fault.invalid(
      `No available IP addresses for interface in subnet '${subnet.name}' with ID '${subnet.id}'`,
    )
  await moveWatermark(ctx.tx, { id: subnet.id, nextKey: after(ipKey) })
  return ipKey
}

const noneUsed = () => Promise.resolve([])

async function watermark(ctx: Db, id: string): Promise<{ nextKey: string }> {
  const [row] = await selectWatermark(ctx.tx, { id })
  if (!row) throw new Error(`no subnet ${id}`)
  return row
}

const selectWatermark = prepared<{ id: string }, { nextKey: string }>((tx, value) =>
  tx.selectFrom('vpcSubnet').select('nextKey').where('id', '=', value('id')),
)

const moveWatermark = prepared<{ id: string; nextKey: string }, unknown>((tx, value) =>
  tx
    .updateTable('vpcSubnet')
    .set({ nextKey: value('nextKey') })
    .where('id', '=', value('id')),
)

const usedInSubnet = (ctx: Db, subnetId: string, { from, limit }: { from: string; limit: number }) =>
  ctx.tx
    .selectFrom('networkInterface')
    .select('ipKey')
    .where('subnetId', '=', subnetId)
    .where('ipKey', '>=', from)
    .orderBy('ipKey')
    .limit(limit)
    .execute()

async function takeRequested(ctx: Db, subnet: SubnetSpace, requested: string): Promise<string> {
  const address = parseIp(requested)
  if (!address) throw fault.invalidValue('ip', 'invalid IP address syntax')
  const block = netOf(address.family === 4 ? subnet.ipv4Block : subnet.ipv6Block)
  const { first, last } = boundsOf(block)
  if (!contains(block, address))
    throw fault.invalid(`${formatIp(address)} is outside subnet ${formatNet(block)}`)
  if (address.value < first + reservedAddresses)
    throw fault.invalid('The first 5 addresses of a subnet are reserved')
  if (address.value === last) throw fault.invalid('Cannot request a broadcast address')
  const ipKey = keyOf(address)
  const [holder] = await usedInSubnet(ctx, subnet.id, { from: ipKey, limit: 1 })
  if (holder?.ipKey === ipKey) throw fault.invalid(`The IP address '${formatIp(address)}' is not available`)
  await removeFreed(ctx, subnet.id, ipKey)
  return ipKey
}

/** Releases a private address whose interface has been deleted. */
export async function releasePrivateIp(
  ctx: Db,
  { subnetId, ipKey }: { subnetId: string; ipKey: string },
): Promise<void> {
  // IPv6 addresses are never allocated automatically, so none need be recorded.
  if (fromKey(ipKey).family === 6) return
  const { nextKey } = await watermark(ctx, subnetId)
  if (ipKey < nextKey) await addFreed(ctx, subnetId, ipKey)
}

const selectByMac = prepared<{ vpcId: string; mac: number }, { id: string }>((tx, value) =>
  tx
    .selectFrom('networkInterface')
    .select('id')
    .where('vpcId', '=', value('vpcId'))
    .where('mac', '=', value('mac')),
)

/** A random MAC address, free in the VPC: its low 24 bits. Throws 507. */
export async function takeMac(ctx: InTransaction & Pick<Ctx, 'world'>, vpcId: string): Promise<number> {
  const draw = () => macs.first + randomBelow(ctx, macs.last - macs.first + 1)
  // Of a thousand, one is in a VPC of as many interfaces already.
  if (ctx.unit.isFirstTry) return draw()
  const mac = await drawFree(draw, async (value) => {
    const holders = await selectByMac(ctx.tx, { vpcId, mac: value })
    return holders.length > 0
  })
  if (mac === null) throw fault.noCapacity('No free MAC address was found')
  return mac
}
