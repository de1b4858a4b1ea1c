import { systemBackupFolderView, systemBackupView } from '@purlin/contract/operations/backups/backups'
import { query } from '#/api/query.ts'

export const backupQuery = query(systemBackupView, {})
export const folderQuery = query(systemBackupFolderView, {})
