/** IP pools as operators see them: their ranges, the silos that they are linked to, and the control plane's own pool. */
import { op } from '#/op.ts'
import { boolean, defaulted, enumOf, number, object, optional, ref, time } from '#/schema.ts'
import { Ip } from '#/schemas/address.ts'
import { identity } from '#/schemas/identity.ts'
import { byId, counted, page } from '#/schemas/page.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'system/ip-pools'
const one = '/v1/system/ip-pools/{pool}'
const service = '/v1/system/ip-pools-service'

const IpVersion = ref('IpVersion', enumOf(['v4', 'v6']))
export const IpPool = ref('IpPool', object({ ...identity, ipVersion: IpVersion }))
const IpRange = ref('IpRange', object({ first: Ip, last: Ip }))
export const IpPoolRange = ref(
  'IpPoolRange',
  object({ id: Uuid, ipPoolId: Uuid, range: IpRange, timeCreated: time() }),
)
const IpPoolRangePage = ref('IpPoolRangeResultsPage', page(IpPoolRange))
export const IpPoolSiloLink = ref(
  'IpPoolSiloLink',
  object({ ipPoolId: Uuid, siloId: Uuid, isDefault: boolean() }),
)

const read = { method: 'GET', allow: 'fleet.viewer', ok: 200, tag } as const
const write = { allow: 'fleet.admin', tag } as const
const ofPool = { params: object({ pool: NameOrId }) }
const ofLink = { path: `${one}/silos/{silo}`, params: object({ pool: NameOrId, silo: NameOrId }) } as const

export const { ipPoolList, ipPoolCreate, ipPoolView, ipPoolUpdate, ipPoolDelete } = plainOps('ipPool', {
  response: IpPool, create: { ipVersion: defaulted(IpVersion, () => 'v4' as const) }, tag,
  // Of our own: the contract's delete takes no pool with ranges.
  remove: { cascade: optional(boolean()) },
})

export const ipPoolRangeList = op({
  ...read, ...ofPool, path: `${one}/ranges`, query: object(counted),
  response: IpPoolRangePage,
})
export const ipPoolRangeAdd = op({
  ...write, ...ofPool, method: 'POST', path: `${one}/ranges/add`, ok: 201,
  body: IpRange, response: IpPoolRange,
})
export const ipPoolRangeRemove = op({
  ...write, ...ofPool, method: 'POST', path: `${one}/ranges/remove`, ok: 204,
  body: IpRange,
})
export const ipPoolUtilizationView = op({
  ...read, ...ofPool, path: `${one}/utilization`,
  response: ref('IpPoolUtilization', object({ remaining: number(), capacity: number() })),
})

export const ipPoolSiloList = op({
  ...read, ...ofPool, path: `${one}/silos`, query: object(byId),
  response: ref('IpPoolSiloLinkResultsPage', page(IpPoolSiloLink)),
})
export const ipPoolSiloLink = op({
  ...write, ...ofPool, method: 'POST', path: `${one}/silos`, ok: 201,
  body: ref('IpPoolLinkSilo', object({ silo: NameOrId, isDefault: boolean() })), response: IpPoolSiloLink,
})
export const ipPoolSiloUpdate = op({
  ...write, ...ofLink, method: 'PUT', ok: 200,
  body: ref('IpPoolSiloUpdate', object({ isDefault: boolean() })), response: IpPoolSiloLink,
})
export const ipPoolSiloUnlink = op({
  ...write, ...ofLink, method: 'DELETE', ok: 204,
})

export const ipPoolServiceView = op({
  ...read, path: service, response: IpPool,
})
export const ipPoolServiceRangeList = op({
  ...read, path: `${service}/ranges`,
  query: object(counted), response: IpPoolRangePage,
})
export const ipPoolServiceRangeAdd = op({
  ...write, method: 'POST', path: `${service}/ranges/add`, ok: 201,
  body: IpRange, response: IpPoolRange,
})
export const ipPoolServiceRangeRemove = op({
  ...write, method: 'POST', path: `${service}/ranges/remove`, ok: 204,
  body: IpRange,
})
