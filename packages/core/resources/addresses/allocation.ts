/**
 * Allocates addresses. A space (a subnet, a range of a pool) is allocated upwards from a watermark; released
 * addresses below it are in `freedAddress`. So a few index look-ups find the lowest free address, however many are
 * allocated.
 */
import { fromKey, keyOf, parseNet, type Network } from '@purlin/contract/rules/network/ip'
import type { Ctx } from '#/context.ts'
import { prepared } from '#/db/prepared.ts'

type Db = Pick<Ctx, 'tx'>

/** The next address. */
export const after = (key: string): string => {
  const { family, value } = fromKey(key)
  return keyOf({ family, value: value + 1n })
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

/** The lowest address that was released in a space and is still free. */
export async function lowestFreed(ctx: Db, spaceId: string): Promise<string | null> {
  const [row] = await selectFreed(ctx.tx, { spaceId })
  return row?.ipKey ?? null
}

const selectFreed = prepared<{ spaceId: string }, { ipKey: string }>((tx, value) =>
  tx
    .selectFrom('freedAddress')
    .select('ipKey')
    .where('spaceId', '=', value('spaceId'))
    .orderBy('ipKey')
    .limit(1),
)

/** Marks a released address as allocated again. */
export const removeFreed = (ctx: Db, spaceId: string, ipKey: string) =>
  ctx.tx.deleteFrom('freedAddress').where('spaceId', '=', spaceId).where('ipKey', '=', ipKey).execute()

/** Records an address that was released below the watermark. */
export const addFreed = (ctx: Db, spaceId: string, ipKey: string) =>
  ctx.tx.insertInto('freedAddress').values({ spaceId, ipKey }).execute()

/** The network of a text that the contract has checked. */
export function netOf(text: string): Network {
  const net = parseNet(text)
  if (!net) throw new Error(`not a network: ${text}`)
  return net
}

/** A random whole number from 0 to `count` − 1, from the world's bytes. */
export function randomBelow(ctx: Pick<Ctx, 'world'>, count: number): number {
  const drawn = ctx.world.ids.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0)
  return Math.floor((drawn / 2 ** 32) * count)
}

/** Draws random values until one is free; null after 64. It checks first, as a failed insert would abort the transaction. */
export async function drawFree<T>(draw: () => T, isTaken: (value: T) => Promise<boolean>): Promise<T | null> {
  for (let i = 0; i < 64; i++) {
    const value = draw()
    if (!(await isTaken(value))) return value
  }
  return null
}
