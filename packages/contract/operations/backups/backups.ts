/** Of our own: the schedule of backups, how the last ones ended, and the folder that they are in. */
import { op } from '#/op.ts'
import { array, boolean, integer, nullable, object, ref, string, time, unlimited } from '#/schema.ts'
import { ByteCount } from '#/schemas/scalar.ts'

const text = string(unlimited)
const tag = 'system/backup'
const path = '/v1/system/backup'

export const systemBackupView = op({
  method: 'GET', path, allow: 'fleet.viewer', ok: 200, tag,
  response: ref('BackupStatus', object({
    schedule: nullable(ref('BackupSchedule', object({
      everyHours: integer({ min: 1, format: 'uint32' }), timeDue: time(), isOverdue: boolean(),
      last: nullable(ref('BackupDone', object({ id: text, timeCompleted: time(), size: ByteCount }))),
      failure: nullable(ref('BackupFailure', object({ reason: text, since: time() }))),
    }))),
  })),
})
/** Only those who run the fleet need to know the folder. */
export const systemBackupFolderView = op({
  method: 'GET', path: `${path}/folder`, allow: 'fleet.admin', ok: 200, tag,
  response: ref('BackupFolder', object({
    folder: nullable(text), keep: nullable(integer({ min: 1, format: 'uint32' })), isUnderWay: boolean(),
    items: array(ref('BackupInFolder', object({ id: text, timeMade: time(), size: nullable(ByteCount) })), unlimited),
  })),
})
export const systemBackupStart = op({ method: 'POST', path: `${path}/start`, allow: 'fleet.admin', ok: 204, tag })
