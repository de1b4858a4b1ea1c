import { instanceView } from '@purlin/contract/operations/instances/instances'
import { useQuery } from '@tanstack/react-query'
import Server from 'lucide-react/icons/server'
import { useState } from 'react'
import { useActions } from '#/resource/actions/actions.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { query } from '#/api/query.ts'
import { kinds } from '#/resource/kinds.ts'
import { usePicker } from '#/resource/form/usePicker.ts'
import { type GroupMember, type GroupTarget, membersQuery } from './queries.ts'
import { askToRemoveMember } from './membership.tsx'
import { addMemberDisabledReason } from './disabledReasons.ts'
import { InstanceState } from '#/features/instance-state/InstanceState.tsx'
import { listPoller } from '#/features/instance-state/poll.ts'
import { argsOf } from '#/features/instance-state/update.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import { paths } from '#/lib/addresses.ts'
import { ownNow } from '#/lib/clock.ts'
import { Button } from '#/ui/button/Button.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { TableCard } from '#/ui/table/TableCard.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { AddMemberDialog } from './AddMemberDialog.tsx'

/** The instances of a group, which are looked after while one of them is on its way to another state. */
export function MembersCard({ target }: { target: GroupTarget }) {
  const { project, antiAffinityGroup } = target
  const [isAdding, setAdding] = useState(false)
  const [nextPoll] = useState(() => listPoller(ownNow))
  const remove = ({ name: instance }: GroupMember) =>
    askToRemoveMember(
      { project, antiAffinityGroup, instance },
      {
        noun: 'Member',
        modalTitle: 'Remove instance from anti-affinity group',
        errorTitle: `Error removing ${instance}`,
      },
    )
  const { lacks } = useRole(project)
  const { menu } = useActions<GroupMember>(
    [{ id: 'remove', label: 'Remove from group', role: 'collaborator', command: null, onAction: remove }],
    target,
  )
  const members = useLoaded({
    ...membersQuery(target),
    refetchInterval: ({ state }) => nextPoll(state.data?.items.map(({ value }) => value) ?? []),
  }).items.map(({ value }) => value)
  const names = members.map(({ name }) => name)
  // True if there are others: the page does not wait for it.
  const others = usePicker(kinds.instance, { scope: { project }, value: '', by: 'name', except: names })
  return (
    <>
      <TableCard
        title="Members"
        description="Instances in this anti-affinity group"
        className="mt-6"
        buttons={
          <Button
            size="small"
            disabledReason={lacks('collaborator') ?? addMemberDisabledReason(members, others)}
            onClick={() => setAdding(true)}
          >
            Add instance
          </Button>
        }
        columns={columnsOf(project)}
        rows={members}
        rowKey={({ id }) => id}
        rowActions={(member) => <RowMenu items={menu(member)} />}
        empty={{
          icon: <Server />,
          title: 'No group members',
          body: 'Placement heeds the group once it has at least two instances.',
        }}
      />
      {isAdding && <AddMemberDialog target={target} members={names} onDismiss={() => setAdding(false)} />}
    </>
  )
}

const columnsOf = (project: string): readonly Column<GroupMember>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => (
      <CellLink href={paths.instanceTab({ project, instance: name }, 'settings')}>{name}</CellLink>
    ),
  },
  {
    id: 'state',
    header: 'state',
    cell: (member) => <MemberState project={project} member={member} />,
  },
  {
    id: 'id',
    header: 'ID',
    cell: ({ id }) => <Truncate text={id} max={32} at="middle" copyable className="mono" />,
  },
]

/** The instance itself knows since when, and what went wrong; but the member is the newer answer. */
function MemberState({
  project,
  member: { name, runState },
}: {
  project: string
  member: Pick<GroupMember, 'name' | 'runState'>
}) {
  const instance = useQuery({
    ...query(instanceView, argsOf({ project, instance: name })),
    throwOnError: false,
  }).data
  return instance?.runState === runState ? (
    <InstanceState instance={instance} />
  ) : (
    <InstanceStateBadge state={runState} />
  )
}
