/** The kinds of resource. Each is a file in `kinds`; the tables by kind, here and elsewhere, are made of this one. */

import { accessToken } from '../kinds/access/access-token.ts'
import { scimToken } from '../kinds/access/scim-token.ts'
import { secondFactor } from '../kinds/access/second-factor.ts'
import { serviceAccount } from '../kinds/access/service-account.ts'
import { siloGroup } from '../kinds/access/silo-group.ts'
import { siloUser } from '../kinds/access/silo-user.ts'
import { sshKey } from '../kinds/access/ssh-key.ts'
import { alert, alertReceiver, webhookSecret } from '../kinds/alerts/alerts.ts'
import { floatingIp } from '../kinds/addresses/floating-ip.ts'
import { ipPool } from '../kinds/addresses/ip-pool.ts'
import { networkSwitch, physicalDisk, rack, sled } from '../kinds/hardware/hardware.ts'
import { host, hostJoinCode } from '../kinds/hardware/hosts.ts'
import { affinityGroup, antiAffinityGroup } from '../kinds/instances/affinity-groups.ts'
import { instance } from '../kinds/instances/instance.ts'
import { instanceSnapshot } from '../kinds/instances/instance-snapshot.ts'
import { machineSize, siloMachineSize } from '../kinds/instances/machine-sizes.ts'
import { networkInterface } from '../kinds/instances/network-interface.ts'
import type { Kind } from '../kinds/kind.ts'
import {
  addressLot,
  bfdSession,
  bgpAnnounceSet,
  bgpConfig,
  loopbackAddress,
  switchPortSettings,
} from '../kinds/networking/networking.ts'
import { project } from '../kinds/projects/project.ts'
import { supportBundle } from '../kinds/bundles/support-bundle.ts'
import { schedule } from '../kinds/schedules/schedule.ts'
import { userDataTemplate } from '../kinds/user-data/user-data-template.ts'
import { certificate } from '../kinds/silos/certificate.ts'
import { identityProvider } from '../kinds/silos/identity-provider.ts'
import { silo } from '../kinds/silos/silo.ts'
import { disk } from '../kinds/storage/disk.ts'
import { image } from '../kinds/storage/image.ts'
import { imageImport } from '../kinds/storage/image-import.ts'
import { snapshot } from '../kinds/storage/snapshot.ts'
import {
  internetGateway,
  internetGatewayIpAddress,
  internetGatewayIpPool,
} from '../kinds/vpcs/internet-gateways.ts'
import { probe } from '../kinds/vpcs/probe.ts'
import { vpcFirewallRule } from '../kinds/vpcs/vpc-firewall-rule.ts'
import { vpcRouterRoute } from '../kinds/vpcs/vpc-router-route.ts'
import { vpcRouter } from '../kinds/vpcs/vpc-router.ts'
import { vpcSubnet } from '../kinds/vpcs/vpc-subnet.ts'
import { vpc } from '../kinds/vpcs/vpc.ts'
import {
  systemUpdateRepository,
  systemUpdateTrustRoot,
  systemUpdateUpload,
} from '../kinds/updates/updates.ts'
import { keysOf } from './keys.ts'

/** In the order in which the API names the remaining content of a project that is to be deleted. */
export const kinds = {
  silo,
  siloUser,
  siloGroup,
  sshKey,
  accessToken,
  secondFactor,
  scimToken,
  serviceAccount,
  certificate,
  identityProvider,
  ipPool,
  machineSize,
  siloMachineSize,
  rack,
  sled,
  physicalDisk,
  switch: networkSwitch,
  host,
  hostJoinCode,
  addressLot,
  loopbackAddress,
  bgpAnnounceSet,
  bgpConfig,
  switchPortSettings,
  bfdSession,
  project,
  instance,
  networkInterface,
  instanceSnapshot,
  disk,
  floatingIp,
  image,
  imageImport,
  snapshot,
  probe,
  schedule,
  userDataTemplate,
  vpc,
  vpcSubnet,
  vpcRouter,
  vpcRouterRoute,
  vpcFirewallRule,
  internetGateway,
  internetGatewayIpPool,
  internetGatewayIpAddress,
  affinityGroup,
  antiAffinityGroup,
  systemUpdateTrustRoot,
  systemUpdateRepository,
  systemUpdateUpload,
  alertReceiver,
  alert,
  webhookSecret,
  supportBundle,
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
export const kindNames = keysOf(kinds)

/** A kind as any other. */
export const kindOf = (name: KindName): Kind => kinds[name]
/** The kinds whose definition says `P`. */
export type KindWith<P extends keyof Kind> = {
  [K in KindName]: (typeof kinds)[K] extends Required<Pick<Kind, P>> ? K : never
}[KindName]
/** The kinds whose definition says something, in the order of the table. */
export const kindsWith = <P extends keyof Kind>(property: P): KindWith<P>[] =>
  kindNames.filter((name): name is KindWith<P> => kindOf(name)[property] !== undefined)

/** Whether resources of a kind have names. */
export const hasNames = (name: KindName): name is Exclude<KindName, KindWith<'isNamed'>> =>
  kindOf(name).isNamed !== false

/**
 * The scope in which requests find the resources of a kind: the fleet, a silo, a user, a project, or a resource in
 * one.
 */
export type ScopeName<K extends KindName> = (typeof kinds)[K] extends { readonly scope: infer S }
  ? S
  : (typeof kinds)[K]['parent'] extends infer P
    ? P extends null
      ? 'fleet'
      : P
    : never
export const scopeOf = <K extends KindName>(kind: K): ScopeName<K> =>
  (kindOf(kind).scope ?? kinds[kind].parent ?? 'fleet') as ScopeName<K>

/** True for a kind whose resources are in a project, directly or in a resource of one. */
export function isInProject(kind: KindName): boolean {
  const { parent } = kinds[kind]
  return parent === 'project' || (parent !== null && isInProject(parent))
}

/** The kinds that belong to kind `P`. */
export type ChildOf<P extends KindName> = {
  [K in KindName]: (typeof kinds)[K]['parent'] extends P ? K : never
}[KindName]

/** The kinds that belong to a kind, in the order of the table. */
export const childrenOf = <P extends KindName>(parent: P): ChildOf<P>[] =>
  kindNames.filter((kind): kind is ChildOf<P> => kinds[kind].parent === parent)

/** `an` before a vowel, `a` otherwise. */
export const article = (noun: string): 'a' | 'an' => (/^(?:[aeio]|u(?!s)|SSH)/i.test(noun) ? 'an' : 'a')

/** `disks`, `addresses`, `entries`; a set of settings is plural already. */
export function pluralOf(noun: string): string {
  if (noun.startsWith('settings')) return noun
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

/** `2 disks`, `1 disk`, `1,666 disks`. */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${count === 1 ? noun : pluralOf(noun)}`

/** The type of a resource in messages: an image's depends on whether a project or the silo owns it. */
export const typeOf = (kind: KindName, row: { projectId?: string | null }): string =>
  kind === 'image' ? (row.projectId == null ? 'silo-image' : 'project-image') : kinds[kind].type

/** The kind of a resource of this type in messages; undefined for a type without a kind. */
export function kindOfType(type: string): KindName | undefined {
  const isImage = type === typeOf('image', {}) || type === typeOf('image', { projectId: '' })
  return isImage ? 'image' : kindNames.find((name) => kinds[name].type === type)
}

/** The noun of a resource of this type. */
export function nounOf(type: string): string {
  const kind = type === typeOf('image', {}) ? undefined : kindOfType(type)
  return kind ? kinds[kind].noun : type.replaceAll('-', ' ')
}
