/** Actions on the disks of an instance. */
import { diskCreate } from '@purlin/contract/operations/storage/disks'
import { instanceView } from '@purlin/contract/operations/instances/instances'
import { diskCan } from '@purlin/contract/rules/states'
import type { ReactNode } from 'react'
import { invalidate } from '#/api/query.ts'
import { errorMessage } from '#/api/errors.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import type { DiskBody } from '#/features/disks/body.ts'
import { sharedDiskActions } from '#/features/disks/actions.tsx'
import {
  attach,
  attachDisk,
  attachRequest,
  detach,
  detachRequest,
  reloadDisks,
} from '#/features/disks/attachment.ts'
import type { InstanceDisk } from './bootDisk.ts'
import { disabledReason } from '../reasons.tsx'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { restoreInstance, updateInstance, updateRequest } from '#/features/instance-state/values.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Action } from '#/resource/actions/actions.tsx'
import { showDoneToast, toastFailure } from '#/resource/actions/toasts.tsx'
import { undoable, undoableToast } from '#/resource/actions/undo.tsx'
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
  text: ReactNode
}

const verbDone = { set: 'set', change: 'changed', unset: 'unset' }

const changeBoot = (target: InstanceTarget, { verb, from, to, text }: BootChange) =>
  confirmAction({
    modalTitle: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} boot disk`,
    modalContent: text,
    errorTitle: `Could not ${verb} boot disk`,
    actionType: 'primary',
    command: () => updateRequest(target, { bootDisk: to }),
    doAction: async () => {
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
    },
  })

/** Actions on the boot disk. */
export const bootDiskActions = ({ target, instance }: DiskActionsOf): Action<InstanceDisk>[] => [
  ...sharedDiskActions(target.project),
  {
    id: 'unsetBoot',
    label: 'Unset as boot disk',
    role: 'collaborator',
    disabledReason: () => disabledReason('updateBootDisk', instance.runState),
    command: null,
    onAction: ({ id, name }) =>
      changeBoot(target, {
        verb: 'unset',
        from: id,
        to: null,
        text: (
          <>
            <p>
              Are you sure you want to unset <Highlight>{name}</Highlight> as the boot disk? It stays
              attached.
            </p>
            <p>A boot disk is recommended, unless the guest manages its boot order itself.</p>
          </>
        ),
      }),
  },
  {
    id: 'detach',
    label: 'Detach',
    disabledReason: () => 'Boot disk must be unset before it can be detached',
  },
]

/** Actions on a disk that is not the boot disk. */
export const otherDiskActions = ({ target, instance, boot }: DiskActionsOf): Action<InstanceDisk>[] => [
  ...sharedDiskActions(target.project),
  {
    id: 'setBoot',
    label: 'Set as boot disk',
    role: 'collaborator',
    disabledReason: ({ state }) =>
      disabledReason('updateBootDisk', instance.runState) ??
      (diskCan('setAsBootDisk', state.state) ? undefined : 'Only attached disks can be set as boot disk'),
    command: null,
    onAction: ({ id, name }) =>
      changeBoot(target, {
        verb: boot ? 'change' : 'set',
        from: boot?.id ?? null,
        to: id,
        text: (
          <p>
            Are you sure you want to set <Highlight>{name}</Highlight> as the boot disk
            {boot && (
              <>
                {' '}
                in place of <Highlight>{boot.name}</Highlight>, which stays attached
              </>
            )}
            ?
          </p>
        ),
      }),
  },
  {
    id: 'detach',
    label: 'Detach',
    role: 'collaborator',
    disabledReason: ({ state }) =>
      disabledReason('detachDisk', instance.runState) ??
      (diskCan('detach', state.state) ? undefined : 'Only attached disks can be detached'),
    command: null,
    onAction: ({ id, name }) =>
      confirmAction({
        modalTitle: 'Detach disk',
        modalContent: (
          <p>
            Are you sure you want to detach <Highlight>{name}</Highlight> from{' '}
            <Highlight>{instance.name}</Highlight>? Its data stays on it.
          </p>
        ),
        errorTitle: 'Could not detach disk',
        actionType: 'danger',
        command: detachRequest(target, id),
        doAction: async () => {
          await detach(target, id)
          const toast = { noun: 'Disk', name, done: 'detached', undone: 'attached again' }
          addToast(undoableToast(toast, () => attach(target, id)))
        },
      }),
  },
]

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
