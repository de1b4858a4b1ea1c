/** Disks at instances: attaching and detaching, from the pages of both. */
import {
  instanceDiskAttach,
  instanceDiskDetach,
  instanceDiskList,
} from '@purlin/contract/operations/instances/instances'
import { diskList, diskView } from '@purlin/contract/operations/storage/disks'
import { limits } from '@purlin/contract/rules/limits'
import { instanceCan } from '@purlin/contract/rules/states'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { argsOf, type Instance, type InstanceTarget } from '#/features/instance-state/update.ts'
import { undoableToast } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

export const reloadDisks = () => invalidate(instanceDiskList, diskList, diskView)

/** Why no disk can be added now; `purpose` ends the sentence. */
export function addDiskDisabledReason(
  instance: Instance,
  disks: number,
  purpose: 'attach a disk' | 'create and attach a disk',
): string | undefined {
  if (!instanceCan('attachDisk', instance.runState)) return `Instance must be stopped to ${purpose}`
  return disks >= limits.instance.disks
    ? `An instance can have at most ${limits.instance.disks} disks`
    : undefined
}

/** All take the name or id of a disk. */
export const attachRequest = (target: InstanceTarget, disk: string) =>
  requestTo(instanceDiskAttach, { ...argsOf(target), body: { disk } })
export const detachRequest = (target: InstanceTarget, disk: string) =>
  requestTo(instanceDiskDetach, { ...argsOf(target), body: { disk } })

/** Attaches a disk without a toast. */
export async function attach(target: InstanceTarget, disk: string) {
  const attached = await sendRequest(attachRequest(target, disk))
  await reloadDisks()
  return attached
}
/** Takes a disk from an instance, both by name or id. */
export async function detach(target: InstanceTarget, disk: string) {
  await sendRequest(detachRequest(target, disk))
  await reloadDisks()
}

/** Attaches a disk of the project by name. */
export async function attachDisk(target: InstanceTarget, disk: string): Promise<void> {
  const { id, name } = await attach(target, disk)
  const toast = { noun: 'Disk', name, done: 'attached', undone: 'detached again' }
  addToast(undoableToast(toast, () => detach(target, id)))
}
