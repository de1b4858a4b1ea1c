/** The schedule of backups and their folder, for operators. */
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { isBackupHeld } from '#/db/rows/backup-lease.ts'
import { fault } from '#/faults.ts'
import { backupTrouble, scheduleIn, startNow } from './schedule.ts'

const mostListed = 100

export const backups: Family<`systemBackup${'View' | 'FolderView' | 'Start'}`> = {
  systemBackupFolderView: {
    async withoutTransaction(request) {
      const { backups: own } = request.world
      const isUnderWay = await request.transaction('read', (ctx) => {
        permit(ctx)
        return isBackupHeld(ctx.tx, ctx.now)
      })
      if (!own) return { folder: null, keep: null, isUnderWay, items: [] }
      const { folder, keep } = own
      const found = await own.list(mostListed).catch((error: unknown) => {
        request.world.log.error({ reason: String(error) }, 'the folder of backups cannot be read')
        throw fault.unavailable('the folder of backups cannot be read: the log of the server says why')
      })
      return {
        folder,
        keep,
        isUnderWay,
        items: found.map(({ timeMade, ...one }) => ({ ...one, timeMade: new Date(timeMade) })),
      }
    },
  },

  async systemBackupStart(ctx) {
    permit(ctx)
    if (!(await scheduleIn(ctx.tx)))
      throw fault.invalid('no server makes backups: start one with --backup-to and a folder')
    if (await isBackupHeld(ctx.tx, ctx.now)) throw fault.invalid('a backup is under way already')
    await startNow(ctx.tx, ctx.now)
    ctx.wake('backups')
  },

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
