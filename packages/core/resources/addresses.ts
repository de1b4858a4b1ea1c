/**
 * Which address is next. A space (a subnet, a range of a pool) is given out upwards from a watermark;
 * what was given back below it waits in `freedAddress`. So the lowest free address is found by a few
 * look-ups in indexes, however many are taken. Here: subnets; pools are in pool-addresses.ts.
 */
import {
  boundsOf,
  contains,
  formatIp,
  formatNet,
  fromKey,
  keyOf,
  parseIp,
  parseNet,
  type Network,
} from '@purlin/contract/rules/ip'
import type { Ctx } from '../context.ts'
import type { VpcSubnetTable } from '../db/tables.ts'
import { fault } from '../faults.ts'

type Db = Pick<Ctx, 'tx'>

/** Network, gateway and three spare addresses begin every subnet. */
export const reservedAddresses = 5n

/** The next address. */
export const after = (key: string): string => {
  const { family, value } = fromKey(key)
  return keyOf({ family, value: value + 1n })
}

/** The network of a text that the contract has checked. */
export function netOf(text: string): Network {
  const net = parseNet(text)
  if (!net) throw new Error(`not a network: ${text}`)
  return net
}

type UsedFrom = (key: string, limit: number) => Promise<{ ipKey: string }[]>

/** The lowest address of a span that is not in use. `used` answers addresses in use from a key on, ascending. */
export async function firstGap(span: { from: string; last: string }, used: UsedFrom): Promise<string | null> {
  let candidate = span.from
  for (let limit = 1; candidate <= span.last; limit = Math.min(4 * limit, 256)) {
    const rows = await used(candidate, limit)
    for (const { ipKey } of rows) if (ipKey === candidate) candidate = after(candidate)
    const seenAll = rows.length < limit || (rows.at(-1)?.ipKey ?? '') > candidate
    if (seenAll) return candidate <= span.last ? candidate : null
  }
  return null
}

/** The lowest address given back to a space and not taken since. */
export async function lowestFreed(ctx: Db, spaceId: string): Promise<string | null> {
  const row = await ctx.tx
    .selectFrom('freedAddress')
    .select('ipKey')
    .where('spaceId', '=', spaceId)
    .orderBy('ipKey')
    .limit(1)
    .executeTakeFirst()
  return row?.ipKey ?? null
}

/** Forgets an address that was given back, for it is taken again. */
export const unfree = (ctx: Db, spaceId: string, ipKey: string) =>
  ctx.tx.deleteFrom('freedAddress').where('spaceId', '=', spaceId).where('ipKey', '=', ipKey).execute()

/** Remembers an address given back below the watermark. */
export const free = (ctx: Db, spaceId: string, ipKey: string) =>
  ctx.tx.insertInto('freedAddress').values({ spaceId, ipKey }).execute()

/** What the allocation of a private address must know of its subnet. */
export type SubnetSpace = Pick<VpcSubnetTable, 'id' | 'name' | 'ipv4Block' | 'ipv6Block'>

/** Takes the requested or the lowest free IPv4 address of a subnet. The caller stores it. Throws 400. */
export async function takePrivateIp(
  ctx: Db,
  subnet: SubnetSpace,
  requested?: string | null,
): Promise<string> {
  if (requested != null) return takeRequested(ctx, subnet, requested)
  const freed = await lowestFreed(ctx, subnet.id)
  if (freed !== null) {
    await unfree(ctx, subnet.id, freed)
    return freed
  }
  const { nextKey } = await watermark(ctx, subnet.id)
  const last = keyOf({ family: 4, value: boundsOf(netOf(subnet.ipv4Block)).last - 1n })
  const ipKey = await firstGap({ from: nextKey, last }, (from, limit) =>
    usedInSubnet(ctx, subnet.id, { from, limit }),
  )
  if (ipKey === null)
    throw fault.invalid(
      `No available IP addresses for interface in subnet '${subnet.name}' with ID '${subnet.id}'`,
    )
  await ctx.tx
    .updateTable('vpcSubnet')
    .set({ nextKey: after(ipKey) })
    .where('id', '=', subnet.id)
    .execute()
  return ipKey
}

const watermark = (ctx: Db, subnetId: string) =>
  ctx.tx.selectFrom('vpcSubnet').select('nextKey').where('id', '=', subnetId).executeTakeFirstOrThrow()

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
  await unfree(ctx, subnet.id, ipKey)
  return ipKey
}

/** Gives a private address back. The caller has deleted its interface. */
export async function releasePrivateIp(
  ctx: Db,
  { subnetId, ipKey }: { subnetId: string; ipKey: string },
): Promise<void> {
  // IPv6 is never given out automatically, so there is nothing to remember.
  if (fromKey(ipKey).family === 6) return
  const { nextKey } = await watermark(ctx, subnetId)
  if (ipKey < nextKey) await free(ctx, subnetId, ipKey)
}

/** A random whole number from 0 to `count` − 1, from the world's bytes. */
export function randomBelow(ctx: Pick<Ctx, 'world'>, count: number): number {
  const drawn = ctx.world.ids.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0)
  return Math.floor((drawn / 2 ** 32) * count)
}

/** Draws until a value is free; null after 64 draws. Looks first: a refused insert would end the transaction. */
export async function drawFree<T>(draw: () => T, isTaken: (value: T) => Promise<boolean>): Promise<T | null> {
  for (let i = 0; i < 64; i++) {
    const value = draw()
    if (!(await isTaken(value))) return value
  }
  return null
}

// FF:xx:xx is kept for the system.
const macs = { prefix: 'A8:40:25', first: 0xf0_00_00, last: 0xfe_ff_ff }

/** A random MAC address, free in the VPC: its low 24 bits. Throws 507. */
export async function takeMac(ctx: Pick<Ctx, 'tx' | 'world'>, vpcId: string): Promise<number> {
  const mac = await drawFree(
    () => macs.first + randomBelow(ctx, macs.last - macs.first + 1),
    async (value) => {
      const holder = await ctx.tx
        .selectFrom('networkInterface')
        .select('id')
        .where('vpcId', '=', vpcId)
        .where('mac', '=', value)
        .executeTakeFirst()
      return holder !== undefined
    },
  )
  if (mac === null) throw fault.noCapacity('No free MAC address was found')
  return mac
}

/** `A8:40:25:F0:00:01` of the low 24 bits. */
export const formatMac = (mac: number): string =>
  [macs.prefix, ...(mac.toString(16).padStart(6, '0').toUpperCase().match(/../g) ?? [])].join(':')
