import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { AuditExplorer, entriesQuery } from './AuditExplorer.tsx'
import { auditSearch } from './search.ts'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/access/audit-log')({
  validateSearch: auditSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(entriesQuery('silo', deps)),
  staticData: { crumb: { label: 'Audit log', to: () => paths.siloAuditLog } },
  component: SiloAuditLog,
})

/** The actions in the silo, for its administrators. */
function SiloAuditLog() {
  const search = Route.useSearch()
  const reason = useRole().lacks('admin')
  return reason ? <Notice>{reason}</Notice> : <AuditExplorer level="silo" search={search} />
}
