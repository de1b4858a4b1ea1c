/** Silos as operators see them. */
import { op } from '../op.ts'
import { roles } from '../rules/roles.ts'
import { array, boolean, enumOf, nullable, object, optional, record, ref, string, unlimited } from '../schema.ts'
import { identity } from '../schemas/identity.ts'
import { byName, page } from '../schemas/page.ts'
import { NameOrId } from '../schemas/scalar.ts'
import { SiloIpPool } from './ip-pools.ts'

const tag = 'system/silos'

export const Silo = ref(
  'Silo',
  object({
    ...identity,
    discoverable: boolean(),
    identityMode: ref('SiloIdentityMode', enumOf(['local_only', 'saml_jit', 'saml_scim'])),
    mappedFleetRoles: record(array(ref('FleetRole', enumOf(roles)), unlimited), unlimited),
    adminGroupName: optional(nullable(string(unlimited))),
  }),
)

export const siloList = op({
  method: 'GET', path: '/v1/system/silos', allow: 'fleet.viewer', ok: 200, tag, summary: 'List silos',
  query: object(byName), response: ref('SiloResultsPage', page(Silo)),
})
export const siloView = op({
  method: 'GET', path: '/v1/system/silos/{silo}', allow: ['silo.user', 'fleet.viewer'], ok: 200, tag, summary: 'Show a silo to its users and to operators',
  params: object({ silo: NameOrId }), response: Silo,
})
export const siloIpPoolList = op({
  method: 'GET', path: '/v1/system/silos/{silo}/ip-pools', allow: 'fleet.viewer', ok: 200, tag,
  summary: 'List the IP pools that a silo may use', params: object({ silo: NameOrId }), query: object(byName),
  response: ref('SiloIpPoolResultsPage', page(SiloIpPool)),
})
