/** Reports of what resources used, and what that costs: decision 0103. */
export const dayMs = 86_400_000

/**
 * Days for which the use of deleted resources is kept, and days of one report; its sums: of each group, or of each group
 * and day. Characters of a currency; the most of a price, and the decimal places that it may have.
 */
export const usageLimits = {
  keptDays: 400,
  days: 366,
  sums: 50_000,
  currency: 12,
  price: 1e9,
  decimals: 6,
} as const

/** How a report is divided, besides by the values of a tag. */
export const usageGroupings = ['silo', 'project', 'day'] as const
export type UsageGrouping = (typeof usageGroupings)[number]
