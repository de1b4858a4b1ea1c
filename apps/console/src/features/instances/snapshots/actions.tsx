import { instanceSnapshotDelete } from '@purlin/contract/operations/storage/instance-snapshots'
import { requestTo } from '#/api/request.ts'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { lazily } from '#/lib/lazily.tsx'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import type { InstanceDisk } from '../storage/bootDisk.ts'
import { noun, reloadWholes, rollBackReason, whole, type Whole } from './snapshots.ts'

const RollBackDialog = lazily(() => import('./RollBackDialog.tsx'), 'RollBackDialog')

/** Actions on a snapshot of an instance. */
export const wholeActions = (
  { instance: name }: InstanceTarget,
  instance: Instance,
  disks: readonly InstanceDisk[],
): Action<Whole>[] => [
  copyId(noun),
  {
    id: 'rollBack',
    label: 'Roll instance back',
    role: 'collaborator',
    disabledReason: (snapshot) => rollBackReason(snapshot, instance, disks),
    dialog: (snapshot, close) => (
      <RollBackDialog key={snapshot.id} instance={name} snapshot={snapshot} onDismiss={close} />
    ),
  },
  {
    id: 'delete',
    label: 'Delete',
    role: 'collaborator',
    isDanger: true,
    confirm: {
      noun,
      verb: 'delete',
      done: 'deleted',
      isDanger: true,
      note: ([snapshot]) =>
        snapshot && (
          <p>
            Its data cannot be recovered. The snapshots of its disks are deleted with it:{' '}
            {snapshot.disks.map(({ snapshotName }) => snapshotName).join(', ')}.
          </p>
        ),
      request: (snapshot) => requestTo(instanceSnapshotDelete, whole(snapshot)),
      after: reloadWholes,
    },
  },
]
