/**
 * Port blocks of source NAT for requests under way. All requests of a silo need the lowest free block of its default
 * pool; if they selected the same one concurrently, the database would abort them. So a request with competitors gets
 * a different block before its transaction begins: decision 0032. A claim is only a hint; the database ensures that a
 * block is assigned once.
 */
import type { Ctx, World } from '#/context.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { Engine } from '#/db/engine.ts'
import type { SnatBlockTable, Tx } from '#/db/tables.ts'
import { Fault } from '#/faults.ts'
import { addSnatBlocks, takeSnatBlock, type SnatShare } from './pool-addresses.ts'

/**
 * Claims a port block of the default pool of the actor's silo, if others are about to take one. It must be the first
 * thing that a transaction does.
 */
export async function claimSnat(ctx: Ctx): Promise<void> {
  const claims = claimsOf(ctx.world)
  if (!claims) return
  const { siloId } = ctx.actor
  ctx.unit.endings.push(() => claims.leave(siloId))
  if (claims.enter(siloId) === 1) return
  const block = await claims.claim(siloId)
  if (!block) return
  ctx.unit.snatClaim = block
  ctx.unit.endings.push(() => claims.release(block))
}

/** Allocates the block that was claimed, if it is of this pool and still free. The caller inserts its row. */
export async function takeClaimed(ctx: Ctx, poolId: string): Promise<SnatShare | null> {
  const block = ctx.unit.snatClaim
  ctx.unit.snatClaim = undefined
  return block?.ipPoolId === poolId ? takeSnatBlock(ctx, block) : null
}

type Waiter = (block: SnatBlockTable | undefined) => void

const textOf = ({ ipPoolId, ipKey, firstPort }: SnatBlockTable) => `${ipPoolId} ${ipKey} ${firstPort}`

const createClaims = ({ engine: { independentTransaction } }: World) =>
  independentTransaction ? independentClaims(independentTransaction) : undefined

const claimsOf = memoizeByObject(createClaims)

function independentClaims(independentTransaction: NonNullable<Engine['independentTransaction']>) {
  const held = new Set<string>()
  const waiting = new Map<string, Waiter[]>()
  /** The number of requests of a silo that are taking blocks. */
  const taking = new Map<string, number>()

  function enter(siloId: string): number {
    const count = (taking.get(siloId) ?? 0) + 1
    taking.set(siloId, count)
    return count
  }

  function leave(siloId: string): void {
    const count = (taking.get(siloId) ?? 1) - 1
    if (count > 0) taking.set(siloId, count)
    else taking.delete(siloId)
  }

  /** At least `count` free blocks that are not held, lowest first, as long as the pool has addresses. */
  async function find(siloId: string, count: number): Promise<SnatBlockTable[]> {
    // A block that is released now may be free only in this snapshot.
    const before = new Set(held)
    const rows = await independentTransaction('read', (tx) => freeIn(tx, siloId, count + held.size))
    const free = rows.filter((row) => !before.has(textOf(row)))
    // Where many come at the same time, others will be here soon.
    const missing = count - free.length
    return missing > 0
      ? [
          ...free,
          ...(await independentTransaction('write', (tx) => add(tx, siloId, missing + 4 * held.size))),
        ]
      : free
  }

  async function serve(siloId: string, queue: Waiter[]): Promise<void> {
    while (queue.length > 0) {
      const count = queue.length
      // A request without a claim selects a block itself, and gets the same failure if there is one.
      const found = await find(siloId, count).catch(() => [])
      // Requests of another silo may have got the same block.
      const free = found.filter((block) => !held.has(textOf(block)))
      for (const [i, waiter] of queue.splice(0, count).entries()) {
        const block = free[i]
        if (block) held.add(textOf(block))
        waiter(block)
      }
    }
    waiting.delete(siloId)
  }

  return {
    enter,
    leave,
    claim: (siloId: string) =>
      new Promise<SnatBlockTable | undefined>((resolve) => {
        const queue = waiting.get(siloId)
        if (queue) return void queue.push(resolve)
        const begun = [resolve]
        waiting.set(siloId, begun)
        void serve(siloId, begun)
      }),
    release: (block: SnatBlockTable) => void held.delete(textOf(block)),
  }
}

const defaultPoolId = (tx: Tx, siloId: string) =>
  tx
    .selectFrom('ipPoolSilo')
    .select('ipPoolSilo.ipPoolId')
    .where('siloId', '=', siloId)
    .where('isDefault', '=', 1)
    .limit(1)

const freeIn = (tx: Tx, siloId: string, most: number): Promise<SnatBlockTable[]> =>
  tx
    .selectFrom('snatBlock')
    .selectAll()
    .where('ipPoolId', '=', defaultPoolId(tx, siloId))
    .orderBy('ipKey')
    .orderBy('firstPort')
    .limit(most)
    .execute()

/** Divides addresses of the default pool of a silo into at least `count` free blocks, as long as it has any. */
async function add(tx: Tx, siloId: string, count: number): Promise<SnatBlockTable[]> {
  const pool = await defaultPoolId(tx, siloId).executeTakeFirst()
  const blocks: SnatBlockTable[] = []
  while (pool && blocks.length < count) {
    const more = await addSnatBlocks({ tx }, pool.ipPoolId).catch(noneIfUsedUp)
    if (more.length === 0) break
    blocks.push(...more)
  }
  return blocks
}

function noneIfUsedUp(error: unknown): [] {
  if (error instanceof Fault) return []
  throw error
}
