/** Actions on the disks of an instance. */
import { diskCreate } from '@purlin/contract/operations/storage/disks'
import { instanceView } from '@purlin/contract/operations/instances/instances'
import { diskCan } from '@purlin/contract/rules/states'
import { invalidate } from '#/api/query.ts'
import { errorMessage } from '#/api/errors.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import type { DiskBody } from '#/features/disks/body.ts'
import { diskActions } from '#/features/disks/actions.tsx'
import { attachDisk, attachRequest, reloadDisks } from '#/features/disks/attachment.ts'
import type { InstanceDisk } from './bootDisk.ts'
import { disabledReason } from '../reasons.tsx'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { restoreInstance, updateInstance, updateRequest } from '#/features/instance-state/values.ts'
import type { Action } from '#/resource/actions/actions.tsx'
import { showDoneToast, toastFailure } from '#/resource/actions/toasts.tsx'
import { undoable } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

export interface DiskActionsOf {
  target: InstanceTarget
  instance: Instance
  /** The disk the instance boots from now. */
  boot: InstanceDisk | undefined
}

interface BootChange {
  verb: 'set' | 'change' | 'unset'
  /** The same of what is there now. */
  from: string | null
  /** id of the new boot disk, or null for none */
  to: string | null
}

const verbDone = { set: 'set', change: 'changed', unset: 'unset' }

/** Changes the boot disk, and offers to undo that. What fails is reported. */
async function changeBoot(target: InstanceTarget, { verb, from, to }: BootChange): Promise<void> {
  try {
    await updateInstance(target, { bootDisk: to })
    await invalidate(instanceView)
    const change = { left: { bootDisk: to }, former: { bootDisk: from } }
    const undone = 'The instance has its former boot disk setting again'
    addToast(
      undoable(
        { content: `Boot disk ${verbDone[verb]}` },
        { run: () => restoreInstance(target, change), undone },
      ),
    )
  } catch (error) {
    toastFailure(`Could not ${verb} boot disk`, error)
  }
}

const changeDisabledReason = ({ instance }: DiskActionsOf) =>
  disabledReason('updateBootDisk', instance.runState)

const unsetBoot = (of: DiskActionsOf): Action<InstanceDisk> => ({
  id: 'unsetBoot',
  label: 'Unset as boot disk',
  role: 'collaborator',
  isOffered: ({ id }) => id === of.boot?.id,
  disabledReason: () => changeDisabledReason(of),
  command: () => updateRequest(of.target, { bootDisk: null }),
  onAction: ({ id }) => changeBoot(of.target, { verb: 'unset', from: id, to: null }),
})

const setBoot = (of: DiskActionsOf): Action<InstanceDisk> => ({
  id: 'setBoot',
  label: 'Set as boot disk',
  role: 'collaborator',
  isOffered: ({ id }) => id !== of.boot?.id,
  disabledReason: ({ state }) =>
    changeDisabledReason(of) ??
    (diskCan('setAsBootDisk', state.state) ? undefined : 'Only attached disks can be set as boot disk'),
  command: ({ id }) => updateRequest(of.target, { bootDisk: id }),
  onAction: ({ id }) =>
    changeBoot(of.target, { verb: of.boot ? 'change' : 'set', from: of.boot?.id ?? null, to: id }),
})

/** Actions on a disk of an instance: those that every disk has, and those on what it boots from. */
export const instanceDiskActions = (of: DiskActionsOf, leave?: () => unknown): Action<InstanceDisk>[] =>
  diskActions(of.target.project, {
    holder: of.instance,
    own: [unsetBoot(of), setBoot(of)],
    ...(leave ? { leave } : {}),
  })

const createRequest = ({ project }: InstanceTarget, body: DiskBody) =>
  requestTo(diskCreate, { query: { project }, body })

/** The requests that make a disk and attach it. */
export const createAndAttachRequests = (target: InstanceTarget, body: DiskBody) => [
  createRequest(target, body),
  attachRequest(target, body.name),
]

/**
 * Makes a disk and attaches it. Once it is made, the form has done its part: if only attaching fails,
 * a toast says so and stays, because the disk is there and can be attached as it is.
 */
export async function createAndAttachDisk(target: InstanceTarget, body: DiskBody): Promise<void> {
  await sendRequest(createRequest(target, body))
  showDoneToast('Disk', body.name, 'created')
  try {
    await attachDisk(target, body.name)
  } catch (error) {
    void reloadDisks()
    toastFailure('Could not attach the new disk', error, {
      content: `${errorMessage(error)}. Use 'Attach existing disk' to try again with ${body.name}.`,
      timeout: null,
    })
  }
}
