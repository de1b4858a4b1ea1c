/** Fields of backups. */
import type { FieldSentences } from '../field-sentences.ts'

export const backups: FieldSentences = {
  BackupStatus: { schedule: 'The schedule; null if no server makes backups by one.' },
  BackupSchedule: {
    everyHours: 'The time from one backup to the next.',
    timeDue: 'When the next backup, or the next attempt at one, is due.',
    isOverdue: 'Whether the last backup is older than two intervals.',
    last: 'The last backup that is complete; null if there is none yet.',
    failure: 'Why backups fail now; null if the last attempt succeeded.',
  },
  BackupDone: {
    id: 'The name of the backup in its folder.',
    timeCompleted: 'When it was complete.',
    size: 'The bytes of all that it contains.',
  },
  BackupFolder: {
    folder: 'The folder of backups of the server that answers; null if it makes none.',
    keep: 'The number of backups that are kept; null if the server makes none.',
    isUnderWay: 'Whether a backup is made now.',
    items: 'The latest backups in the folder that are complete, the newest first.',
  },
  BackupInFolder: {
    id: 'The name of the backup, which a restore takes.',
    timeMade: 'When the copy of the database was made, RFC 3339 in UTC.',
    size: 'The bytes of all that it contains; null for one whose description is damaged.',
  },
  BackupFailure: { since: 'When the first of the failed attempts in a row ended.' },
}
