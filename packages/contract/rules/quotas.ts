/** Quotas of silos: when their use is worth a warning. */

/** Shares of a quota, in percent, from which its use is shown as a warning and as critical. */
const quotaWarnings = { warning: 66, critical: 75 } as const

/** The level of use of a quota. A quota of 0 without use is fine. */
export function quotaLevel(used: number, quota: number): 'fine' | 'warning' | 'critical' {
  if (used <= 0) return 'fine'
  const percent = quota > 0 ? (100 * used) / quota : Infinity
  if (percent > quotaWarnings.critical) return 'critical'
  return percent > quotaWarnings.warning ? 'warning' : 'fine'
}

/** Capacity, pools and quotas are about to run out that last for less than this many days. */
export const soonDays = 90

/** The part of an error about a quota that is too small: amounts in vCPUs or bytes. */
export interface QuotaExceeded {
  resource: 'cpus' | 'memory' | 'storage'
  limit: number
  used: number
  asked: number
}
