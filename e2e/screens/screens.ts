import { plainSections } from '@purlin/console/src/lib/addresses'
import { keysOf } from '@purlin/contract/rules/keys'
import { isInProject, kindOf, kinds } from '@purlin/contract/rules/kinds'
import type { Locator, Page } from '@playwright/test'
import type { Person } from '../support/world.ts'

/** A text, or null for a row of a table that has been read. */
type Shows = string | RegExp | null
const aRow = null
/** A screen: its name, its address, what stands on it when it is finished, and who looks at it. */
type Screen = readonly [name: string, path: string, shows: Shows, as?: Person]
export type PlainSection = keyof typeof plainSections

const telemetry = '/projects/telemetry'
const instance = '/projects/storefront/instances/shop-a'
const vpc = '/projects/storefront/vpcs/backend'
const pools = '/system/networking/ip-pools'
const operator = 'tariq-aziz'

// The ids of simulated hardware are derived from its serial numbers, so they are the same in every world.
const inventory = '/system/inventory'
const sled = `${inventory}/sleds/82d00b12-fb28-8e01-af91-09bc8a326056`
const aSwitch = `${inventory}/switches/85254226-4870-8b19-940d-7aa31dd7d9d3`

/** Stands in addresses for the first row of the demo, which is found when a test runs. */
export const firstRow = 'FIRST-ROW'
const place = { project: 'telemetry' }
export const placeOfFirstRow = (kind: PlainSection) => (isInProject(kind) ? place : {})

/** The mark of a finished screen. The options of a select are hidden, and may come before. */
export const shownOn = (page: Page, shows: Shows): Locator =>
  (shows === null ? page.locator('main table:not([aria-busy]) tbody tr') : page.getByText(shows))
    .filter({ visible: true })
    .first()

/** The list and the forms of a plain section. Forms differ in their titles, not in their last button. */
function screensOf(kind: PlainSection): Screen[] {
  const { path, forms, list, create, edit } = plainSections[kind]
  const stem = kinds[kind].noun.toLowerCase().replaceAll(' ', '-')
  const last = /^(Cancel|Close)$/
  const screens = [
    [path, list(place), aRow],
    ...(forms.includes('create') ? [[`${stem}-create`, create(place), last] as const] : []),
    ...(forms.includes('edit') ? [[`${stem}-edit`, edit({ ...place, name: firstRow }), last] as const] : []),
  ] as const
  return kindOf(kind).parent === null ? screens.map((screen) => [...screen, operator]) : [...screens]
}

/** The plain section whose first row an address names. */
export const sectionOfFirstRow = (path: string): PlainSection | undefined =>
  keysOf(plainSections).find((kind) => path.startsWith(`${plainSections[kind].list(place)}/${firstRow}/`))

/** Screens of plain sections with a picture. Those of others differ in nouns and columns only. */
const plainPictures: readonly Screen[] = [
  ['projects', '/projects', 'Short-lived workers, many of them'],
  ['project-create', '/projects-new', 'Create project'],
  ['project-edit', `${telemetry}/edit`, 'Edit project'],
  ['floating-ips', `${telemetry}/floating-ips`, 'ingest'],
  ['floating-ip-create', `${telemetry}/floating-ips-new`, 'Create floating IP'],
  ['floating-ip-edit', `${telemetry}/floating-ips/ingest/edit`, 'Edit floating IP'],
  ['ssh-keys', '/settings/ssh-keys', 'SSH Keys'],
  ['ssh-key-create', '/settings/ssh-keys-new', 'Public key'],
  ['ssh-key', '/settings/ssh-keys/workstation/edit', 'Fingerprint'],
  ['access-tokens', '/settings/access-tokens', 'Never'],
]

const otherScreens: readonly Screen[] = [
  ['sign-in', '/login/engineering/local', 'Sign in'],
  ['sign-in-silo', '/login/manufacturing', /sign in with corporate/i],
  ['sign-in-done', '/login/manufacturing/done', 'Close this tab'],
  ['sign-in-oidc', '/login/manufacturing/oidc/partners', /sign in with partners/i],
  ['sign-in-saml', '/login/manufacturing/saml/corporate', /sign in with corporate/i],
  ['probes', `${telemetry}/probes`, 'edge-check', 'uma-krishnan'],
  ['probe-create', `${telemetry}/probes-new`, 'Create probe', 'uma-krishnan'],
  ['probe', `${telemetry}/probes/edge-check`, 'Virtual network', 'uma-krishnan'],
  ['silo-instances', '/instances', 'shop-a'],
  ['silo-images', '/images', 'debian-13'],
  ['silo-image', '/images/debian-13', 'Block size'],
  ['project-overview', `${telemetry}/overview`, 'Needs attention'],
  ['clean-up', `${telemetry}/clean-up/disks`, 'attached to no instance'],
  ['instances', `${telemetry}/instances`, 'ingest-gateway'],
  ['instance-create', `${telemetry}/instances-new`, 'Hardware'],
  ['instance-clone', `${telemetry}/instances-new/ingest-gateway`, 'Prefilled from'],
  ['instance-storage', `${instance}/storage`, 'Boot disk'],
  ['instance-snapshots', `${telemetry}/instances/ingest-gateway/snapshots`, 'last-good'],
  ['instance-networking', `${instance}/networking`, 'net0'],
  ['instance-metrics-cpu', `${instance}/metrics/cpu`, 'CPU Utilization: Running'],
  ['instance-metrics-disk', `${instance}/metrics/disk`, 'Read Latency'],
  ['instance-metrics-network', `${instance}/metrics/network`, 'Packets Dropped'],
  ['instance-connect', `${instance}/connect`, 'ssh [username]'],
  ['instance-settings', `${instance}/settings`, 'Auto-restart'],
  ['serial-console', `${instance}/serial-console`, 'login:'],
  ['screen', `${instance}/screen`, 'No screen'],
  ['disks', `${telemetry}/disks`, 'archive-2025'],
  ['disk-create', `${telemetry}/disks-new`, 'Create disk'],
  ['disk-clone', `${telemetry}/disks-new/archive-2025`, 'Create disk'],
  ['disk', `${telemetry}/disks/archive-2025`, 'Block size'],
  ['disk-schedule', `${telemetry}/disks/ingest-gateway-boot`, 'Snapshot schedule'],
  ['image-import', `${telemetry}/images-import`, 'Import image'],
  ['snapshots', `${telemetry}/snapshots`, 'ingest-before-upgrade'],
  ['snapshot-create', `${telemetry}/snapshots-new`, 'Create snapshot'],
  ['snapshot', `${telemetry}/snapshots/ingest-before-upgrade`, 'Size'],
  [
    'snapshot-image-create',
    `${telemetry}/snapshots/ingest-before-upgrade/images-new`,
    'Create image from snapshot',
  ],
  ['project-images', `${telemetry}/images`, 'collector-golden'],
  ['project-image', `${telemetry}/images/collector-golden`, 'Block size'],
  ['image-upload', `${telemetry}/images-new`, 'Drop a file or click to browse'],
  ['vpcs', '/projects/storefront/vpcs', 'backend'],
  ['vpc-create', '/projects/storefront/vpcs-new', 'Create VPC'],
  ['vpc-edit', `${vpc}/edit`, 'Edit VPC'],
  ['firewall-rules', `${vpc}/firewall-rules`, 'allow-internal-inbound'],
  ['subnets', `${vpc}/subnets`, 'databases'],
  ['subnet-create', `${vpc}/subnets-new`, 'Create subnet'],
  ['subnet-edit', `${vpc}/subnets/databases/edit`, 'Edit subnet'],
  ['routers', `${vpc}/routers`, 'inner'],
  ['router-create', `${vpc}/routers-new`, 'Create router'],
  ['router-edit', `${vpc}/routers/inner/edit`, 'Edit router'],
  ['router', `${vpc}/routers/inner`, 'stay'],
  ['route-create', `${vpc}/routers/inner/routes-new`, 'Create route'],
  ['route-edit', `${vpc}/routers/inner/routes/stay/edit`, 'Edit route'],
  ['internet-gateways', `${vpc}/internet-gateways`, 'default'],
  ['internet-gateway-create', `${vpc}/internet-gateways-new`, 'Create internet gateway'],
  [
    'trace',
    `/projects/storefront/vpcs/default/trace?from=shop-a&to=8.8.8.8&protocol=tcp&port=443`,
    'Copy link',
  ],
  ['vpc-activity', `${vpc}/activity`, 'Created VPC router'],
  ['schedules', '/projects/telemetry/schedules', 'evening-stop'],
  ['schedule-create', '/projects/telemetry/schedules-new', 'Create schedule'],
  ['schedule-edit', '/projects/telemetry/schedules/evening-stop/edit', 'Edit schedule'],
  ['user-data-template-clone', `${telemetry}/user-data-templates-new/web-server`, 'Prefilled from'],
  ['project-activity', '/projects/storefront/activity', 'shop-db'],
  ['trace-empty', `${vpc}/trace`, 'No packet traced yet'],
  ['internet-gateway', `${vpc}/internet-gateways/default`, 'partner'],
  ['vpc-topology', '/projects/storefront/vpcs/default/topology', 'shop-a'],
  ['vpc-topology-list', '/projects/storefront/vpcs/default/topology?view=list', 'shop-a'],
  ['firewall-rule-create', `${vpc}/firewall-rules-new`, 'Create firewall rule'],
  ['firewall-rule-clone', `${vpc}/firewall-rules-new/allow-ssh`, 'Create firewall rule'],
  ['firewall-rule-edit', `${vpc}/firewall-rules/allow-ssh/edit`, 'Edit firewall rule'],
  ['affinity-groups', `${telemetry}/affinity`, 'collectors-apart'],
  ['affinity-group-create', `${telemetry}/affinity-new`, 'Add group'],
  ['affinity-group', `${telemetry}/affinity/collectors-apart`, 'collector-02'],
  ['affinity-group-edit', `${telemetry}/affinity/collectors-apart/edit`, 'Edit anti-affinity group'],
  ['project-access', `${telemetry}/access`, 'rosa-lima'],
  ['project-access-create', `${telemetry}/access-new`, 'Add user or group'],
  ['silo-access', '/access', 'joel-lindqvist'],
  ['silo-access-create', '/access-new', 'Add user or group'],
  ['project-who-can', `${telemetry}/access/who-can?operation=disk_delete`, 'Where it comes from'],
  ['silo-who-can', '/access/who-can?operation=silo_policy_update', 'hanna-okafor'],
  ['fleet-who-can', '/system/access/who-can?operation=silo_delete', 'tariq-aziz', operator],
  ['silo-users', '/access/users', 'rosa-lima'],
  ['silo-groups', '/access/groups', 'platform-team'],
  ['service-accounts', '/access/service-accounts', 'pipeline'],
  ['service-account', '/access/service-accounts/pipeline', 'main-branch'],
  ['sign-in-settings', '/access/sign-in', 'No limit'],
  ['silo-audit-log', '/access/audit-log', 'Live tail'],
  ['certificates', '/certificates', 'console-next'],
  ['certificate-create', '/certificates-new', 'Add certificate'],
  ['instance-activity', `${instance}/activity`, 'Activity'],
  ['fleet-access', '/system/access', 'tariq-aziz', operator],
  ['fleet-access-create', '/system/access-new', 'Add user or group', operator],
  ['silo-utilization', '/utilization', 'Storage'],
  ['silo-usage', '/usage', 'storefront'],
  ['tasks', '/tasks', /No tasks|completed/],
  ['project-usage', '/projects/telemetry/usage', 'vCPU each day'],
  ['system-usage', '/system/usage', 'engineering', operator],
  ['usage-prices', '/system/usage/prices', 'Edit prices', operator],
  ['system-utilization', '/system/utilization', 'engineering', operator],
  ['system-utilization-metrics', '/system/utilization?tab=metrics', 'All silos', operator],
  ['system-update', '/system/update', 'Trust roots', operator],
  ['system-utilization-capacity', '/system/utilization?tab=capacity', 'What still fits', operator],
  ['system-overview', '/system/overview', 'does not answer', operator],
  ['issues', '/system/issues', 'does not answer', operator],
  ['alerts-active', '/system/alerts/active', 'does not answer', operator],
  ['alerts-ended', '/system/alerts/ended', 'No ended alerts', operator],
  ['alert-receivers', '/system/alerts/receivers', 'on-call', operator],
  ['alert-receiver-create', '/system/alerts/receivers-new', 'Matches', operator],
  ['alert-receiver', '/system/alerts/receivers/on-call', 'Secrets', operator],
  ['email-receiver', '/system/alerts/receivers/operators', 'Alerts wait', operator],
  ['address-lots', '/system/networking/address-lots', 'Infrastructure', operator],
  ['address-lot-create', '/system/networking/address-lots-new', 'No blocks yet', operator],
  ['address-lot', '/system/networking/address-lots/rack-infrastructure', 'Add block', operator],
  ['loopback-addresses', '/system/networking/loopback-addresses', 'switch0', operator],
  ['loopback-address-create', '/system/networking/loopback-addresses-new', 'Anycast', operator],
  ['port-settings', '/system/networking/port-settings', 'uplink-0', operator],
  ['port-settings-create', '/system/networking/port-settings-new', 'Add link', operator],
  ['port-settings-page', '/system/networking/port-settings/uplink-0', 'BGP peers', operator],
  ['port-settings-edit', '/system/networking/port-settings/uplink-0/edit', 'Add link', operator],
  ['bgp', '/system/networking/bgp', 'New announce set', operator],
  ['bfd', '/system/networking/bfd', 'New BFD session', operator],
  ['allowed-sources', '/system/networking/allowed-sources', 'Any address', operator],
  ['backup', '/system/backup', 'No backups by schedule', operator],
  ['support-bundles', '/system/support-bundles', 'active', operator],
  ['audit-log', '/system/audit-log', 'Live tail', operator],
  ['profile', '/settings/profile', 'hanna-okafor'],
  ['second-factor', '/settings/second-factor', 'Add passkey'],
  ['password', '/settings/password', 'Repeat new password'],
  ['device-verify', '/device/verify', 'Device Authentication'],
  ['device-success', '/device/success', 'Device logged in'],
  ['silos', '/system/silos', 'engineering', operator],
  ['silo-create', '/system/silos-new', 'Create silo', operator],
  ['silo-quotas', '/system/silos/engineering/quotas', 'Storage', operator],
  ['silo-quotas-edit', '/system/silos/engineering/quotas/edit', 'Edit quotas', operator],
  ['silo-edit', '/system/silos/engineering/edit', 'Edit silo', operator],
  ['silo-machine-sizes', '/system/silos/research/machine-sizes', 'simulation', operator],
  ['silo-ip-pools', '/system/silos/engineering/ip-pools', 'public-v4', operator],
  ['silo-fleet-roles', '/system/silos/engineering/fleet-roles', 'fleet', operator],
  ['silo-access-of-fleet', '/system/silos/engineering/access', 'joel-lindqvist', operator],
  ['silo-access-of-fleet-create', '/system/silos/engineering/access-new', 'Add user or group', operator],
  [
    'silo-who-can-of-fleet',
    '/system/silos/engineering/access/who-can?operation=silo_policy_update',
    'hanna-okafor',
    operator,
  ],
  ['silo-users-of-fleet', '/system/silos/engineering/users', 'hanna-okafor', operator],
  ['silo-groups-of-fleet', '/system/silos/engineering/groups', 'platform-team', operator],
  ['silo-service-accounts-of-fleet', '/system/silos/engineering/service-accounts', 'wallboard', operator],
  [
    'silo-service-account-of-fleet',
    '/system/silos/engineering/service-accounts/wallboard',
    'hallway',
    operator,
  ],
  ['silo-idps-off', '/system/silos/engineering/idps', 'sign in with passwords', operator],
  ['silo-idps', '/system/silos/manufacturing/idps', 'corporate', operator],
  ['silo-idp-create', '/system/silos/manufacturing/idps-new', 'Create provider', operator],
  ['silo-idp', '/system/silos/manufacturing/idps/saml/corporate', 'Sign-on address', operator],
  ['silo-idp-edit', '/system/silos/manufacturing/idps/saml/corporate/edit', 'Update provider', operator],
  ['silo-idp-oidc-create', '/system/silos/manufacturing/idps-new/oidc', 'Create provider', operator],
  ['silo-idp-oidc', '/system/silos/manufacturing/idps/oidc/partners', 'Sign-on address', operator],
  [
    'silo-idp-test',
    '/system/silos/manufacturing/idps/tests/7f3a9e2c-0000-4000-8000-000000000000',
    'kept for ten minutes',
    operator,
  ],
  ['silo-idp-oidc-edit', '/system/silos/manufacturing/idps/oidc/partners/edit', 'Update provider', operator],
  ['silo-scim-off', '/system/silos/engineering/scim', 'not managed by SCIM', operator],
  ['silo-scim', '/system/silos/manufacturing/scim', 'Never', operator],
  ['inventory-sleds', `${inventory}/sleds`, 'PRS26140017', operator],
  ['inventory-disks', `${inventory}/disks`, 'AS-N3200E', operator],
  ['inventory-racks', `${inventory}/racks`, 'PRR26110003', operator],
  ['inventory-switches', `${inventory}/switches`, 'PRW26120040', operator],
  ['inventory-hosts', `${inventory}/hosts`, 'No hosts have joined', operator],
  ['sled-instances', `${sled}/instances`, /vCPU|No instances found/, operator],
  ['sled-disks', `${sled}/disks`, 'AS8F314237DE', operator],
  ['sled-metrics', `${sled}/metrics`, 'Memory', operator],
  ['sled-host', `${sled}/host`, 'net1', operator],
  ['sled-maintenance', `${sled}/maintenance`, 'Start maintenance', operator],
  [
    'physical-disk',
    `${inventory}/disks/8f314237-dec7-8be0-8f08-e10d38f792c7`,
    'Instances on its sled',
    operator,
  ],
  ['rack', `${inventory}/racks/1ed5a606-8be8-8220-91f8-a62de400858e`, 'PRS26140017', operator],
  ['switch', aSwitch, 'qsfp7', operator],
  ['switch-port', `${aSwitch}/ports/qsfp0`, 'Temperature', operator],
  ['ip-pools', pools, 'public-v4', operator],
  ['ip-pool-create', `${pools}-new`, 'Create IP pool', operator],
  ['ip-pool', `${pools}/office`, '10.90.4.10', operator],
  ['ip-pool-silos', `${pools}/office?tab=silos`, 'engineering', operator],
  ['ip-pool-edit', `${pools}/office/edit`, 'Update IP pool', operator],
  ['ip-range-add', `${pools}/office/ranges-add`, 'Add IP range', operator],
  ['service-ip-pool', '/system/networking/service-ip-pool', 'IP ranges', operator],
  ['service-ip-range-add', '/system/networking/service-ip-pool/ranges-add', 'Add IP range', operator],
  ['not-found', '/no-such-page', 'Page not found'],
]

/** Screens that differ between runs: a certificate is created for each. */
const everChanging: readonly Screen[] = [
  ['certificate', '/certificates/console-next/edit', 'View certificate'],
]

/** All screens: each is audited for accessibility. */
export const screens = [...otherScreens, ...everChanging, ...keysOf(plainSections).flatMap(screensOf)]
/** Screens in another state: without a server that answers. */
const states: readonly Screen[] = [['server-away', `${telemetry}/instances`, 'The server does not answer']]
/** Those with a picture in docs/screens. */
export const pictured = [...otherScreens, ...plainPictures, ...states]

/** Those with a picture in forced colours, such as the high contrast of Windows, with some rows selected. */
export const inForcedColours = otherScreens
  .filter(([name]) => ['instances', 'instance-create'].includes(name))
  .map(([name, ...screen]) => [`${name}-forced-colours`, ...screen] as const)

/** The panel of activity over a page, which is opened by a button. */
export const activityPanel = 'activity'

const idOfWorld = 'has an id in it that is known only in the world that it is from'

/** Addresses of the console without a separate screen, and why. */
export const withoutScreen: Record<string, string> = {
  '/login': 'leads to the page of the silo',
  '/lookup/i/$instance': 'leads to the instance',
  '/lookup/instances/$instance': 'leads to the instance',
  '/lookup/$resource': idOfWorld,
  '/system/access/identities/$identity': idOfWorld,
  '/images/$image/edit': 'leads to the image',
  '/projects/$project/images/$image/edit': 'leads to the image',
  '/projects/$project/access/$identity/edit': idOfWorld,
  '/access/$identity/edit': idOfWorld,
  '/access/tokens': 'leads to the settings of signing in',
  '/access/users/$user': idOfWorld,
  '/access/groups/$group': idOfWorld,
  '/system/silos/$silo/groups/$group': idOfWorld,
  '/system/access/$identity/edit': idOfWorld,
  '/system/silos/$silo/access/$identity/edit': idOfWorld,
}

/** When the world of the screenshots begins, for its server, and when its pictures are taken, for the browser. */
export const startOfWorld = Date.UTC(2026, 4, 4, 9, 30)
/** Late enough for every machine to have been running for minutes rather than seconds. */
export const momentOfPictures = startOfWorld + 110_000

/** Milliseconds in which the machines of the demonstration have started, on a busy computer too. */
export const runningAfter = 20_000

/** How a picture is stored: in a third of the bytes that a lossless one takes. */
export const picture = { type: 'webp', quality: 80, animations: 'disabled' } as const

/**
 * The threshold of a visible difference: more than a few pixels whose colour, as people perceive it, is off by more
 * than a fifth. Pixels that only smooth an edge are ignored.
 */
export const visible = { threshold: 0.2, maxDiffPixels: 12 }
