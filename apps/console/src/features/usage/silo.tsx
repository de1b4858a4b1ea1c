import { createFileRoute } from '@tanstack/react-router'
import Receipt from 'lucide-react/icons/receipt-text'
import { load } from '#/api/query.ts'
import { paths, sections } from '#/lib/addresses.ts'
import { ownQueries, useRole } from '#/resource/role/useRole.ts'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Report } from './Report.tsx'
import { prefetchReport } from './report.ts'
import { reportSearch } from './search.ts'

const subject = { level: 'silo' } as const

export const Route = createFileRoute('/_auth/_silo/usage')({
  validateSearch: reportSearch('silo'),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const { siloRole } = await load(ownQueries.me())
    if (siloRole !== null) await prefetchReport(subject, deps)
  },
  staticData: { crumb: { label: 'Usage', to: () => paths.usage } },
  component: SiloUsage,
})

/** Members of single projects see the usage of those. */
function SiloUsage() {
  const reason = useRole().lacks('viewer')
  if (reason === undefined) return <Report subject={subject} />
  return (
    <>
      <PageHeader icon={<Receipt />} title="Usage" />
      <EmptyState
        icon={<Receipt />}
        title="No permission to see the usage of the silo"
        body={`${reason} Open a project to see its usage.`}
        action={<LinkButton href={sections.project.list()}>Projects</LinkButton>}
      />
    </>
  )
}
