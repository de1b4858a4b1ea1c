/**
 * The limits of access tokens and of the keys of service accounts. Each request of an actor passes `refusalOf` before its
 * handler, however it was sent: an operation that is not listed here is refused to keys of one project.
 */
import { isReading, type OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { projectRoleOfSiloRole, strongest } from '@purlin/contract/rules/roles'
import type { Actor, CredentialScope } from '#/context.ts'
import { fault, type Fault } from '#/faults.ts'

/** The limit that an operation is outside of. */
export type Outside = 'read_only' | 'project' | 'key'

const shapesOf = (names: readonly OperationName[]): ReadonlySet<OpShape> =>
  new Set(names.map((name) => operations[name]))

/**
 * Operations outside of projects that a key of one project may send: they show no more than that project, and the images
 * and pools of the silo that its instances are made of. What runs other requests passes `refusalOf` with each of them.
 */
const besidesProject = shapesOf([
  'currentUserView',
  'eventStream',
  'imageList',
  'imageView',
  'instanceListOfSilo',
  'listExport',
  'offeredMachineSizeList',
  'ping',
  'projectIpPoolList',
  'projectIpPoolView',
  'projectList',
  'search',
])

/** They make something to sign in with, or decide who is let in: what is made so would outlive the key. */
const makingCredentials = shapesOf([
  'currentUserAccessTokenCreate',
  'currentUserPasswordUpdate',
  'currentUserRecoveryCodesReplace',
  'currentUserSecondFactorBegin',
  'currentUserSecondFactorConfirm',
  'deviceAuthConfirm',
  'localIdpUserActivate',
  'localIdpUserCreate',
  'localIdpUserResetSecondFactor',
  'localIdpUserSetPassword',
  'oidcIdentityProviderCreate',
  'oidcIdentityProviderUpdate',
  'samlIdentityProviderCreate',
  'samlIdentityProviderUpdate',
  'scimTokenCreate',
  'serviceAccountKeyCreate',
])

/** True for a request that changes nothing. A console that is open can be typed into. */
const onlyReads = ({ method, ok, changesNothing, signsIn }: OpShape): boolean =>
  ok !== 'upgrade' && signsIn !== true && (isReading(method) || changesNothing === true)

const isAboutProjects = ({ allow }: OpShape): boolean =>
  [allow].flat().every((word: string) => word.startsWith('project.'))

/** The limit of a credential that an operation is outside of; null if it is inside of all. */
export function outsideOf(scope: CredentialScope | null, op: OpShape): Outside | null {
  if (scope === null) return null
  if (scope.isReadOnly && !onlyReads(op)) return 'read_only'
  if (scope.isKey && makingCredentials.has(op)) return 'key'
  if (scope.projectId === null || isAboutProjects(op) || besidesProject.has(op)) return null
  return 'project'
}

/** The error for an operation that is outside of the limits of the actor's credential; undefined if it is inside. */
export function refusalOf(actor: Pick<Actor, 'scope'> | null, op: OpShape): Fault | undefined {
  const limit = outsideOf(actor?.scope ?? null, op)
  return limit === null ? undefined : fault.outsideOfKey(limit)
}

/** True if the credential may be used for the silo where the operation is not about a project. */
export const reachesSilo = ({ scope }: Pick<Actor, 'scope'>, op: OpShape): boolean =>
  scope === null || scope.projectId === null || besidesProject.has(op)

/** The roles that are left with a credential for one project of the actor's silo. */
export function narrowed<A extends Pick<Actor, 'siloRole' | 'fleetRole' | 'projectRoles'>>(
  actor: A,
  scope: CredentialScope | null,
): A {
  if (scope === null || scope.projectId === null) return actor
  const { projectId } = scope
  const role = strongest([actor.projectRoles.get(projectId), projectRoleOfSiloRole(actor.siloRole)])
  return {
    ...actor,
    siloRole: null,
    fleetRole: null,
    projectRoles: new Map(role === null ? [] : [[projectId, role]]),
  }
}
