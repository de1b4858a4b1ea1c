/** The actions of a disk with an open import. */
import { diskList } from '@purlin/contract/operations/storage/disks'
import { invalidate } from '#/api/query.ts'
import { formatSize } from '#/lib/format.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Action } from '#/resource/actions/actions.tsx'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import type { Disk } from '../disks.tsx'
import { endImport, endRequests, removeDisk, removeRequests } from './endImport.ts'
import { isImporting, resumePath, uploadOf } from './imports.ts'
import { records } from './uploadRecords.ts'

const stillRunning = 'An upload that is still running, e.g. in another window, will fail.'
const isUnknown = 'This browser does not know how much was uploaded'

function askToFinish(project: string, { name, state }: Disk): void {
  confirmAction({
    modalTitle: 'Finish import',
    modalContent: (
      <p>
        Finish the import into <Highlight>{name}</Highlight> with the data it holds now? It becomes an
        ordinary disk, and nothing more can be imported into it. {stillRunning}
      </p>
    ),
    errorTitle: 'Could not finish the import',
    actionType: 'primary',
    command: endRequests({ project, name }, state.state),
    doAction: async () => {
      await endImport({ project, name })
      await invalidate(diskList)
      showDoneToast('Import into', name, 'finished')
    },
  })
}

function askToRemove(project: string, { name, size, state }: Disk): void {
  confirmAction({
    modalTitle: 'Remove disk',
    modalContent: (
      <p>
        End the import into <Highlight>{name}</Highlight> ({formatSize(size)}) and delete the disk with all
        imported data? {stillRunning}
      </p>
    ),
    errorTitle: 'Could not remove disk',
    actionType: 'danger',
    command: removeRequests({ project, name }, state.state),
    doAction: async () => {
      await removeDisk({ project, name })
      await invalidate(diskList)
      showDoneToast('Disk', name, 'removed')
    },
  })
}

/** Actions only on a disk with an open import. */
export const importActions = (project: string): Action<Disk>[] => [
  {
    id: 'resume',
    label: 'Resume upload',
    role: 'collaborator',
    isOffered: (disk) => isImporting(disk) && uploadOf(disk) !== undefined,
    disabledReason: ({ id }) => (records.read(id) ? undefined : isUnknown),
    href: ({ name }) => resumePath(project, name),
  },
  {
    id: 'finish',
    label: 'Finish import',
    role: 'collaborator',
    isOffered: isImporting,
    command: null,
    onAction: (disk) => askToFinish(project, disk),
  },
  {
    id: 'remove',
    label: 'Remove',
    role: 'collaborator',
    isOffered: isImporting,
    isDanger: true,
    command: null,
    onAction: (disk) => askToRemove(project, disk),
  },
]
