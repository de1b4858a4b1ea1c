/** Probes: ends of a project's network on a sled that operators choose, to test the network from outside. */
import { op } from '#/op.ts'
import { array, boolean, defaulted, enumOf, integer, nullable, object, optional, ref, union, unlimited } from '#/schema.ts'
import { Ip, IpNet, MacAddr } from '#/schemas/address.ts'
import { identity, identityCreate, ofProject, tagged, taggedGiven } from '#/schemas/identity.ts'
import { uint16, uint8 } from '#/schemas/integers.ts'
import { byNameOf, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'

const root = '/experimental/v1/probes'
const shared = { tag: 'experimental' } as const
const read = { ...shared, method: 'GET', ok: 200, alsoNeeds: 'fleet.viewer' } as const
const write = { ...shared, allow: 'project.collaborator', alsoNeeds: 'fleet.admin' } as const

const owner = { id: Uuid }
const NetworkInterface = ref('NetworkInterface', object({
  id: Uuid,
  kind: ref('NetworkInterfaceKind', union('type', { instance: owner, service: owner, probe: owner })),
  name: Name,
  ip: Ip,
  mac: MacAddr,
  subnet: IpNet,
  vni: ref('Vni', integer({ min: 0, max: 0xff_ff_ff, format: 'uint32' })),
  primary: boolean(),
  slot: uint8,
  transitIps: defaulted(array(IpNet, unlimited), () => []),
}))
const ExternalIp = ref('ProbeExternalIp', object({
  ip: Ip,
  firstPort: uint16,
  lastPort: uint16,
  kind: ref('ProbeExternalIpKind', enumOf(['snat', 'floating', 'ephemeral'])),
}))
const ProbeInfo = ref('ProbeInfo', object({
  id: Uuid, name: Name, ...tagged, sled: Uuid, interface: NetworkInterface, externalIps: array(ExternalIp, unlimited),
}))

export const probeList = op({
  ...read, allow: 'project.viewer', path: root, query: object({ ...byNameOf('probe'), ...ofProject }),
  response: ref('ProbeInfoResultsPage', page(ProbeInfo)),
})
export const probeCreate = op({
  ...write, method: 'POST', path: root, ok: 201, query: object(ofProject),
  body: ref('ProbeCreate', object({ ...identityCreate, sled: Uuid, ipPool: optional(nullable(NameOrId)), ...taggedGiven })),
  response: ref('Probe', object({ ...identity, ...tagged, sled: Uuid })),
})
/** The project is named also with an id, which is looked for in it. */
const one = { path: `${root}/{probe}`, params: object({ probe: NameOrId }), query: object(ofProject) }
export const probeView = op({ ...read, ...one, allow: 'project.collaborator', response: ProbeInfo })
export const probeDelete = op({ ...write, ...one, method: 'DELETE', ok: 204 })
