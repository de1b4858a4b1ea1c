/** All addresses of the console. */
import { recordOf } from '@purlin/contract/rules/keys'
import { kinds, kindsWith, pluralOf, scopeOf } from '@purlin/contract/rules/kinds'

const part = encodeURIComponent
const project = (name: string) => `/projects/${part(name)}`
const instance = (of: { project: string; instance: string }) =>
  `${project(of.project)}/instances/${part(of.instance)}`

/** The tabs of an instance's page. */
export type InstanceTab =
  | 'storage'
  | 'snapshots'
  | 'networking'
  | 'metrics/cpu'
  | 'metrics/disk'
  | 'metrics/network'
  | 'connect'
  | 'settings'
  | 'activity'

/** The tabs of a VPC's page. */
export type VpcTab =
  | 'firewall-rules'
  | 'subnets'
  | 'routers'
  | 'internet-gateways'
  | 'topology'
  | 'trace'
  | 'activity'

/** A VPC, as addresses name it. */
export interface VpcTarget {
  project: string
  vpc: string
}

/** The tabs of an IP pool's page; the first is the one without a tab in the address. */
export type PoolTab = 'ranges' | 'silos'

/** The tabs of a sled's page. */
export type SledTab = 'instances' | 'disks' | 'metrics' | 'host' | 'maintenance'

/** An identity provider of a silo. */
export interface NamedProvider {
  name: string
  protocol: 'saml' | 'oidc'
}

/** The tabs of a silo's page. */
export type SiloTab =
  | 'idps'
  | 'quotas'
  | 'ip-pools'
  | 'machine-sizes'
  | 'fleet-roles'
  | 'access'
  | 'users'
  | 'groups'
  | 'service-accounts'
  | 'scim'

/**
 * The parents of a resource, by name: a project, and an instance or a VPC in it; none for resources of the silo or the signed-in
 * user.
 */
export interface Scope {
  project?: string | undefined
  instance?: string | undefined
  vpc?: string | undefined
  router?: string | undefined
  gateway?: string | undefined
  /** of operators' pages about a silo */
  silo?: string | undefined
}

/** A row of a section: its name, and what it is in. */
type Target = Scope & { name: string }

const inProject = (of: Scope) => project(of.project ?? '')
/** The addresses of a section: its list, the form of a new row, and the page and the form of each row. */
const section = (
  path: string,
  within: (of: Scope) => string = inProject,
  forms: readonly ('create' | 'edit' | 'clone')[] = ['create', 'edit'],
) => {
  // Most are in a project, which may be given by its name alone.
  const list = (of: Scope | string = {}) => `${within(typeof of === 'string' ? { project: of } : of)}/${path}`
  const view = (of: Target) => `${list(of)}/${part(of.name)}`
  return {
    path,
    /** The forms that the list has. */
    forms,
    list,
    create: (of?: Scope | string) => `${list(of)}-new`,
    /** The form of a new row, filled as another one is. */
    clone: (of: Target) => `${list(of)}-new/${part(of.name)}`,
    view,
    edit: (of: Target) => `${view(of)}/edit`,
  }
}
export type Section = ReturnType<typeof section>

const ofSilo = () => ''
const ofFleet = () => '/system'

/** Where the sections of a scope are. */
const places = {
  fleet: ofFleet,
  silo: ofSilo,
  siloUser: () => '/settings',
  project: inProject,
}
export type SectionScope = keyof typeof places

/**
 * Sections that are a list, with the forms of a new row and of each row over it as far as there are any. Their routes are
 * made from this table, with files in the folder of features that has the name of the section: `floating-ips`.
 */
export const plainSections = recordOf(kindsWith('section'), (kind) =>
  section(
    pluralOf(kinds[kind].noun).toLowerCase().replaceAll(' ', '-'),
    // A section in another scope does not compile: it needs a place, and routes in routes.ts.
    places[scopeOf(kind)],
    kinds[kind].section,
  ),
)

const inInstance = (of: Scope) => instance({ project: of.project ?? '', instance: of.instance ?? '' })
const vpcs = section('vpcs')
const inVpc = (of: Scope) => vpcs.view({ project: of.project, name: of.vpc ?? '' })
const routers = section('routers', inVpc)
const inRouter = (of: Scope) => routers.view({ ...of, name: of.router ?? '' })

const silos = section('silos', ofFleet)

const ofInventory = () => '/system/inventory'
const ofNetworking = () => '/system/networking'
const sleds = section('sleds', ofInventory, [])
const switches = section('switches', ofInventory, [])

/** The addresses of all sections, by kind. */
export const sections = {
  instance: section('instances'),
  disk: section('disks'),
  snapshot: section('snapshots'),
  instanceSnapshot: section('snapshots', inInstance, []),
  image: section('images'),
  ...plainSections,
  vpc: vpcs,
  vpcSubnet: section('subnets', inVpc),
  vpcRouter: routers,
  // The page of the router is the list.
  vpcRouterRoute: {
    ...section('routes', inRouter),
    list: (of: Scope | string = {}) => inRouter(of as Scope),
  },
  internetGateway: section('internet-gateways', inVpc),
  antiAffinityGroup: section('affinity'),
  probe: section('probes', inProject, ['create']),
  access: section('access'),
  siloAccess: section('access', ofSilo),
  fleetAccess: section('access', ofFleet),
  /** Roles on a silo, as operators give them. */
  accessOfSilo: section('access', (of) => silos.view({ name: of.silo ?? '' })),
  siloImage: section('images', ofSilo),
  siloInstance: section('instances', ofSilo),
  certificate: section('certificates', ofSilo),
  silo: silos,
  ipPool: section('ip-pools', ofNetworking),
  addressLot: section('address-lots', ofNetworking, ['create']),
  loopbackAddress: section('loopback-addresses', ofNetworking, ['create']),
  switchPortSettings: section('port-settings', ofNetworking),
  alertReceiver: section('receivers', () => '/system/alerts', ['create']),
  supportBundle: section('support-bundles', ofFleet, []),
  rack: section('racks', ofInventory, []),
  sled: sleds,
  physicalDisk: section('disks', ofInventory, []),
  switch: switches,
  host: section('hosts', ofInventory, []),
}

const vpc = (of: VpcTarget) => sections.vpc.view({ project: of.project, name: of.vpc })

/** An address that leads back to another one when it is done. */
export const withBack = (href: string, back: string): string => `${href}?back=${part(back)}`

export const paths = {
  imageImport: (name: string) => `${project(name)}/images-import`,
  projectActivity: (name: string) => `${project(name)}/activity`,
  overview: (name: string) => `${project(name)}/overview`,
  /** Resources that nothing uses. */
  cleanUps: (name: string) => `${project(name)}/clean-up`,
  /** The same of a kind, by the path of its list. */
  cleanUp: (name: string, kind = sections.disk.path) => `${project(name)}/clean-up/${kind}`,
  instance: (of: { project: string; instance: string }) => `${instance(of)}/storage`,
  instanceTab: (of: { project: string; instance: string }, tab: InstanceTab) => `${instance(of)}/${tab}`,
  serialConsole: (of: { project: string; instance: string }) => `${instance(of)}/serial-console`,
  screen: (of: { project: string; instance: string }) => `${instance(of)}/screen`,
  /** The form of a new instance, filled as another one is. */
  instanceClone: (of: { project: string; name: string }) =>
    `${project(of.project)}/instances-new/${part(of.name)}`,
  /** The form of a new disk, filled as another one was made. */
  diskClone: (of: { project: string; name: string }) => `${project(of.project)}/disks-new/${part(of.name)}`,
  vpcTab: (of: VpcTarget, tab: VpcTab) => `${vpc(of)}/${tab}`,
  /** The form of a new rule, filled with another one if that is given. */
  firewallRuleNew: (of: VpcTarget, from?: string) =>
    `${vpc(of)}/firewall-rules-new${from === undefined ? '' : `/${part(from)}`}`,
  firewallRuleEdit: (of: VpcTarget, rule: string) => `${vpc(of)}/firewall-rules/${part(rule)}/edit`,
  /** The list of rules with one of them marked. */
  firewallRule: (of: VpcTarget, rule: string) => `${vpc(of)}/firewall-rules?marked=${part(rule)}`,
  /** The list of subnets with one of them, by id, marked. */
  subnet: (of: VpcTarget, id: string) => `${vpc(of)}/subnets?marked=${part(id)}`,
  /** The page of a router with one of its routes, by id, marked. */
  route: (of: VpcTarget & { router: string }, id: string) => `${inRouter(of)}?marked=${part(id)}`,
  /** The trace tab with as much of a question as is given. */
  vpcTrace: (of: VpcTarget, question: Record<string, string | number>) =>
    `${vpc(of)}/trace?${Object.entries(question)
      .map(([name, value]) => `${name}=${part(value)}`)
      .join('&')}`,
  /** The users and groups of the silo, and the page of one by its id. */
  users: '/access/users',
  user: (id: string) => `/access/users/${part(id)}`,
  groups: '/access/groups',
  signInSettings: '/access/sign-in',
  auditLog: '/system/audit-log',
  bgp: '/system/networking/bgp',
  bfd: '/system/networking/bfd',
  allowedSources: '/system/networking/allowed-sources',
  alerts: '/system/alerts',
  activeAlerts: '/system/alerts/active',
  endedAlerts: '/system/alerts/ended',
  utilization: '/utilization',
  usage: '/usage',
  systemUsage: '/system/usage',
  usagePrices: '/system/usage/prices',
  projectUsage: (project: string) => `/projects/${part(project)}/usage`,
  systemOverview: '/system/overview',
  systemUtilization: '/system/utilization',
  systemUpdate: '/system/update',
  backup: '/system/backup',
  siloAuditLog: '/access/audit-log',
  /** The tasks of a user, one's own unless the question names another one. */
  tasks: (question: object = {}) => {
    const params = Object.entries(question).map(([name, value]) => `${name}=${part(String(value))}`)
    return `/tasks${params.length > 0 ? `?${params.join('&')}` : ''}`
  },
  group: (id: string) => `/access/groups/${part(id)}`,
  /** The page about permissions: `access` is the list of roles of a project, of the silo or of the fleet. */
  whoCan: (access: string, question: Record<string, string> = {}) => {
    const params = Object.entries(question).map(([name, value]) => `${name}=${part(value)}`)
    return `${access}/who-can${params.length > 0 ? `?${params.join('&')}` : ''}`
  },
  /** The page of a user or group of any silo, for operators. */
  fleetIdentity: (id: string) => `/system/access/identities/${part(id)}`,
  /** Leads to what has this id. */
  lookUp: (id: string) => `/lookup/${part(id)}`,
  snapshotImageNew: (of: Target) => `${sections.snapshot.view(of)}/images-new`,
  profile: '/settings/profile',
  secondFactor: '/settings/second-factor',
  password: '/settings/password',
  poolTab: (name: string, tab: PoolTab) =>
    `${sections.ipPool.view({ name })}${tab === 'ranges' ? '' : `?tab=${tab}`}`,
  siloTab: (name: string, tab: SiloTab) => `${sections.silo.view({ name })}/${tab}`,
  /** A group of a silo, by its id, for operators. */
  siloGroup: (silo: string, id: string) => `${sections.silo.view({ name: silo })}/groups/${part(id)}`,
  /** The service accounts of a silo, the own one unless it is named, or one of them. */
  serviceAccounts: ({ silo, account }: { silo?: string | undefined; account?: string | undefined }) =>
    [
      silo === undefined ? '/access' : sections.silo.view({ name: silo }),
      'service-accounts',
      ...(account === undefined ? [] : [part(account)]),
    ].join('/'),
  identityProviderNew: (silo: string) => `${sections.silo.view({ name: silo })}/idps-new`,
  oidcProviderNew: (silo: string) => `${sections.silo.view({ name: silo })}/idps-new/oidc`,
  identityProvider: (silo: string, { name, protocol }: NamedProvider) =>
    `${sections.silo.view({ name: silo })}/idps/${protocol}/${part(name)}`,
  identityProviderEdit: (silo: string, { name, protocol }: NamedProvider) =>
    `${sections.silo.view({ name: silo })}/idps/${protocol}/${part(name)}/edit`,
  signInTest: (silo: string, id: string) => `${sections.silo.view({ name: silo })}/idps/tests/${part(id)}`,
  siloQuotasEdit: (name: string) => `${sections.silo.view({ name })}/quotas/edit`,
  inventory: ofInventory(),
  issues: '/system/issues',
  sledTab: (id: string, tab: SledTab) => `${sleds.view({ name: id })}/${tab}`,
  switchPort: (of: { switchId: string; port: string }) =>
    `${switches.view({ name: of.switchId })}/ports/${part(of.port)}`,
  servicePool: '/system/networking/service-ip-pool',
  servicePoolRangeAdd: '/system/networking/service-ip-pool/ranges-add',
  poolRangeAdd: (name: string) => `${sections.ipPool.view({ name })}/ranges-add`,
}

/** The tabs of the page about the network outside of the racks; the first is where its entry in the sidebar leads. */
export const networkTabs = [
  { label: 'Address lots', href: sections.addressLot.list() },
  { label: 'Loopback addresses', href: sections.loopbackAddress.list() },
  { label: 'Port settings', href: sections.switchPortSettings.list() },
  { label: 'BGP', href: paths.bgp },
  { label: 'BFD', href: paths.bfd },
  { label: 'Allowed sources', href: paths.allowedSources },
] as const

const docsBase = '/docs'
/** The place of an error in the guide, by its code. */
export const errorAnchor = (code: string): string => `error-${code.toLowerCase()}`
/** Pages of the guide, by topic. A test compares each address with the headings of the guide. */
export const guides = {
  keyConcepts: { label: 'Key Concepts', href: `${docsBase}/glossary` },
  projects: { label: 'Projects', href: `${docsBase}/projects` },
  cleanUp: { label: 'Clean up', href: `${docsBase}/projects#clean-up` },
  instances: { label: 'Instances', href: `${docsBase}/instances` },
  machineSizes: { label: 'Keep the machine sizes', href: `${docsBase}/silos#keep-the-machine-sizes` },
  userDataTemplates: { label: 'Fill in user data', href: `${docsBase}/instances#fill-in-user-data` },
  autoRestart: { label: 'Restart after a failure', href: `${docsBase}/instances#restart-after-a-failure` },
  bootDisk: { label: 'Change disks', href: `${docsBase}/instances#change-disks` },
  transitIps: { label: 'Transit IPs', href: `${docsBase}/instances#change-network-interfaces` },
  remoteAccess: { label: 'Remote Access', href: `${docsBase}/connect` },
  disks: { label: 'Disks and Snapshots', href: `${docsBase}/disks` },
  snapshots: { label: 'Take a snapshot', href: `${docsBase}/disks#take-a-snapshot` },
  accessControl: { label: 'Access Control', href: `${docsBase}/access` },
  noRole: { label: 'You see nothing', href: `${docsBase}/access#you-see-nothing` },
  accessTokens: { label: 'Access Tokens', href: `${docsBase}/sign-in#create-an-access-token` },
  sshKeys: { label: 'SSH Keys', href: `${docsBase}/sign-in#add-an-ssh-key` },
  networking: { label: 'Networking', href: `${docsBase}/networks` },
  routes: { label: 'Route traffic', href: `${docsBase}/networks#route-traffic` },
  subnets: { label: 'Add a subnet', href: `${docsBase}/networks#add-a-subnet` },
  gateways: { label: 'Send to the outside', href: `${docsBase}/networks#send-to-the-outside` },
  firewallRules: { label: 'Firewall Rules', href: `${docsBase}/firewall` },
  evaluation: { label: 'How rules are evaluated', href: `${docsBase}/firewall#how-rules-are-evaluated` },
  tasks: { label: 'Find a task', href: `${docsBase}/lists#find-a-task` },
  auditLog: { label: 'Audit Log', href: `${docsBase}/audit-log` },
  silos: { label: 'Silos', href: `${docsBase}/silos` },
  certificates: { label: 'Add a TLS certificate', href: `${docsBase}/silos#add-a-tls-certificate` },
  ipPools: { label: 'IP Pools', href: `${docsBase}/ip-pools` },
  floatingIps: { label: 'Floating IPs', href: `${docsBase}/floating-ips` },
  affinity: { label: 'Anti-affinity Groups', href: `${docsBase}/affinity` },
  sleds: { label: 'Server Sleds', href: `${docsBase}/hardware` },
  hosts: { label: 'Hosts', href: `${docsBase}/hosts` },
  probes: { label: 'Check the way to a sled', href: `${docsBase}/hardware#check-the-way-to-a-sled` },
  supportBundles: {
    label: 'Collect a support bundle',
    href: `${docsBase}/hardware#collect-a-support-bundle`,
  },
  switches: { label: 'System networking', href: `${docsBase}/system-networking` },
  alerts: { label: 'Alerts', href: `${docsBase}/alerts` },
  metrics: { label: 'Metrics', href: `${docsBase}/metrics` },
  quotas: { label: 'Quotas', href: `${docsBase}/quotas` },
  usage: { label: 'Usage and prices', href: `${docsBase}/usage` },
  oxql: { label: 'OxQL', href: `${docsBase}/oxql` },
  imageRequirements: { label: 'Preparing Images', href: `${docsBase}/images#prepare-an-image` },
  images: { label: 'Images', href: `${docsBase}/images` },
  systemUpdate: { label: 'System Update', href: `${docsBase}/updates` },
  quickStart: { label: 'Quick Start', href: `${docsBase}/start` },
  home: { label: 'Guide', href: docsBase },
  troubleshooting: { label: 'Troubleshooting', href: `${docsBase}/troubleshooting` },
}
