import { diskUpdate } from '@purlin/contract/operations/storage/disks'
import { diskCan } from '@purlin/contract/rules/states'
import { paths } from '#/lib/addresses.ts'
import { cloneAction, copyId, deleteAction, whoCanDelete, type Action } from '#/resource/actions/actions.tsx'
import { editAction, savingBy } from '#/resource/actions/editAction.tsx'
import { kinds } from '#/resource/kinds.ts'
import { protectionActions } from '#/resource/protection/actions.ts'
import type { Disk } from './disks.tsx'
import { importActions } from './imports/importActions.tsx'
import { lazily } from '#/lib/lazily.tsx'

const AttachToInstanceDialog = lazily(() => import('./AttachToInstanceDialog.tsx'), 'AttachToInstanceDialog')
const GrowDialog = lazily(() => import('./GrowDialog.tsx'), 'GrowDialog')
const SnapshotForm = lazily(() => import('./SnapshotForm.tsx'), 'SnapshotForm')

/** Why a disk cannot be deleted now, or undefined. */
export function deleteDisabledReason({ state }: Pick<Disk, 'state'>): string | undefined {
  if (diskCan('delete', state.state)) return undefined
  if (state.state === 'attached') return 'Disk must be detached before it can be deleted'
  return 'Only disks in state detached or faulted can be deleted'
}

/** Why no snapshot of a disk can be taken now, or undefined. */
export const snapshotDisabledReason = ({ state }: Pick<Disk, 'state'>): string | undefined =>
  diskCan('snapshot', state.state) ? undefined : 'Only disks in state attached or detached can be snapshotted'

/** Actions on a disk wherever it is listed. */
export const sharedDiskActions = (project: string): Action<Pick<Disk, 'id' | 'name' | 'state'>>[] => [
  copyId(kinds.disk.noun),
  {
    id: 'snapshot',
    label: 'Snapshot',
    role: 'collaborator',
    disabledReason: snapshotDisabledReason,
    dialog: ({ name }, close) => <SnapshotForm animate project={project} disk={name} onClose={close} />,
  },
]

/** Actions on a disk in the list of its project. */
export const diskActions = (project: string): Action<Disk>[] => [
  ...sharedDiskActions(project),
  {
    id: 'attach',
    label: 'Attach',
    role: 'collaborator',
    takes: 'instance',
    isOffered: ({ state }) => state.state !== 'attached',
    disabledReason: ({ state }) =>
      diskCan('attach', state.state) ? undefined : 'Only disks in state detached can be attached',
    dialog: (disk, close, given) => (
      <AttachToInstanceDialog key={disk.id} project={project} disk={disk} given={given} onDismiss={close} />
    ),
  },
  editAction({
    kind: kinds.disk,
    update: diskUpdate,
    scope: { project },
    saving: savingBy(kinds.disk, diskUpdate),
  }),
  {
    id: 'grow',
    label: 'Enlarge',
    role: 'collaborator',
    dialog: ({ id }, close) => <GrowDialog key={id} id={id} project={project} onDismiss={close} />,
  },
  cloneAction(({ name }) => paths.diskClone({ project, name })),
  ...importActions(project),
  whoCanDelete(kinds.disk, project),
  ...protectionActions(kinds.disk),
  deleteAction(kinds.disk, {
    note: ({ length }) => `${length === 1 ? 'Its' : 'Their'} data cannot be recovered.`,
    disabledReason: deleteDisabledReason,
  }),
]
