const core = (...names: string[]) => names.map((name) => `packages/core/${name}`)
const console = (...names: string[]) => names.map((name) => `apps/console/src/${name}`)
const features = (...names: string[]) => console(...names.map((name) => `features/${name}`))

const coreBase = [
  'packages/contract',
  ...core('context', 'faults', 'ports', 'bytes', 'clients', 'query-string', 'concurrency'),
]
const data = [...coreBase, ...core('audit', 'auth', 'db')]
const rules = [...data, ...core('timeseries', 'oxql', 'network')]
const consoleBase = ['packages/contract', ...console('lib', 'ui', 'api', 'live')]
/** The imports of a feature: everything below it, and the named parts of other features. */
const feature = (...others: string[]) => [
  ...consoleBase,
  ...console('resource', 'shell', 'styles'),
  ...features(...others),
]

/**
 * Folder → the other folders of ours that it may import. The longest folder that matches a file applies; `*` matches
 * each folder without an entry. Only the files at the root of core, which all its folders share, are listed by name.
 */
export const directions: Record<string, readonly string[]> = {
  'packages/contract': [],
  'packages/core': ['packages/contract'],
  'packages/core/bytes': ['packages/contract'],
  'packages/core/clients': ['packages/contract', ...core('concurrency')],
  'packages/core/faults': ['packages/contract'],
  'packages/core/query-string': ['packages/contract', ...core('faults')],
  'packages/core/concurrency': ['packages/contract'],
  'packages/core/db': ['packages/contract', ...core('faults', 'query-string', 'concurrency')],
  // A step that has shipped must not change when other code does.
  'packages/core/db/migrations': [],
  'packages/core/network': ['packages/contract', ...core('db', 'concurrency')],
  'packages/core/file-ports': [],
  'packages/core/blobs-port': [],
  'packages/core/host-port': ['packages/contract'],
  'packages/core/hardware-port': ['packages/contract', ...core('host-port', 'switch-driver-port')],
  'packages/core/machine-port': core('blobs-port', 'hardware-port', 'network'),
  'packages/core/sender-ports': ['packages/contract'],
  'packages/core/image-ports': ['packages/contract'],
  'packages/core/oidc-port': [],
  'packages/core/saml-port': [],
  'packages/core/second-factor-port': [],
  'packages/core/switch-driver-port': ['packages/contract'],
  'packages/core/loop-meter': [],
  'packages/core/tracer': [],
  'packages/core/ports': core(
    'db',
    'concurrency',
    'network',
    'blobs-port',
    'file-ports',
    'image-ports',
    'hardware-port',
    'host-port',
    'machine-port',
    'oidc-port',
    'saml-port',
    'second-factor-port',
    'switch-driver-port',
    'sender-ports',
    'loop-meter',
    'tracer',
  ),
  'packages/core/context': ['packages/contract', ...core('db', 'ports', 'query-string')],
  'packages/core/audit': [...coreBase, ...core('db')],
  'packages/core/auth': [...coreBase, ...core('audit', 'db')],
  'packages/core/timeseries': data,
  'packages/core/oxql': [...data, ...core('timeseries')],
  'packages/core/resources': rules,
  'packages/core/loops': [...rules, ...core('resources')],
  'packages/core/events': data,
  'packages/core/http': [...rules, ...core('resources', 'events')],
  'packages/core/seed': [...rules, ...core('resources', 'http')],
  'packages/databases': core('ports'),
  'packages/sleds': ['packages/contract', ...core('ports')],
  'packages/qemu': [
    'packages/contract',
    'packages/databases',
    'packages/netns/privileged/networks',
    ...core('ports'),
  ],
  'packages/remote': ['packages/contract', 'packages/x509', ...core('ports', 'http/validate')],
  'packages/netns': [
    'packages/contract',
    'packages/databases/files/lock',
    'packages/remote/lines',
    'packages/remote/schemas',
    ...core('ports', 'http/validate'),
  ],
  'packages/x509': ['packages/contract'],
  'packages/tuf': ['packages/contract/rules', ...core('ports')],
  'packages/factors': core('ports'),
  'apps/server': ['packages'],
  'apps/guide': [],
  'apps/cli': ['packages/contract'],
  'apps/console': ['packages/contract'],
  'apps/console/src/lib': ['packages/contract/rules'],
  'apps/console/src/ui': console('lib', 'styles'),
  'apps/console/src/api': ['packages/contract', ...console('lib')],
  'apps/console/src/live': ['packages/contract', ...console('lib', 'api')],
  'apps/console/src/resource': consoleBase,
  'apps/console/src/shell': [...consoleBase, ...console('resource')],
  'apps/console/src/gallery': console('lib', 'ui', 'styles'),
  'apps/console/src/preview': [
    'packages/contract',
    'packages/core',
    'packages/databases',
    'packages/sleds/sim',
    'packages/x509',
    'packages/tuf',
    'packages/factors',
    ...console('api'),
  ],
  'apps/console/src/features/*': feature(),
  'apps/console/src/features/activity': feature('disks', 'images'),
  'apps/console/src/features/access': feature('audit-log', 'certificates'),
  'apps/console/src/features/access-tokens': feature('access'),
  'apps/console/src/features/certificates': [...feature(), 'packages/x509'],
  'apps/console/src/features/disks': feature('audit-log', 'utilization'),
  'apps/console/src/features/projects': feature('audit-log', 'first-steps', 'utilization'),
  'apps/console/src/features/silos': feature('access', 'certificates', 'ip-pools', 'utilization'),
  'apps/console/src/features/snapshots': feature('audit-log', 'disks'),
  'apps/console/src/features/images': feature('audit-log', 'disks', 'utilization'),
  'apps/console/src/features/floating-ips': feature('audit-log', 'external-ips', 'ip-pools'),
  'apps/console/src/features/affinity-groups': feature('instance-state'),
  'apps/console/src/features/hardware': feature('metrics'),
  'apps/console/src/features/alerts': feature('issues'),
  'apps/console/src/features/probes': feature('audit-log', 'hardware', 'ip-pools'),
  'apps/console/src/features/network': feature('hardware'),
  'apps/console/src/features/second-factor': feature('access'),
  'apps/console/src/features/settings': feature('access'),
  'apps/console/src/features/utilization': feature('hardware', 'metrics'),
  'apps/console/src/features/vpcs': feature('audit-log', 'firewall-rules', 'network-losses', 'vpc-subnets'),
  'apps/console/src/features/firewall-rules': feature('network-losses'),
  'apps/console/src/features/vpc-topology': feature('instance-state'),
  'apps/console/src/features/vpc-trace': feature('firewall-rules', 'vpc-names', 'vpc-routers'),
  'apps/console/src/features/vpc-routers': feature('network-losses', 'vpc-names'),
  'apps/console/src/features/vpc-subnets': feature('network-losses', 'vpc-names', 'vpc-routers'),
  'apps/console/src/features/internet-gateways': feature('ip-pools', 'network-losses', 'vpc-routers'),
  'apps/console/src/features/instances': feature(
    'affinity-groups',
    'audit-log',
    'disks',
    'external-ips',
    'floating-ips',
    'images',
    'instance-state',
    'ip-pools',
    'metrics',
    'network-losses',
    'ssh-keys',
    'utilization',
    'vpc-names',
    'vpc-subnets',
    'vpcs',
  ),
  e2e: ['packages/contract', 'packages/x509', 'apps/server/testing', 'apps/cli/testing', ...console('lib')],
  bench: ['packages', 'apps/server/testing', 'apps/cli/build', 'tools'],
  tools: ['packages', 'apps', 'e2e'],
}

/** Further imports of tests: the real implementations. */
export const inTests: readonly string[] = ['packages', 'apps/server/testing', ...console('preview')]

/** Folders whose code runs wherever fetch exists; their tests run in Node. */
export const portable = [
  'packages/contract',
  'packages/core',
  'packages/sleds',
  'packages/x509',
  'packages/tuf',
  'apps/console/src',
]

/** Packages of others that a folder does without. */
export const without: Record<string, RegExp> = {
  'apps/console/src/ui': /^@tanstack\/react-(router|query)/,
  'apps/console/src/lib': /^@tanstack\//,
  'packages/core/db/migrations': /^(?!(kysely|vitest)(\/|$)|[.#]|node:|@purlin\/)/,
}
