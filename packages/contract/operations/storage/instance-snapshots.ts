/** Of our own: snapshots of all disks of an instance at one moment. */
import { op } from '#/op.ts'
import { snapshotStates } from '#/rules/states.ts'
import { array, enumOf, nullable, object, optional, ref, unlimited } from '#/schema.ts'
import { identity, inProject, kept, keptGiven } from '#/schemas/identity.ts'
import { ByteCount, Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'instances'
const state = enumOf(snapshotStates)
const Part = ref(
  'InstanceSnapshotDisk',
  object({ diskId: Uuid, snapshotId: Uuid, snapshotName: Name, state, size: ByteCount }),
)
export const InstanceSnapshot = ref(
  'InstanceSnapshot',
  object({
    ...identity,
    ...kept,
    instanceId: Uuid,
    /** The schedule that has made it. */
    scheduleId: optional(Uuid),
    /** That of the snapshots; `ready` if all of them are. */
    state,
    /** Of all disks. */
    size: ByteCount,
    disks: array(Part, unlimited),
  }),
)

export const {
  instanceSnapshotList, instanceSnapshotCreate, instanceSnapshotView, instanceSnapshotUpdate, instanceSnapshotDelete,
} = plainOps('instanceSnapshot', { response: InstanceSnapshot, tag, create: keptGiven, update: keptGiven })
export const instanceSnapshotRollBack = op({
  method: 'POST', path: '/v1/instance-snapshots/{instance_snapshot}/roll-back', allow: 'project.collaborator', ok: 202, tag,
  params: object({ instanceSnapshot: NameOrId }), query: object({ instance: optional(NameOrId), ...inProject }),
  body: ref('InstanceSnapshotRollBack', object({ snapshotBefore: optional(nullable(Name)) })),
  response: InstanceSnapshot,
})
