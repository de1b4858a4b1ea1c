import { projectList } from '@purlin/contract/operations/projects'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import Folder from 'lucide-react/icons/folder'
import { load, query } from '../../../api.ts'
import { useProjectRole, useSiloRole } from '../../../parts/access/useProjectRole.ts'
import { DescriptionCell } from '../../../parts/DescriptionCell.tsx'
import { useGoTo } from '../../../parts/goTo.ts'
import { listPage } from '../../../parts/listPage.ts'
import { lookUpLimit, pagingSearch, usePaging } from '../../../parts/paging.ts'
import { QueryTable } from '../../../parts/QueryTable.tsx'
import { useQuickActions } from '../../../parts/quickActions.ts'
import { guides, paths } from '../../../paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { DocsPopover } from '../../../ui/DocsPopover.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Dash } from '../../../ui/PropertiesTable.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CellLink } from '../../../ui/table/CellLink.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { ProjectMenu, type Project } from './-projectActions.tsx'
import { capitalize } from '../../../lib/text.ts'

export const Route = createFileRoute('/_auth/_silo/_projects')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  // The error of this one call decides what a person without roles is told.
  loader: ({ deps }) => load(listPage(projectList, {}, deps)),
  staticData: { crumb: { label: 'Projects', to: () => paths.projects } },
  component: ProjectsPage,
})

const columns: readonly Column<Project>[] = [
  {
    id: 'name',
    header: 'name',
    sortable: true,
    cell: ({ name }) => <CellLink href={paths.instances(name)}>{name}</CellLink>,
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  { id: 'role', header: 'your role', cell: ({ name }) => <OwnRoleCell project={name} /> },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

function OwnRoleCell({ project }: { project: string }) {
  const { role } = useProjectRole(project)
  if (role === undefined) return <Skeleton className="h-2.5 w-16 align-middle" />
  return role === null ? <Dash /> : capitalize(role)
}

function ProjectsPage() {
  const refused = useSiloRole().lacks('collaborator')
  const list = listPage(projectList, {}, usePaging().search)
  useQuickActions(refused ? [] : [{ label: 'New project', group: 'Actions', href: paths.projectNew }])
  useGoTo({
    group: 'Go to project',
    page: list,
    others: query(projectList, { query: { limit: lookUpLimit } }),
    hrefOf: ({ name }) => paths.instances(name),
  })
  const newProject = (label: string) =>
    refused ? (
      <Button variant="primary" disabledReason={refused}>
        {label}
      </Button>
    ) : (
      <LinkButton variant="primary" href={paths.projectNew}>
        {label}
      </LinkButton>
    )
  return (
    <>
      <PageHeader icon={<Folder />} title="Projects">
        <DocsPopover
          topic="projects"
          icon={<Folder />}
          summary="A project holds what belongs together: instances, disks, networks, addresses, and who may use them."
          links={[guides.keyConcepts, guides.projects]}
        />
        {newProject('New Project')}
      </PageHeader>
      <QueryTable
        label="Projects"
        query={list}
        columns={columns}
        actions={(project) => <ProjectMenu project={project} />}
        empty={
          <EmptyState
            icon={<Folder />}
            title="No projects"
            body="A project keeps instances, disks and networks together. Create one to see it here."
            action={newProject('New project')}
          />
        }
      />
      <Outlet />
    </>
  )
}
