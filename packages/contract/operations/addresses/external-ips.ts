/** External addresses of an instance, of every kind. Operations on floating IPs are in floating-ips.ts. */
import { op } from '#/op.ts'
import { nullable, object, optional, ref, union } from '#/schema.ts'
import { Ip } from '#/schemas/address.ts'
import { inProject } from '#/schemas/identity.ts'
import { uint16 } from '#/schemas/integers.ts'
import { page } from '#/schemas/page.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { floatingIpFields } from './floating-ips.ts'

const ofInstance = { params: object({ instance: NameOrId }), query: object(inProject), tag: 'instances' } as const

export const ExternalIp = ref(
  'ExternalIp',
  union('kind', {
    snat: { ip: Ip, firstPort: uint16, lastPort: uint16, ipPoolId: Uuid },
    ephemeral: { ip: Ip, ipPoolId: Uuid },
    floating: floatingIpFields,
  }),
)
export const instanceExternalIpList = op({
  ...ofInstance, method: 'GET', path: '/v1/instances/{instance}/external-ips', allow: 'project.viewer', ok: 200,
  response: ref('ExternalIpResultsPage', page(ExternalIp)),
})
const ephemeralIp = '/v1/instances/{instance}/external-ips/ephemeral'
export const instanceEphemeralIpAttach = op({
  ...ofInstance, method: 'POST', path: ephemeralIp, allow: 'project.collaborator', ok: 202,
  response: ExternalIp,
  body: ref('EphemeralIpCreate', object({ pool: optional(nullable(NameOrId)) })),
})
export const instanceEphemeralIpDetach = op({
  ...ofInstance, method: 'DELETE', path: ephemeralIp, allow: 'project.collaborator', ok: 204,
})
