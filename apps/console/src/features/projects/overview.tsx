import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import { errorMessage } from '#/api/errors.ts'
import { prefetch } from '#/api/query.ts'
import { InProgress, type Work } from '#/features/activity/InProgress.tsx'
import { Changes, changesQuery } from '#/features/audit-log/Changes.tsx'
import { QuotaBars } from '#/features/utilization/QuotaBars.tsx'
import { QuotaRunningOut } from '#/features/utilization/QuotaRunningOut.tsx'
import { utilizationQuery } from '#/features/utilization/quota.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { filteredHref } from '#/resource/address/filteredHref.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Contents } from './overview/Contents.tsx'
import { NeedsAttention } from './overview/NeedsAttention.tsx'
import { changesIn, overviewQuery, type Change, type Overview } from './overview/overview.ts'

const changesOf = (project: string) => changesQuery(`project:${project}`)

export const Route = createFileRoute('/_auth/projects/$project/_in/overview')({
  loader: ({ params: { project } }) =>
    prefetch(overviewQuery(project), changesOf(project), utilizationQuery()),
  staticData: { crumb: { label: 'Overview', to: (params) => paths.overview(params['project'] ?? '') } },
  component: OverviewPage,
})

/** The state of a project in a few parts: attention, scarcity, work, content, use and changes. */
function OverviewPage() {
  const { project } = Route.useParams()
  const { data, error, refetch } = useQuery(overviewQuery(project))
  const use = useQuery(utilizationQuery())
  return (
    <>
      <PageHeader icon={<LayoutDashboard />} title="Overview">
        <DocsPopover
          topic="projects"
          icon={<LayoutDashboard />}
          summary="What needs attention in the project, what it contains, and what it uses of the quota of its silo."
          links={[guides.projects]}
        />
      </PageHeader>
      {error && !data ? (
        <Notice tone="danger" title="Could not load the overview">
          <p className="mb-2">{errorMessage(error)}</p>
          <Button onClick={() => void refetch()}>Try again</Button>
        </Notice>
      ) : (
        <div className="flex flex-col gap-6">
          <NeedsAttention project={project} failures={data?.failures} />
          <div className="grid gap-6 frame:grid-cols-2">
            <QuotaRunningOut
              use={use.data}
              error={use.error && !use.data ? errorMessage(use.error) : undefined}
            />
            <InProgress
              works={data && changesIn(data.resources).map((change) => workOf(project, change))}
              none="Nothing is in progress: no resource of this project changes its state, and you have no running task."
            />
          </div>
          <Contents project={project} resources={data?.resources} />
          <p className="-mt-3">
            <TextLink href={paths.cleanUp(project)}>Clean up</TextLink>{' '}
            <span className="text-secondary">what nothing uses.</span>
          </p>
          <Use of={data} />
        </div>
      )}
      <div className="mt-6">
        <Changes
          of={changesOf(project)}
          footer={<TextLink href={paths.projectActivity(project)}>All activity</TextLink>}
        />
      </div>
    </>
  )
}

const workOf = (project: string, { kind, count, word, filter }: Change): Work => ({
  key: `${kind.name} ${filter}`,
  text: (
    <>
      <TextLink href={filteredHref(kind, project, filter)}>{countOf(count, kind.noun)}</TextLink> {word}
    </>
  ),
})

/** The project's part of the quota that it shares with the others of its silo. */
function Use({ of }: { of: Overview | undefined }) {
  return (
    <section aria-labelledby="project-use">
      <h2 id="project-use" className="mb-3 text-lg font-semibold">
        Use of the silo’s quota
      </h2>
      <QuotaBars
        use={of && { provisioned: of.provisioned, capacity: of.siloCapacity }}
        ofAll={of?.siloProvisioned}
        usedLabel="This project"
        totalLabel="Silo quota"
        error={null}
        retry={() => undefined}
      />
      <p className="mt-2 text-hint text-secondary">
        The tinted part of a bar is what the other projects of the silo use.
      </p>
    </section>
  )
}
