/** Documents, as `purlin apply` reads them: the fields of each kind in them, and the document that a request means. */
import type { OperationName } from '../operations.ts'
import { keysOf } from '../rules/keys.ts'
import { kindOf, type KindName } from '../rules/kinds.ts'
import { isUuid } from '../rules/names.ts'
import { snake } from '../wire.ts'
import type { WireArgs } from './request.ts'

/** The version of the format. */
export const documentFormat = 1

type Row = Readonly<Record<string, unknown>>

/** The resources of a kind in a document. Fields are those of their creation, by their names on the wire. */
export interface DocumentPart {
  /** In a document: `subnets`. */
  key: string
  fields: readonly string[]
  /** The fields that can be changed. */
  changeable: readonly string[]
  /** Fields that the server chooses: an exported document leaves them to it. */
  chosen?: readonly string[]
  /** Fields that only a creation has: they are not compared. */
  initial?: readonly string[]
}

const described = ['name', 'description']
const own = ['protected', 'tags']
const tagged = { fields: [...described, 'tags'], changeable: ['description', 'tags'] }
const protectable = { fields: [...described, ...own], changeable: ['description', ...own] }
const ofGroup = { fields: [...tagged.fields, 'policy', 'failure_domain'], changeable: tagged.changeable }
const sizeOfInstance = ['ncpus', 'memory', 'boot_disk', 'auto_restart_policy', 'cpu_platform']
const partsOfSchedule = [
  'action',
  'rule',
  'instances',
  'tag',
  'disks',
  'disk_tag',
  'keep',
  'time_zone',
  'paused',
]
const startOfInstance = ['start', 'user_data', 'ssh_public_keys', 'anti_affinity_groups']

/** The kinds that documents have. */
export const documentParts = {
  silo: {
    key: 'silos',
    fields: [...described, 'discoverable', 'identity_mode', 'admin_group_name', 'mapped_fleet_roles'],
    changeable: ['description', 'discoverable', 'admin_group_name', 'mapped_fleet_roles'],
  },
  ipPool: { key: 'ip_pools', fields: [...described, 'ip_version'], changeable: ['description'] },
  project: { key: 'projects', ...protectable },
  vpc: {
    key: 'vpcs',
    fields: [...protectable.fields, 'dns_name', 'ipv6_prefix'],
    chosen: ['ipv6_prefix'],
    changeable: [...protectable.changeable, 'dns_name'],
  },
  vpcRouter: { key: 'routers', ...tagged },
  vpcRouterRoute: {
    key: 'routes',
    fields: [...described, 'destination', 'target'],
    changeable: ['description', 'destination', 'target'],
  },
  vpcSubnet: {
    key: 'subnets',
    fields: [...tagged.fields, 'ipv4_block', 'ipv6_block', 'custom_router'],
    chosen: ['ipv6_block'],
    changeable: [...tagged.changeable, 'custom_router'],
  },
  internetGateway: { key: 'internet_gateways', fields: tagged.fields, changeable: ['tags'] },
  internetGatewayIpPool: { key: 'ip_pools', fields: [...described, 'ip_pool'], changeable: [] },
  internetGatewayIpAddress: { key: 'ip_addresses', fields: [...described, 'address'], changeable: [] },
  disk: {
    key: 'disks',
    fields: [...protectable.fields, 'size', 'disk_source'],
    changeable: [...protectable.changeable, 'size'],
  },
  userDataTemplate: {
    key: 'user_data_templates',
    fields: [...protectable.fields, 'text', 'fields'],
    changeable: [...protectable.changeable, 'text', 'fields'],
  },
  floatingIp: {
    key: 'floating_ips',
    fields: [...protectable.fields, 'ip'],
    changeable: protectable.changeable,
  },
  instance: {
    key: 'instances',
    fields: [
      ...protectable.fields,
      ...sizeOfInstance,
      ...startOfInstance,
      'hostname',
      'disks',
      'network_interfaces',
      'external_ips',
    ],
    changeable: [...protectable.changeable, ...sizeOfInstance],
    initial: startOfInstance,
  },
  schedule: {
    key: 'schedules',
    fields: [...tagged.fields, ...partsOfSchedule],
    changeable: [...tagged.changeable, ...partsOfSchedule],
  },
  affinityGroup: { key: 'affinity_groups', ...ofGroup },
  antiAffinityGroup: { key: 'anti_affinity_groups', ...ofGroup },
} as const satisfies Partial<Record<KindName, DocumentPart>>
export type DocumentKind = keyof typeof documentParts

/** A kind's part as any other. */
export const documentPart = (kind: DocumentKind): DocumentPart => documentParts[kind]

/** The name of a kind's resource among the arguments of requests: `floating_ip`. */
export const nameKey = (kind: DocumentKind): string => snake(kindOf(kind).field)

const isPart = (kind: string | null): kind is DocumentKind => kind !== null && kind in documentParts

/** A part of a resource that has no name, or of the whole document: its key, and its value in a request. */
interface Inner {
  of: DocumentKind | null
  key: string
  /** `at` are the names and other arguments by which resources are known. */
  value: (args: WireArgs, at: Row) => unknown
}

/** The keys of those parts. */
export const innerKeys = {
  policy: 'policy',
  fleetPolicy: 'fleet_policy',
  quotas: 'quotas',
  firewallRules: 'firewall_rules',
  ranges: 'ranges',
  links: 'silos',
  members: 'members',
} as const

const bodyOf = ({ body }: WireArgs): Row => (body ?? {}) as Row
const policyOf = (of: DocumentKind | null, key: string = innerKeys.policy): Inner => ({
  of,
  key,
  value: (args) => bodyOf(args)['role_assignments'],
})
const memberOf = (of: DocumentKind): Inner => ({
  of,
  key: innerKeys.members,
  value: ({ params }) => [{ name: params?.['instance'] }],
})

const linkOf = (siloOf: (body: Row, args: WireArgs) => unknown): Inner => ({
  of: 'ipPool',
  key: innerKeys.links,
  value: (args) => {
    const body = bodyOf(args)
    return [{ ...body, silo: checkedName('silo', siloOf(body, args)) }]
  },
})

/** Later changes of the fields that an instance is created with. */
const fieldOf = (key: string, value: Inner['value']): Inner => ({ of: 'instance', key, value })

function changedNic(args: WireArgs, at: Row): Row {
  const { primary, name, ...changes } = bodyOf(args)
  const present = checkedName('networkInterface', at['interface'])
  refuseRename(present, name)
  if (primary === true) refuse(['primary'])
  return { name: present, ...changes }
}

const inner: Partial<Record<OperationName, Inner>> = {
  projectPolicyUpdate: policyOf('project'),
  siloPolicyUpdate: policyOf('silo'),
  systemPolicyUpdate: policyOf(null, innerKeys.fleetPolicy),
  siloQuotasUpdate: { of: 'silo', key: innerKeys.quotas, value: bodyOf },
  vpcFirewallRulesUpdate: { of: 'vpc', key: innerKeys.firewallRules, value: (args) => bodyOf(args)['rules'] },
  ipPoolRangeAdd: { of: 'ipPool', key: innerKeys.ranges, value: (args) => [bodyOf(args)] },
  ipPoolSiloLink: linkOf(({ silo }) => silo),
  ipPoolSiloUpdate: linkOf((_, { params }) => params?.['silo']),
  affinityGroupMemberInstanceAdd: memberOf('affinityGroup'),
  antiAffinityGroupMemberInstanceAdd: memberOf('antiAffinityGroup'),
  instanceDiskAttach: fieldOf('disks', (args, at) => [
    { type: 'attach', name: checkedName('disk', at['disk'] ?? bodyOf(args)['disk']) },
  ]),
  instanceNetworkInterfaceCreate: fieldOf('network_interfaces', (args) => ({
    type: 'create',
    params: [bodyOf(args)],
  })),
  instanceNetworkInterfaceUpdate: fieldOf('network_interfaces', (args, at) => ({
    type: 'create',
    params: [changedNic(args, at)],
  })),
  instanceEphemeralIpAttach: fieldOf('external_ips', (args) => {
    const { pool } = bodyOf(args)
    return [{ type: 'ephemeral', ...(isSaid(pool) ? { pool: checkedName('ipPool', pool) } : {}) }]
  }),
  floatingIpAttach: fieldOf('external_ips', (_, at) => [
    { type: 'floating', floating_ip: named('floatingIp', at) },
  ]),
}

/** A request that no document means. The message says why. */
export class NoDocument extends Error {
  override name = 'NoDocument'
}

/** Names of the resource of a request and of those around it, by the fields of their kinds, where it has ids. */
export type Names = Readonly<Record<string, string | undefined>>

/**
 * The document after which `purlin apply` does what the request does. It has nothing else, so that everything else
 * stays. Throws NoDocument.
 */
export function documentOf(name: OperationName, args: WireArgs, names: Names = {}): Row {
  const [, kind = null, verb] = /^(\w+)(Create|Update|Delete)$/.exec(name) ?? []
  const wireNames = Object.fromEntries(Object.entries(names).map(([field, one]) => [snake(field), one]))
  const { parent } = bodyOf(args)
  const at: Row = { ...args.query, ...args.params, ...(parent ? { instance: parent } : {}), ...wireNames }
  const part = inner[name]
  if (part) return around(part.of, { [part.key]: shown(part.value(args, at)) }, at)
  if (!isPart(kind)) throw new NoDocument('Documents do not have this: use the command or the request.')
  if (verb === 'Delete')
    throw new NoDocument('To delete with a document, leave it out of the list and apply with --prune.')
  const row = verb === 'Create' ? created(kind, bodyOf(args)) : updated(kind, bodyOf(args), at)
  return around(parentOf(kind), { [documentParts[kind].key]: [row] }, at)
}

function parentOf(kind: DocumentKind): DocumentKind | null {
  const { parent } = kindOf(kind)
  // Projects are at the top: a document is about one silo, that of its user.
  return kind !== 'project' && isPart(parent) ? parent : null
}

/** A value inside a resource of a kind, in the document around both. */
function around(kind: DocumentKind | null, value: Row, at: Row): Row {
  if (kind === null) return { purlin: documentFormat, ...value }
  const row = { name: named(kind, at), ...value }
  return around(parentOf(kind), { [documentParts[kind].key]: [row] }, at)
}

function named(kind: DocumentKind, at: Row): string {
  return checkedName(kind, at[nameKey(kind)])
}

function checkedName(kind: KindName, name: unknown): string {
  if (typeof name !== 'string' || isUuid(name))
    throw new NoDocument(`A document needs the name of the ${kindOf(kind).noun}, which is not known here.`)
  return name
}

const isSaid = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      one === null || one === undefined ? [] : [[key, shown(one)]],
    ),
  )
}

function refuse(fields: readonly string[]): void {
  const [first] = fields
  if (first !== undefined)
    throw new NoDocument(`A document cannot say ${first}: use the command or the request.`)
}

/** A row with the fields of a creation, and the parts that the kind has inside. */
function created(kind: DocumentKind, body: Row): Row {
  const inside = Object.values(inner).flatMap(({ of, key }) => (of === kind ? [key] : []))
  const known = [...documentPart(kind).fields, ...inside]
  const given = keysOf(body).filter((key) => isSaid(body[key]))
  refuse(given.filter((key) => !known.includes(key)))
  return shown(Object.fromEntries(given.map((key) => [key, body[key]]))) as Row
}

function refuseRename(name: string, now: unknown): void {
  if (now !== undefined && now !== null && now !== name)
    throw new NoDocument('A document cannot rename: use the command or the request.')
}

/** A row with the changes. Null stays out of it, and would change nothing. */
function updated(kind: DocumentKind, body: Row, at: Row): Row {
  const name = named(kind, at)
  const { name: now, ...given } = body
  refuseRename(name, now)
  const { boot_disk: disk, ...others } = given
  // The update of an instance names the disk alone.
  const boot = { type: 'attach', name: typeof disk === 'string' ? checkedName('disk', disk) : disk }
  const changes = kind === 'instance' && isSaid(disk) ? { ...others, boot_disk: boot } : given
  refuse(
    keysOf(changes).filter((key) => changes[key] === null || !documentPart(kind).changeable.includes(key)),
  )
  return { name, ...(shown(changes) as Row) }
}
