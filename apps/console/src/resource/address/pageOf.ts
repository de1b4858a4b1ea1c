/** Where each kind of resource is shown. */
import type { resourceLookUp } from '@purlin/contract/operations/access/access'
import type { Result } from '@purlin/contract/op'
import { recordOf } from '@purlin/contract/rules/keys'
import {
  isInProject,
  kindOfType,
  kinds,
  kindsWith,
  type KindName,
  type KindWith,
} from '@purlin/contract/rules/kinds'
import { paths, sections, type Scope, type Section } from '#/lib/addresses.ts'

/** A resource, as far as its page needs to know it: what it is in, its name, and its id unless it is only named. */
export interface Shown extends Scope {
  instance?: string | undefined
  name: string
  id?: string | undefined
}

const page =
  ({ view }: Section) =>
  (of: Shown): string =>
    view(of)
/** A row without a page is marked in its list or, without an id, shown by its form if it has one. */
const row =
  ({ list, edit, forms }: Section) =>
  ({ id, ...of }: Shown): string => {
    if (id !== undefined) return `${list(of)}?marked=${encodeURIComponent(id)}`
    return forms.includes('edit') ? edit(of) : list(of)
  }
/** A page of what has no name. */
const pageById =
  ({ view }: Section) =>
  ({ id, name }: Shown): string =>
    view({ name: id ?? name })
const vpc = ({ project = '', vpc: name = '' }: Shown) => ({ project, vpc: name })
const gatewayOf = (of: Shown) => sections.internetGateway.view({ ...of, name: of.gateway ?? '' })

type Pages<K extends KindName> = Record<K, (of: Shown) => string>
/** Kinds that no page is about: the list of SCIM tokens marks none, and the others have no screens. */
type Unshown = 'scimToken' | 'serviceAccount' | 'secondFactor' | 'webhookSecret' | 'identityProvider'

const ofPlainSections: Pages<KindWith<'section'>> = recordOf(kindsWith('section'), (kind) =>
  row(sections[kind]),
)
/** The other kinds, and those with a plain section that are shown elsewhere. */
const pages = {
  ...ofPlainSections,
  silo: page(sections.silo),
  siloUser: ({ id = '' }: Shown) => paths.user(id),
  siloGroup: ({ id = '' }: Shown) => paths.group(id),
  certificate: row(sections.certificate),
  ipPool: page(sections.ipPool),
  siloMachineSize: ({ silo = '' }: Shown) => paths.siloTab(silo, 'machine-sizes'),
  addressLot: page(sections.addressLot),
  bgpAnnounceSet: () => paths.bgp,
  bgpConfig: () => paths.bgp,
  switchPortSettings: page(sections.switchPortSettings),
  bfdSession: () => paths.bfd,
  loopbackAddress: row(sections.loopbackAddress),
  alert: () => paths.activeAlerts,
  alertReceiver: page(sections.alertReceiver),
  rack: pageById(sections.rack),
  sled: pageById(sections.sled),
  physicalDisk: pageById(sections.physicalDisk),
  switch: pageById(sections.switch),
  project: ({ name }: Shown) => sections.instance.list(name),
  instance: ({ project = '', name }: Shown) => paths.instance({ project, instance: name }),
  networkInterface: ({ project = '', instance = '' }: Shown) =>
    paths.instanceTab({ project, instance }, 'networking'),
  instanceSnapshot: ({ project = '', instance = '' }: Shown) =>
    paths.instanceTab({ project, instance }, 'snapshots'),
  disk: page(sections.disk),
  /** In a project, or in the silo. */
  image: (of: Shown) => (of.project === undefined ? sections.siloImage : sections.image).view(of),
  snapshot: page(sections.snapshot),
  vpc: ({ project = '', name }: Shown) => paths.vpcTab({ project, vpc: name }, 'firewall-rules'),
  vpcSubnet: row(sections.vpcSubnet),
  vpcRouter: page(sections.vpcRouter),
  vpcRouterRoute: row(sections.vpcRouterRoute),
  vpcFirewallRule: (of: Shown) => paths.firewallRule(vpc(of), of.name),
  internetGateway: page(sections.internetGateway),
  internetGatewayIpPool: gatewayOf,
  internetGatewayIpAddress: gatewayOf,
  // The console has no screens for them: the project that it is in.
  affinityGroup: ({ project = '' }: Shown) => sections.instance.list(project),
  imageImport: ({ project = '' }: Shown) => sections.image.list(project),
  schedule: row(sections.schedule),
  userDataTemplate: row(sections.userDataTemplate),
  probe: page(sections.probe),
  antiAffinityGroup: page(sections.antiAffinityGroup),
  supportBundle: row(sections.supportBundle),
  host: () => sections.host.list(),
  hostJoinCode: () => sections.host.list(),
  systemUpdateTrustRoot: () => paths.systemUpdate,
  systemUpdateRepository: () => paths.systemUpdate,
  systemUpdateUpload: () => paths.systemUpdate,
} satisfies Pages<Exclude<KindName, Unshown>>

/** The page that a resource is shown on. */
export const pageOf = (kind: keyof typeof pages, of: Shown): string => pages[kind](of)

const isShown = (kind: KindName): kind is keyof typeof pages => kind in pages

type Found = Pick<Result<typeof resourceLookUp>, 'type' | 'id' | 'name' | 'parents'>

/** The parents of a resource, by the fields that name it. */
export function scopeIn(parents: Found['parents']): Partial<Record<keyof Shown, string>> {
  return Object.fromEntries(
    parents.flatMap(({ type, name }) => {
      const kind = kindOfType(type)
      return kind === undefined ? [] : [[kinds[kind].field, name]]
    }),
  )
}

/** The page of what the server has found; undefined for what no page is about. */
export function addressOf({ type, id, name, parents }: Found): string | undefined {
  const kind = kindOfType(type)
  return kind && isShown(kind) ? pageOf(kind, { ...scopeIn(parents), id, name }) : undefined
}

/**
 * The page of a resource of which nothing else is known; undefined for what no page is about, and for what belongs to a
 * user, because lists show that to the same user only. What is in a project is looked up there, because its name or place
 * may have changed since.
 */
export function anywhere({ type, ...one }: Pick<Found, 'type' | 'id' | 'name'>): string | undefined {
  const kind = kindOfType(type)
  if (!kind || !isShown(kind) || kinds[kind].parent === 'siloUser') return undefined
  return kind === 'project' || isInProject(kind) ? paths.lookUp(one.id) : pageOf(kind, one)
}
