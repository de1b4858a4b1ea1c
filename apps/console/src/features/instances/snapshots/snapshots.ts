/** Snapshots of an instance, as its page shows them. */
import {
  instanceSnapshotList,
  type InstanceSnapshot,
} from '@purlin/contract/operations/storage/instance-snapshots'
import { instanceCan } from '@purlin/contract/rules/states'
import type { Out } from '@purlin/contract/schema'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import type { Instance } from '#/features/instance-state/update.ts'
import type { InstanceDisk } from '../storage/bootDisk.ts'
import { invalidate } from '#/api/query.ts'
import { reload } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'

export type Whole = Out<typeof InstanceSnapshot>

export const { noun } = contractKinds.instanceSnapshot

/** How operations on one are addressed. */
export const whole = ({ id }: Pick<Whole, 'id'>) => ({ params: { instanceSnapshot: id }, query: {} })

/** Reads the lists again that show them. */
export const reloadWholes = () => Promise.all([invalidate(instanceSnapshotList), reload(kinds.snapshot)])

const quoted = (names: readonly string[]) => names.join(', ')

/** Why an instance cannot be rolled back to a snapshot now, or undefined. */
export function rollBackReason(
  { state, disks }: Pick<Whole, 'state' | 'disks'>,
  { runState }: Pick<Instance, 'runState'>,
  attached: readonly Pick<InstanceDisk, 'id' | 'name'>[],
): string | undefined {
  if (!instanceCan('rewriteDisks', runState)) return 'Instance must be stopped before it can be rolled back'
  if (state !== 'ready') return 'Only snapshots in state ready have a content to go back to'
  const added = attached.filter(({ id }) => disks.every(({ diskId }) => diskId !== id))
  if (added.length > 0)
    return `Detach first, as it is not in the snapshot: ${quoted(added.map(({ name }) => name))}`
  const missing = disks.filter(({ diskId }) => attached.every(({ id }) => id !== diskId))
  return missing.length > 0
    ? `The disk is not attached any more: ${quoted(missing.map(({ snapshotName }) => snapshotName))}`
    : undefined
}
