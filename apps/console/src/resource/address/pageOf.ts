/** Where each kind of resource is shown. */
import type { resourceLookUp } from '@purlin/contract/operations/access/access'
import type { Result } from '@purlin/contract/op'
import { isInProject, kindOfType, kinds, type KindName } from '@purlin/contract/rules/kinds'
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
/** A row without a page is marked in its list or, without an id, shown by its form. */
const row =
  ({ list, edit }: Section) =>
  ({ id, ...of }: Shown): string =>
    id === undefined ? edit(of) : `${list(of)}?marked=${encodeURIComponent(id)}`
const vpc = ({ project = '', vpc: name = '' }: Shown) => ({ project, vpc: name })
const gatewayOf = (of: Shown) => sections.internetGateway.view({ ...of, name: of.gateway ?? '' })

/** By kind. Undefined: no page is about it. */
const pages = {
  silo: page(sections.silo),
  siloUser: ({ id = '' }: Shown) => paths.user(id),
  siloGroup: ({ id = '' }: Shown) => paths.group(id),
  sshKey: row(sections.sshKey),
  accessToken: undefined,
  scimToken: undefined,
  certificate: row(sections.certificate),
  ipPool: page(sections.ipPool),
  project: ({ name }: Shown) => sections.instance.list(name),
  instance: ({ project = '', name }: Shown) => paths.instance({ project, instance: name }),
  networkInterface: ({ project = '', instance = '' }: Shown) =>
    paths.instanceTab({ project, instance }, 'networking'),
  disk: page(sections.disk),
  floatingIp: row(sections.floatingIp),
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
  antiAffinityGroup: page(sections.antiAffinityGroup),
} as const satisfies Record<KindName, ((of: Shown) => string) | undefined>
/** The kinds that have a page, or are shown on one. */
type ShownKind = { [K in KindName]: (typeof pages)[K] extends undefined ? never : K }[KindName]

/** The page that a resource is shown on. */
export const pageOf = (kind: ShownKind, of: Shown): string => pages[kind](of)

type Found = Pick<Result<typeof resourceLookUp>, 'type' | 'id' | 'name' | 'parents'>

/** The parents of a resource, by the fields that name it. */
function scopeIn(parents: Found['parents']): Partial<Record<keyof Shown, string>> {
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
  return kind && pages[kind]?.({ ...scopeIn(parents), id, name })
}

/**
 * The page of a resource of which nothing else is known; undefined for what no page is about. What is in a project is
 * looked up there, because its name or place may have changed since.
 */
export function anywhere({ type, ...one }: Pick<Found, 'type' | 'id' | 'name'>): string | undefined {
  const kind = kindOfType(type)
  return kind && (kind === 'project' || isInProject(kind) ? paths.lookUp(one.id) : pages[kind]?.(one))
}
