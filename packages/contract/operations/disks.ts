import { op } from '../op.ts'
import { limits } from '../rules/limits.ts'
import { base64, integer, named, nullable, object, optional, text, union } from '../schema.ts'
import { head, inProject, newHead, ofProject } from '../schemas/identity.ts'
import { byName, page } from '../schemas/page.ts'
import { BlockSize, ByteCount, Name, NameOrId, Uuid } from '../schemas/scalar.ts'

const tag = 'disks'

export const DiskState = named(
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
  }),
)
export const DiskSource = named(
  'DiskSource',
  union('type', {
    blank: { blockSize: BlockSize },
    snapshot: { snapshotId: Uuid },
    image: { imageId: Uuid },
    importing_blocks: { blockSize: BlockSize },
  }),
)
export const Disk = named(
  'Disk',
  object({
    ...head,
    projectId: Uuid,
    size: ByteCount,
    blockSize: ByteCount,
    snapshotId: optional(nullable(Uuid)),
    imageId: optional(nullable(Uuid)),
    devicePath: text(),
    state: DiskState,
  }),
)
export const diskCreateFields = { ...newHead, size: ByteCount, diskSource: DiskSource }
export const DiskPage = named('DiskResultsPage', page(Disk))

const path = object({ disk: NameOrId })

export const diskList = op({
  method: 'GET', path: '/v1/disks', allow: 'project.viewer', ok: 200, tag, summary: 'List disks',
  query: object({ ...byName, ...ofProject }), response: DiskPage,
})
export const diskCreate = op({
  method: 'POST', path: '/v1/disks', allow: 'project.collaborator', ok: 201, tag, summary: 'Create a disk',
  query: object(ofProject), body: named('DiskCreate', object(diskCreateFields)), response: Disk,
})
export const diskView = op({
  method: 'GET', path: '/v1/disks/{disk}', allow: 'project.viewer', ok: 200, tag, summary: 'Show a disk',
  params: path, query: object(inProject), response: Disk,
})
export const diskDelete = op({
  method: 'DELETE', path: '/v1/disks/{disk}', allow: 'project.collaborator', ok: 204, tag, summary: 'Delete a disk',
  params: path, query: object(inProject),
})

export const diskBulkWriteImportStart = op({
  method: 'POST', path: '/v1/disks/{disk}/bulk-write-start', allow: 'project.collaborator', ok: 204, tag,
  summary: 'Begin to write blocks into a disk',
  params: path, query: object(inProject),
})
export const diskBulkWriteImport = op({
  method: 'POST', path: '/v1/disks/{disk}/bulk-write', allow: 'project.collaborator', ok: 204, tag,
  summary: 'Write blocks into a disk',
  params: path, query: object(inProject), bodyLimit: limits.bulkWrite.body,
  body: named(
    'ImportBlocksBulkWrite',
    object({ offset: integer({ min: 0, format: 'uint64' }), base64EncodedData: base64() }),
  ),
})
export const diskBulkWriteImportStop = op({
  method: 'POST', path: '/v1/disks/{disk}/bulk-write-stop', allow: 'project.collaborator', ok: 204, tag,
  summary: 'End writing blocks into a disk',
  params: path, query: object(inProject),
})
export const diskFinalizeImport = op({
  method: 'POST', path: '/v1/disks/{disk}/finalize', allow: 'project.collaborator', ok: 204, tag,
  summary: 'End the import of a disk, with a snapshot of it if one is named',
  params: path, query: object(inProject),
  body: named('FinalizeDisk', object({ snapshotName: optional(nullable(Name)) })),
})
