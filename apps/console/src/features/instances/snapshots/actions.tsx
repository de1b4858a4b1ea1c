import { instanceSnapshotUpdate } from '@purlin/contract/operations/storage/instance-snapshots'
import type { Instance } from '#/features/instance-state/update.ts'
import type { Scope } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { plainActions, type Action } from '#/resource/actions/actions.tsx'
import { editAction, savingBy } from '#/resource/actions/editAction.tsx'
import type { InstanceDisk } from '../storage/bootDisk.ts'
import { wholes } from './kind.ts'
import { contentReason, rollBackReason, type Whole } from './snapshots.ts'

const RollBackDialog = lazily(() => import('./RollBackDialog.tsx'), 'RollBackDialog')

/** The instance of a snapshot, as its page knows it. */
interface Known {
  instance: Instance
  disks: readonly InstanceDisk[]
}

/** Actions on a snapshot of an instance. Where the instance is not known, the server says why it cannot be rolled back. */
export const wholeActions = (scope: Scope, known?: Known): Action<Whole>[] =>
  plainActions(wholes, scope, {
    own: [
      editAction({
        kind: wholes,
        update: instanceSnapshotUpdate,
        scope,
        saving: savingBy(wholes, instanceSnapshotUpdate),
      }),
      {
        id: 'rollBack',
        label: 'Roll instance back',
        role: 'collaborator',
        disabledReason: (snapshot) =>
          known ? rollBackReason(snapshot, known.instance, known.disks) : contentReason(snapshot),
        dialog: (snapshot, close) => (
          <RollBackDialog
            key={snapshot.id}
            instance={scope.instance ?? ''}
            snapshot={snapshot}
            onDismiss={close}
          />
        ),
      },
    ],
    note: ([snapshot, ...others]) =>
      snapshot && (
        <p>
          Its data cannot be recovered. The snapshots of its disks are deleted with it
          {others.length === 0 && `: ${snapshot.disks.map(({ snapshotName }) => snapshotName).join(', ')}`}.
        </p>
      ),
  })
