/** Moves the demo in time: the preview's database is made by the build and opened later. */
import { sql } from 'kysely'
import { columns } from '#/db/schema.ts'
import type { Tx } from '#/db/tables.ts'

// Those of a certificate stay, because they are part of what was signed.
const isTime = /^(time[A-Z]\w*|\w+Since|at|dueAt|digestDueAt|until)$/

/** Moves all times so that the demo was made just now. The audit log must be empty: its entries never change. */
export async function moveDemo(tx: Tx, now: number): Promise<void> {
  const { madeAt } = await tx
    .selectFrom('instance')
    .select((row) => row.fn.max('timeModified').as('madeAt'))
    .executeTakeFirstOrThrow()
  const byMs = now - madeAt
  const times = columns
    .map((column) => column.split('.') as [string, string])
    .filter(([, name]) => isTime.test(name))
  for (const [table, some] of Map.groupBy(times, ([of]) => of)) {
    // 0 is never.
    const moved = some.map(
      ([, name]) =>
        sql`${sql.ref(name)} = ${sql.ref(name)} + case ${sql.ref(name)} when 0 then 0 else ${byMs} end`,
    )
    await sql`update ${sql.table(table)} set ${sql.join(moved)}`.execute(tx)
  }
}
