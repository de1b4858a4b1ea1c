/** Conditions that need the attention of operators. */

export const severities = ['critical', 'warning'] as const
export type Severity = (typeof severities)[number]

export const attentionKinds = [
  'sled_missing',
  'switch_missing',
  'disk_missing',
  'disk_failing',
  'link_down',
  'pool_filling',
  'quota_filling',
  'certificate_expiring',
  'update_stalled',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** Percent of a pool or a quota in use from which it needs attention. */
const fillingFrom: Readonly<Record<Severity, number>> = { critical: 95, warning: 80 }

/** The severity of a part of a whole in use; undefined while there is enough left. */
export const severityOfFilling = (used: number, capacity: number): Severity | undefined =>
  capacity > 0 ? severities.find((one) => used * 100 >= capacity * fillingFrom[one]) : undefined
