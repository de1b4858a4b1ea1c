import { op } from '#/op.ts'
import { snapshotStates } from '#/rules/states.ts'
import { enumOf, object, ref } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { ByteCount, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const SnapshotState = ref('SnapshotState', enumOf(snapshotStates))
export const Snapshot = ref(
  'Snapshot',
  object({ ...identity, projectId: Uuid, diskId: Uuid, state: SnapshotState, size: ByteCount }),
)

const snapshots = plainOps('snapshot', { response: Snapshot, create: { disk: NameOrId } })
export const { snapshotList, snapshotView, snapshotDelete } = snapshots
export const snapshotCreate = op({ ...snapshots.snapshotCreate, summary: 'Take a snapshot of a disk' })
