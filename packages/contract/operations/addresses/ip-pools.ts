import { op } from '#/op.ts'
import { boolean, object, ref } from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { NameOrId } from '#/schemas/scalar.ts'

const tag = 'projects'

export const SiloIpPool = ref('SiloIpPool', object({ ...identity, isDefault: boolean() }))
export const projectIpPoolList = op({
  method: 'GET', path: '/v1/ip-pools', allow: 'user', ok: 200, tag,
  query: object(byNameOf('ipPool')),
  response: ref('SiloIpPoolResultsPage', page(SiloIpPool)),
})
export const projectIpPoolView = op({
  method: 'GET', path: '/v1/ip-pools/{pool}', allow: 'user', ok: 200, tag,
  params: object({ pool: NameOrId }), response: SiloIpPool,
})
