import { useQuery } from '@tanstack/react-query'
import Split from 'lucide-react/icons/split'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useActions } from '#/resource/actions/actions.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { type AntiAffinityGroup, groupsOfQuery, groupsQuery } from '#/features/affinity-groups/queries.ts'
import { addMember, askToRemoveMember, memberRequest } from '#/features/affinity-groups/membership.tsx'
import { PolicyBadge, policyColumn } from '#/features/affinity-groups/PolicyBadge.tsx'
import { joinDisabledReason, without } from '#/features/affinity-groups/disabledReasons.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { DescriptionCell } from '#/resource/list/DescriptionCell.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { failure } from '#/api/errors.ts'
import { sections } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { TableCard } from '#/ui/table/TableCard.tsx'

const title = 'Anti-affinity groups'
const columns = (project: string): readonly Column<AntiAffinityGroup>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => <CellLink href={sections.antiAffinityGroup.view({ project, name })}>{name}</CellLink>,
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  policyColumn,
]

/** The groups whose other members an instance is kept apart from. */
export function AntiAffinityCard({ target, instance }: { target: InstanceTarget; instance: Instance }) {
  const { project } = target
  const [isAdding, setAdding] = useState(false)
  const joined = useQuery({ ...groupsOfQuery(target), throwOnError: false })
  const groups = useQuery({ ...groupsQuery(project), throwOnError: false })
  const rows = joined.data?.items
  const left = without(groups.data ?? [], rows ?? [])
  const remove = ({ name: antiAffinityGroup }: AntiAffinityGroup) =>
    askToRemoveMember(
      { ...target, antiAffinityGroup },
      {
        noun: 'Instance',
        modalTitle: 'Remove instance from group',
        errorTitle: 'Error removing instance from group',
      },
    )
  const { lacks } = useRole(project)
  const { menu } = useActions<AntiAffinityGroup>(
    [
      {
        id: 'copyId',
        label: 'Copy group ID',
        command: null,
        onAction: ({ id }) => copyWithToast(id, 'Group ID'),
      },
      {
        id: 'remove',
        label: 'Remove instance from group',
        role: 'collaborator',
        command: null,
        onAction: remove,
      },
    ],
    target,
  )
  const error = joined.error ?? groups.error
  return (
    <>
      <TableCard
        title={title}
        description="Members of a group are placed on different sleds"
        buttons={
          <Button
            size="small"
            disabledReason={
              lacks('collaborator') ??
              (groups.data && rows && joinDisabledReason(instance.runState, rows, groups.data))
            }
            onClick={() => setAdding(true)}
          >
            Add to group
          </Button>
        }
        notice={error && <FormErrorBanner issues={[failure(error)]} className="m-4" />}
        columns={columns(project)}
        rows={rows}
        rowKey={({ id }) => id}
        skeletonRows={joined.isPending ? 2 : 0}
        rowActions={(group) => <RowMenu items={menu(group)} />}
        empty={{
          icon: <Split />,
          title: 'No anti-affinity groups',
          body: 'This instance is not a member of any anti-affinity group',
        }}
      />
      {isAdding && <JoinDialog target={target} groups={left} onDismiss={() => setAdding(false)} />}
    </>
  )
}

interface JoinDialogProps {
  target: InstanceTarget
  groups: readonly AntiAffinityGroup[]
  onDismiss: () => void
}

function JoinDialog({ target, groups, onDismiss }: JoinDialogProps) {
  const form = useForm({ defaultValues: { antiAffinityGroup: '' } })
  return (
    <ModalForm
      title="Add to anti-affinity group"
      submitLabel="Add to group"
      form={form}
      onSubmit={async ({ antiAffinityGroup }) => {
        await addMember({ ...target, antiAffinityGroup })
        onDismiss()
      }}
      request={({ antiAffinityGroup }) => memberRequest({ ...target, antiAffinityGroup })}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        <Highlight>{target.instance}</Highlight> will be placed on a different sled than the members of the
        group the next time it starts.
      </p>
      <ComboboxControl
        name="antiAffinityGroup"
        control={form.control}
        label="Anti-affinity group"
        required
        placeholder="Select a group"
        items={groups.map(({ name, description, policy }) => ({
          value: name,
          label: name,
          description,
          aside: <PolicyBadge policy={policy} />,
        }))}
      />
    </ModalForm>
  )
}
