/** Repositories of releases: the release that the rack is to run is one of them. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { boolean, byteStream, bytes, enumOf, integer, nullable, object, optional, record, ref, string, time, unlimited } from '#/schema.ts'
import { mediaTypes } from '#/schemas/media-types.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { ByteCount, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'
import { progress } from './roll-out.ts'
import { Version } from './version.ts'

const tag = 'system/update'
const root = '/v1/system/update'
const write = { allow: 'fleet.admin', tag } as const
const read = { method: 'GET', allow: 'fleet.viewer', ok: 200, tag } as const

const fileName = string({ maxLength: limits.update.fileName })
const TufRepo = ref('TufRepo', object({
  hash: string(unlimited), systemVersion: Version, fileName: string(unlimited), timeCreated: time(),
}))
const TufRepoUpload = ref('TufRepoUpload', object({
  repo: TufRepo, status: ref('TufRepoUploadStatus', enumOf(['already_exists', 'inserted'])),
}))

export const systemUpdateRepositoryList = op({
  ...read, path: `${root}/repositories`,
  query: object({ ...inOrder, sortBy: optional(ref('VersionSortMode', enumOf(['version_descending', 'version_ascending']))) }),
  response: ref('TufRepoResultsPage', page(TufRepo)),
})
export const systemUpdateRepositoryUpload = op({
  ...write, method: 'PUT', path: `${root}/repositories`, ok: 200,
  query: object({ fileName }), bodyType: mediaTypes.bytes, bodyLimit: limits.update.repository, streamsBody: true,
  body: byteStream(limits.update.repository), response: TufRepoUpload,
})
export const systemUpdateRepositoryView = op({
  ...read, path: `${root}/repositories/{system_version}`, params: object({ systemVersion: Version }),
  response: TufRepo,
})

export const systemUpdateStatus = op({
  ...read, path: `${root}/status`,
  response: ref('UpdateStatus', object({
    targetRelease: nullable(ref('TargetRelease', object({ version: Version, timeRequested: time() }))),
    componentsByReleaseVersion: record(integer({ min: 0, format: 'uint' }), unlimited),
    timeLastStepPlanned: time(),
    suspended: boolean(),
    ...progress,
  })),
})
export const targetReleaseUpdate = op({
  ...write, method: 'PUT', path: `${root}/target-release`, ok: 204,
  body: ref('SetTargetReleaseParams', object({ systemVersion: Version })),
})

// Of our own: an upload in parts, which a broken connection does not end.
const upload = { fileName, size: ByteCount }
const Upload = ref('RepositoryUpload', object({
  id: Uuid, fileName: string(unlimited), size: ByteCount, offset: ByteCount, timeCreated: time(), timeExpires: time(),
}))
const uploads = plainOps('systemUpdateUpload', {
  path: `${root}/uploads`, schema: 'RepositoryUpload', verbs: ['List', 'Create', 'View', 'Delete'], tag,
  response: Upload, create: upload, allow: { List: 'fleet.admin', View: 'fleet.admin' },
})
export const { systemUpdateUploadList, systemUpdateUploadCreate, systemUpdateUploadView, systemUpdateUploadDelete } = uploads
const ofUpload = { ...write, params: object({ uploadId: Uuid }) }
export const systemUpdateUploadAppend = op({
  ...ofUpload, method: 'PUT', path: `${root}/uploads/{upload_id}/part`, ok: 200,
  query: object({ offset: ByteCount }), bodyType: mediaTypes.bytes, bodyLimit: limits.update.part,
  body: bytes(limits.update.part), response: Upload,
})
export const systemUpdateUploadFinish = op({
  ...ofUpload, method: 'POST', path: `${root}/uploads/{upload_id}/finish`, ok: 201, response: TufRepoUpload,
})
