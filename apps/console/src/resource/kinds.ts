/** The kinds of resources as screens list, show, delete and link to them. Their names are the contract's. */
import { roles } from '@purlin/contract/rules/roles'
import type { Schema } from '@purlin/contract/schema'
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
} from '@purlin/contract/operations/instances/instances'
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
import type { Args, OpShape, Result } from '@purlin/contract/op'
import type { LucideIcon } from 'lucide-react'
import Building2 from 'lucide-react/icons/building-2'
import Camera from 'lucide-react/icons/camera'
import DoorOpen from 'lucide-react/icons/door-open'
import Folder from 'lucide-react/icons/folder'
import Globe from 'lucide-react/icons/globe'
import HardDrive from 'lucide-react/icons/hard-drive'
import Images from 'lucide-react/icons/images'
import KeyRound from 'lucide-react/icons/key-round'
import Network from 'lucide-react/icons/network'
import Router from 'lucide-react/icons/router'
import Server from 'lucide-react/icons/server'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Signpost from 'lucide-react/icons/signpost'
import Split from 'lucide-react/icons/split'
import Ungroup from 'lucide-react/icons/ungroup'
import Waypoints from 'lucide-react/icons/waypoints'
import { kinds as contractKinds, type ChildOf, type KindName } from '@purlin/contract/rules/kinds'
import type { Role } from '@purlin/contract/rules/roles'
import { invalidate, query, remember } from '#/api/query.ts'
import { lookUpLimit, type Item, type ListOp } from '#/api/everyPage.ts'
import { sections, type Scope, type Section } from '#/lib/addresses.ts'
import { argsFor } from '#/api/send.ts'

export type { Scope }

/** A resource as all operations of a kind answer with it. */
export interface Named {
  id: string
  name: string
}
/** An operation that answers with a resource. */
export type RowOp = OpShape & { readonly response: Schema<Named, unknown> }
/** A list of resources. */
export type KindList = ListOp<Named>

/** A kind as its list needs it: what can be listed, and perhaps created, changed and deleted. */
export interface ListedKind<L extends KindList = KindList> {
  /** The contract's. */
  name: KindName & keyof typeof sections
  /** 'floating IP' */
  noun: string
  /** The heading of its list, and its entry in the sidebar. */
  title: string
  icon: LucideIcon
  section: Section
  list: L
  create?: OpShape
  /** Of rows that are edited in a form. */
  update?: OpShape | undefined
  remove?: OpShape
  /** Other operations whose results change with a resource of this kind. */
  related?: readonly OpShape[]
}

/** A kind whose resources can be deleted. */
export type DeletableKind<L extends KindList = KindList> = ListedKind<L> & { remove: OpShape }

/** A kind with a page, panel or form of each resource, and a form for a new one. */
export interface Kind<
  L extends KindList = KindList,
  V extends RowOp = RowOp,
  C extends RowOp = RowOp,
  U extends RowOp | undefined = RowOp | undefined,
> extends ListedKind<L> {
  view: V
  create: C
  update: U
  remove: OpShape
}

type Definition<K extends Kind> = Omit<K, 'noun' | 'section' | 'update'> & Partial<Pick<K, 'update'>>

/** Keeps the types of the operations. */
const kind = <L extends KindList, V extends RowOp, C extends RowOp, U extends RowOp | undefined>(
  definition: Definition<Kind<L, V, C, U>>,
): Kind<L, V, C, U> => ({
  noun: contractKinds[definition.name].noun,
  section: sections[definition.name],
  ...definition,
  update: definition.update as U,
})

/** Kinds of a project without screens. */
type Unseen = 'affinityGroup'

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
  sshKey: kind({
    name: 'sshKey',
    title: 'SSH Keys',
    icon: KeyRound,
    list: currentUserSshKeyList,
    view: currentUserSshKeyView,
    create: currentUserSshKeyCreate,
    remove: currentUserSshKeyDelete,
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
} satisfies Record<Exclude<ChildOf<'project'>, Unseen>, Kind> & Record<string, Kind>

/** A kind whose resources others refer to, and which are read one by one. */
export type ViewedKind<V extends RowOp = RowOp> = Pick<Kind<KindList, V>, 'noun' | 'view'> & {
  name: KindName
}
/** Whether resources of a kind belong to a project. */
const isInProject = ({ name }: Pick<Kind, 'name'>) => contractKinds[name].parent === 'project'

/** Where the role counts that operations take: the arguments of `useRole`. */
export type RoleScope = [project?: string | undefined, level?: 'fleet']
export const roleScope = ({ name }: Pick<Kind, 'name'>, { project }: Scope): RoleScope =>
  contractKinds[name].parent === null ? [undefined, 'fleet'] : [project]

/** The kinds whose lists are sections of a project. */
export const sectionsOfProject: readonly Kind[] = Object.values(kinds).filter(isInProject)

const places = ['project', 'vpc', 'vpcRouter', 'internetGateway'] as const
/** The fields that name what a resource of a kind is in, from its project on; none for those of no project. */
function fieldsAbove(name: KindName): (keyof Scope)[] {
  const parent = places.find((place) => place === contractKinds[name].parent)
  return parent ? [...fieldsAbove(parent), contractKinds[parent].field] : []
}

/** The scope of a kind's resources at an address with these parameters. */
export const scopeOf = (of: Pick<Kind, 'name'>, params: Scope): Scope =>
  Object.fromEntries(fieldsAbove(of.name).map((field) => [field, params[field] ?? '']))

/** The part of a scope that requests for a kind's resources name. */
const queryIn = ({ name }: { name: KindName }, scope: Scope): Scope =>
  Object.fromEntries(
    fieldsAbove(name).flatMap((field) => (scope[field] === undefined ? [] : [[field, scope[field]]])),
  )

/** The role that an operation takes in the scope of its resource, if it takes one. */
export const roleFor = ({ allow }: OpShape): Role | undefined =>
  typeof allow === 'string' ? roles.find((role) => allow.endsWith(`.${role}`)) : undefined

/** A row of a kind's list. */
export type Row<K> = K extends Kind<infer L> ? Item<L> : never

/** The arguments of an operation on one resource: by name in its project or silo, or by id alone. */
export function argsOf<O extends OpShape>(
  kind: Pick<ViewedKind, 'name'>,
  op: O,
  { nameOrId, ...scope }: Scope & { nameOrId: string },
): Args<O> {
  const query = op.query ? { query: queryIn(kind, scope) } : {}
  return argsFor(op, { params: { [contractKinds[kind.name].field]: nameOrId }, ...query })
}

/** The query of one resource, by name in its scope or by id alone. */
export const viewQuery = <V extends RowOp>(of: ViewedKind<V>, nameOrId: string, scope: Scope = {}) =>
  query(of.view, argsOf(of, of.view, { ...scope, nameOrId }))

/** The query of as many resources as one answer holds. */
export const lookUpQuery = <L extends KindList>(kind: Pick<Kind<L>, 'name' | 'list'>, scope: Scope) =>
  query(kind.list, argsFor(kind.list, { query: { ...queryIn(kind, scope), limit: lookUpLimit } }))

/** Reloads every query that shows resources of a kind. */
export const reload = ({ list, related = [] }: Pick<ListedKind, 'list' | 'related'>): Promise<unknown> =>
  invalidate(list, ...related)

/** Stores what the server answered about one resource under its name, so that its page opens without waiting. */
export const rememberNamed = <V extends RowOp>(of: Kind<KindList, V>, value: Named, scope: Scope) =>
  // All operations of a kind answer with the same, but each type says so for itself.
  remember(of.view, argsOf(of, of.view, { ...scope, nameOrId: value.name }), value as Result<V>)
