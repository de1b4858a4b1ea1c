/** Addresses of IP pools: whole ones for ephemeral and floating use, quarters for source NAT. */
import { keyOf, parseIp } from '@purlin/contract/rules/ip'
import { isUuid } from '@purlin/contract/rules/names'
import type { Ctx } from '../context.ts'
import type { ExternalIpTable, IpPoolRangeTable, IpPoolTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { after, firstGap, free, lowestFreed, unfree } from './addresses.ts'

type Db = Pick<Ctx, 'tx'>
type Asker = Pick<Ctx, 'tx' | 'actor'>

/** A pool as a silo sees it. */
export type LinkedPool = IpPoolTable & { isDefault: number }

/** The pools that the actor's silo may use. */
export const linkedPools = (ctx: Asker) =>
  ctx.tx
    .selectFrom('ipPool')
    .innerJoin('ipPoolSilo', 'ipPoolSilo.ipPoolId', 'ipPool.id')
    .selectAll('ipPool')
    .select('ipPoolSilo.isDefault')
    .where('ipPoolSilo.siloId', '=', ctx.actor.siloId)

/** The default pool of the actor's silo, if it has one. */
export const defaultPoolOrNull = async (ctx: Asker): Promise<LinkedPool | null> =>
  (await linkedPools(ctx).where('ipPoolSilo.isDefault', '=', 1).limit(1).executeTakeFirst()) ?? null

/** The default pool of the actor's silo. Throws 404. */
async function defaultPool(ctx: Asker): Promise<LinkedPool> {
  const pool = await defaultPoolOrNull(ctx)
  if (!pool) throw fault.noDefaultPool()
  return pool
}

/** The pool of a name or id, if it is linked to the actor's silo: any other does not exist for it (404). */
export async function resolvePool(ctx: Asker, nameOrId: string): Promise<LinkedPool> {
  const pools = linkedPools(ctx)
  const wanted = isUuid(nameOrId)
    ? pools.where('ipPool.id', '=', nameOrId.toLowerCase())
    : pools.where('ipPool.name', '=', nameOrId)
  const pool = await wanted.executeTakeFirst()
  if (!pool) throw fault.notFound('ip-pool', nameOrId)
  return pool
}

/** The pool that is named, or the default one. Throws 404. */
export const choosePool = (ctx: Asker, nameOrId: string | null | undefined): Promise<LinkedPool> =>
  nameOrId == null ? defaultPool(ctx) : resolvePool(ctx, nameOrId)

/** Takes the requested or the lowest free address of a pool. The caller stores it. Throws 400, 507. */
export async function takePoolAddress(ctx: Db, poolId: string, requested?: string | null): Promise<string> {
  if (requested != null) return takeRequestedExternal(ctx, poolId, requested)
  for (;;) {
    const freed = await lowestFreed(ctx, poolId)
    const range = await openRange(ctx, poolId)
    if (freed !== null && (!range || freed < range.nextKey)) {
      await unfree(ctx, poolId, freed)
      return freed
    }
    if (!range) throw fault.noCapacity('No external IP addresses available')
    const ipKey = await firstGap({ from: range.nextKey, last: range.lastKey }, (from, limit) =>
      usedInPool(ctx, poolId, { from, limit }),
    )
    await ctx.tx
      .updateTable('ipPoolRange')
      .set({ nextKey: after(ipKey ?? range.lastKey) })
      .where('id', '=', range.id)
      .execute()
    if (ipKey !== null) return ipKey
  }
}

const openRange = (ctx: Db, poolId: string): Promise<IpPoolRangeTable | undefined> =>
  ctx.tx
    .selectFrom('ipPoolRange')
    .selectAll()
    .where('ipPoolId', '=', poolId)
    .whereRef('nextKey', '<=', 'lastKey')
    .orderBy('firstKey')
    .limit(1)
    .executeTakeFirst()

const rangeOf = (ctx: Db, poolId: string, ipKey: string): Promise<IpPoolRangeTable | undefined> =>
  ctx.tx
    .selectFrom('ipPoolRange')
    .selectAll()
    .where('ipPoolId', '=', poolId)
    .where('firstKey', '<=', ipKey)
    .where('lastKey', '>=', ipKey)
    .executeTakeFirst()

const usedInPool = (ctx: Db, poolId: string, { from, limit }: { from: string; limit: number }) =>
  ctx.tx
    .selectFrom('externalIp')
    .select('ipKey')
    .where('ipPoolId', '=', poolId)
    .where('ipKey', '>=', from)
    .orderBy('ipKey')
    .limit(limit)
    .execute()

async function takeRequestedExternal(ctx: Db, poolId: string, requested: string): Promise<string> {
  const address = parseIp(requested)
  const ipKey = address ? keyOf(address) : ''
  const range = await rangeOf(ctx, poolId, ipKey)
  const [holder] = await usedInPool(ctx, poolId, { from: ipKey, limit: 1 })
  if (!range || holder?.ipKey === ipKey) throw fault.invalid('Requested external IP address not available')
  await unfree(ctx, poolId, ipKey)
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

/** Takes the lowest free port block of a pool. The caller stores it. Throws 507. */
export async function takeSnat(ctx: Db, poolId: string): Promise<SnatShare> {
  const blocks = ctx.tx.selectFrom('snatBlock').selectAll().where('ipPoolId', '=', poolId)
  const block = await blocks.orderBy('ipKey').orderBy('firstPort').limit(1).executeTakeFirst()
  if (block) {
    await blocksOf(ctx, block).where('firstPort', '=', block.firstPort).execute()
    return share(block.ipKey, block.firstPort)
  }
  const ipKey = await takePoolAddress(ctx, poolId)
  const rest = snatFirstPorts.slice(1).map((firstPort) => ({ ipPoolId: poolId, ipKey, firstPort }))
  await ctx.tx.insertInto('snatBlock').values(rest).execute()
  return share(ipKey, 0)
}

const blocksOf = (ctx: Db, { ipPoolId, ipKey }: { ipPoolId: string; ipKey: string }) =>
  ctx.tx.deleteFrom('snatBlock').where('ipPoolId', '=', ipPoolId).where('ipKey', '=', ipKey)

/** Deletes an external address and gives it back: a port block, the whole address with its last block. */
export async function releaseExternal(
  ctx: Db,
  row: Pick<ExternalIpTable, 'id' | 'kind' | 'ipPoolId' | 'ipKey' | 'firstPort'>,
): Promise<void> {
  const { ipPoolId, ipKey, firstPort } = row
  await ctx.tx.deleteFrom('externalIp').where('id', '=', row.id).execute()
  if (row.kind === 'snat') {
    const [other] = await usedInPool(ctx, ipPoolId, { from: ipKey, limit: 1 })
    if (other?.ipKey === ipKey) {
      await ctx.tx.insertInto('snatBlock').values({ ipPoolId, ipKey, firstPort }).execute()
      return
    }
    await blocksOf(ctx, row).execute()
  }
  const range = await rangeOf(ctx, ipPoolId, ipKey)
  if (range && ipKey < range.nextKey) await free(ctx, ipPoolId, ipKey)
}
