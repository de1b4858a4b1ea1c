/** Of our own: the schedule of backups, and how the last ones ended. */
import { op } from '#/op.ts'
import { boolean, integer, nullable, object, ref, string, time, unlimited } from '#/schema.ts'
import { ByteCount } from '#/schemas/scalar.ts'

const text = string(unlimited)

export const systemBackupView = op({
  method: 'GET', path: '/v1/system/backup', allow: 'fleet.viewer', ok: 200, tag: 'system/backup',
  response: ref('BackupStatus', object({
    schedule: nullable(ref('BackupSchedule', object({
      everyHours: integer({ min: 1, format: 'uint32' }), timeDue: time(), isOverdue: boolean(),
      last: nullable(ref('BackupDone', object({ id: text, timeCompleted: time(), size: ByteCount }))),
      failure: nullable(ref('BackupFailure', object({ reason: text, since: time() }))),
    }))),
  })),
})
