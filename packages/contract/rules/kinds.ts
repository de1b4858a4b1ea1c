/** The kinds of resource: what each is called and what it belongs to. Server and console read this one table. */

interface Kind {
  /** What texts call one. Its plural is regular: see `pluralOf`. */
  noun: string
  /** The type of resource in the API's error messages: `not found: vpc-subnet with name "web"`. */
  type: string
  /** The field that names one in paths and queries. */
  field: string
  /** What one belongs to. Names are unique among the kind's siblings there. */
  parent: string | null
}

/** In the order in which the API names what is still in a project that is to be deleted. */
export const kinds = {
  silo: { noun: 'silo', type: 'silo', field: 'silo', parent: null },
  siloUser: { noun: 'user', type: 'silo-user', field: 'userId', parent: 'silo' },
  siloGroup: { noun: 'group', type: 'silo-group', field: 'groupId', parent: 'silo' },
  sshKey: { noun: 'SSH key', type: 'ssh-key', field: 'sshKey', parent: 'siloUser' },
  certificate: { noun: 'certificate', type: 'certificate', field: 'certificate', parent: 'silo' },
  ipPool: { noun: 'IP pool', type: 'ip-pool', field: 'pool', parent: null },
  project: { noun: 'project', type: 'project', field: 'project', parent: 'silo' },
  instance: { noun: 'instance', type: 'instance', field: 'instance', parent: 'project' },
  networkInterface: {
    noun: 'network interface',
    type: 'instance-network-interface',
    field: 'interface',
    parent: 'instance',
  },
  disk: { noun: 'disk', type: 'disk', field: 'disk', parent: 'project' },
  floatingIp: { noun: 'floating IP', type: 'floating-ip', field: 'floatingIp', parent: 'project' },
  /** One that no project owns belongs to the silo: see `typeOf`. */
  image: { noun: 'image', type: 'image', field: 'image', parent: 'project' },
  snapshot: { noun: 'snapshot', type: 'snapshot', field: 'snapshot', parent: 'project' },
  vpc: { noun: 'VPC', type: 'vpc', field: 'vpc', parent: 'project' },
  vpcSubnet: { noun: 'subnet', type: 'vpc-subnet', field: 'subnet', parent: 'vpc' },
  vpcRouter: { noun: 'router', type: 'vpc-router', field: 'router', parent: 'vpc' },
  vpcRouterRoute: { noun: 'route', type: 'router-route', field: 'route', parent: 'vpcRouter' },
  vpcFirewallRule: { noun: 'firewall rule', type: 'vpc-firewall-rule', field: 'rule', parent: 'vpc' },
  internetGateway: {
    noun: 'internet gateway',
    type: 'internet-gateway',
    field: 'gateway',
    parent: 'vpc',
  },
  internetGatewayIpPool: {
    noun: 'internet gateway IP pool',
    type: 'internet-gateway-ip-pool',
    field: 'pool',
    parent: 'internetGateway',
  },
  internetGatewayIpAddress: {
    noun: 'internet gateway IP address',
    type: 'internet-gateway-ip-address',
    field: 'address',
    parent: 'internetGateway',
  },
  affinityGroup: {
    noun: 'affinity group',
    type: 'affinity-group',
    field: 'affinityGroup',
    parent: 'project',
  },
  antiAffinityGroup: {
    noun: 'anti-affinity group',
    type: 'anti-affinity-group',
    field: 'antiAffinityGroup',
    parent: 'project',
  },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
export const kindNames = Object.keys(kinds) as KindName[]

/** The kinds that belong to kind `P`. */
export type ChildOf<P extends KindName> = {
  [K in KindName]: (typeof kinds)[K]['parent'] extends P ? K : never
}[KindName]

/** The kinds that belong to a kind, in the order of the table. */
export const childrenOf = <P extends KindName>(parent: P): ChildOf<P>[] =>
  kindNames.filter((kind): kind is ChildOf<P> => kinds[kind].parent === parent)

/** `an` before a vowel, `a` otherwise. */
export const article = (noun: string): 'a' | 'an' => (/^[aeiou]/.test(noun) ? 'an' : 'a')

/** `disks`, `addresses`, `entries`. */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return noun.endsWith('s') ? `${noun}es` : `${noun}s`
}

/** `2 disks`, `1 disk`. */
export const countOf = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : pluralOf(noun)}`

/** The type of a resource in messages: an image's depends on whether a project or the silo owns it. */
export const typeOf = (kind: KindName, row: { projectId?: string | null }): string =>
  kind === 'image' ? (row.projectId == null ? 'silo-image' : 'project-image') : kinds[kind].type

/** What texts call tokens. They have no kind: nobody names them, and no page is about one. */
const tokenNouns = {
  'device-access-token': 'access token',
  'scim-client-bearer-token': 'SCIM token',
} as const
export type TokenType = keyof typeof tokenNouns
/** The types of tokens in messages. */
export const tokenTypes = Object.keys(tokenNouns) as TokenType[]
export const isTokenType = (type: string): type is TokenType => Object.hasOwn(tokenNouns, type)

/** What texts call a resource of this type; a type without a kind of its own is written out. */
export function nounOf(type: string): string {
  if (isTokenType(type)) return tokenNouns[type]
  const known = type === typeOf('image', { projectId: '' }) ? 'image' : type
  const kind = kindNames.find((name) => kinds[name].type === known)
  return kind ? kinds[kind].noun : known.replaceAll('-', ' ')
}
