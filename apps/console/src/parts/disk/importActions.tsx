/** What can be done with a disk into which something is, or was, being imported. */
import { diskList } from '@purlin/contract/operations/disks'
import { invalidate } from '../../api.ts'
import { formatSize } from '../../lib/format.ts'
import { send, sendIfThere } from '../../send.ts'
import { Highlight } from '../../ui/Highlight.tsx'
import type { MenuItem } from '../../ui/menuItems.ts'
import { confirmAction } from '../confirm.ts'
import { tellDone } from '../toasts.tsx'
import type { Disk } from './disks.tsx'
import { endImport, removeDisk } from './endImport.ts'
import { isImporting, resumePath, uploadOf } from './imports.ts'
import { records } from './importsHere.ts'

const post = { send, sendIfThere }
const stillRunning = 'If it is still going on, in another window perhaps, it will fail.'
const isUnknown = 'This browser does not know how far the upload got'

function askToFinish(project: string, { name }: Disk): void {
  confirmAction({
    modalTitle: 'Finish import',
    modalContent: (
      <p>
        Finish the import into <Highlight>{name}</Highlight> with what it holds by now? It becomes a disk like
        any other, into which nothing more can be imported. {stillRunning}
      </p>
    ),
    errorTitle: 'Could not finish the import',
    actionType: 'primary',
    doAction: async () => {
      await endImport(post, { project, name })
      await invalidate(diskList)
      tellDone('Import into', name, 'finished')
    },
  })
}

function askToRemove(project: string, { name, size }: Disk): void {
  confirmAction({
    modalTitle: 'Remove disk',
    modalContent: (
      <p>
        End the import into <Highlight>{name}</Highlight> ({formatSize(size)}) and delete the disk with all
        that has arrived? {stillRunning}
      </p>
    ),
    errorTitle: 'Could not remove disk',
    actionType: 'danger',
    doAction: async () => {
      await removeDisk(post, { project, name })
      await invalidate(diskList)
      tellDone('Disk', name, 'removed')
    },
  })
}

/** The menu entries of a disk that is being imported into; none for others. */
export function importMenu(project: string, disk: Disk, refused: string | undefined): MenuItem[] {
  if (!isImporting(disk)) return []
  const disabled = refused === undefined ? {} : { disabledReason: refused }
  return [
    ...(uploadOf(disk) ? [resumeItem(project, disk, refused)] : []),
    { label: 'Finish import', onAction: () => askToFinish(project, disk), ...disabled },
    { label: 'Remove', danger: !refused, onAction: () => askToRemove(project, disk), ...disabled },
  ]
}

const resumeItem = (project: string, { id, name }: Disk, refused: string | undefined): MenuItem => ({
  label: 'Resume upload',
  href: resumePath(project, name),
  disabledReason: refused ?? (records.read(id) ? undefined : isUnknown),
})
