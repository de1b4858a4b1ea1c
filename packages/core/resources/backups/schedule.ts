/** The schedule of backups: when the next one is due, and how the last one ended. */
import type { BackupScheduleTable, Tx } from '#/db/tables.ts'

const id = 'schedule'
/** After a failure, and while another server may be making the backup. */
export const retryMs = 15 * 60_000
const longestReason = 500

export const scheduleIn = (tx: Tx): Promise<BackupScheduleTable | undefined> =>
  tx.selectFrom('backupSchedule').selectAll().executeTakeFirst()

/** Begins a schedule, or gives the one that exists another period. The first backup is due immediately. */
export async function keepSchedule(tx: Tx, everyMs: number, now: number): Promise<void> {
  const row = await scheduleIn(tx)
  const none = { timeDone: null, backupId: null, bytes: null, failure: null, failedSince: null }
  if (!row)
    await tx
      .insertInto('backupSchedule')
      .values({ id, everyMs, timeDue: now, ...none })
      .execute()
  else if (row.everyMs !== everyMs)
    await tx
      .updateTable('backupSchedule')
      .set({ everyMs, timeDue: Math.min(row.timeDue, (row.timeDone ?? now) + everyMs) })
      .execute()
}

/** Makes the next backup due. */
export const startNow = (tx: Tx, now: number) =>
  tx.updateTable('backupSchedule').set({ timeDue: now }).execute()

/** Ends the schedule. */
export const endSchedule = (tx: Tx) => tx.deleteFrom('backupSchedule').execute()

/** Takes the backup that is due for this server. Returns the time at which it, or the next one, is due otherwise. */
export async function takeDue(tx: Tx, now: number): Promise<{ waitUntil: number | null }> {
  const row = await scheduleIn(tx)
  if (!row) return { waitUntil: now + retryMs }
  if (row.timeDue > now) return { waitUntil: row.timeDue }
  await tx
    .updateTable('backupSchedule')
    .set({ timeDue: now + retryMs })
    .execute()
  return { waitUntil: null }
}

/** Records a backup, with the times at which it began and ended. */
export const recordBackup = (tx: Tx, backup: { id: string; bytes: number; began: number; ended: number }) =>
  tx
    .updateTable('backupSchedule')
    .set((eb) => ({
      timeDue: eb('everyMs', '+', backup.began),
      timeDone: backup.ended,
      backupId: backup.id,
      bytes: backup.bytes,
      failure: null,
      failedSince: null,
    }))
    .execute()

/** Records why a backup failed. */
export async function recordFailure(tx: Tx, reason: string, now: number): Promise<void> {
  const row = await scheduleIn(tx)
  await tx
    .updateTable('backupSchedule')
    .set({
      failure: reason.slice(0, longestReason),
      failedSince: row?.failedSince ?? now,
      timeDue: now + retryMs,
    })
    .execute()
}

/** Backups that have failed, or that are overdue by a whole period. */
export interface BackupTrouble {
  /** Why the last attempt has failed; null if there was none. */
  failure: string | null
  isOverdue: boolean
  since: number
  /** When the last backup was made. */
  timeDone: number | null
}

export async function backupTrouble(tx: Tx, now: number): Promise<BackupTrouble | undefined> {
  const row = await scheduleIn(tx)
  if (!row) return undefined
  const { timeDone, timeDue, everyMs, failure, failedSince } = row
  const dueSince = timeDone === null ? (failedSince ?? timeDue) : timeDone + everyMs
  const isOverdue = now > dueSince + everyMs
  if (failure === null && !isOverdue) return undefined
  return { failure, isOverdue, since: failedSince ?? dueSince, timeDone }
}
