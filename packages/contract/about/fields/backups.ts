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
  BackupFailure: { since: 'When the first of the failed attempts in a row ended.' },
}
