/** Samples of the provisioned resources of projects, silos and the fleet: one per change. */
import { keysOf } from '@purlin/contract/rules/keys'
import { sql } from 'kysely'
import { together } from '#/concurrency/together.ts'
import type { Tx, UsageSampleTable, UsageTable } from '#/db/tables.ts'

/** Of a project, a silo or the fleet. */
export type UsageMetric = Exclude<UsageSampleTable['metric'], 'addresses_assigned'>

const metricOf: Record<Exclude<keyof UsageTable, 'id'>, UsageMetric> = {
  cpus: 'cpus_provisioned',
  memory: 'ram_provisioned',
  storage: 'virtual_disk_space_provisioned',
}

/** Records the current totals of these ids for each resource whose change is not 0. */
export async function sampleUsage(
  { tx, now }: { tx: Tx; now: number },
  ids: readonly string[],
  changed: Record<keyof typeof metricOf, number>,
): Promise<void> {
  const moved = keysOf(metricOf).filter((column) => changed[column] !== 0)
  await together(moved.map((column) => sample(tx, { column, metric: metricOf[column], now, ids })))
}

async function sample(
  tx: Tx,
  {
    column,
    metric,
    now,
    ids,
  }: { column: keyof typeof metricOf; metric: UsageMetric; now: number; ids: readonly string[] },
): Promise<void> {
  await tx
    .insertInto('usageSample')
    .columns(['id', 'metric', 'at', 'value'])
    .expression((eb) =>
      eb
        .selectFrom('usage')
        .select((one) => [
          'usage.id',
          sql<UsageMetric>`${metric}`.as('metric'),
          // A request that began earlier may commit later. Its total is still newer.
          one.fn
            .coalesce(
              one
                .selectFrom('usageSample as newer')
                .select((of) => of.fn.max('newer.at').as('at'))
                .whereRef('newer.id', '=', 'usage.id')
                .where('newer.metric', '=', metric)
                .where('newer.at', '>', now),
              sql<number>`cast(${now} as bigint)`,
            )
            .as('at'),
          `usage.${column} as value`,
        ])
        .where('usage.id', 'in', ids),
    )
    .onConflict((on) =>
      on.columns(['id', 'metric', 'at']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute()
}
