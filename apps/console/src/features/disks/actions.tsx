import { diskUpdate } from '@purlin/contract/operations/storage/disks'
import { diskCan } from '@purlin/contract/rules/states'
import { paths } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import type { Instance } from '#/features/instance-state/update.ts'
import { cloneAction, copyId, deleteAction, whoCanDelete, type Action } from '#/resource/actions/actions.tsx'
import { editAction, savingBy } from '#/resource/actions/editAction.tsx'
import { kinds } from '#/resource/kinds.ts'
import { protectionActions } from '#/resource/protection/actions.ts'
import { detachDisk, detachment, detachRequest } from './attachment.ts'
import type { Disk } from './disks.tsx'
import { importActions } from './imports/importActions.tsx'
import {
  deleteDisabledReason,
  detachDisabledReason,
  growDisabledReason,
  holderIdOf,
  rollBackDisabledReason,
  snapshotDisabledReason,
  withHolder,
} from './reasons/reasons.ts'

const AttachToInstanceDialog = lazily(
  () => import('./attaching/AttachToInstanceDialog.tsx'),
  'AttachToInstanceDialog',
)
const AttachManyDialog = lazily(() => import('./attaching/AttachManyDialog.tsx'), 'AttachManyDialog')
const GrowDialog = lazily(() => import('./GrowDialog.tsx'), 'GrowDialog')
const RollBackDialog = lazily(() => import('./RollBackDialog.tsx'), 'RollBackDialog')
const SnapshotForm = lazily(() => import('./SnapshotForm.tsx'), 'SnapshotForm')

export interface DiskActionsOf {
  /** The instance of the disks where its page has it. It is read otherwise. */
  holder?: Instance
  /** Actions on disks of an instance. */
  own?: readonly Action<Disk>[]
  /** Closes the panel of a disk that is deleted. */
  leave?: () => unknown
}

/** Actions on a disk, wherever it is shown. */
export const diskActions = (
  project: string,
  { holder, own = [], leave }: DiskActionsOf = {},
): Action<Disk>[] => [
  copyId(kinds.disk.noun),
  {
    id: 'snapshot',
    label: 'Snapshot',
    role: 'collaborator',
    disabledReason: snapshotDisabledReason,
    dialog: ({ name, size }, close) => (
      <SnapshotForm animate project={project} disk={name} size={size} onClose={close} />
    ),
  },
  {
    id: 'rollBack',
    label: 'Roll back',
    role: 'collaborator',
    ...reasonBy(rollBackDisabledReason, holder),
    dialog: (disk, close) => <RollBackDialog key={disk.id} project={project} disk={disk} onDismiss={close} />,
  },
  {
    id: 'grow',
    label: 'Enlarge',
    role: 'collaborator',
    disabledReason: growDisabledReason,
    dialog: ({ id }, close) => <GrowDialog key={id} id={id} project={project} onDismiss={close} />,
  },
  {
    id: 'attach',
    label: 'Attach',
    role: 'collaborator',
    takes: 'instance',
    isHiddenForNone: true,
    formForMany: (chosen) => <AttachManyDialog project={project} chosen={chosen} />,
    isOffered: ({ state }) => state.state !== 'attached',
    disabledReason: ({ state }) =>
      diskCan('attach', state.state) ? undefined : 'Only disks in state detached can be attached',
    dialog: (disk, close, given) => (
      <AttachToInstanceDialog key={disk.id} project={project} disk={disk} given={given} onDismiss={close} />
    ),
  },
  {
    id: 'detach',
    label: 'Detach',
    role: 'collaborator',
    isOffered: (disk) => holderIdOf(disk) !== undefined,
    ...reasonBy(detachDisabledReason, holder),
    isForMany: true,
    isHiddenForNone: true,
    confirm: detachment,
    command: (disk) => detachRequest({ id: holderIdOf(disk) ?? '' }, disk.id),
    onAction: (disk) => detachDisk(disk, holderIdOf(disk) ?? ''),
  },
  ...own,
  editAction({
    kind: kinds.disk,
    update: diskUpdate,
    scope: { project },
    saving: savingBy(kinds.disk, diskUpdate),
  }),
  cloneAction(({ name }) => paths.diskClone({ project, name })),
  ...importActions(project),
  whoCanDelete(kinds.disk, project),
  ...protectionActions(kinds.disk),
  deleteAction(kinds.disk, {
    note: ({ length }) => `${length === 1 ? 'Its' : 'Their'} data cannot be recovered.`,
    disabledReason: deleteDisabledReason,
    isExplained: ({ state }) => state.state === 'attached',
    refusal: async (disk) => (await import('./reasons/refusal.tsx')).refusal(project, disk),
    leave,
  }),
]

/** The reason by the instance of the disks, which is read unless it is known. */
const reasonBy = (reason: typeof detachDisabledReason, holder: Instance | undefined) =>
  holder
    ? { disabledReason: (disk: Disk) => reason(disk, holder) }
    : { disabledReason: (disk: Disk) => reason(disk), findReason: withHolder<Disk>(reason) }
