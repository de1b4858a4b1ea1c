import { snapshotDelete, snapshotList } from '@purlin/contract/operations/snapshots'
import { snapshotCan } from '@purlin/contract/rules/snapshot'
import { useNavigate } from '@tanstack/react-router'
import { invalidate } from '../../../../../api.ts'
import { formatSize } from '../../../../../lib/format.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { confirmAction } from '../../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../../parts/copy.ts'
import { disksMadeFrom, MadeFrom } from '../../../../../parts/disk/madeFrom.tsx'
import { imageRefusal, type Snapshot } from '../../../../../parts/snapshot/snapshots.tsx'
import { tellDone } from '../../../../../parts/toasts.tsx'
import { paths } from '../../../../../paths.ts'
import { send } from '../../../../../send.ts'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../ui/menuItems.ts'

/** Deletes a snapshot by name. */
export const deleteSnapshot = (project: string, snapshot: string) =>
  send(snapshotDelete, { params: { snapshot }, query: { project } })

async function askToDelete(project: string, { id, name, size }: Snapshot): Promise<void> {
  const disks = await disksMadeFrom(project, ({ snapshotId }) => snapshotId === id)
  confirmAction({
    modalTitle: 'Delete snapshot',
    modalContent: (
      <>
        <p>
          Are you sure you want to delete <Highlight>{name}</Highlight> ({formatSize(size)})? What it keeps of
          its disk cannot be recovered. Disks and images that were made from it stay.
        </p>
        <MadeFrom disks={disks} />
      </>
    ),
    errorTitle: 'Could not delete snapshot',
    actionType: 'danger',
    doAction: async () => {
      await deleteSnapshot(project, name)
      await invalidate(snapshotList)
      tellDone('Snapshot', name, 'deleted')
    },
  })
}

/** The row actions of a snapshot. */
export function useSnapshotActions(project: string): (snapshot: Snapshot) => MenuItem[] {
  const navigate = useNavigate()
  const refused = useProjectRole(project).lacks('collaborator')
  return (snapshot) => {
    const { id, name, state } = snapshot
    const undeletable = refused ?? deleteRefusal(snapshot)
    return [
      { label: 'Copy ID', onAction: () => void copyWithToast(id, 'Snapshot ID') },
      {
        label: 'Create image',
        disabledReason: refused ?? imageRefusal({ state }),
        onAction: () => void navigate({ href: paths.snapshotImageNew({ project, snapshot: name }) }),
      },
      {
        label: 'Delete',
        danger: !undeletable,
        disabledReason: undeletable,
        onAction: () => void askToDelete(project, snapshot),
      },
    ]
  }
}

/** Why a snapshot cannot be deleted now, or undefined. */
export const deleteRefusal = ({ state }: Pick<Snapshot, 'state'>): string | undefined =>
  snapshotCan('delete', state) ? undefined : 'Only snapshots in state ready or faulted can be deleted'
