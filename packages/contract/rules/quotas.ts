/** Quotas of silos: when their use is worth a warning. */

/** Shares of a quota, in percent, above which its use is shown as a warning, and as critical. */
const quotaWarnings = { warning: 66, critical: 75 } as const

/** How near the use of a quota is to its end. A quota of 0 of which nothing is used is fine. */
export function quotaLevel(used: number, quota: number): 'fine' | 'warning' | 'critical' {
  if (used <= 0) return 'fine'
  const percent = quota > 0 ? (100 * used) / quota : Infinity
  if (percent > quotaWarnings.critical) return 'critical'
  return percent > quotaWarnings.warning ? 'warning' : 'fine'
}

/** What an error says of a quota that is too small: amounts in vCPUs or bytes. */
export interface QuotaExceeded {
  resource: 'cpus' | 'memory' | 'storage'
  limit: number
  used: number
  asked: number
}
