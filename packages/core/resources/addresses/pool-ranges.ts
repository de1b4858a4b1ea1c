/** Ranges of IP pools. They do not overlap, even across pools, and a range with addresses in use cannot be removed. */
import { boundsOf, formatIp, fromKey, keyOf, parseIp, type Address } from '@purlin/contract/rules/network/ip'
import { limits } from '@purlin/contract/rules/limits'
import type { Ctx } from '#/context.ts'
import type { IpPoolRangeTable, IpPoolTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { isOfInfrastructure } from '../networking/lot-blocks.ts'
import { specialNoun } from './special-ranges.ts'

/** First and last address, as a request has them. */
export interface RangeText {
  first: string
  last: string
}
type Keys = Pick<IpPoolRangeTable, 'firstKey' | 'lastKey'>

export const rangeText = ({ firstKey, lastKey }: Keys): RangeText => ({
  first: formatIp(fromKey(firstKey)),
  last: formatIp(fromKey(lastKey)),
})
export const written = (keys: Keys): string => {
  const { first, last } = rangeText(keys)
  return `${first}-${last}`
}

/** The addresses of a range as the database orders them. Throws 400. */
function keysOf({ first, last }: RangeText): Keys & Pick<Address, 'family'> {
  const [low, high] = [parseIp(first), parseIp(last)]
  if (!low || !high) throw new Error(`not addresses: ${first}, ${last}`)
  if (low.family !== high.family) throw fault.invalid('IP address ranges cannot mix IPv4 and IPv6')
  if (low.value > high.value) throw fault.invalid('IP address ranges must be non-decreasing')
  return { firstKey: keyOf(low), lastKey: keyOf(high), family: low.family }
}

/** Adds a range to a pool. Throws 400. */
export async function addRange(
  ctx: Pick<Ctx, 'tx' | 'now' | 'world'>,
  pool: IpPoolTable,
  text: RangeText,
): Promise<IpPoolRangeTable> {
  const { family, ...keys } = keysOf(text)
  if (family === 6) throw fault.invalid('IPv6 ranges are not allowed yet')
  if (pool.ipVersion === 'v6')
    throw fault.invalid(`Cannot add IPv4 address range to IPv6 pool with ID "${pool.id}"`)
  const noun = specialNoun(({ base, ...range }) => {
    const { first, last } = boundsOf({ base, ...range })
    return (
      keyOf({ ...base, value: first }) <= keys.lastKey && keyOf({ ...base, value: last }) >= keys.firstKey
    )
  })
  if (noun) throw fault.invalid(`The provided IP range ${written(keys)} overlaps with a ${noun} network`)
  if (await overlapsAny(ctx.tx, keys))
    throw fault.invalid(`The provided IP range ${written(keys)} overlaps with an existing range`)
  if (await isOfInfrastructure(ctx.tx, keys))
    throw fault.invalid(
      `The provided IP range ${written(keys)} overlaps with addresses of the infrastructure`,
    )
  if ((await rangesOf(ctx.tx, pool.id)).length >= limits.ipPool.ranges)
    throw fault.invalid(`An IP pool may not have more than ${limits.ipPool.ranges} ranges`)
  const range = {
    id: ctx.world.ids.uuid(),
    ipPoolId: pool.id,
    ...keys,
    nextKey: keys.firstKey,
    timeCreated: ctx.now,
  }
  await ctx.tx.insertInto('ipPoolRange').values(range).execute()
  return range
}

async function overlapsAny(tx: Tx, { firstKey, lastKey }: Keys): Promise<boolean> {
  const found = await tx
    .selectFrom('ipPoolRange')
    .select('id')
    .where('firstKey', '<=', lastKey)
    .where('lastKey', '>=', firstKey)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

const rangesOf = (tx: Tx, poolId: string): Promise<IpPoolRangeTable[]> =>
  tx.selectFrom('ipPoolRange').selectAll().where('ipPoolId', '=', poolId).orderBy('firstKey').execute()

/** Removes the range of a pool that has exactly these bounds. Throws 400. */
export async function removeRange(
  { tx }: Pick<Ctx, 'tx'>,
  pool: IpPoolTable,
  text: RangeText,
): Promise<Keys> {
  const { family: _, ...keys } = keysOf(text)
  const range = (await rangesOf(tx, pool.id)).find(
    ({ firstKey, lastKey }) => firstKey === keys.firstKey && lastKey === keys.lastKey,
  )
  if (!range) throw fault.invalid(`The provided range ${written(keys)} does not exist`)
  const inRange = { from: keys.firstKey, to: keys.lastKey }
  if (await hasAllocated(tx, pool.id, inRange))
    throw fault.invalid(
      `IP pool ranges cannot be deleted while external IP addresses are allocated from them${await ofProbe(tx, pool.id, inRange)}`,
    )
  await tx.deleteFrom('ipPoolRange').where('id', '=', range.id).execute()
  await tx
    .deleteFrom('snatBlock')
    .where('ipPoolId', '=', pool.id)
    .where('ipKey', '>=', inRange.from)
    .where('ipKey', '<=', inRange.to)
    .execute()
  // Released addresses of the range must not be assigned again.
  await tx
    .deleteFrom('freedAddress')
    .where('spaceId', '=', pool.id)
    .where('ipKey', '>=', inRange.from)
    .where('ipKey', '<=', inRange.to)
    .execute()
  return keys
}

/** Removes all ranges of a pool. Throws 400, naming the user of one of their addresses. */
export async function removeRanges(ctx: Pick<Ctx, 'tx'>, pool: IpPoolTable): Promise<void> {
  const user = await ctx.tx
    .selectFrom('externalIp')
    .innerJoin('project', 'project.id', 'externalIp.projectId')
    .innerJoin('silo', 'silo.id', 'project.siloId')
    .leftJoin('instance', 'instance.id', 'externalIp.instanceId')
    .leftJoin('probe', 'probe.id', 'externalIp.instanceId')
    .select(['externalIp.kind', 'externalIp.name', 'externalIp.ipKey', 'instance.name as instance'])
    .select(['probe.name as probe', 'project.name as project', 'silo.name as silo'])
    .where('externalIp.ipPoolId', '=', pool.id)
    .orderBy('externalIp.ipKey')
    .limit(1)
    .executeTakeFirst()
  if (user) {
    const { kind, name, instance, probe, ipKey, project, silo } = user
    const noun = kind === 'floating' ? 'floating IP' : instance === null ? 'probe' : 'instance'
    const holder = kind === 'floating' ? name : (instance ?? probe ?? '')
    throw fault.invalid(
      `IP pool cannot be deleted while its addresses are in use, such as ${formatIp(fromKey(ipKey))} by ${noun} "${holder}" of project "${project}" in silo "${silo}"`,
    )
  }
  for (const range of await rangesOf(ctx.tx, pool.id)) await removeRange(ctx, pool, rangeText(range))
}

interface Span {
  from: string
  to: string
}

const allocatedIn = (tx: Tx, poolId: string, { from, to }: Span) =>
  tx
    .selectFrom('externalIp')
    .where('ipPoolId', '=', poolId)
    .where('ipKey', '>=', from)
    .where('ipKey', '<=', to)
    .limit(1)

async function hasAllocated(tx: Tx, poolId: string, span: Span): Promise<boolean> {
  return (await allocatedIn(tx, poolId, span).select('id').executeTakeFirst()) !== undefined
}

/** The probe that has an address of the span: no list of the silo's users has its address. */
async function ofProbe(tx: Tx, poolId: string, span: Span): Promise<string> {
  const found = await allocatedIn(tx, poolId, span)
    .innerJoin('probe', 'probe.id', 'externalIp.instanceId')
    .innerJoin('project', 'project.id', 'probe.projectId')
    .innerJoin('silo', 'silo.id', 'project.siloId')
    .select(['probe.name', 'project.name as project', 'silo.name as silo'])
    .executeTakeFirst()
  return found
    ? `, such as by probe "${found.name}" of project "${found.project}" in silo "${found.silo}"`
    : ''
}

/**
 * The number of addresses of a pool, and of assigned ones; a shared address counts once. Below the watermark of a
 * range all are assigned except the released ones, so only these and the few above it are counted.
 */
export async function usageOf(tx: Tx, poolId: string): Promise<{ capacity: bigint; used: bigint }> {
  const ranges = await rangesOf(tx, poolId)
  const freed = await tx
    .selectFrom('freedAddress')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('spaceId', '=', poolId)
    .executeTakeFirstOrThrow()
  const beyond = await tx
    .selectFrom('ipPoolRange')
    .innerJoin('externalIp', (join) =>
      join
        .onRef('externalIp.ipPoolId', '=', 'ipPoolRange.ipPoolId')
        .onRef('externalIp.ipKey', '>=', 'ipPoolRange.nextKey')
        .onRef('externalIp.ipKey', '<=', 'ipPoolRange.lastKey'),
    )
    .select(({ fn }) => fn.count<number>('externalIp.ipKey').distinct().as('count'))
    .where('ipPoolRange.ipPoolId', '=', poolId)
    .executeTakeFirstOrThrow()
  const at = (key: string) => fromKey(key).value
  const sum = (size: (range: IpPoolRangeTable) => bigint) =>
    ranges.reduce((all, range) => all + size(range), 0n)
  return {
    capacity: sum(({ firstKey, lastKey }) => at(lastKey) - at(firstKey) + 1n),
    used:
      sum(({ firstKey, nextKey }) => at(nextKey) - at(firstKey)) - BigInt(freed.count) + BigInt(beyond.count),
  }
}
