import { diskRollBack } from '@purlin/contract/operations/storage/disks'
import { snapshotList } from '@purlin/contract/operations/storage/snapshots'
import { nameMaxLength } from '@purlin/contract/rules/names'
import { snapshotCan, snapshotStates } from '@purlin/contract/rules/states'
import { useWatch, type Control } from 'react-hook-form'
import { query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { relativeLong } from '#/lib/format.ts'
import { serverNow } from '#/lib/clock.ts'
import { LoadToEdit } from '#/resource/form/fresh/LoadToEdit.tsx'
import { inStates, usePicker } from '#/resource/form/usePicker.ts'
import type { Named } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { RollBackForm, type RollBackValues } from './RollBackForm.tsx'

interface RollBackDialogProps {
  project: string
  disk: Named & { size: number }
  onDismiss: () => void
}

const withContent = inStates(snapshotStates, (state) => snapshotCan('createDisk', state))

/** The last snapshot of a disk. A server that does not know the field `disk` lists those of others, too. */
const lastOf = ({ project, disk }: RollBackDialogProps) =>
  query(snapshotList, {
    query: { project, disk: disk.id, filter: withContent, sortBy: 'time_created_descending', limit: 1 },
  })

/** 'Roll disk back' to a snapshot of it, the last one unless another is chosen. */
export const RollBackDialog = (props: RollBackDialogProps) => (
  <LoadToEdit title="Roll disk back" read={lastOf(props)} onDismiss={props.onDismiss}>
    {({ items }) => (
      <RollBackTo {...props} last={items.find(({ diskId }) => diskId === props.disk.id)?.name} />
    )}
  </LoadToEdit>
)

function RollBackTo({
  project,
  disk,
  onDismiss,
  last = '',
}: RollBackDialogProps & {
  last: string | undefined
}) {
  return (
    <RollBackForm
      noun="Disk"
      name={disk.name}
      chosen={last}
      size={disk.size}
      nameLength={nameMaxLength}
      request={(body) => requestTo(diskRollBack, { params: { disk: disk.id }, query: {}, body })}
      onDismiss={onDismiss}
    >
      {(control) => (
        <>
          <p>
            Everything that was written to <Highlight>{disk.name}</Highlight> after the snapshot is lost,
            unless you keep it as a snapshot.
          </p>
          <SnapshotControl project={project} disk={disk} control={control} />
        </>
      )}
    </RollBackForm>
  )
}

interface SnapshotControlProps extends Pick<RollBackDialogProps, 'project' | 'disk'> {
  control: Control<RollBackValues>
}

function SnapshotControl({ project, disk, control }: SnapshotControlProps) {
  const snapshots = usePicker(kinds.snapshot, {
    scope: { project },
    asksFor: { disk: disk.id },
    value: useWatch({ control, name: 'snapshot' }),
    by: 'name',
    filter: withContent,
    fits: ({ diskId, state }) => diskId === disk.id && snapshotCan('createDisk', state),
    choice: ({ timeCreated }) => ({ description: relativeLong(timeCreated, new Date(serverNow())) }),
  })
  return (
    <ComboboxControl
      name="snapshot"
      control={control}
      required
      placeholder="Select a snapshot"
      hint={snapshots.problem ?? (snapshots.isEmpty ? 'The disk has no snapshot to go back to.' : undefined)}
      {...snapshots.field}
    />
  )
}
