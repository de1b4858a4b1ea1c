/** Of our own: files that the server fetches or is sent, in any form that it can unpack, and makes images of. */
import { op } from '#/op.ts'
import { imageFormats } from '#/rules/images/formats.ts'
import { imageImportStates, importLimits, sha256Pattern } from '#/rules/images/imports.ts'
import { limits } from '#/rules/limits.ts'
import { bytes, enumOf, nullable, object, optional, ref, string, union, unlimited } from '#/schema.ts'
import { identity, inProject, kept, keptGiven } from '#/schemas/identity.ts'
import { mediaTypes } from '#/schemas/media-types.ts'
import { BlockSize, ByteCount, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'images'

const response = ref('ImageImport', object({
  ...identity,
  ...kept,
  projectId: Uuid,
  os: string(unlimited),
  version: string(unlimited),
  blockSize: ByteCount,
  source: ref('ImageImportSource', union('type', { url: { url: string(unlimited) }, upload: {} })),
  sha256: nullable(string(unlimited)),
  state: ref('ImageImportState', enumOf(imageImportStates)),
  format: nullable(ref('ImageFormat', enumOf(imageFormats))),
  received: ByteCount,
  size: nullable(ByteCount),
  problem: nullable(string(unlimited)),
}))

const ops = plainOps('imageImport', {
  verbs: ['List', 'Create', 'View', 'Delete'], response, tag,
  create: {
    ...keptGiven,
    os: string({ maxLength: limits.image.os }),
    version: string({ maxLength: limits.image.version }),
    blockSize: BlockSize,
    source: ref('ImageImportCreateSource', union('type', {
      url: { url: string({ maxLength: importLimits.url }) }, upload: { size: ByteCount },
    })),
    sha256: optional(nullable(string({ maxLength: 64, pattern: sha256Pattern }))),
  },
})
export const { imageImportList, imageImportCreate, imageImportView, imageImportDelete } = ops
export const imageImportAppend = op({
  method: 'PUT', path: '/v1/image-imports/{image_import}/part', allow: 'project.collaborator', ok: 200, tag,
  params: object({ imageImport: NameOrId }), query: object({ ...inProject, offset: ByteCount }),
  bodyType: mediaTypes.bytes, bodyLimit: importLimits.part, body: bytes(importLimits.part), response,
})
