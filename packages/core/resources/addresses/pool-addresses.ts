/** Addresses of IP pools: ephemeral and floating IPs have a whole one, source NAT a quarter of its ports. */
import { keyOf, parseIp } from '@purlin/contract/rules/network/ip'
import { sql } from 'kysely'
import { resolveToRead } from '#/auth/resolve.ts'
import { poolsOfSilo } from '#/auth/visible.ts'
import type { Ctx } from '#/context.ts'
import { insertRows, prepared } from '#/db/prepared.ts'
import type { ExternalIpTable, IpPoolRangeTable, IpPoolTable, SnatBlockTable } from '#/db/tables.ts'
import { removeTags } from '#/db/rows/tags.ts'
import { countDeleted } from '#/db/rows/tallies.ts'
import { beginUse, endUse, noUse } from '#/db/rows/usage-periods.ts'
import { fault } from '#/faults.ts'
import { addFreed, after, firstGap, lowestFreed, removeFreed } from './allocation.ts'

type Db = Pick<Ctx, 'tx'>

/** A pool as a silo sees it. */
export type LinkedPool = IpPoolTable & { isDefault: number }

/** The default pool of the actor's silo, if it has one. */
export const defaultPoolOrNull = async (ctx: Ctx): Promise<LinkedPool | null> =>
  (await selectDefaultPool(ctx.tx, { siloId: ctx.actor.siloId }))[0] ?? null

const selectDefaultPool = prepared<{ siloId: string }, LinkedPool>((tx, value) =>
  poolsOfSilo(tx, value('siloId')).where('ipPoolSilo.isDefault', '=', 1).limit(1),
)

/** The default pool of the actor's silo. Throws 404. */
async function defaultPool(ctx: Ctx): Promise<LinkedPool> {
  const pool = await defaultPoolOrNull(ctx)
  if (!pool) throw fault.noDefaultPool()
  return pool
}

/** The pool that is named, or the default one. Throws 404. */
export const choosePool = (ctx: Ctx, nameOrId: string | null | undefined): Promise<LinkedPool> =>
  nameOrId == null ? defaultPool(ctx) : resolveToRead(ctx, 'ipPool', { pool: nameOrId })

/** Allocates the requested or the lowest free address of a pool. The caller inserts its row. Throws 400, 507. */
export async function takePoolAddress(ctx: Db, poolId: string, requested?: string | null): Promise<string> {
  if (requested != null) return takeRequestedExternal(ctx, poolId, requested)
  for (;;) {
    const freed = await lowestFreed(ctx, poolId)
    const [range] = await selectOpenRange(ctx.tx, { poolId })
    if (freed !== null && (!range || freed < range.nextKey)) {
      await removeFreed(ctx, poolId, freed)
      return freed
    }
    if (!range) throw fault.noCapacity('No external IP addresses available')
    // Above the watermark there are only addresses that users have requested, and no source NAT.
    const ipKey = await firstGap({ from: range.nextKey, last: range.lastKey }, (from, limit) =>
      selectHeld(ctx.tx, { poolId, from, limit }),
    )
    await moveWatermark(ctx.tx, { rangeId: range.id, nextKey: after(ipKey ?? range.lastKey) })
    if (ipKey !== null) return ipKey
  }
}

const selectOpenRange = prepared<{ poolId: string }, IpPoolRangeTable>((tx, value) =>
  tx
    .selectFrom('ipPoolRange')
    .selectAll()
    .where('ipPoolId', '=', value('poolId'))
    .whereRef('nextKey', '<=', 'lastKey')
    .orderBy('firstKey')
    .limit(1),
)

const moveWatermark = prepared<{ rangeId: string; nextKey: string }, unknown>((tx, value) =>
  tx
    .updateTable('ipPoolRange')
    .set({ nextKey: value('nextKey') })
    .where('id', '=', value('rangeId')),
)

/** The range of a pool that an address is in: none overlap, so it is the last one that begins before it. */
async function rangeOf(ctx: Db, poolId: string, ipKey: string): Promise<IpPoolRangeTable | undefined> {
  const range = await ctx.tx
    .selectFrom('ipPoolRange')
    .selectAll()
    .where('ipPoolId', '=', poolId)
    .where('firstKey', '<=', ipKey)
    .orderBy('firstKey', 'desc')
    .limit(1)
    .executeTakeFirst()
  return range && range.lastKey >= ipKey ? range : undefined
}

/** Addresses of only one instance. */
const selectHeld = prepared<{ poolId: string; from: string; limit: number }, { ipKey: string }>((tx, value) =>
  usedInPool({ tx }, value('poolId'), { from: value('from'), limit: value('limit') }).where(
    'kind',
    '!=',
    sql.lit('snat'),
  ),
)

const usedInPool = (ctx: Db, poolId: string, { from, limit }: { from: string; limit: number }) =>
  ctx.tx
    .selectFrom('externalIp')
    .select('ipKey')
    .where('ipPoolId', '=', poolId)
    .where('ipKey', '>=', from)
    .orderBy('ipKey')
    .limit(limit)

async function takeRequestedExternal(ctx: Db, poolId: string, requested: string): Promise<string> {
  const address = parseIp(requested)
  const ipKey = address ? keyOf(address) : ''
  const range = await rangeOf(ctx, poolId, ipKey)
  const [holder] = await usedInPool(ctx, poolId, { from: ipKey, limit: 1 }).execute()
  if (!range || holder?.ipKey === ipKey) throw fault.externalIpNotAvailable()
  await blocksOf(ctx, { ipPoolId: poolId, ipKey }).execute()
  await removeFreed(ctx, poolId, ipKey)
  return ipKey
}

/** Source NAT shares an address among four instances, each with a quarter of the ports. */
const snatPorts = 16_384
const snatFirstPorts = [0, 1, 2, 3].map((quarter) => quarter * snatPorts)

export interface SnatShare {
  ipKey: string
  firstPort: number
  lastPort: number
}
const share = (ipKey: string, firstPort: number): SnatShare => ({
  ipKey,
  firstPort,
  lastPort: firstPort + snatPorts - 1,
})

/** Allocates the lowest free port block of a pool. The caller inserts its row. Throws 507. */
export async function takeSnat(ctx: Db, poolId: string): Promise<SnatShare> {
  const [block] = await selectLowestBlock(ctx.tx, { poolId })
  if (block) {
    await removeBlock(ctx.tx, { ...block })
    return share(block.ipKey, block.firstPort)
  }
  const [first, ...rest] = blocksAt(poolId, await takePoolAddress(ctx, poolId))
  await insertRows(ctx.tx, 'snatBlock', rest)
  return share(first.ipKey, first.firstPort)
}

const selectLowestBlock = prepared<{ poolId: string }, SnatBlockTable>((tx, value) =>
  tx
    .selectFrom('snatBlock')
    .selectAll()
    .where('ipPoolId', '=', value('poolId'))
    .orderBy('ipKey')
    .orderBy('firstPort')
    .limit(1),
)

const removeBlock = prepared<
  { ipPoolId: string; ipKey: string; firstPort: number },
  Pick<SnatBlockTable, 'ipKey'>
>((tx, value) =>
  blocksOf({ tx }, { ipPoolId: value('ipPoolId'), ipKey: value('ipKey') })
    .where('firstPort', '=', value('firstPort'))
    .returning('ipKey'),
)

/** Allocates this port block of a pool, if it is free. The caller inserts its row. */
export async function takeSnatBlock(ctx: Db, block: SnatBlockTable): Promise<SnatShare | null> {
  const removed = await removeBlock(ctx.tx, { ...block })
  return removed.length > 0 ? share(block.ipKey, block.firstPort) : null
}

/** Divides the next address of a pool into free port blocks. Throws 507. */
export async function addSnatBlocks(ctx: Db, poolId: string): Promise<SnatBlockTable[]> {
  const blocks = blocksAt(poolId, await takePoolAddress(ctx, poolId))
  await insertRows(ctx.tx, 'snatBlock', blocks)
  return blocks
}

const blocksAt = (ipPoolId: string, ipKey: string) =>
  snatFirstPorts.map((firstPort) => ({ ipPoolId, ipKey, firstPort })) as [SnatBlockTable, ...SnatBlockTable[]]

const blocksOf = (ctx: Db, { ipPoolId, ipKey }: { ipPoolId: string; ipKey: string }) =>
  ctx.tx.deleteFrom('snatBlock').where('ipPoolId', '=', ipPoolId).where('ipKey', '=', ipKey)

/** Begins the period of the use of an address that nothing shares. */
export const useAddress = (
  ctx: Db & { now: number },
  row: Pick<ExternalIpTable, 'id' | 'projectId' | 'tagsJson'>,
  siloId: string,
): Promise<void> => beginUse(ctx.tx, { ...row, siloId }, { use: { ...noUse, addresses: 1 }, now: ctx.now })

/** Deletes an external IP and releases its address; that of a port block only with the last block. */
export async function releaseExternal(
  ctx: Db & { now: number },
  row: Pick<ExternalIpTable, 'id' | 'kind' | 'ipPoolId' | 'ipKey' | 'firstPort' | 'projectId'> &
    Partial<Pick<ExternalIpTable, 'tagsJson'>>,
): Promise<void> {
  const { ipPoolId, ipKey, firstPort } = row
  await ctx.tx.deleteFrom('externalIp').where('id', '=', row.id).execute()
  await removeTags(ctx.tx, row)
  if (row.kind !== 'snat') await endUse(ctx.tx, row, ctx.now)
  if (row.kind === 'floating') await countDeleted(ctx.tx, 'floatingIp', row)
  if (row.kind === 'snat') {
    const [other] = await usedInPool(ctx, ipPoolId, { from: ipKey, limit: 1 }).execute()
    if (other?.ipKey === ipKey) {
      await ctx.tx.insertInto('snatBlock').values({ ipPoolId, ipKey, firstPort }).execute()
      return
    }
    await blocksOf(ctx, row).execute()
  }
  const range = await rangeOf(ctx, ipPoolId, ipKey)
  if (range && ipKey < range.nextKey) await addFreed(ctx, ipPoolId, ipKey)
}
