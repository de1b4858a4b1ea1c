/** The meaning of each `allow` value of the contract, and the actor of a request. */
import type { Allow, OpShape } from '@purlin/contract/op'
import { implies, projectRoleOfSiloRole, strongest, type Role } from '@purlin/contract/rules/roles'
import type { Actor } from '#/context.ts'

export interface ProjectScope {
  id: string
  siloId: string
}

/** The target of an operation, as far as permissions depend on it. Without a silo it is the actor's silo. */
export interface Target {
  project?: ProjectScope | undefined
  siloId?: string | undefined
  userId?: string | undefined
}

/** The role an actor has on a project, own or inherited from the silo. Fleet roles do not flow in. */
function projectRole(actor: Actor, project: ProjectScope): Role | null {
  if (project.siloId !== actor.siloId) return null
  return strongest([actor.projectRoles.get(project.id), projectRoleOfSiloRole(actor.siloRole)])
}

/** The role an actor has on a silo: on others than its own none. */
const siloRole = (actor: Actor, siloId: string): Role | null =>
  siloId === actor.siloId ? actor.siloRole : null

/** True for a role on the actor's silo or on one of its projects. */
const hasRole = ({ siloRole, projectRoles }: Actor): boolean => siloRole !== null || projectRoles.size > 0

function grants(actor: Actor, word: Allow, target: Target): boolean {
  const siloId = target.siloId ?? target.project?.siloId ?? actor.siloId
  const isScimClient = actor.authMethod === 'scim_token'
  if (isScimClient || word === 'scim') return isScimClient && word === 'scim' && siloId === actor.siloId
  if (word === 'public' || word === 'user') return true
  if (word === 'self') return target.userId === actor.userId
  if (word === 'silo.user') return siloId === actor.siloId
  if (word === 'silo.member') return siloId === actor.siloId && hasRole(actor)
  const [level, role] = word.split('.') as ['fleet' | 'silo' | 'project', Role]
  if (level === 'fleet') return implies(actor.fleetRole, role)
  if (level === 'silo') return implies(siloRole(actor, siloId), role)
  return target.project !== undefined && implies(projectRole(actor, target.project), role)
}

/** The role that an actor has on a fleet, silo or project, however it came to it. */
export function roleOn(
  actor: Actor,
  target: { level: 'fleet' | 'silo' | 'project'; id: string; siloId: string },
) {
  if (target.level === 'fleet') return actor.fleetRole
  return target.level === 'silo' ? siloRole(actor, target.id) : projectRole(actor, target)
}

/** The values that count for what the silo owns instead of a project: its users read, its collaborators change. */
export const wordsInSilo = ({ allow, orSilo }: OpShape): readonly Allow[] =>
  wordsOf(allow).map((word) =>
    !orSilo ? word : word === 'project.viewer' ? 'silo.user' : (word.replace('project.', 'silo.') as Allow),
  )

/** The values of an operation's `allow`. */
export const wordsOf = (allow: OpShape['allow'] | readonly Allow[]): readonly Allow[] =>
  typeof allow === 'string' ? [allow] : allow

/** True if one of the `allow` values applies to the actor, for the values that depend on it on `target`. */
export const permits = (
  actor: Actor,
  allow: OpShape['allow'] | readonly Allow[],
  target: Target = {},
): boolean => wordsOf(allow).some((word) => grants(actor, word, target))

/** True if the actor has the role on the fleet that an operation needs in addition to its `allow`. */
export const hasFleetRole = (actor: Actor, { alsoNeeds }: Pick<OpShape, 'alsoNeeds'>): boolean =>
  alsoNeeds === undefined || permits(actor, alsoNeeds)

/** True if the actor may know that a project and its content exist. */
export const seesProject = (actor: Actor, project: ProjectScope): boolean =>
  permits(actor, 'project.viewer', { project })

/** The ids of the projects of its silo that an actor sees; undefined for all of them. */
export const projectsSeen = (actor: Actor): readonly string[] | undefined =>
  permits(actor, 'silo.viewer') ? undefined : [...actor.projectRoles.keys()]

/** True if a request about the target is answered: it is seen, and one of the values applies. */
export const may = (actor: Actor, words: readonly Allow[], target: Target): boolean =>
  (target.project === undefined || seesProject(actor, target.project)) && permits(actor, words, target)

/** True if the actor may modify its own silo, which a fleet collaborator may as well. */
export const mayModifySilo = (actor: Actor): boolean =>
  implies(actor.siloRole, 'admin') || implies(actor.fleetRole, 'collaborator')
