import { projectOverview } from '@purlin/contract/operations/projects/projects'
import { kindOfType } from '@purlin/contract/rules/kinds'
import type { Result } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import { errorMessage } from '#/api/errors.ts'
import { prefetch, query } from '#/api/query.ts'
import { Activity, activityQuery } from '#/features/audit-log/Activity.tsx'
import { QuotaBars } from '#/features/utilization/QuotaBars.tsx'
import { guides, paths } from '#/lib/addresses.ts'
import { pageOf } from '#/resource/address/pageOf.ts'
import type { Kind } from '#/resource/kind.ts'
import { kinds, sectionsOfProject } from '#/resource/kinds.ts'
import { toneOfState } from '#/resource/list/StateBadge.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { BigNum } from '#/ui/value/BigNum.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { TextLink, UiLink } from '#/ui/button/link.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'

type Overview = Result<typeof projectOverview>
type Counts = Overview['resources'][number]
type Failure = Overview['failures'][number]

const overviewQuery = (project: string) => ({
  ...query(projectOverview, { params: { project } }),
  throwOnError: false,
})
const activityOf = (project: string) => `project:${project}`

export const Route = createFileRoute('/_auth/projects/$project/_in/overview')({
  loader: ({ params: { project } }) => prefetch(overviewQuery(project), activityQuery(activityOf(project))),
  staticData: { crumb: { label: 'Overview', to: (params) => paths.overview(params['project'] ?? '') } },
  component: OverviewPage,
})

/** The content of a project, its usage, its failures, and the recent actions. */
function OverviewPage() {
  const { project } = Route.useParams()
  const { data, error, refetch } = useQuery(overviewQuery(project))
  return (
    <>
      <PageHeader icon={<LayoutDashboard />} title="Overview">
        <DocsPopover
          topic="projects"
          icon={<LayoutDashboard />}
          summary="What the project contains, what it uses of the quota of its silo, and what needs attention."
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
          <Contents project={project} resources={data?.resources} />
          <Use of={data} />
          <Failures project={project} failures={data?.failures} />
        </div>
      )}
      <section className="mt-6" aria-labelledby="last-changes">
        <h2 id="last-changes" className="mb-3 text-lg font-semibold">
          Last changes
        </h2>
        <Activity resource={activityOf(project)} hasObjects />
        <p className="mt-2">
          <TextLink href={paths.projectActivity(project)}>All activity</TextLink>
        </p>
      </section>
    </>
  )
}

const kindOf = (type: string): Kind | undefined =>
  sectionsOfProject.find(({ name }) => name === kindOfType(type))

/** A card for each kind: how many there are, and how many in each state. */
function Contents({ project, resources }: { project: string; resources: readonly Counts[] | undefined }) {
  return (
    <section aria-label="Contents" className="grid gap-3 frame:grid-cols-3">
      {resources
        ? resources.map((counts) => <ContentsOf key={counts.kind} project={project} counts={counts} />)
        : placeholders.map((key) => <Skeleton key={key} className="h-[104px] rounded-lg" />)}
    </section>
  )
}
const placeholders = [1, 2, 3, 4, 5, 6]

const words: Readonly<Record<string, string>> = { true: 'attached', false: 'not attached' }

function ContentsOf({ project, counts }: { project: string; counts: Counts }) {
  const kind = kindOf(counts.kind)
  if (!kind) return null
  const { title, icon: Icon, section } = kind
  const list = section.list(project)
  const values = Object.entries(counts.totals).flatMap(([column, each]) =>
    Object.entries(each).map(([value, count]) => ({ filter: `${column}:${value}`, value, count })),
  )
  return (
    <div className="flex flex-col gap-2.5 rounded-lg border border-line bg-raised px-4 py-3">
      <UiLink href={list} className="group flex items-center gap-2">
        <Icon aria-hidden className="size-4 text-tertiary" />
        <span className="label-mono group-hover:text-ink">{title}</span>
        <span className="mono ml-auto text-lg">
          {counts.totalItems === undefined ? '—' : <BigNum value={counts.totalItems} />}
        </span>
      </UiLink>
      <ul className="flex flex-wrap gap-1.5 empty:hidden" aria-label={`${title} by state`}>
        {values
          .filter(({ count }) => count > 0)
          .map(({ filter, value, count }) => (
            <li key={filter}>
              <UiLink href={`${list}?filter=${encodeURIComponent(filter)}`}>
                <Badge tone={toneOfState(value)}>
                  {words[value] ?? value.replaceAll('_', ' ')} {count.toLocaleString()}
                </Badge>
              </UiLink>
            </li>
          ))}
      </ul>
    </div>
  )
}

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

function Failures({ project, failures }: { project: string; failures: readonly Failure[] | undefined }) {
  return (
    <Card title="What has failed" flush={failures !== undefined && failures.length > 0}>
      {!failures && <Skeleton className="h-4 w-48" />}
      {failures?.length === 0 && <p className="text-secondary">Nothing in this project has failed.</p>}
      {failures && failures.length > 0 && (
        <ul className="divide-y divide-line-faint">
          {failures.map((failure) => (
            <FailureRow key={failure.id} project={project} failure={failure} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function FailureRow({ project, failure }: { project: string; failure: Failure }) {
  const kind = kindOf(failure.kind) ?? kinds.instance
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <span className="text-secondary">{kind.noun}</span>
      <TextLink href={pageOf(kind.name, { project, name: failure.name })}>{failure.name}</TextLink>
      <Badge tone={toneOfState(failure.state)} dot>
        {failure.state}
      </Badge>
      {failure.message && (
        <span className="min-w-0 text-secondary wrap-anywhere frame:ml-auto">{failure.message}</span>
      )}
    </li>
  )
}
