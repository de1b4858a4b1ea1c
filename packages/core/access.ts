/** What each `allow` word of the contract means, and who is asking. */
import type { Allow, OpShape } from '@purlin/contract/op'
import { implies, projectRoleOfSiloRole, strongest, type Role } from '@purlin/contract/rules/roles'

/** A signed-in user with every role that counts: direct, through groups, and conferred by the silo. */
export interface Actor {
  userId: string
  siloId: string
  siloName: string
  displayName: string
  sessionId: string
  groupIds: readonly string[]
  siloRole: Role | null
  fleetRole: Role | null
  /** Roles granted on projects themselves, by project id. */
  projectRoles: ReadonlyMap<string, Role>
}

export interface ProjectScope {
  id: string
  siloId: string
}

/** The role an actor has on a project, own or inherited from the silo. Fleet roles do not flow in. */
function projectRole(actor: Actor, project: ProjectScope): Role | null {
  if (project.siloId !== actor.siloId) return null
  return strongest([actor.projectRoles.get(project.id), projectRoleOfSiloRole(actor.siloRole)])
}

function grants(actor: Actor, word: Allow, project: ProjectScope | undefined): boolean {
  if (word === 'public' || word === 'user') return true
  const [level, role] = word.split('.') as ['fleet' | 'silo' | 'project', Role]
  if (level === 'fleet') return implies(actor.fleetRole, role)
  if (level === 'silo') return implies(actor.siloRole, role)
  return project !== undefined && implies(projectRole(actor, project), role)
}

/** True if the actor fulfils one of the operation's words, on `project` where the word speaks of one. */
export function permits(actor: Actor, allow: OpShape['allow'], project?: ProjectScope): boolean {
  const list = typeof allow === 'string' ? [allow] : allow
  return list.some((word) => grants(actor, word, project))
}

/** May modify the own silo: also a fleet collaborator may. */
export const mayModifySilo = (actor: Actor): boolean =>
  implies(actor.siloRole, 'admin') || implies(actor.fleetRole, 'collaborator')
