import Users from 'lucide-react/icons/users'
import type { ReactNode } from 'react'
import { limits } from '@purlin/contract/rules/limits'
import { errorMessage, failure } from '#/api/errors.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { ownPolicy } from './effectiveRole.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { useQuickActions } from '#/resource/actions/quickActions.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { accessActions } from './actions.tsx'
import { addressesOf, hereOf, siloOf, words, type Place } from './place.ts'
import { fullReason } from './policy.ts'
import { AssignedRoles, EffectiveRole } from './roles/RoleCells.tsx'
import type { AccessRow } from './rows.ts'
import { useAccess, type Access } from './useAccess.ts'
import { identityWord } from './words.ts'

const tips: Record<Place['level'], { role: string; effective: string }> = {
  project: {
    role: 'Roles assigned on the silo and on the project, the strongest first',
    effective:
      'The strongest role that applies: assigned on the project, inherited from the silo, or granted through a group. A silo collaborator is an admin of every project',
  },
  silo: {
    role: 'Roles assigned on the silo, the strongest first',
    effective: 'The strongest role that applies: assigned on the silo, or granted through a group',
  },
  fleet: {
    role: 'Roles assigned on the fleet, the strongest first',
    effective: 'The strongest role that applies: assigned on the fleet, or granted through a group',
  },
}

const columns = ({ self, nameOf, place }: Access): readonly Column<AccessRow>[] => [
  {
    id: 'name',
    header: 'name',
    cell: (row) => <Name row={row} isSelf={row.id === self?.id} here={siloOf(place)} />,
  },
  { id: 'type', header: 'type', cell: ({ identityType }) => identityWord[identityType] },
  { id: 'role', header: 'role', cell: AssignedRoles, tip: tips[place.level].role },
  {
    id: 'effective',
    header: 'effective role',
    cell: (row) => <EffectiveRole row={row} nameOf={nameOf} here={place.level} />,
    tip: tips[place.level].effective,
  },
  {
    id: 'expires',
    header: 'expires',
    cell: ({ expires }) => (expires ? <DateTime date={expires} /> : <Dash />),
    tip: 'The role assigned here expires at this time',
  },
]

interface NameProps {
  row: AccessRow
  isSelf: boolean
  /** the silo that the page is about */
  here: string | undefined
}

function Name({ row: { id, name, otherSilo, isGone }, isSelf, here }: NameProps) {
  const silo = otherSilo === undefined || otherSilo === here ? null : `of the silo ${otherSilo}`
  return (
    <span className="inline-flex items-center gap-2">
      {name === undefined ? (
        <Truncate text={id} max={24} at="middle" copyable className="mono" />
      ) : (
        <span className="font-medium">{name}</span>
      )}
      {isSelf && <Badge>you</Badge>}
      {(silo ?? isGone) && (
        <span className="whitespace-nowrap text-secondary">{silo ?? 'does not exist any more'}</span>
      )}
    </span>
  )
}

/** The heading of the pages about a place; `children` are at its right. */
export function AccessHeader({ level, children }: { level: Place['level']; children?: ReactNode }) {
  const { title, summary } = words[level]
  return (
    <PageHeader icon={<Users />} title={title}>
      <DocsPopover
        topic="access"
        icon={<Users />}
        summary={summary}
        links={[guides.keyConcepts, guides.accessControl]}
      />
      {children}
    </PageHeader>
  )
}

/** The page of the roles on a place. `isTab`: the heading is that of the page around it. */
export function PolicyPage({
  place,
  isTab = false,
  children,
}: {
  place: Place
  isTab?: boolean
  children?: ReactNode
}) {
  const access = useAccess(place)
  const reason = access.lacks ?? fullReason(ownPolicy(access.policies))
  const href = addressesOf(place).create
  const questions = {
    label: 'Who can do what',
    group: 'Actions',
    href: paths.whoCan(addressesOf(place).list),
  }
  useQuickActions([...(reason ? [] : [{ label: 'Add user or group', group: 'Actions', href }]), questions])
  const ask = <LinkButton href={questions.href}>{questions.label}</LinkButton>
  const add = (label: string) => (
    <NewButton href={href} disabledReason={reason}>
      {label}
    </NewButton>
  )
  return (
    <>
      {isTab ? (
        <div className="mb-3 flex flex-wrap justify-end gap-2">
          {ask}
          {add('Add user or group')}
        </div>
      ) : (
        <AccessHeader level={place.level}>
          {ask}
          {add('Add user or group')}
        </AccessHeader>
      )}
      <AccessTable access={access} addButton={add(`Add user or group to ${place.level}`)} />
      {children}
    </>
  )
}

function AccessTable({ access, addButton }: { access: Access; addButton: ReactNode }) {
  const { menu } = useActions(accessActions(access), {})
  const { rows, isPending, error, retry, place, policies } = access
  if (error) {
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={retry}>Try again</Button>
      </div>
    )
  }
  const here = hereOf(place)
  const { title } = words[place.level]
  if (!isPending && rows.length === 0) {
    return (
      <EmptyState
        icon={<Users />}
        title="No authorized users"
        body={`Give a user or group permission to view, edit, or administer ${here}.`}
        action={addButton}
      />
    )
  }
  const count = ownPolicy(policies)?.roleAssignments.length
  return (
    <div className="flex flex-col gap-3">
      <Missing access={access} />
      <Table
        label={title.charAt(0) + title.slice(1).toLowerCase()}
        columns={columns(access)}
        rows={isPending ? [] : rows}
        rowKey={({ id }) => id}
        skeletonRows={6}
        actions={(row) => <RowMenu items={menu(row)} />}
      />
      {count !== undefined && (
        <p className="text-hint text-secondary">
          {count} of at most {limits.policy.assignments} roles assigned on {here}
        </p>
      )}
    </div>
  )
}

/** The parts of the page that failed to load. */
function Missing({ access: { siloError, membersError, people } }: { access: Access }) {
  const problems = [
    { error: siloError, text: 'Could not load the roles assigned on the silo. They are missing here.' },
    {
      error: membersError,
      text: 'Could not load the members of a group, so roles through groups are unknown.',
    },
    {
      error: people.error,
      text: 'Could not load the names of users and groups. Their IDs are shown instead.',
    },
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
