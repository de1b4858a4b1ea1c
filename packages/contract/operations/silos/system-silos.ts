/** Silos as operators see them. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { roles } from '#/rules/roles.ts'
import {
  array,
  boolean,
  defaulted,
  enumOf,
  integer,
  nullable,
  object,
  optional,
  record,
  ref,
  string,
  time,
  unlimited,
} from '#/schema.ts'
import { identity } from '#/schemas/identity.ts'
import { byId, byNameOf, page } from '#/schemas/page.ts'
import { Description, Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'
import { settingOps } from '../setting.ts'
import { certificateCreate } from './certificates.ts'
import { SiloIpPool } from '../addresses/ip-pools.ts'
import {
  asksForTrends,
  QuotaCounts,
  quotaAmounts,
  roomFields,
  trendFields,
  VirtualResourceCounts,
} from './silos.ts'

const tag = 'system/silos'

const FleetRole = ref('FleetRole', enumOf(roles))
const IdentityMode = ref('SiloIdentityMode', enumOf(['local_only', 'saml_jit', 'saml_scim']))

export const Silo = ref(
  'Silo',
  object({
    ...identity,
    discoverable: boolean(),
    identityMode: IdentityMode,
    mappedFleetRoles: record(array(FleetRole, unlimited), unlimited),
    adminGroupName: optional(nullable(string(unlimited))),
    /** When its last certificate expires; null without one. In the view of one silo. Not part of the original API. */
    certificateExpires: optional(nullable(time())),
    /** In lists that ask for it. Not part of the original API. */
    utilization: optional(ref('SiloUse', object({ provisioned: VirtualResourceCounts, allocated: QuotaCounts }))),
  }),
)

const one = '/v1/system/silos/{silo}'
const read = { method: 'GET', ok: 200, tag } as const
const ofSilo = { params: object({ silo: NameOrId }) }
const count = integer({ min: 0, format: 'uint32' })
const own = ['silo.user', 'fleet.viewer'] as const

const GroupName = string({ maxLength: limits.silo.groupName })
const each = { count: roles.length, noun: 'roles' }
/** The role on the silo → the roles on the fleet that it brings. */
const MappedRoles = record(array(FleetRole, each), each)

// Mapping silo roles to fleet roles needs an admin of the fleet. The name cannot change: it is part of the addresses
// of the silo.
export const { siloList, siloCreate, siloView, siloUpdate, siloDelete } = plainOps('silo', {
  response: Silo, tag,
  list: { utilization: optional(boolean()) },
  create: {
    discoverable: boolean(),
    identityMode: IdentityMode,
    adminGroupName: optional(nullable(GroupName)),
    mappedFleetRoles: defaulted(MappedRoles, () => ({})),
    quotas: ref('SiloQuotasCreate', object(quotaAmounts)),
    tlsCertificates: array(certificateCreate.body, { count: limits.silo.certificates, noun: 'certificates' }),
  },
  identity: { description: optional(nullable(Description)) },
  update: {
    discoverable: optional(nullable(boolean())),
    adminGroupName: optional(nullable(GroupName)),
    mappedFleetRoles: optional(nullable(MappedRoles)),
  },
  allow: {
    Create: 'fleet.collaborator', View: own, Update: 'fleet.collaborator', Delete: ['silo.admin', 'fleet.collaborator'],
  },
})

const SiloQuotas = ref('SiloQuotas', object({ siloId: Uuid, ...quotaAmounts }))
export const systemQuotasList = op({
  ...read, path: '/v1/system/silo-quotas', allow: 'fleet.viewer',
  query: object(byId), response: ref('SiloQuotasResultsPage', page(SiloQuotas)),
})
/** Administrators of a silo never change its quotas. */
export const { siloQuotasView, siloQuotasUpdate } = settingOps('siloQuotas', {
  ...ofSilo, path: `${one}/quotas`, tag, view: own, update: 'fleet.collaborator',
  body: ref('SiloQuotasUpdate', object({
    cpus: optional(nullable(quotaAmounts.cpus)),
    memory: optional(nullable(quotaAmounts.memory)),
    storage: optional(nullable(quotaAmounts.storage)),
  })),
  response: SiloQuotas,
})

const SiloUtilization = ref('SiloUtilization', object({
  siloId: Uuid, siloName: Name, provisioned: VirtualResourceCounts, allocated: QuotaCounts, ...roomFields, ...trendFields,
}))
export const siloUtilizationList = op({
  ...read, path: '/v1/system/utilization/silos', allow: 'fleet.viewer',
  query: object(byNameOf('silo')),
  response: ref('SiloUtilizationResultsPage', page(SiloUtilization)),
})
export const siloUtilizationView = op({
  ...read, ...ofSilo, path: '/v1/system/utilization/silos/{silo}', allow: own,
  query: object(asksForTrends),
  response: SiloUtilization,
})
/** Counts the resources that prevent the deletion of a silo. Of our own: operators do not list the projects of other silos. */
export const siloContentsView = op({
  ...read, ...ofSilo, path: `${one}/contents`, allow: ['silo.admin', 'fleet.viewer'],
  response: ref('SiloContents', object({ projects: count, images: count })),
})
export const siloIpPoolList = op({
  method: 'GET', path: '/v1/system/silos/{silo}/ip-pools', allow: 'fleet.viewer', ok: 200, tag,
  params: object({ silo: NameOrId }), query: object(byNameOf('ipPool')),
  response: ref('SiloIpPoolResultsPage', page(SiloIpPool)),
})
