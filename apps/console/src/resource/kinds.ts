/** The kinds of resources as screens list, show, delete and link to them. Their names are the contract's. */
import {
  antiAffinityGroupCreate,
  antiAffinityGroupDelete,
  antiAffinityGroupList,
  antiAffinityGroupMemberList,
  antiAffinityGroupUpdate,
  antiAffinityGroupView,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/instances/affinity-groups'
import * as certificates from '@purlin/contract/operations/silos/certificates'
import {
  currentUserAccessTokenDelete,
  currentUserAccessTokenList,
} from '@purlin/contract/operations/access/access-tokens'
import { diskCreate, diskDelete, diskList, diskView } from '@purlin/contract/operations/storage/disks'
import { instanceExternalIpList } from '@purlin/contract/operations/addresses/external-ips'
import {
  floatingIpCreate,
  floatingIpDelete,
  floatingIpList,
  floatingIpUpdate,
  floatingIpView,
} from '@purlin/contract/operations/addresses/floating-ips'
import { imageCreate, imageDelete, imageList, imageView } from '@purlin/contract/operations/storage/images'
import {
  instanceCreate,
  instanceDelete,
  instanceList,
  instanceListOfSilo,
  instanceView,
  instanceDiskList,
} from '@purlin/contract/operations/instances/instances'
import {
  machineSizeCreate,
  machineSizeDelete,
  machineSizeList,
  machineSizeUpdate,
  machineSizeView,
  offeredMachineSizeList,
} from '@purlin/contract/operations/instances/machine-sizes'
import {
  projectCreate,
  projectDelete,
  projectList,
  projectUpdate,
  projectView,
} from '@purlin/contract/operations/projects/projects'
import {
  snapshotCreate,
  snapshotDelete,
  snapshotList,
  snapshotView,
} from '@purlin/contract/operations/storage/snapshots'
import {
  currentUserSshKeyCreate,
  currentUserSshKeyDelete,
  currentUserSshKeyList,
  currentUserSshKeyView,
} from '@purlin/contract/operations/access/ssh-keys'
import {
  ipPoolCreate,
  ipPoolDelete,
  ipPoolList,
  ipPoolUpdate,
  ipPoolView,
} from '@purlin/contract/operations/addresses/system-ip-pools'
import {
  siloCreate,
  siloDelete,
  siloList,
  siloUpdate,
  siloView,
} from '@purlin/contract/operations/silos/system-silos'
import {
  internetGatewayCreate,
  internetGatewayDelete,
  internetGatewayList,
  internetGatewayView,
} from '@purlin/contract/operations/vpcs/internet-gateways'
import {
  scheduleCreate,
  scheduleDelete,
  scheduleList,
  scheduleUpdate,
  scheduleView,
} from '@purlin/contract/operations/schedules/schedules'
import {
  userDataTemplateCreate,
  userDataTemplateDelete,
  userDataTemplateList,
  userDataTemplateUpdate,
  userDataTemplateView,
} from '@purlin/contract/operations/user-data/templates'
import { vpcEffects } from '@purlin/contract/operations/vpcs/vpc-effects'
import * as routers from '@purlin/contract/operations/vpcs/vpc-routers'
import {
  vpcSubnetCreate,
  vpcSubnetDelete,
  vpcSubnetList,
  vpcSubnetUpdate,
  vpcSubnetView,
} from '@purlin/contract/operations/vpcs/vpc-subnets'
import { vpcCreate, vpcDelete, vpcList, vpcUpdate, vpcView } from '@purlin/contract/operations/vpcs/vpcs'
import Building2 from 'lucide-react/icons/building-2'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Camera from 'lucide-react/icons/camera'
import DoorOpen from 'lucide-react/icons/door-open'
import FileCode from 'lucide-react/icons/file-code'
import Folder from 'lucide-react/icons/folder'
import Globe from 'lucide-react/icons/globe'
import HardDrive from 'lucide-react/icons/hard-drive'
import Images from 'lucide-react/icons/images'
import KeyRound from 'lucide-react/icons/key-round'
import KeySquare from 'lucide-react/icons/key-square'
import Network from 'lucide-react/icons/network'
import Router from 'lucide-react/icons/router'
import Scaling from 'lucide-react/icons/scaling'
import Server from 'lucide-react/icons/server'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Signpost from 'lucide-react/icons/signpost'
import Split from 'lucide-react/icons/split'
import Ungroup from 'lucide-react/icons/ungroup'
import Waypoints from 'lucide-react/icons/waypoints'
import { kinds as contractKinds, scopeOf, type ChildOf, type KindWith } from '@purlin/contract/rules/kinds'
import { plainSections, type SectionScope } from '#/lib/addresses.ts'
import { kind, type Kind } from './kind.ts'

/** Kinds of a project without screens, or whose screens are for operators. */
type Unseen = 'affinityGroup' | 'imageImport' | 'probe'

/** In the order of the sidebar. */
export const kinds = {
  project: kind({
    name: 'project',
    title: 'Projects',
    icon: Folder,
    list: projectList,
    view: projectView,
    create: projectCreate,
    update: projectUpdate,
    remove: projectDelete,
  }),
  instance: kind({
    name: 'instance',
    title: 'Instances',
    icon: Server,
    list: instanceList,
    view: instanceView,
    create: instanceCreate,
    remove: instanceDelete,
    // Attached disks and addresses are free once their instance is gone.
    related: [instanceListOfSilo, diskList, floatingIpList, antiAffinityGroupMemberList],
  }),
  disk: kind({
    name: 'disk',
    title: 'Disks',
    icon: HardDrive,
    list: diskList,
    view: diskView,
    create: diskCreate,
    remove: diskDelete,
    related: [diskView, instanceDiskList],
  }),
  snapshot: kind({
    name: 'snapshot',
    title: 'Snapshots',
    icon: Camera,
    list: snapshotList,
    view: snapshotView,
    create: snapshotCreate,
    remove: snapshotDelete,
  }),
  image: kind({
    name: 'image',
    title: 'Images',
    icon: Images,
    list: imageList,
    view: imageView,
    create: imageCreate,
    remove: imageDelete,
  }),
  floatingIp: kind({
    name: 'floatingIp',
    title: 'Floating IPs',
    icon: Globe,
    list: floatingIpList,
    view: floatingIpView,
    create: floatingIpCreate,
    update: floatingIpUpdate,
    remove: floatingIpDelete,
    related: [instanceExternalIpList, instanceList, instanceListOfSilo],
  }),
  vpc: kind({
    name: 'vpc',
    title: 'VPCs',
    icon: Network,
    list: vpcList,
    view: vpcView,
    create: vpcCreate,
    update: vpcUpdate,
    remove: vpcDelete,
  }),
  vpcSubnet: kind({
    name: 'vpcSubnet',
    title: 'Subnets',
    icon: Ungroup,
    list: vpcSubnetList,
    view: vpcSubnetView,
    create: vpcSubnetCreate,
    update: vpcSubnetUpdate,
    remove: vpcSubnetDelete,
    // A subnet has a route in the system router.
    related: [routers.vpcRouterRouteList, vpcEffects],
  }),
  vpcRouter: kind({
    name: 'vpcRouter',
    title: 'Routers',
    icon: Router,
    list: routers.vpcRouterList,
    view: routers.vpcRouterView,
    create: routers.vpcRouterCreate,
    update: routers.vpcRouterUpdate,
    remove: routers.vpcRouterDelete,
    // Subnets have no custom router once it is gone.
    related: [routers.vpcRouterView, vpcSubnetList, internetGatewayList, vpcEffects],
  }),
  vpcRouterRoute: kind({
    name: 'vpcRouterRoute',
    title: 'Routes',
    icon: Signpost,
    list: routers.vpcRouterRouteList,
    view: routers.vpcRouterRouteView,
    create: routers.vpcRouterRouteCreate,
    update: routers.vpcRouterRouteUpdate,
    remove: routers.vpcRouterRouteDelete,
    // A gateway's row counts the routes to it.
    related: [internetGatewayList, vpcEffects],
  }),
  internetGateway: kind({
    name: 'internetGateway',
    title: 'Internet Gateways',
    icon: DoorOpen,
    list: internetGatewayList,
    view: internetGatewayView,
    create: internetGatewayCreate,
    remove: internetGatewayDelete,
    related: [routers.vpcRouterRouteList, vpcEffects],
  }),
  antiAffinityGroup: kind({
    name: 'antiAffinityGroup',
    title: 'Affinity Groups',
    icon: Split,
    list: antiAffinityGroupList,
    view: antiAffinityGroupView,
    create: antiAffinityGroupCreate,
    update: antiAffinityGroupUpdate,
    remove: antiAffinityGroupDelete,
    related: [instanceAntiAffinityGroupList],
  }),
  schedule: kind({
    name: 'schedule',
    title: 'Schedules',
    icon: CalendarClock,
    list: scheduleList,
    view: scheduleView,
    create: scheduleCreate,
    update: scheduleUpdate,
    remove: scheduleDelete,
  }),
  userDataTemplate: kind({
    name: 'userDataTemplate',
    title: 'User Data Templates',
    icon: FileCode,
    list: userDataTemplateList,
    view: userDataTemplateView,
    create: userDataTemplateCreate,
    update: userDataTemplateUpdate,
    remove: userDataTemplateDelete,
  }),
  sshKey: kind({
    name: 'sshKey',
    title: 'SSH Keys',
    icon: KeyRound,
    list: currentUserSshKeyList,
    view: currentUserSshKeyView,
    create: currentUserSshKeyCreate,
    remove: currentUserSshKeyDelete,
  }),
  accessToken: kind({
    name: 'accessToken',
    title: 'Access Tokens',
    icon: KeySquare,
    labelOf: ({ id, name }) => name ?? id,
    list: currentUserAccessTokenList,
    remove: currentUserAccessTokenDelete,
  }),
  certificate: kind({
    name: 'certificate',
    title: 'Certificates',
    icon: ShieldCheck,
    list: certificates.certificateList,
    view: certificates.certificateView,
    create: certificates.certificateCreate,
    remove: certificates.certificateDelete,
  }),
  ipPool: kind({
    name: 'ipPool',
    title: 'IP Pools',
    icon: Waypoints,
    list: ipPoolList,
    view: ipPoolView,
    create: ipPoolCreate,
    update: ipPoolUpdate,
    remove: ipPoolDelete,
  }),
  machineSize: kind({
    name: 'machineSize',
    title: 'Machine Sizes',
    icon: Scaling,
    list: machineSizeList,
    view: machineSizeView,
    create: machineSizeCreate,
    update: machineSizeUpdate,
    remove: machineSizeDelete,
    related: [offeredMachineSizeList],
  }),
  silo: kind({
    name: 'silo',
    title: 'Silos',
    icon: Building2,
    list: siloList,
    view: siloView,
    create: siloCreate,
    update: siloUpdate,
    remove: siloDelete,
  }),
} satisfies Record<Exclude<ChildOf<'project'>, Unseen> | KindWith<'section'>, Kind> & Record<string, Kind>

/** The kinds whose lists are sections of a project. */
export const sectionsOfProject: readonly Kind[] = Object.values(kinds).filter(
  ({ name }) => contractKinds[name].parent === 'project',
)
/** The kinds with a plain section in a scope. */
export const sectionsOf = (scope: SectionScope): readonly Kind[] =>
  Object.values(kinds).filter(({ name }) => name in plainSections && scopeOf(name) === scope)
