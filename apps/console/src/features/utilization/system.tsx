import { siloUtilizationList } from '@purlin/contract/operations/silos/system-silos'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Gauge from 'lucide-react/icons/gauge'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { prefetch } from '#/api/query.ts'
import { useChangeMarks } from '#/features/audit-log/useChangeMarks.ts'
import { fixedRange, rangeSearch, type RangeSearch } from '#/features/metrics/range/range.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { pagingSearch, type PagingSearch } from '#/resource/list/paging.ts'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { QuotaBars } from './QuotaBars.tsx'
import { limitsOf, type Resource, type Utilization } from './quota.ts'
import { SiloTable } from './SiloTable.tsx'
import { UsageCharts } from '#/features/metrics/usage/UsageCharts.tsx'

export interface SystemUtilizationSearch extends RangeSearch, Pick<PagingSearch, 'sort' | 'find'> {
  tab?: 'metrics' | 'capacity'
  /** name of the only silo whose charts are shown */
  silo?: string
}
const usesQuery = () => ({ ...everyPage(siloUtilizationList, { query: {} }), throwOnError: false })

export const Route = createFileRoute('/_auth/system/utilization')({
  validateSearch: (search: Record<string, unknown>): SystemUtilizationSearch => {
    const { sort, find } = pagingSearch(search)
    return {
      ...(sort === undefined ? {} : { sort }),
      ...(find === undefined ? {} : { find }),
      ...rangeSearch(search),
      ...(search['tab'] === 'metrics' || search['tab'] === 'capacity' ? { tab: search['tab'] } : {}),
      ...(typeof search['silo'] === 'string' ? { silo: search['silo'] } : {}),
    }
  },
  loader: () => prefetch(usesQuery()),
  staticData: { crumb: { label: 'Utilization', to: () => paths.systemUtilization } },
  component: SystemUtilization,
})

// Only this tab loads the hardware.
const CapacityTab = lazily(
  () => import('./CapacityTab.tsx'),
  'CapacityTab',
  <Skeleton className="h-96 w-full" />,
)

const all = 'all'

/** The use of all quotas by all silos, each separately, and over time. */
function SystemUtilization() {
  const { tab, silo, ...range } = Route.useSearch()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(usesQuery())
  const shown = data?.find(({ siloName }) => siloName === silo)
  const siloLog = `${paths.auditLog}?${new URLSearchParams({ silo: silo ?? '' }).toString()}`
  const marks = useChangeMarks({
    resource: shown && `silo:${shown.siloId}`,
    all: siloLog,
    range: fixedRange(range),
  })
  const limitsOfSilo = shown && limitsOf(shown.allocated)
  const choose = (value: string) =>
    void navigate({
      to: '.',
      search: { ...range, tab, ...(value === all ? {} : { silo: value }) } as never,
      resetScroll: false,
    })
  return (
    <>
      <PageHeader icon={<Gauge />} title="Utilization">
        <DocsPopover
          topic="utilization"
          icon={<Gauge />}
          summary="What silos have provisioned, and the quotas that limit them."
          links={[guides.metrics, guides.quotas]}
        />
      </PageHeader>
      <QuotaBars use={data && sumOf(data)} error={error} retry={() => void refetch()} totalLabel="Quotas" />
      <Tabs
        label="Utilization"
        className="mt-3"
        tabs={[
          { label: 'Summary', href: paths.systemUtilization, isActive: tab === undefined },
          { label: 'Metrics', href: `${paths.systemUtilization}?tab=metrics`, isActive: tab === 'metrics' },
          {
            label: 'Capacity',
            href: `${paths.systemUtilization}?tab=capacity`,
            isActive: tab === 'capacity',
          },
        ]}
      >
        {tab === undefined ? (
          <SiloTable silos={data} />
        ) : tab === 'capacity' ? (
          <CapacityTab />
        ) : (
          <UsageCharts
            subject={{ level: 'fleet', ...(silo === undefined ? {} : { silo }) }}
            limits={limitsOfSilo}
            marks={marks}
            picker={
              <ListboxField
                label="Choose silo"
                hideLabel
                size="small"
                className="w-48"
                loading={data === undefined && !error}
                items={[
                  { value: all, label: 'All silos' },
                  ...(data ?? []).map(({ siloName }) => ({ value: siloName, label: siloName })),
                ]}
                value={silo ?? all}
                onChange={choose}
              />
            }
          />
        )}
      </Tabs>
    </>
  )
}

function sumOf(silos: readonly Item<typeof siloUtilizationList>[]): Utilization {
  const sum = (of: 'provisioned' | 'allocated', key: Resource) =>
    silos.reduce((total, silo) => total + Number(silo[of][key]), 0)
  const amounts = (of: 'provisioned' | 'allocated') => ({
    cpus: sum(of, 'cpus'),
    memory: sum(of, 'memory'),
    storage: sum(of, 'storage'),
  })
  return { provisioned: amounts('provisioned'), capacity: amounts('allocated') }
}
