/** Why an action on a disk is not offered now, in words. The states come from the contract. */
import { diskCan, instanceCan } from '@purlin/contract/rules/states'
import { load } from '#/api/query.ts'
import type { Instance } from '#/features/instance-state/update.ts'
import { nameQuery, nameStaleMs } from '#/resource/form/names.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import type { Disk } from '../disks.tsx'

/** Why a disk cannot be deleted now, or undefined. */
export function deleteDisabledReason({ state }: Pick<Disk, 'state'>): string | undefined {
  if (diskCan('delete', state.state)) return undefined
  if (state.state === 'attached') return 'Disk must be detached before it can be deleted'
  return 'Only disks in state detached or faulted can be deleted'
}

/** Why no snapshot of a disk can be taken now, or undefined. */
export const snapshotDisabledReason = ({ state }: Pick<Disk, 'state'>): string | undefined =>
  diskCan('snapshot', state.state) ? undefined : 'Only disks in state attached or detached can be snapshotted'

/** Why a disk cannot be enlarged now, or undefined. */
export const growDisabledReason = ({ state }: Pick<Disk, 'state'>): string | undefined =>
  diskCan('grow', state.state) ? undefined : 'Only disks in state attached or detached can be enlarged'

/** The parts of an instance that decide what can be done with its disks. */
type Holder = Pick<Instance, 'name' | 'runState' | 'bootDiskId'>

/** Why a disk cannot be rolled back now, or undefined. `holder` is its instance, if it is known. */
export function rollBackDisabledReason({ state }: Pick<Disk, 'state'>, holder?: Holder): string | undefined {
  if (!diskCan('rollBack', state.state)) return 'Only disks in state attached or detached can be rolled back'
  return holder && !instanceCan('rewriteDisks', holder.runState)
    ? `Instance ${holder.name} must be stopped before its disk can be rolled back`
    : undefined
}

/** Why a disk cannot be detached now, or undefined. `holder` is its instance, if it is known. */
export function detachDisabledReason(
  { id, state }: Pick<Disk, 'id' | 'state'>,
  holder?: Holder,
): string | undefined {
  if (!diskCan('detach', state.state)) return 'Only attached disks can be detached'
  if (holder?.bootDiskId === id) return 'Boot disk must be unset before it can be detached'
  return holder && !instanceCan('detachDisk', holder.runState)
    ? 'Instance must be stopped before disk can be detached'
    : undefined
}

/** The id of the instance that a disk is attached to, or undefined. */
export const holderIdOf = ({ state }: Pick<Disk, 'state'>): string | undefined =>
  'instance' in state ? state.instance : undefined

/** The same reasons where the instance has to be read: undefined if there is none. */
export const withHolder =
  <D extends Pick<Disk, 'state'>>(reason: (disk: D, holder?: Holder) => string | undefined) =>
  (disk: D) => {
    const id = holderIdOf(disk)
    return id === undefined ? undefined : async () => reason(disk, await load(viewQuery(kinds.instance, id)))
  }

/** Why the disk with an id cannot be rolled back now, or undefined: reads the disk and its instance. */
export async function findRollBackReason(id: string): Promise<string | undefined> {
  const named = await load({ ...nameQuery(kinds.disk, id), staleTime: nameStaleMs })
  if (!named) return 'Its disk was deleted. Create a disk from the snapshot instead'
  const disk = await load(viewQuery(kinds.disk, id))
  const find = withHolder<Disk>(rollBackDisabledReason)(disk)
  return find ? find() : rollBackDisabledReason(disk)
}
