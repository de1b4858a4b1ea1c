import { diskDelete, diskList } from '@purlin/contract/operations/disks'
import type { Result } from '@purlin/contract/op'
import { diskCan } from '@purlin/contract/rules/disk'
import { invalidate } from '../../../../../api.ts'
import { formatSize } from '../../../../../lib/format.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { confirmAction } from '../../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../../parts/copy.ts'
import { send } from '../../../../../send.ts'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../ui/menuItems.ts'
import { addToast } from '../../../../../ui/toast.ts'

export type Disk = Result<typeof diskList>['items'][number]

/** Why a disk cannot be deleted now, or undefined. */
export function deleteRefusal({ state }: Pick<Disk, 'state'>): string | undefined {
  if (diskCan('delete', state.state)) return undefined
  if (state.state === 'attached') return 'Disk must be detached before it can be deleted'
  return 'Only disks in state detached or faulted can be deleted'
}

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
      await send(diskDelete, { params: { disk: name }, query: { project } })
      await invalidate(diskList)
      addToast({
        content: (
          <>
            Disk <Highlight>{name}</Highlight> deleted
          </>
        ),
      })
    },
  })
}

/** The row actions of a disk. */
export function useDiskActions(project: string): (disk: Disk) => MenuItem[] {
  const { lacks } = useProjectRole(project)
  return (disk) => {
    const disabledReason = lacks('collaborator') ?? deleteRefusal(disk)
    return [
      { label: 'Copy ID', onAction: () => void copyWithToast(disk.id, 'Disk ID') },
      {
        label: 'Delete',
        danger: !disabledReason,
        onAction: () => askToDelete(project, disk),
        ...(disabledReason ? { disabledReason } : {}),
      },
    ]
  }
}
