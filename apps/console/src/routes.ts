/** The map of all addresses: which file shows what where. The build and the type check read it. */
import { keysOf } from '@purlin/contract/rules/keys'
import { index, layout, rootRoute, route, type VirtualRouteNode } from '@tanstack/virtual-file-routes'
import { kinds, scopeOf } from '@purlin/contract/rules/kinds'
import { plainSections, type SectionScope } from './lib/addresses.ts'

/**
 * A list is the layout around its rows' panels and forms, whose addresses do not all begin with its own. That address
 * needs no file: shell/listAddresses.ts makes the route from the id of the layout.
 */
const list = (path: `/${string}`, file: string, children: VirtualRouteNode[]) =>
  layout(`_${path.slice(1)}`, file, children)

interface PlainList {
  folder: string
  /** The parameter that names a row. */
  one: string
  forms?: readonly ('create' | 'edit' | 'clone')[]
}

/** A list with the forms of a new row and of each row over it. */
const plainListAt = (path: string, { folder, one, forms = ['create', 'edit'] }: PlainList) =>
  list(`/${path}`, `features/${folder}/list.tsx`, [
    ...(forms.includes('edit') ? [route(`/${path}/$${one}/edit`, `features/${folder}/edit.tsx`)] : []),
    ...(forms.includes('create') ? [route(`/${path}-new`, `features/${folder}/create.tsx`)] : []),
    ...(forms.includes('clone') ? [route(`/${path}-new/$${one}`, `features/${folder}/clone.tsx`)] : []),
  ])

/** The same with its files in the folder of its path. */
const plainList = (path: string, one: string) => plainListAt(path, { folder: path, one })

/** The plain sections of a scope. */
const plainIn = (scope: SectionScope) =>
  keysOf(plainSections)
    .filter((kind) => scopeOf(kind) === scope)
    .map((kind) => {
      const { path, forms } = plainSections[kind]
      return plainListAt(path, { folder: path, one: kinds[kind].field, forms })
    })

const instance = [
  index('features/instances/home.tsx'),
  layout('_page', 'features/instances/detail.tsx', [
    route('/storage', 'features/instances/storage.tsx'),
    route('/snapshots', 'features/instances/snapshots/page.tsx'),
    route('/networking', 'features/instances/networking/page.tsx'),
    route('/connect', 'features/instances/connect.tsx'),
    route('/settings', 'features/instances/settings.tsx'),
    route('/activity', 'features/instances/activity.tsx'),
    route('/metrics', 'features/instances/metrics/page.tsx', [
      index('features/instances/metrics/home.tsx'),
      route('/cpu', 'features/instances/metrics/cpu.tsx'),
      route('/disk', 'features/instances/metrics/disk.tsx'),
      route('/network', 'features/instances/metrics/network.tsx'),
    ]),
  ]),
  route('/serial-console', 'features/instances/serial-console/page.tsx'),
  route('/screen', 'features/instances/screen/page.tsx'),
]

/** The tabs of a VPC's page: lists, each with its forms, and a picture. */
const vpcTabs = [
  list('/firewall-rules', 'features/firewall-rules/list.tsx', [
    route('/firewall-rules/$rule/edit', 'features/firewall-rules/edit.tsx'),
    route('/firewall-rules-new', 'features/firewall-rules/create.tsx'),
    route('/firewall-rules-new/$rule', 'features/firewall-rules/clone.tsx'),
    route('/edit', 'features/vpcs/edit.tsx'),
  ]),
  list('/subnets', 'features/vpc-subnets/list.tsx', [
    route('/subnets/$subnet/edit', 'features/vpc-subnets/edit.tsx'),
    route('/subnets-new', 'features/vpc-subnets/create.tsx'),
  ]),
  list('/routers', 'features/vpc-routers/list.tsx', [
    route('/routers/$router/edit', 'features/vpc-routers/edit.tsx'),
    route('/routers-new', 'features/vpc-routers/create.tsx'),
  ]),
  list('/internet-gateways', 'features/internet-gateways/list.tsx', [
    route('/internet-gateways/$gateway', 'features/internet-gateways/detail.tsx'),
    route('/internet-gateways-new', 'features/internet-gateways/create.tsx'),
  ]),
  route('/topology', 'features/vpc-topology/page.tsx'),
  route('/trace', 'features/vpc-trace/page.tsx'),
  route('/activity', 'features/vpcs/activity.tsx'),
]

/** The pages of a VPC that are not tabs. */
const vpcPages = [
  layout('_router-pages', 'features/vpc-routers/crumb.tsx', [
    route('/routers/$router', 'features/vpc-routers/page.tsx', [
      layout('_routes', 'features/vpc-routers/routes.tsx', [
        index('features/vpc-routers/home.tsx'),
        route('/routes/$route/edit', 'features/vpc-routers/route-edit.tsx'),
        route('/routes-new', 'features/vpc-routers/route-create.tsx'),
      ]),
    ]),
  ]),
]

const project = [
  index('features/projects/home.tsx'),
  route('/overview', 'features/projects/overview.tsx'),
  route('/clean-up', [index('features/clean-up/home.tsx'), route('/$unused', 'features/clean-up/page.tsx')]),
  route('/instances-new', 'features/instances/create/page.tsx'),
  route('/instances-new/$instance', 'features/instances/clone.tsx'),
  route('/instances', 'features/instances/crumb.tsx', [
    index('features/instances/list.tsx'),
    route('/$instance', 'features/instances/instance.tsx', instance),
  ]),
  list('/disks', 'features/disks/list.tsx', [
    route('/disks/$disk', 'features/disks/detail.tsx'),
    route('/disks-new', 'features/disks/create.tsx'),
    route('/disks-new/$disk', 'features/disks/clone.tsx'),
  ]),
  list('/snapshots', 'features/snapshots/list.tsx', [
    route('/snapshots/$snapshot', 'features/snapshots/detail.tsx'),
    route('/snapshots/$snapshot/images-new', 'features/snapshots/image-create.tsx'),
    route('/snapshots-new', 'features/snapshots/create.tsx'),
  ]),
  list('/images', 'features/images/list.tsx', [
    route('/images/$image', 'features/images/detail.tsx'),
    route('/images/$image/edit', 'features/images/edit.tsx'),
    route('/images-new', 'features/images/create.tsx'),
    route('/images-import', 'features/images/import/page.tsx'),
  ]),
  ...plainIn('project'),
  layout('_vpc-pages', 'features/vpcs/crumb.tsx', [
    list('/vpcs', 'features/vpcs/list.tsx', [route('/vpcs-new', 'features/vpcs/create.tsx')]),
    route('/vpcs/$vpc', 'features/vpcs/vpc.tsx', [
      index('features/vpcs/home.tsx'),
      layout('_page', 'features/vpcs/detail.tsx', vpcTabs),
      ...vpcPages,
    ]),
  ]),
  layout('_affinity-groups', 'features/affinity-groups/crumb.tsx', [
    list('/affinity', 'features/affinity-groups/list.tsx', [
      route('/affinity-new', 'features/affinity-groups/create.tsx'),
    ]),
    route('/affinity/$antiAffinityGroup', 'features/affinity-groups/detail.tsx', [
      route('/edit', 'features/affinity-groups/edit.tsx'),
    ]),
  ]),
  list('/probes', 'features/probes/list.tsx', [
    route('/probes/$probe', 'features/probes/detail.tsx'),
    route('/probes-new', 'features/probes/create.tsx'),
  ]),
  plainList('access', 'identity'),
  route('/access/who-can', 'features/access/questions/of-project.tsx'),
  route('/usage', 'features/usage/project.tsx'),
  route('/activity', 'features/projects/activity.tsx'),
]

const silo = [
  ...plainIn('silo'),
  route('/instances', 'features/instances/silo-list.tsx'),
  list('/images', 'features/images/silo-list.tsx', [
    route('/images/$image', 'features/images/silo-detail.tsx'),
    route('/images/$image/edit', 'features/images/silo-edit.tsx'),
  ]),
  route('/utilization', 'features/utilization/silo.tsx'),
  route('/usage', 'features/usage/silo.tsx'),
  route('/tasks', 'features/activity/page.tsx'),
  layout('_access-tabs', 'features/access/silo.tsx', [
    plainListAt('access', { folder: 'access/silo-policy', one: 'identity' }),
    route('/access/users', 'features/access/users.tsx'),
    route('/access/groups', 'features/access/groups.tsx'),
    route('/access/service-accounts', 'features/access/service-accounts/list.tsx'),
    route('/access/sign-in', 'features/access/sign-in.tsx'),
    route('/access/audit-log', 'features/audit-log/silo.tsx'),
    plainList('certificates', 'certificate'),
  ]),
  route('/access/tokens', 'features/access/tokens/moved.tsx'),
  route('/access/who-can', 'features/access/questions/of-silo.tsx'),
  route('/access/users/$user', 'features/access/user.tsx'),
  route('/access/groups/$group', 'features/access/group.tsx'),
  route('/access/service-accounts/$account', 'features/access/service-accounts/detail.tsx'),
  route('/lookup/$resource', 'features/look-up/page.tsx'),
  route('/lookup/i/$instance', 'features/instances/lookup-short.tsx'),
  route('/lookup/instances/$instance', 'features/instances/lookup-long.tsx'),
]

/** The hardware: its lists are tabs, and each thing has a page. */
const inventory = [
  index('features/hardware/home.tsx'),
  layout('_tabs', 'features/hardware/tabs.tsx', [
    route('/sleds', 'features/hardware/sleds/list.tsx'),
    route('/disks', 'features/hardware/disks/list.tsx'),
    route('/racks', 'features/hardware/racks/list.tsx'),
    route('/switches', 'features/hardware/switches/list.tsx'),
    route('/hosts', 'features/hardware/hosts/list.tsx'),
  ]),
  layout('_sled-pages', 'features/hardware/sleds/crumb.tsx', [
    route('/sleds/$sledId', 'features/hardware/sleds/page.tsx', [
      index('features/hardware/sleds/home.tsx'),
      route('/instances', 'features/hardware/sleds/instances.tsx'),
      route('/disks', 'features/hardware/sleds/disks.tsx'),
      route('/metrics', 'features/hardware/sleds/metrics.tsx'),
      route('/host', 'features/hardware/sleds/host.tsx'),
      route('/maintenance', 'features/hardware/sleds/maintenance.tsx'),
    ]),
  ]),
  layout('_disk-pages', 'features/hardware/disks/crumb.tsx', [
    route('/disks/$diskId', 'features/hardware/disks/page.tsx'),
  ]),
  layout('_rack-pages', 'features/hardware/racks/crumb.tsx', [
    route('/racks/$rackId', 'features/hardware/racks/page.tsx'),
  ]),
  layout('_switch-pages', 'features/hardware/switches/crumb.tsx', [
    route('/switches/$switchId', 'features/hardware/switches/switch.tsx', [
      index('features/hardware/switches/page.tsx'),
      route('/ports/$port', 'features/hardware/switches/port.tsx'),
    ]),
  ]),
]

/** The network outside of the racks. */
const network = [
  layout('_tabs', 'features/network/tabs.tsx', [
    list('/address-lots', 'features/network/lots/list.tsx', [
      route('/address-lots-new', 'features/network/lots/create.tsx'),
    ]),
    list('/loopback-addresses', 'features/network/loopbacks/list.tsx', [
      route('/loopback-addresses-new', 'features/network/loopbacks/create.tsx'),
    ]),
    list('/port-settings', 'features/network/settings/list.tsx', []),
    route('/bgp', 'features/network/bgp/page.tsx'),
    route('/bfd', 'features/network/bfd/page.tsx'),
    route('/allowed-sources', 'features/network/sources/page.tsx'),
  ]),
  route('/address-lots/$addressLot', 'features/network/lots/page.tsx'),
  route('/port-settings-new', 'features/network/settings/create.tsx'),
  route('/port-settings/$switchPortSettings', 'features/network/settings/page.tsx'),
  route('/port-settings/$switchPortSettings/edit', 'features/network/settings/edit.tsx'),
]

/** The alerts now and before, and their receivers, each with a page. */
const alerts = [
  index('features/alerts/home.tsx'),
  layout('_tabs', 'features/alerts/tabs.tsx', [
    route('/active', 'features/alerts/active.tsx'),
    route('/ended', 'features/alerts/ended.tsx'),
    list('/receivers', 'features/alerts/receivers/list.tsx', [
      route('/receivers-new', 'features/alerts/receivers/create.tsx'),
    ]),
  ]),
  layout('_receiver-pages', 'features/alerts/receivers/crumb.tsx', [
    route('/receivers/$receiver', 'features/alerts/receivers/page.tsx'),
  ]),
]

const system = [
  index('features/system/home.tsx'),
  route('/overview', 'features/system/overview.tsx'),
  ...plainIn('fleet'),
  layout('_silo-pages', 'features/silos/crumb.tsx', [
    list('/silos', 'features/silos/list.tsx', [route('/silos-new', 'features/silos/create.tsx')]),
    route('/silos/$silo/access/who-can', 'features/access/questions/of-other-silo.tsx'),
    route('/silos/$silo', 'features/silos/detail.tsx', [
      index('features/silos/home.tsx'),
      route('/edit', 'features/silos/edit.tsx'),
      route('/quotas', 'features/silos/quotas.tsx', [route('/edit', 'features/silos/quotas-edit.tsx')]),
      list('/idps', 'features/identity-providers/list.tsx', [
        route('/idps-new', 'features/identity-providers/create.tsx'),
        route('/idps-new/oidc', 'features/identity-providers/oidc/create.tsx'),
        route('/idps/saml/$provider', 'features/identity-providers/view.tsx'),
        route('/idps/saml/$provider/edit', 'features/identity-providers/edit.tsx'),
        route('/idps/oidc/$provider', 'features/identity-providers/oidc/view.tsx'),
        route('/idps/oidc/$provider/edit', 'features/identity-providers/oidc/edit.tsx'),
        route('/idps/tests/$test', 'features/identity-providers/test/view.tsx'),
      ]),
      route('/ip-pools', 'features/silos/ip-pools.tsx'),
      route('/machine-sizes', 'features/machine-sizes/of-silo.tsx'),
      route('/fleet-roles', 'features/silos/fleet-roles.tsx'),
      plainListAt('access', { folder: 'access/other-silo', one: 'identity' }),
      route('/users', 'features/silos/users.tsx'),
      route('/groups', 'features/silos/groups.tsx'),
      route('/groups/$group', 'features/silos/group.tsx'),
      route('/service-accounts', 'features/silos/service-accounts.tsx'),
      route('/service-accounts/$account', 'features/silos/service-account.tsx'),
      route('/scim', 'features/silos/scim.tsx'),
    ]),
  ]),
  plainListAt('access', { folder: 'access/fleet-policy', one: 'identity' }),
  route('/utilization', 'features/utilization/system.tsx'),
  route('/usage', 'features/usage/system.tsx', [route('/prices', 'features/usage/prices.tsx')]),
  route('/issues', 'features/issues/page.tsx'),
  route('/alerts', 'features/alerts/crumb.tsx', alerts),
  route('/inventory', 'features/hardware/crumb.tsx', inventory),
  route('/update', 'features/update/page.tsx'),
  route('/backup', 'features/backup/page.tsx'),
  list('/support-bundles', 'features/support-bundles/list.tsx', []),
  route('/access/who-can', 'features/access/questions/of-fleet.tsx'),
  route('/access/identities/$identity', 'features/access/fleet-policy/identity.tsx'),
  route('/audit-log', 'features/audit-log/page.tsx'),
  route('/networking', [
    index('features/system/networking/home.tsx'),
    layout('_network', 'features/network/crumb.tsx', network),
    layout('_pools', 'features/ip-pools/crumb.tsx', [
      list('/ip-pools', 'features/ip-pools/list.tsx', [
        route('/ip-pools-new', 'features/ip-pools/create.tsx'),
      ]),
      route('/service-ip-pool', 'features/ip-pools/of-control-plane.tsx', [
        route('/ranges-add', 'features/ip-pools/of-control-plane-range-add.tsx'),
      ]),
      route('/ip-pools/$pool', 'features/ip-pools/detail.tsx', [
        route('/edit', 'features/ip-pools/edit.tsx'),
        route('/ranges-add', 'features/ip-pools/range-add.tsx'),
      ]),
    ]),
  ]),
]

const settings = [
  index('features/settings/home.tsx'),
  route('/profile', 'features/settings/profile.tsx'),
  route('/second-factor', 'features/second-factor/page.tsx'),
  route('/password', 'features/settings/password.tsx'),
  ...plainIn('siloUser'),
]

export const routes = rootRoute('shell/root.tsx', [
  index('shell/home.tsx'),
  route('/login', [
    index('features/sign-in/choose.tsx'),
    // The page of a silo is no frame around the others.
    route('/$silo', [
      index('features/sign-in/silo.tsx'),
      route('/local', 'features/sign-in/local.tsx'),
      route('/done', 'features/sign-in/done.tsx'),
      route('/saml/$provider', 'features/sign-in/saml.tsx'),
      route('/oidc/$provider', 'features/sign-in/oidc.tsx'),
    ]),
  ]),
  route('/device', [
    route('/verify', 'features/device/verify.tsx'),
    route('/success', 'features/device/success.tsx'),
  ]),
  layout('_auth', 'shell/auth.tsx', [
    layout('_silo', 'shell/silo.tsx', silo),
    route('/projects/$project', 'features/projects/frame.tsx', [
      layout('_in', 'features/projects/crumb.tsx', project),
    ]),
    route('/settings', 'features/settings/frame.tsx', settings),
    route('/system', 'features/system/frame.tsx', system),
  ]),
])
