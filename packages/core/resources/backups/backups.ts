/** The schedule of backups, for operators. */
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { backupTrouble, scheduleIn } from './schedule.ts'

export const backups: Family<'systemBackupView'> = {
  async systemBackupView(ctx) {
    permit(ctx)
    const row = await scheduleIn(ctx.tx)
    if (!row) return { schedule: null }
    const trouble = await backupTrouble(ctx.tx, ctx.world.clock.now())
    const { timeDone, backupId, bytes, failure, failedSince } = row
    return {
      schedule: {
        everyHours: Math.max(1, Math.round(row.everyMs / 3_600_000)),
        timeDue: new Date(row.timeDue),
        isOverdue: trouble?.isOverdue ?? false,
        last:
          timeDone === null
            ? null
            : { id: backupId ?? '', timeCompleted: new Date(timeDone), size: bytes ?? 0 },
        failure: failure === null ? null : { reason: failure, since: new Date(failedSince ?? row.timeDue) },
      },
    }
  },
}
