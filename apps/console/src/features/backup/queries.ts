import { systemBackupView } from '@purlin/contract/operations/backups/backups'
import { query } from '#/api/query.ts'

export const backupQuery = query(systemBackupView, {})
