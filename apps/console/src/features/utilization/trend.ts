/** The trend of the capacity, or of a quota, in words. */
import type { capacityView } from '@purlin/contract/operations/hardware/capacity'
import type { Result } from '@purlin/contract/op'
import { countOf } from '@purlin/contract/rules/kinds'
import { formatSize, twoDecimals } from '#/lib/format.ts'

export type Capacity = Result<typeof capacityView>
type Trend = Capacity['trends'][keyof Capacity['trends']]

/** 'Full in 12 days at 3 more each day' */
export function trendText({ perDay, daysUntilFull }: Trend, isBytes: boolean): string {
  if (perDay === null) return 'There is no history yet.'
  if (daysUntilFull === null) return 'Not full in sight.'
  const daily = isBytes ? formatSize(Math.round(perDay)) : twoDecimals(perDay)
  return `Full in ${countOf(Math.floor(daysUntilFull), 'day')}, at ${daily} more each day.`
}
