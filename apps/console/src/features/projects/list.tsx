import type { projectList } from '@purlin/contract/operations/projects/projects'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { capitalize } from '#/lib/text.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import type { Item } from '#/api/everyPage.ts'
import type { Column } from '#/ui/table/columns.ts'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { FirstSteps } from '#/features/first-steps/FirstSteps.tsx'
import { projectActions } from './actions.tsx'

export const Route = createFileRoute('/_auth/_silo/_projects')({
  ...listRoute(kinds.project),
  loader: (match) => loadList(projects, match),
  component: () => <ResourceList list={projects} />,
})

const projects: ListOf<typeof projectList> = {
  kind: kinds.project,
  asksFor: { utilization: true },
  // The error of this one call decides what a person without roles sees.
  isStrict: true,
  above: () => <FirstSteps />,
  docs: {
    summary: 'A project contains instances, disks, networks and addresses, and defines who can access them.',
    links: [guides.keyConcepts, guides.projects],
  },
  emptyBody: 'A project holds instances, disks and networks, and says who may use them.',
  actions: () => projectActions,
  projectOf: ({ name }) => name,
  columns: () => [
    nameColumn(kinds.project, {}),
    { ...descriptionColumn, spare: 1 },
    { id: 'role', header: 'your role', cell: ({ name }) => <OwnRole project={name} /> },
    {
      id: 'instances',
      header: 'instances',
      cell: ({ utilization }) => (utilization ? <Instances {...utilization} /> : <Dash />),
    },
    ...(['cpus', 'memory', 'storage'] as const).map((of) => usedColumn(of)),
    {
      id: 'changed',
      header: 'last change',
      spare: 2,
      tip: 'When it or something in it was last changed by a request, as far as the audit log has it.',
      cell: ({ utilization }) =>
        utilization?.timeLastChanged ? (
          <RelativeTime date={utilization.timeLastChanged} caption="Last changed" />
        ) : (
          <Dash />
        ),
    },
    createdColumn,
  ],
}

/** The use of a resource by the project. It is not there in a search, and from servers that know the original API only. */
const usedColumn = (of: keyof Use): Column<Item<typeof projectList>> => ({
  id: of,
  header: of === 'cpus' ? 'vCPUs' : of,
  cell: ({ utilization }) => {
    if (!utilization) return <Dash />
    const amount = utilization.provisioned[of]
    return of === 'cpus' ? amount.toLocaleString() : <Size bytes={amount} />
  },
})
type Use = NonNullable<Item<typeof projectList>['utilization']>['provisioned']

const shownStates = ['failed', 'running'] as const

/** '12: 1 failed, 10 running': the others are stopped, or on the way. */
function Instances({ instances, instancesByState }: NonNullable<Item<typeof projectList>['utilization']>) {
  const states = shownStates.filter((state) => instancesByState[state])
  return (
    <>
      {instances.toLocaleString()}
      {states.map((state, i) => (
        <span key={state} className="text-secondary">
          {i === 0 ? ': ' : ', '}
          <span className={state === 'failed' ? 'text-danger' : ''}>
            {instancesByState[state]?.toLocaleString()} {state}
          </span>
        </span>
      ))}
    </>
  )
}

function OwnRole({ project }: { project: string }) {
  const { role } = useRole(project)
  if (role === undefined) return <Skeleton className="h-2.5 w-16 align-middle" />
  return role === null ? <Dash /> : capitalize(role)
}
