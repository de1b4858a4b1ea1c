import { op } from '../op.ts'
import { named, nullable, object, optional, text, union } from '../schema.ts'
import { head, inProject } from '../schemas/identity.ts'
import { byName, page } from '../schemas/page.ts'
import { ByteCount, NameOrId, Uuid } from '../schemas/scalar.ts'

const tag = 'images'

const Digest = named('Digest', union('type', { sha256: { value: text() } }))
export const Image = named(
  'Image',
  object({
    ...head,
    os: text(),
    version: text(),
    size: ByteCount,
    blockSize: ByteCount,
    digest: optional(nullable(Digest)),
    projectId: optional(nullable(Uuid)),
  }),
)

export const imageList = op({
  method: 'GET', path: '/v1/images', allow: 'project.viewer', ok: 200, tag,
  summary: 'List the images of a project or, without one, of the silo',
  query: object({ ...byName, ...inProject }), response: named('ImageResultsPage', page(Image)),
})
export const imageView = op({
  method: 'GET', path: '/v1/images/{image}', allow: 'project.viewer', ok: 200, tag, summary: 'Show an image',
  params: object({ image: NameOrId }), query: object(inProject), response: Image,
})
