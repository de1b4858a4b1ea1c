import { op } from '#/op.ts'
import { boolean, enumOf, nullable, object, optional, ref, time } from '#/schema.ts'
import { Ip } from '#/schemas/address.ts'
import { identity, inProject, kept, keptGiven } from '#/schemas/identity.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { byUse } from '#/schemas/page.ts'
import { plainOps } from '../plain.ts'

const tag = 'floating-ips'

export const floatingIpFields = {
  ...identity,
  ...kept,
  ip: Ip,
  ipPoolId: Uuid,
  projectId: Uuid,
  instanceId: optional(nullable(Uuid)),
  /** Of our own. */
  timeLastUsed: optional(time()),
}
export const FloatingIp = ref('FloatingIp', object(floatingIpFields))
const floatingIpWrite = {
  params: object({ floatingIp: NameOrId }), query: object(inProject), tag, allow: 'project.collaborator',
} as const

export const { floatingIpList, floatingIpCreate, floatingIpView, floatingIpUpdate, floatingIpDelete } = plainOps('floatingIp', {
  response: FloatingIp, create: { pool: optional(nullable(NameOrId)), ip: optional(nullable(Ip)), ...keptGiven },
  update: keptGiven, list: byUse,
})
export const floatingIpAttach = op({
  ...floatingIpWrite, method: 'POST', path: '/v1/floating-ips/{floating_ip}/attach', ok: 202,
  response: FloatingIp,
  body: ref(
    'FloatingIpAttach',
    object({
      kind: ref('FloatingIpParentKind', enumOf(['instance'])), parent: NameOrId,
      // Of our own.
      move: optional(nullable(boolean())),
    }),
  ),
})
export const floatingIpDetach = op({
  ...floatingIpWrite, method: 'POST', path: '/v1/floating-ips/{floating_ip}/detach', ok: 202,
  response: FloatingIp,
})
