import { snapshotStates } from '#/rules/states.ts'
import { enumOf, object, optional, ref, time } from '#/schema.ts'
import { identity, kept, keptGiven } from '#/schemas/identity.ts'
import { ByteCount, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { byUse } from '#/schemas/page.ts'
import { plainOps } from '../plain.ts'

const SnapshotState = ref('SnapshotState', enumOf(snapshotStates))
export const Snapshot = ref(
  'Snapshot',
  object({
    ...identity,
    ...kept,
    projectId: Uuid,
    diskId: Uuid,
    state: SnapshotState,
    size: ByteCount,
    /** Of our own. */
    timeLastUsed: optional(time()),
    /** Of our own: the schedule that has made it. */
    scheduleId: optional(Uuid),
    /** Of our own: the snapshot of an instance that it is a part of. */
    instanceSnapshotId: optional(Uuid),
  }),
)

/** The update is of our own. */
export const { snapshotList, snapshotView, snapshotDelete, snapshotCreate, snapshotUpdate } = plainOps('snapshot', {
  response: Snapshot, create: { disk: NameOrId, ...keptGiven }, update: keptGiven,
  list: { ...byUse, disk: optional(NameOrId) },
})
