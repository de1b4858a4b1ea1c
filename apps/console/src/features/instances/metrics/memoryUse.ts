import type { MetricQuery } from '#/features/metrics/oxql.ts'
import type { Timeseries } from '#/features/metrics/points.ts'

/** The memory that instances use, by its source where `groupBy` keeps it. */
export const memoryUse = (ids: string | readonly string[]) =>
  ({
    metric: 'virtual_machine:memory_used',
    filters: { instance_id: ids },
    // Seconds between two samples.
    every: 10,
  }) satisfies MetricQuery

/** From the source that counts more: 0 for what a guest says itself, 1 for what its host has measured. */
export const rankOfSource = ({ fields }: Pick<Timeseries, 'fields'>): number =>
  Number(fields['source']?.value === 'host')
