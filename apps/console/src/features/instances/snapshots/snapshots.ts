/** Snapshots of an instance, as its page shows them. */
import type { InstanceSnapshot } from '@purlin/contract/operations/storage/instance-snapshots'
import { instanceCan } from '@purlin/contract/rules/states'
import type { Out } from '@purlin/contract/schema'
import type { Instance } from '#/features/instance-state/update.ts'
import type { InstanceDisk } from '../storage/bootDisk.ts'

export type Whole = Out<typeof InstanceSnapshot>

/** How operations on one are addressed. */
export const whole = ({ id }: Pick<Whole, 'id'>) => ({ params: { instanceSnapshot: id }, query: {} })

const quoted = (names: readonly string[]) => names.join(', ')

/** Why a snapshot has nothing to go back to, or undefined. */
export const contentReason = ({ state }: Pick<Whole, 'state'>): string | undefined =>
  state === 'ready' ? undefined : 'Only snapshots in state ready have a content to go back to'

/** Why an instance cannot be rolled back to a snapshot now, or undefined. */
export function rollBackReason(
  snapshot: Pick<Whole, 'state' | 'disks'>,
  { runState }: Pick<Instance, 'runState'>,
  attached: readonly Pick<InstanceDisk, 'id' | 'name'>[],
): string | undefined {
  if (!instanceCan('rewriteDisks', runState)) return 'Instance must be stopped before it can be rolled back'
  const { disks } = snapshot
  const noContent = contentReason(snapshot)
  if (noContent !== undefined) return noContent
  const added = attached.filter(({ id }) => disks.every(({ diskId }) => diskId !== id))
  if (added.length > 0)
    return `Detach first, as it is not in the snapshot: ${quoted(added.map(({ name }) => name))}`
  const missing = disks.filter(({ diskId }) => attached.every(({ id }) => id !== diskId))
  return missing.length > 0
    ? `The disk is not attached any more: ${quoted(missing.map(({ snapshotName }) => snapshotName))}`
    : undefined
}
