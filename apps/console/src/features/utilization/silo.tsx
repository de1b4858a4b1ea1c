import { projectList } from '@purlin/contract/operations/projects/projects'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Gauge from 'lucide-react/icons/gauge'
import { everyPage } from '#/api/everyPage.ts'
import { prefetch } from '#/api/query.ts'
import { useChangeMarks } from '#/features/audit-log/useChangeMarks.ts'
import { fixedRange, rangeSearch, type RangeSearch } from '#/features/metrics/range/range.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { QuotaBars } from './QuotaBars.tsx'
import { limitsOf, utilizationQuery } from './quota.ts'
import { UsageCharts } from '#/features/metrics/usage/UsageCharts.tsx'

export interface SiloUtilizationSearch extends RangeSearch {
  /** id of the only project whose charts are shown */
  project?: string
}

export const Route = createFileRoute('/_auth/_silo/utilization')({
  validateSearch: (search: Record<string, unknown>): SiloUtilizationSearch => ({
    ...rangeSearch(search),
    ...(typeof search['project'] === 'string' ? { project: search['project'] } : {}),
  }),
  loader: () => prefetch(utilizationQuery()),
  staticData: { crumb: { label: 'Utilization', to: () => paths.utilization } },
  component: SiloUtilization,
})

const all = 'all'

/** The use of the silo's quotas, and its use and that of its projects over time. */
function SiloUtilization() {
  const { project, ...search } = Route.useSearch()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(utilizationQuery())
  const projects = useQuery({ ...everyPage(projectList, { query: {} }), throwOnError: false })
  const name = projects.data?.find(({ id }) => id === project)?.name
  const marks = useChangeMarks({
    resource: name && `project:${project}`,
    all: paths.projectActivity(name ?? ''),
    range: fixedRange(search),
  })
  const capacity = project === undefined ? data?.capacity : undefined
  const limits = capacity && limitsOf(capacity)
  const choose = (value: string) =>
    void navigate({
      to: '.',
      search: { ...search, ...(value === all ? {} : { project: value }) },
      resetScroll: false,
    })
  return (
    <>
      <PageHeader icon={<Gauge />} title="Utilization">
        <DocsPopover
          topic="utilization"
          icon={<Gauge />}
          summary="What the projects of the silo have provisioned, and the quotas that limit it."
          links={[guides.metrics, guides.quotas]}
        />
      </PageHeader>
      <QuotaBars use={data} error={error} retry={() => void refetch()} />
      <hr className="my-6 border-line-faint" />
      <UsageCharts
        subject={{ level: 'silo', ...(project === undefined ? {} : { project }) }}
        limits={limits}
        marks={marks}
        picker={
          <ListboxField
            label="Choose project"
            hideLabel
            size="small"
            className="w-48"
            loading={projects.isPending}
            items={[
              { value: all, label: 'All projects' },
              ...(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={project ?? all}
            onChange={choose}
          />
        }
      />
    </>
  )
}
