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
import { toastFailure } from '#/resource/actions/toasts.tsx'
import { undoableToast } from '#/resource/actions/undo.tsx'
import type { Confirmation } from '#/resource/actions/confirmation.tsx'
import type { Named } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import type { Disk } from './disks.tsx'
import { holderIdOf } from './reasons/reasons.ts'

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

/** An instance by name in its project, or by id alone. */
type At = InstanceTarget | { id: string }
const at = (of: At) => ('id' in of ? { params: { instance: of.id }, query: {} } : argsOf(of))

/** Both take the name or id of a disk. */
export const attachRequest = (to: At, disk: string) =>
  requestTo(instanceDiskAttach, { ...at(to), body: { disk } })
export const detachRequest = (from: At, disk: string) =>
  requestTo(instanceDiskDetach, { ...at(from), body: { disk } })

/** Attaches a disk without a toast. */
async function attach(to: At, disk: string) {
  const attached = await sendRequest(attachRequest(to, disk))
  await reloadDisks()
  return attached
}
export async function detach(from: At, disk: string): Promise<void> {
  await sendRequest(detachRequest(from, disk))
  await reloadDisks()
}

/** Attaches a disk of the project by name. */
export async function attachDisk(target: InstanceTarget, disk: string): Promise<void> {
  const { id, name } = await attach(target, disk)
  const toast = { noun: 'Disk', name, done: 'attached', undone: 'detached again' }
  addToast(undoableToast(toast, () => detach(target, id)))
}

/** Taking several from their instances. */
export const detachment: Confirmation<Disk> = {
  noun: kinds.disk.noun,
  verb: 'detach',
  done: 'detached',
  isDanger: false,
  canBeUndone: true,
  task: { kind: 'disk', action: 'detach' },
  // The states of their instances decide.
  isPlanned: true,
  inverse: {
    run: (disk) => attach({ id: holderIdOf(disk) ?? '' }, disk.id),
    undone: 'attached again',
  },
  request: (disk) => detachRequest({ id: holderIdOf(disk) ?? '' }, disk.id),
  after: reloadDisks,
}

/** Takes a disk from its instance, both by id. What fails is reported. */
export async function detachDisk({ id, name }: Named, instance: string): Promise<void> {
  try {
    await detach({ id: instance }, id)
    const toast = { noun: 'Disk', name, done: 'detached', undone: 'attached again' }
    addToast(undoableToast(toast, () => attach({ id: instance }, id)))
  } catch (error) {
    toastFailure('Could not detach disk', error)
  }
}
