import { snapshotStates } from '#/rules/states.ts'
import { enumOf, object, optional, ref } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { ByteCount, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const SnapshotState = ref('SnapshotState', enumOf(snapshotStates))
export const Snapshot = ref(
  'Snapshot',
  object({
    ...identity,
    projectId: Uuid,
    diskId: Uuid,
    state: SnapshotState,
    size: ByteCount,
    /** Of our own: the schedule that has made it. */
    scheduleId: optional(Uuid),
  }),
)

export const { snapshotList, snapshotView, snapshotDelete, snapshotCreate } = plainOps('snapshot', {
  response: Snapshot, create: { disk: NameOrId },
})
