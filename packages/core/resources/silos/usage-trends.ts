/** How long capacity and quotas last, at the trend of the last days. */
import { together } from '#/concurrency/together.ts'
import type { Ctx } from '#/context.ts'
import type { UsageMetric } from '#/timeseries/usage-samples.ts'
import type { Amounts, QuotaAmounts } from './quotas.ts'

type At = Pick<Ctx, 'tx' | 'now'>

const dayMs = 24 * 3_600_000
const days = 30
interface Point {
  /** days from now, negative */
  day: number
  value: number
}

/** An amount that is used up, and how much of it is left. */
interface Used {
  /** The id of a project, a silo or the fleet. */
  id: string
  metric: UsageMetric
  left: number
}

/** The provisioned amount at the same time of each of the last 30 days, as far as it is known. */
async function history({ tx, now }: At, { id, metric }: Used): Promise<Point[]> {
  const at = Array.from({ length: days + 1 }, (_, i) => i - days)
  const values = await together(
    at.map(async (day) => {
      const row = await tx
        .selectFrom('usageSample')
        .select('value')
        .where('id', '=', id)
        .where('metric', '=', metric)
        .where('at', '<=', now + day * dayMs)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row ? [{ day, value: Number(row.value) }] : []
    }),
  )
  return values.flat()
}

/** The slope of the line through the points with the least squares; null without a history. */
export function slopeOf(points: readonly Point[]): number | null {
  if (points.length < 2) return null
  const mean = (of: (point: Point) => number) => points.reduce((sum, one) => sum + of(one), 0) / points.length
  const [meanDay, meanValue] = [mean(({ day }) => day), mean(({ value }) => value)]
  return (
    mean(({ day, value }) => (day - meanDay) * (value - meanValue)) / mean(({ day }) => (day - meanDay) ** 2)
  )
}

export interface Trend {
  perDay: number | null
  daysUntilFull: number | null
}

/** When nothing of what is left now will be left. */
export const trendAt = (perDay: number | null, left: number): Trend => ({
  perDay,
  daysUntilFull: perDay !== null && perDay > 0 ? Math.max(0, left) / perDay : null,
})

/** The trend of an amount that is used up. */
export async function trendOf(at: At, used: Used): Promise<Trend> {
  return trendAt(slopeOf(await history(at, used)), used.left)
}

/** How long the quotas of a silo last. */
export async function quotaTrends(
  at: At,
  { id, used, quota }: { id: string; used: Required<Amounts>; quota: QuotaAmounts },
) {
  const left = (resource: keyof Amounts) => Number(quota[resource]) - used[resource]
  const [cpus, memory, storage] = await together([
    trendOf(at, { id, metric: 'cpus_provisioned', left: left('cpus') }),
    trendOf(at, { id, metric: 'ram_provisioned', left: left('memory') }),
    trendOf(at, { id, metric: 'virtual_disk_space_provisioned', left: left('storage') }),
  ])
  return { cpus, memory, storage }
}
