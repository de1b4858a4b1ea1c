/** The use of IP pools, a sample a day, and how long their addresses last at its trend. */
import { severityOfFilling, type Severity } from '@purlin/contract/rules/alerts/attention'
import { soonDays } from '@purlin/contract/rules/quotas'
import type { World } from '#/context.ts'
import type { IpPoolTable, Tx } from '#/db/tables.ts'
import { slopeOf, trendAt, type Trend } from '../silos/usage-trends.ts'
import { usageOf } from './pool-ranges.ts'

const dayMs = 24 * 3_600_000
const days = 30
const metric = 'addresses_assigned'

/** All pools, with their samples since a time if they have some. */
const samplesIn = (tx: Tx, since: number) =>
  tx
    .selectFrom('ipPool')
    .leftJoin('usageSample', (join) =>
      join
        .onRef('usageSample.id', '=', 'ipPool.id')
        .on('usageSample.metric', '=', metric)
        .on('usageSample.at', '>=', since),
    )

/** Records how many addresses of each pool are assigned, once a day in UTC. Servers may do it at the same time. */
export async function samplePools({ engine, clock }: World): Promise<void> {
  const today = Math.floor(clock.now() / dayMs) * dayMs
  const values = await engine.transaction('read', async (tx) => {
    const due = await samplesIn(tx, today).where('usageSample.id', 'is', null).select('ipPool.id').execute()
    const samples: { id: string; metric: typeof metric; at: number; value: number }[] = []
    for (const { id } of due)
      samples.push({ id, metric, at: today, value: Number((await usageOf(tx, id)).used) })
    return samples
  })
  if (values.length === 0) return
  await engine.transaction('write', (tx) =>
    tx
      .insertInto('usageSample')
      .values(values)
      .onConflict((on) => on.doNothing())
      .execute(),
  )
}

interface Scarce extends Trend {
  pool: Pick<IpPoolTable, 'id' | 'name'>
  severity: Severity | null
  used: number
  capacity: number
}

/** The pools that are nearly used up, or will be soon at their trend, in the order in which they end. */
export async function scarcePools(tx: Tx, now: number, most: number): Promise<Scarce[]> {
  const rows = await samplesIn(tx, now - days * dayMs)
    .select(['ipPool.id', 'ipPool.name', 'usageSample.at', 'usageSample.value'])
    .orderBy('ipPool.name')
    .execute()
  const scarce: Scarce[] = []
  for (const [id, samples] of Map.groupBy(rows, (row) => row.id)) {
    const { used, capacity } = await usageOf(tx, id)
    const left = Number(capacity - used)
    const points = samples.flatMap(({ at, value }) =>
      at === null ? [] : [{ day: (at - now) / dayMs, value: Number(value) }],
    )
    const trend = trendAt(slopeOf(points), left)
    const severity = severityOfFilling(Number(used), Number(capacity)) ?? null
    const { daysUntilFull } = trend
    if (severity === null && (daysUntilFull === null || daysUntilFull > soonDays)) continue
    const pool = { id, name: samples[0]?.name ?? '' }
    scarce.push({ pool, severity, used: Number(used), capacity: Number(capacity), ...trend })
  }
  const end = ({ daysUntilFull }: Scarce) => daysUntilFull ?? Infinity
  return scarce.toSorted((a, b) => (end(a) < end(b) ? -1 : 1)).slice(0, most)
}
