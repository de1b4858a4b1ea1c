import { op } from '../op.ts'
import { snapshotStates } from '../rules/snapshot.ts'
import { named, object, words } from '../schema.ts'
import { head, inProject, newHead, ofProject } from '../schemas/identity.ts'
import { byName, page } from '../schemas/page.ts'
import { ByteCount, NameOrId, Uuid } from '../schemas/scalar.ts'

const tag = 'snapshots'

const SnapshotState = named('SnapshotState', words(snapshotStates))
export const Snapshot = named(
  'Snapshot',
  object({ ...head, projectId: Uuid, diskId: Uuid, state: SnapshotState, size: ByteCount }),
)

const path = object({ snapshot: NameOrId })

export const snapshotList = op({
  method: 'GET', path: '/v1/snapshots', allow: 'project.viewer', ok: 200, tag, summary: 'List snapshots',
  query: object({ ...byName, ...ofProject }), response: named('SnapshotResultsPage', page(Snapshot)),
})
export const snapshotCreate = op({
  method: 'POST', path: '/v1/snapshots', allow: 'project.collaborator', ok: 201, tag,
  summary: 'Take a snapshot of a disk',
  query: object(ofProject), body: named('SnapshotCreate', object({ ...newHead, disk: NameOrId })), response: Snapshot,
})
export const snapshotView = op({
  method: 'GET', path: '/v1/snapshots/{snapshot}', allow: 'project.viewer', ok: 200, tag, summary: 'Show a snapshot',
  params: path, query: object(inProject), response: Snapshot,
})
export const snapshotDelete = op({
  method: 'DELETE', path: '/v1/snapshots/{snapshot}', allow: 'project.collaborator', ok: 204, tag,
  summary: 'Delete a snapshot',
  params: path, query: object(inProject),
})
