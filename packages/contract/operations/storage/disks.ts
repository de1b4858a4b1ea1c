import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import type { DiskState as State } from '#/rules/states.ts'
import { base64, bytes, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity, identityCreate, inProject, kept, keptGiven } from '#/schemas/identity.ts'
import { mediaTypes } from '#/schemas/media-types.ts'
import { BlockSize, ByteCount, Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { byUse } from '#/schemas/page.ts'
import { plainOps } from '../plain.ts'

const tag = 'disks'

export const DiskState = ref(
  'DiskState',
  union('state', {
    creating: {},
    detached: {},
    import_ready: {},
    importing_from_url: {},
    importing_from_bulk_writes: {},
    finalizing: {},
    maintenance: {},
    attaching: { instance: Uuid },
    attached: { instance: Uuid },
    detaching: { instance: Uuid },
    destroyed: {},
    faulted: {},
  } satisfies Record<State, object>),
)
export const DiskSource = ref(
  'DiskSource',
  union('type', {
    blank: { blockSize: BlockSize },
    snapshot: { snapshotId: Uuid },
    image: { imageId: Uuid },
    importing_blocks: { blockSize: BlockSize },
  }),
)
export const Disk = ref(
  'Disk',
  object({
    ...identity,
    ...kept,
    projectId: Uuid,
    size: ByteCount,
    blockSize: ByteCount,
    snapshotId: optional(nullable(Uuid)),
    imageId: optional(nullable(Uuid)),
    devicePath: string(unlimited),
    state: DiskState,
    /** Of our own. */
    timeLastUsed: optional(time()),
  }),
)
const ownFields = { size: ByteCount, diskSource: DiskSource, ...keptGiven }
export const diskCreateFields = { ...identityCreate, ...ownFields }

const path = object({ disk: NameOrId })

/** The update is of our own. */
export const { diskList, diskCreate, diskView, diskUpdate, diskDelete } = plainOps('disk', {
  response: Disk, create: ownFields, update: { size: optional(nullable(ByteCount)), ...keptGiven },
  list: byUse,
})

/** Of our own: the content of a disk becomes that of one of its snapshots. */
export const diskRollBack = op({
  method: 'POST', path: '/v1/disks/{disk}/roll-back', allow: 'project.collaborator', ok: 202, tag,
  params: path, query: object(inProject), response: Disk,
  body: ref('DiskRollBack', object({ snapshot: NameOrId, snapshotBefore: optional(nullable(Name)) })),
})

const offset = integer({ min: 0, format: 'uint64' })
export const diskBulkWriteImportStart = op({
  method: 'POST', path: '/v1/disks/{disk}/bulk-write-start', allow: 'project.collaborator', ok: 204, tag,
  params: path, query: object(inProject),
})
export const diskBulkWriteImport = op({
  method: 'POST', path: '/v1/disks/{disk}/bulk-write', allow: 'project.collaborator', ok: 204, tag,
  params: path, query: object(inProject), bodyLimit: limits.bulkWrite.body,
  body: ref(
    'ImportBlocksBulkWrite',
    object({ offset, base64EncodedData: base64(limits.bulkWrite.chunk) }),
  ),
})
/** Of our own: a bulk write of the bytes themselves, a quarter shorter than base64. */
export const diskBlocksWrite = op({
  method: 'POST', path: '/v1/disks/{disk}/blocks', allow: 'project.collaborator', ok: 204, tag,
  params: path, query: object({ offset, ...inProject }),
  bodyType: mediaTypes.bytes, bodyLimit: limits.bulkWrite.chunk, body: bytes(limits.bulkWrite.chunk),
})
export const diskBulkWriteImportStop = op({
  method: 'POST', path: '/v1/disks/{disk}/bulk-write-stop', allow: 'project.collaborator', ok: 204, tag,
  params: path, query: object(inProject),
})
export const diskFinalizeImport = op({
  method: 'POST', path: '/v1/disks/{disk}/finalize', allow: 'project.collaborator', ok: 204, tag,
  params: path, query: object(inProject),
  body: ref('FinalizeDisk', object({ snapshotName: optional(nullable(Name)) })),
})
