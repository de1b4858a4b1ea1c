import { instanceList } from '@purlin/contract/operations/instances'
import { useQuery } from '@tanstack/react-query'
import Server from 'lucide-react/icons/server'
import { useState } from 'react'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { everyPage } from '../../../../../parts/everyPage.ts'
import { type GroupMember, type GroupTarget, membersQuery } from '../../../../../parts/affinity/groups.ts'
import { askToRemoveMember } from '../../../../../parts/affinity/membership.tsx'
import { addMemberRefusal, without } from '../../../../../parts/affinity/refusals.ts'
import { InstanceState } from '../../../../../parts/instance/InstanceState.tsx'
import { listPoller } from '../../../../../parts/instance/poll.ts'
import type { Instance } from '../../../../../parts/instance/update.ts'
import { useLoaded } from '../../../../../parts/instance/useLoaded.ts'
import { InstanceStateBadge } from '../../../../../parts/StateBadge.tsx'
import { paths } from '../../../../../paths.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { RowMenu } from '../../../../../ui/RowMenu.tsx'
import { CellLink } from '../../../../../ui/table/CellLink.tsx'
import type { Column } from '../../../../../ui/table/columns.ts'
import { TableCard } from '../../../../../ui/table/TableCard.tsx'
import { Truncate } from '../../../../../ui/Truncate.tsx'
import { AddMemberDialog } from './-AddMemberDialog.tsx'

/** The instances of a group, which are looked after while one of them is on its way to another state. */
export function MembersCard({ target }: { target: GroupTarget }) {
  const { project, antiAffinityGroup } = target
  const [isAdding, setAdding] = useState(false)
  const [nextPoll] = useState(() => listPoller(Date.now))
  const refused = useProjectRole(project).lacks('collaborator')
  const members = useLoaded({
    ...membersQuery(target),
    refetchInterval: ({ state }) => nextPoll(state.data?.items.map(({ value }) => value) ?? []),
  }).items.map(({ value }) => value)
  // Only to choose from, and to tell more of each member: the page does not wait for it.
  const instances = useQuery({ ...everyPage(instanceList, { query: { project } }), throwOnError: false }).data
  const remove = (instance: string) =>
    askToRemoveMember(
      { project, antiAffinityGroup, instance },
      {
        noun: 'Member',
        modalTitle: 'Remove instance from anti-affinity group',
        errorTitle: `Error removing ${instance}`,
      },
    )
  return (
    <>
      <TableCard
        title="Members"
        description="Instances in this anti-affinity group"
        className="mt-6"
        buttons={
          <Button
            size="small"
            disabledReason={refused ?? addMemberRefusal(members, instances)}
            onClick={() => setAdding(true)}
          >
            Add instance
          </Button>
        }
        columns={columnsOf(project, instances ?? [])}
        rows={members}
        rowKey={({ id }) => id}
        rowActions={({ name }) => (
          <RowMenu
            items={[{ label: 'Remove from group', disabledReason: refused, onAction: () => remove(name) }]}
          />
        )}
        empty={{
          icon: <Server />,
          title: 'No group members',
          body: 'Add an instance to the group to see it here',
        }}
      />
      {isAdding && (
        <AddMemberDialog
          target={target}
          candidates={without(instances ?? [], members)}
          isLoading={!instances}
          onDismiss={() => setAdding(false)}
        />
      )}
    </>
  )
}

const columnsOf = (project: string, instances: readonly Instance[]): readonly Column<GroupMember>[] => [
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
    cell: ({ id, runState }) => {
      // The instance itself knows since when, and what went wrong; but the member is the newer answer.
      const instance = instances.find((one) => one.id === id)
      return instance?.runState === runState ? (
        <InstanceState instance={instance} />
      ) : (
        <InstanceStateBadge state={runState} />
      )
    },
  },
  {
    id: 'id',
    header: 'ID',
    cell: ({ id }) => <Truncate text={id} max={32} at="middle" copyable className="mono" />,
  },
]
