/** The meaning of each `allow` value of the contract, and the actor of a request. */
import type { Allow, OpShape } from '@purlin/contract/op'
import { implies, projectRoleOfSiloRole, strongest, type Role } from '@purlin/contract/rules/roles'
import type { Actor } from '#/context.ts'

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

/** True if one of the `allow` values applies to the actor, on `project` for the values that concern a project. */
export function permits(actor: Actor, allow: OpShape['allow'], project?: ProjectScope): boolean {
  const list = typeof allow === 'string' ? [allow] : allow
  return list.some((word) => grants(actor, word, project))
}

/** True if the actor may modify its own silo, which a fleet collaborator may as well. */
export const mayModifySilo = (actor: Actor): boolean =>
  implies(actor.siloRole, 'admin') || implies(actor.fleetRole, 'collaborator')
