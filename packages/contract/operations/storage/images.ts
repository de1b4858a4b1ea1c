import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { boolean, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity, identityCreate, identityUpdate, inProject, ofProject, kept, keptGiven } from '#/schemas/identity.ts'
import { byUse, byNameOf, page } from '#/schemas/page.ts'
import { ByteCount, NameOrId, Uuid } from '#/schemas/scalar.ts'

const tag = 'images'

const Digest = ref('Digest', union('type', { sha256: { value: string(unlimited) } }))
export const Image = ref(
  'Image',
  object({
    ...identity,
    ...kept,
    os: string(unlimited),
    version: string(unlimited),
    size: ByteCount,
    blockSize: ByteCount,
    digest: optional(nullable(Digest)),
    projectId: optional(nullable(Uuid)),
    /** Of our own. */
    timeLastUsed: optional(time()),
    /** In answers that were asked for it. Of our own. */
    totalDisks: optional(integer({ min: 0, format: 'uint32' })),
  }),
)
const byDisks = { totalDisks: optional(boolean()) }

const system = {
  os: string({ maxLength: limits.image.os }),
  version: string({ maxLength: limits.image.version }),
}
const ImageSource = ref('ImageSource', union('type', { snapshot: { id: Uuid } }))
const path = object({ image: NameOrId })

export const imageList = op({
  method: 'GET', path: '/v1/images', allow: 'project.viewer', orSilo: true, ok: 200, tag,
  query: object({ ...byNameOf('image'), ...byUse, ...inProject, ...byDisks }), response: ref('ImageResultsPage', page(Image)),
})
export const imageView = op({
  method: 'GET', path: '/v1/images/{image}', allow: 'project.viewer', orSilo: true, ok: 200, tag,
  params: path, query: object({ ...inProject, ...byDisks }), response: Image,
})
export const imageCreate = op({
  method: 'POST', path: '/v1/images', allow: 'project.collaborator', orSilo: true, ok: 201, tag,
  query: object(inProject), response: Image,
  body: ref('ImageCreate', object({ ...identityCreate, ...system, source: ImageSource, ...keptGiven })),
})
/** Of our own. */
export const imageUpdate = op({
  method: 'PUT', path: '/v1/images/{image}', allow: 'project.collaborator', orSilo: true, ok: 200, tag,
  params: path, query: object(inProject), response: Image,
  body: ref('ImageUpdate', object({ ...identityUpdate, ...keptGiven })),
})
export const imageDelete = op({
  method: 'DELETE', path: '/v1/images/{image}', allow: 'project.collaborator', orSilo: true, ok: 204, tag,
  params: path, query: object(inProject),
})
export const imagePromote = op({
  method: 'POST', path: '/v1/images/{image}/promote', allow: 'silo.collaborator', ok: 202, tag,
  params: path, query: object(inProject), response: Image,
})
export const imageDemote = op({
  method: 'POST', path: '/v1/images/{image}/demote', allow: 'silo.collaborator', ok: 202, tag,
  params: path, query: object(ofProject), response: Image,
})
