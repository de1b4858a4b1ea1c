/** What can be done with the disks of an instance. */
import { diskCreate, diskList } from '@purlin/contract/operations/disks'
import {
  instanceDiskAttach,
  instanceDiskDetach,
  instanceDiskList,
  instanceView,
} from '@purlin/contract/operations/instances'
import { diskCan } from '@purlin/contract/rules/disk'
import { limits } from '@purlin/contract/rules/limits'
import type { ReactNode } from 'react'
import { invalidate } from '../../../../../api.ts'
import { failure, send } from '../../../../../send.ts'
import { confirmAction } from '../../../../../parts/confirm.ts'
import type { DiskBody } from '../../../../../parts/disk/diskBody.ts'
import { diskMenu } from '../../../../../parts/disk/disks.tsx'
import type { InstanceDisk } from '../../../../../parts/instance/bootDisk.ts'
import { refusal } from '../../../../../parts/instance/reasons.tsx'
import {
  argsOf,
  updateInstance,
  type Instance,
  type InstanceTarget,
} from '../../../../../parts/instance/update.ts'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../ui/menuItems.ts'
import { addToast } from '../../../../../ui/toast.ts'

const reloadDisks = () => invalidate(instanceDiskList, diskList)

export interface DiskActionsOf {
  target: InstanceTarget
  instance: Instance
  /** Why the person may change nothing here, whatever the state. */
  refused: string | undefined
  /** The disk the instance boots from now. */
  boot: InstanceDisk | undefined
  /** Opens the form of a disk's snapshot. */
  take: (disk: InstanceDisk) => void
}

interface BootChange {
  verb: 'set' | 'change' | 'unset'
  /** id of the new boot disk, or null for none */
  to: string | null
  text: ReactNode
}

const changeBoot = (target: InstanceTarget, { verb, to, text }: BootChange) =>
  confirmAction({
    modalTitle: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} boot disk`,
    modalContent: text,
    errorTitle: `Could not ${verb} boot disk`,
    actionType: 'primary',
    doAction: async () => {
      await updateInstance(target, { bootDisk: to })
      await invalidate(instanceView)
    },
  })

/** The row actions of the boot disk. */
export const bootDiskActions = (
  disk: InstanceDisk,
  { target, instance, refused, take }: DiskActionsOf,
): MenuItem[] => [
  ...diskMenu(disk, { refused, take }),
  {
    label: 'Unset as boot disk',
    disabledReason: refused ?? refusal('updateBootDisk', instance.runState),
    onAction: () =>
      changeBoot(target, {
        verb: 'unset',
        to: null,
        text: (
          <>
            <p>
              Are you sure you want to unset <Highlight>{disk.name}</Highlight> as the boot disk? It stays
              attached.
            </p>
            <p>A boot disk is recommended, unless the guest manages its boot order itself.</p>
          </>
        ),
      }),
  },
  {
    label: 'Detach',
    disabledReason: 'Boot disk must be unset before it can be detached',
    onAction: () => undefined,
  },
]

/** The row actions of a disk that is not the boot disk. */
export const otherDiskActions = (
  disk: InstanceDisk,
  { target, instance, refused, boot, take }: DiskActionsOf,
): MenuItem[] => [
  ...diskMenu(disk, { refused, take }),
  {
    label: 'Set as boot disk',
    disabledReason:
      refused ??
      refusal('updateBootDisk', instance.runState) ??
      (diskCan('setAsBootDisk', disk.state.state)
        ? undefined
        : 'Only attached disks can be set as boot disk'),
    onAction: () =>
      changeBoot(target, {
        verb: boot ? 'change' : 'set',
        to: disk.id,
        text: (
          <p>
            Are you sure you want to set <Highlight>{disk.name}</Highlight> as the boot disk
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
    label: 'Detach',
    disabledReason:
      refused ??
      refusal('detachDisk', instance.runState) ??
      (diskCan('detach', disk.state.state) ? undefined : 'Only attached disks can be detached'),
    onAction: () =>
      confirmAction({
        modalTitle: 'Detach disk',
        modalContent: (
          <p>
            Are you sure you want to detach <Highlight>{disk.name}</Highlight> from{' '}
            <Highlight>{instance.name}</Highlight>? Its data stays on it.
          </p>
        ),
        errorTitle: 'Could not detach disk',
        actionType: 'danger',
        doAction: async () => {
          await send(instanceDiskDetach, { ...argsOf(target), body: { disk: disk.name } })
          await reloadDisks()
          addToast({
            content: (
              <>
                Disk <Highlight>{disk.name}</Highlight> detached
              </>
            ),
          })
        },
      }),
  },
]

/** Why no disk can be added now; `purpose` ends the sentence. */
export function addDiskRefusal(
  { instance, refused }: DiskActionsOf,
  disks: number,
  purpose: 'attach a disk' | 'create and attach a disk',
): ReactNode | undefined {
  if (refused) return refused
  if (refusal('attachDisk', instance.runState)) return `Instance must be stopped to ${purpose}`
  return disks >= limits.instance.disks
    ? `An instance can have at most ${limits.instance.disks} disks`
    : undefined
}

/** Attaches a disk of the project by name. */
export async function attachDisk(target: InstanceTarget, disk: string): Promise<void> {
  await send(instanceDiskAttach, { ...argsOf(target), body: { disk } })
  await reloadDisks()
  addToast({
    content: (
      <>
        Disk <Highlight>{disk}</Highlight> attached
      </>
    ),
  })
}

/**
 * Makes a disk and attaches it. Once it is made, the form has done its part: if only attaching fails,
 * that is told in a toast that stays, because the disk is there and can be attached as it is.
 */
export async function createAndAttachDisk(target: InstanceTarget, body: DiskBody): Promise<void> {
  await send(diskCreate, { query: { project: target.project }, body })
  addToast({
    content: (
      <>
        Disk <Highlight>{body.name}</Highlight> created
      </>
    ),
  })
  try {
    await attachDisk(target, body.name)
  } catch (error) {
    const { message, requestId } = failure(error)
    void reloadDisks()
    addToast({
      variant: 'error',
      title: 'The new disk could not be attached',
      content: `${message}. Use 'Attach existing disk' to try again with ${body.name}.`,
      requestId,
      timeout: null,
    })
  }
}
