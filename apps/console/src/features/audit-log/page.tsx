import { createFileRoute } from '@tanstack/react-router'
import ScrollText from 'lucide-react/icons/scroll-text'
import { prefetch } from '#/api/query.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { AuditExplorer, entriesQuery } from './AuditExplorer.tsx'
import { auditSearch } from './search.ts'

export const Route = createFileRoute('/_auth/system/audit-log')({
  validateSearch: auditSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(entriesQuery('fleet', deps)),
  staticData: { crumb: { label: 'Audit Log', to: () => paths.auditLog } },
  component: AuditLogPage,
})

function AuditLogPage() {
  return (
    <>
      <PageHeader icon={<ScrollText />} title="Audit Log">
        <DocsPopover
          topic="the audit log"
          icon={<ScrollText />}
          summary="Who changed what, from where, and how it ended. Entries are chained by hashes, so that none can be changed or removed unnoticed."
          links={[guides.auditLog]}
        />
      </PageHeader>
      <AuditExplorer level="fleet" search={Route.useSearch()} />
    </>
  )
}
