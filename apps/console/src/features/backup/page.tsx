import { createFileRoute } from '@tanstack/react-router'
import { load } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { Backup } from './Backup.tsx'
import { backupQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/system/backup')({
  loader: () => load(backupQuery),
  staticData: { crumb: { label: 'Backup', to: () => paths.backup } },
  component: Backup,
})
