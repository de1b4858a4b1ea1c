/** Runs that are due, in the tables of schedules: servers share them by leases. */
import { limits } from '@purlin/contract/rules/limits'
import type { AskAs, World } from '#/context.ts'
import type { Tables, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { ApiResponse } from '@purlin/contract/http'

/** The tables whose rows are run, with the columns of a claim in common. */
export type RunTable = 'snapshotSchedule' | 'schedule'
type Claimed = Pick<
  Tables['snapshotSchedule'],
  'id' | 'timeDue' | 'leaseUntil' | 'failedSince' | 'timeModified'
>

export interface RunKind<T extends RunTable> {
  table: T
  /** After that another server takes a run over. */
  leaseMs: number
  /** The first run after a time. */
  next: (row: Tables[T], at: number) => number
  /** `away`: the database does not answer, and nothing was done as far as is known. */
  run: (run: Run<T>) => Promise<'ended' | 'away'>
}
/** A run that this server has claimed. */
export interface Run<T extends RunTable> {
  world: World
  askAs: AskAs
  row: Tables[T]
}
export interface Failed {
  reason: string
  mayPass?: boolean
}

/** The next attempt after a failure that may pass, such as a full quota, unless a run is due before. */
const retryMs = 60 * 60_000

// All of them have the columns of a claim.
const common = (table: RunTable) => table as 'snapshotSchedule'

/** Claims the first run that is due and that no server has claimed. */
export async function take<T extends RunTable>(
  { engine, clock }: World,
  { table, leaseMs }: Pick<RunKind<T>, 'table' | 'leaseMs'>,
): Promise<Tables[T] | undefined> {
  const now = clock.now()
  const first = (tx: Tx) =>
    tx
      .selectFrom(common(table))
      .selectAll()
      .where('timeDue', '<=', now)
      .where('leaseUntil', '<=', now)
      .orderBy('timeDue')
      .limit(1)
      .executeTakeFirst()
  if (!(await engine.transaction('read', first))) return undefined
  return engine.transaction('write', async (tx) => {
    const row = await first(tx)
    if (!row) return undefined
    const claim = { leaseUntil: now + leaseMs }
    await tx.updateTable(common(table)).set(claim).where('id', '=', row.id).execute()
    return { ...row, ...claim } as Claimed as Tables[T]
  })
}

/** When the next run is due, or the claim of another server ends; Infinity without any. */
export async function nextTime(tx: Tx, table: RunTable, now: number): Promise<number> {
  const { due } = await tx
    .selectFrom(common(table))
    .select((eb) => eb.fn.min('timeDue').as('due'))
    .where('timeDue', '>', now)
    .executeTakeFirstOrThrow()
  const { claimed } = await tx
    .selectFrom(common(table))
    .select((eb) => eb.fn.min('leaseUntil').as('claimed'))
    .where('timeDue', '<=', now)
    .executeTakeFirstOrThrow()
  return Math.min(due ?? Infinity, claimed ?? Infinity)
}

/** The row, as long as it is claimed by this server. */
export const claimedRow = (tx: Tx, table: RunTable, row: Claimed) =>
  tx.updateTable(common(table)).where('id', '=', row.id).where('leaseUntil', '=', row.leaseUntil)

export const failedColumns = (
  { failedSince }: Pick<Claimed, 'failedSince'>,
  reason: string,
  now: number,
) => ({
  lastError: reason.slice(0, limits.task.reason),
  failedSince: failedSince ?? now,
})

/** Records a failure, unless the schedule has changed since it was claimed. */
export async function record<T extends RunTable>(
  { world, row }: Run<T>,
  { table, next }: Pick<RunKind<T>, 'table' | 'next'>,
  { reason, mayPass = false }: Failed,
): Promise<'ended'> {
  const now = world.clock.now()
  const regular = next(row, now)
  const timeDue = mayPass ? Math.min(regular, now + retryMs) : regular
  await world.engine.transaction('write', (tx) =>
    claimedRow(tx, table, row)
      .set({ timeDue, leaseUntil: 0, ...failedColumns(row, reason, now) })
      .execute(),
  )
  return 'ended'
}

export const messageOf = ({ body }: ApiResponse): string =>
  (JSON.parse(body ?? '{}') as { message?: string }).message ?? ''

/** Whether the database was away: as far as is known, nothing was done. */
export const isAway = (answer: ApiResponse): boolean =>
  answer.status === fault.databaseUnavailable().status &&
  messageOf(answer) === fault.databaseUnavailable().message

export const goneUser = 'the user who has set it was deleted'
export const setAgain = 'Set the schedule again, so that it runs in your name'
