import { snapshotUpdate } from '@purlin/contract/operations/storage/snapshots'
import { snapshotCan } from '@purlin/contract/rules/states'
import { paths } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { disksMadeFrom, MadeFrom } from '#/features/disks/madeFrom.tsx'
import { findRollBackReason } from '#/features/disks/reasons/reasons.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { editAction, savingBy } from '#/resource/actions/editAction.tsx'
import { kinds } from '#/resource/kinds.ts'
import type { Snapshot } from './snapshots.tsx'

const RollBackDialog = lazily(() => import('./RollBackDialog.tsx'), 'RollBackDialog')

/** Why no image can be made of a snapshot now, or undefined. */
export const imageDisabledReason = ({ state }: Pick<Snapshot, 'state'>): string | undefined =>
  snapshotCan('createImage', state) ? undefined : 'Only snapshots in state ready can become images'

const rollBackDisabledReason = ({ state }: Pick<Snapshot, 'state'>): string | undefined =>
  snapshotCan('createDisk', state) ? undefined : 'Only snapshots in state ready have a content to go back to'

/** Actions on a snapshot. `leave` closes the panel of one that is deleted. */
export const snapshotActions = (project: string, leave?: () => unknown) =>
  plainActions(kinds.snapshot, project, {
    own: [
      editAction({
        kind: kinds.snapshot,
        update: snapshotUpdate,
        scope: { project },
        saving: savingBy(kinds.snapshot, snapshotUpdate),
      }),
      {
        id: 'rollBack',
        label: 'Roll disk back',
        role: 'collaborator',
        disabledReason: rollBackDisabledReason,
        findReason: (snapshot) =>
          rollBackDisabledReason(snapshot) ? undefined : () => findRollBackReason(snapshot.diskId),
        dialog: (snapshot, close) => (
          <RollBackDialog key={snapshot.id} snapshot={snapshot} onDismiss={close} />
        ),
      },
      {
        id: 'createImage',
        label: 'Create image',
        role: 'collaborator',
        disabledReason: imageDisabledReason,
        href: ({ name }) => paths.snapshotImageNew({ project, name }),
      },
    ],
    leave,
    note: (snapshots) => deleteNote(project, snapshots),
    disabledReason: ({ state }) =>
      snapshotCan('delete', state)
        ? undefined
        : 'Only snapshots in state creating, ready or faulted can be deleted',
  })

async function deleteNote(project: string, snapshots: readonly Snapshot[]) {
  const [only, ...others] = snapshots
  if (!only || others.length > 0) return 'Disks and images created from them are not affected.'
  return (
    <>
      <p>Its data cannot be recovered. Disks and images created from it are not affected.</p>
      {only.instanceSnapshotId !== undefined && (
        <p>It is a part of a snapshot of an instance, which then lacks this disk.</p>
      )}
      <MadeFrom disks={await disksMadeFrom(project, 'snapshotId', only.id)} />
    </>
  )
}
