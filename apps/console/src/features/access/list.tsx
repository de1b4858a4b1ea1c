import { createFileRoute, Outlet } from '@tanstack/react-router'
import Users from 'lucide-react/icons/users'
import type { ReactNode } from 'react'
import { limits } from '@purlin/contract/rules/limits'
import { GuardedLink } from '#/resource/GuardedLink.tsx'
import { EffectiveRole, AssignedRoles } from './RoleCells.tsx'
import { Notice } from '#/ui/Notice.tsx'
import { fullReason } from './policy.ts'
import type { AccessRow } from './rows.ts'
import { prefetchAccess, useAccess, type Access } from './useAccess.ts'
import { useProjectRole } from '#/resource/useRole.ts'
import { identityWord } from './words.ts'
import { useQuickActions } from '#/resource/quickActions.ts'
import { guides, sections } from '#/lib/addresses.ts'
import { errorMessage, failure } from '#/api/errors.ts'
import { Badge } from '#/ui/Badge.tsx'
import { Button } from '#/ui/Button.tsx'
import { DocsPopover } from '#/ui/DocsPopover.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/FormErrorBanner.tsx'
import { PageHeader } from '#/ui/PageHeader.tsx'
import { RowMenu } from '#/ui/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Truncate } from '#/ui/Truncate.tsx'
import { useActions } from '#/resource/actions.tsx'
import { accessActions } from './actions.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_access')({
  loader: ({ params }) => prefetchAccess(params.project),
  staticData: {
    isList: true,
    crumb: { label: 'Project Access', to: (params) => sections.access.list(params['project'] ?? '') },
  },
  component: AccessPage,
})

const columns = ({ self, nameOf }: Access): readonly Column<AccessRow>[] => [
  { id: 'name', header: 'name', cell: (row) => <Name row={row} isSelf={row.id === self?.id} /> },
  { id: 'type', header: 'type', cell: ({ identityType }) => identityWord[identityType] },
  {
    id: 'role',
    header: 'role',
    cell: AssignedRoles,
    tip: 'Roles assigned on the silo and on the project, the strongest first',
  },
  {
    id: 'effective',
    header: 'effective role',
    cell: (row) => <EffectiveRole row={row} nameOf={nameOf} />,
    tip: 'The strongest role that applies: assigned on the project, inherited from the silo, or granted through a group. A silo collaborator is an admin of every project',
  },
]

function Name({ row: { id, name }, isSelf }: { row: AccessRow; isSelf: boolean }) {
  return (
    <span className="inline-flex items-center gap-2">
      {name === undefined ? (
        <Truncate text={id} max={24} at="middle" copyable className="mono" />
      ) : (
        <span className="font-medium">{name}</span>
      )}
      {isSelf && <Badge>you</Badge>}
    </span>
  )
}

function AccessPage() {
  const { project } = Route.useParams()
  const access = useAccess(project)
  const { lacks } = useProjectRole(project)
  const reason = lacks('admin') ?? fullReason(access.policies.project)
  useQuickActions(
    reason ? [] : [{ label: 'Add user or group', group: 'Actions', href: sections.access.create(project) }],
  )
  const add = (label: string) => (
    <GuardedLink href={sections.access.create(project)} disabledReason={reason}>
      {label}
    </GuardedLink>
  )
  return (
    <>
      <PageHeader icon={<Users />} title="Project Access">
        <DocsPopover
          topic="access"
          icon={<Users />}
          summary="Roles decide who can view, edit or administer a project. Roles on the silo are inherited by every project in it. If several roles apply, the strongest one counts."
          links={[guides.keyConcepts, guides.accessControl]}
        />
        {add('Add user or group')}
      </PageHeader>
      <AccessTable project={project} access={access} addButton={add('Add user or group to project')} />
      <Outlet />
    </>
  )
}

function AccessTable({
  project,
  access,
  addButton,
}: {
  project: string
  access: Access
  addButton: ReactNode
}) {
  const { menu } = useActions(accessActions(project, access), { project })
  const { rows, isPending, error, retry } = access
  if (error) {
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={retry}>Try again</Button>
      </div>
    )
  }
  if (!isPending && rows.length === 0) {
    return (
      <EmptyState
        icon={<Users />}
        title="No authorized users"
        body="Give somebody permission to view, edit, or administer this project."
        action={addButton}
      />
    )
  }
  const count = access.policies.project?.roleAssignments.length
  return (
    <div className="flex flex-col gap-3">
      <Missing access={access} />
      <Table
        label="Project access"
        columns={columns(access)}
        rows={isPending ? [] : rows}
        rowKey={({ id }) => id}
        skeletonRows={6}
        actions={(row) => <RowMenu items={menu(row)} />}
      />
      {count !== undefined && (
        <p className="text-hint text-secondary">
          {count} of at most {limits.policy.assignments} roles assigned on this project
        </p>
      )}
    </div>
  )
}

/** What of the picture could not be read. */
function Missing({ access: { siloError, membersError, people } }: { access: Access }) {
  const problems = [
    { error: siloError, text: 'Roles assigned on the silo could not be loaded and are missing here.' },
    {
      error: membersError,
      text: 'The members of a group could not be loaded, so roles through groups are unknown.',
    },
    { error: people.error, text: 'Names of users and groups could not be loaded. IDs are shown instead.' },
  ].filter(({ error }) => error)
  if (problems.length === 0) return null
  return (
    <Notice>
      {problems.map(({ error, text }) => (
        <p key={text}>
          {text} ({errorMessage(error)})
        </p>
      ))}
    </Notice>
  )
}
