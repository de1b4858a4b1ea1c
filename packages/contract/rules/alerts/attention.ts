/** Conditions that need the attention of operators. */

export const severities = ['critical', 'warning'] as const
export type Severity = (typeof severities)[number]

/** Percent of a pool or a quota in use from which it needs attention. */
const fillingFrom: Readonly<Record<Severity, number>> = { critical: 95, warning: 80 }

/** The severity of a part of a whole in use; undefined while there is enough left. */
export const severityOfFilling = (used: number, capacity: number): Severity | undefined =>
  capacity > 0 ? severities.find((one) => used * 100 >= capacity * fillingFrom[one]) : undefined
