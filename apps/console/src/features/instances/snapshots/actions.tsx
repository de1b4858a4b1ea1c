import { instanceDiskList } from '@purlin/contract/operations/instances/instances'
import { instanceSnapshotUpdate } from '@purlin/contract/operations/storage/instance-snapshots'
import { load, query } from '#/api/query.ts'
import type { Instance } from '#/features/instance-state/update.ts'
import type { Scope } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { plainActions, type Action } from '#/resource/actions/actions.tsx'
import { editAction, savingBy } from '#/resource/actions/editAction.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import type { InstanceDisk } from '../storage/bootDisk.ts'
import { wholes } from './kind.ts'
import { contentReason, rollBackReason, type Whole } from './snapshots.ts'

const RollBackDialog = lazily(() => import('./RollBackDialog.tsx'), 'RollBackDialog')

/** The instance of a snapshot, as its page knows it. */
interface Known {
  instance: Instance
  disks: readonly InstanceDisk[]
}

async function findRollBackReason(snapshot: Whole): Promise<string | undefined> {
  const instance = await load(viewQuery(kinds.instance, snapshot.instanceId))
  const disks = await load(query(instanceDiskList, { params: { instance: instance.id }, query: {} }))
  return rollBackReason(snapshot, instance, disks.items)
}

/** Actions on a snapshot of an instance, which is read unless it is known. */
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
        findReason: (snapshot) => (known ? undefined : () => findRollBackReason(snapshot)),
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
