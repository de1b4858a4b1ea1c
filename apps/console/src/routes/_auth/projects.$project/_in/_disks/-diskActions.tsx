import { diskDelete, diskList } from '@purlin/contract/operations/disks'
import { diskCan } from '@purlin/contract/rules/disk'
import { invalidate } from '../../../../../api.ts'
import { formatSize } from '../../../../../lib/format.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { confirmAction } from '../../../../../parts/confirm.ts'
import { diskMenu, type Disk } from '../../../../../parts/disk/disks.tsx'
import { importMenu } from '../../../../../parts/disk/importActions.tsx'
import { tellDone } from '../../../../../parts/toasts.tsx'
import { send } from '../../../../../send.ts'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../ui/menuItems.ts'

/** Why a disk cannot be deleted now, or undefined. */
export function deleteRefusal({ state }: Pick<Disk, 'state'>): string | undefined {
  if (diskCan('delete', state.state)) return undefined
  if (state.state === 'attached') return 'Disk must be detached before it can be deleted'
  return 'Only disks in state detached or faulted can be deleted'
}

/** Deletes a disk by name. */
export const deleteDisk = (project: string, disk: string) =>
  send(diskDelete, { params: { disk }, query: { project } })

function askToDelete(project: string, { name, size }: Disk): void {
  confirmAction({
    modalTitle: 'Delete disk',
    modalContent: (
      <p>
        Are you sure you want to delete <Highlight>{name}</Highlight> ({formatSize(size)})? Its data cannot be
        recovered.
      </p>
    ),
    errorTitle: 'Could not delete disk',
    actionType: 'danger',
    doAction: async () => {
      await deleteDisk(project, name)
      await invalidate(diskList)
      tellDone('Disk', name, 'deleted')
    },
  })
}

/** The row actions of a disk. `take` opens the form of its snapshot. */
export function useDiskActions(project: string, take: (disk: Disk) => void): (disk: Disk) => MenuItem[] {
  const refused = useProjectRole(project).lacks('collaborator')
  return (disk) => {
    const disabledReason = refused ?? deleteRefusal(disk)
    return [
      ...diskMenu(disk, { refused, take }),
      ...importMenu(project, disk, refused),
      {
        label: 'Delete',
        danger: !disabledReason,
        onAction: () => askToDelete(project, disk),
        ...(disabledReason ? { disabledReason } : {}),
      },
    ]
  }
}
