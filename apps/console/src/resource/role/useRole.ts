import { currentUserGroups } from '@purlin/contract/operations/access/current-user'
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { implies, projectRoleOfSiloRole, type Role } from '@purlin/contract/rules/roles'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { everyPage } from '#/api/everyPage.ts'
import { withArticle } from '#/lib/text.ts'

/** The permissions of the signed-in user somewhere. */
export interface OwnRole {
  /** Undefined while it is not known. */
  role: Role | null | undefined
  /** The disabled reason of an action that needs this role, or undefined. While the role is not known, the server decides. */
  lacks: (needed: Role) => string | undefined
}

// Roles change rarely and the server checks them again, so data up to a minute old is enough to disable a button.
const quietly = { staleTime: 60_000, throwOnError: false } as const
/** The signed-in user with their roles on the fleet and on their silo, with that on a project, and their groups. */
export const ownQueries = {
  me: () => ({ ...query(currentUserView, { query: {} }), ...quietly }),
  in: (project: string) => ({ ...query(currentUserView, { query: { project } }), ...quietly }),
  /** All of them. */
  groups: () => ({ ...everyPage(currentUserGroups, { query: {} }), ...quietly }),
}

export const useOwnGroups = () => useQuery(ownQueries.groups())

/** The role of the signed-in person on a project, without one on their silo, or on the fleet. */
export function useRole(project?: string, level?: 'fleet'): OwnRole {
  const me = useQuery(ownQueries.me()).data
  // An admin of all projects needs no further call for each.
  const isAdmin = projectRoleOfSiloRole(me?.siloRole ?? null) === 'admin'
  const inProject = useQuery({
    ...ownQueries.in(project ?? ''),
    enabled: project !== undefined && me !== undefined && !isAdmin,
  })
  if (level) return ownRole(me?.fleetRole, level)
  if (project === undefined) return ownRole(me?.siloRole, 'silo')
  return ownRole(isAdmin ? 'admin' : inProject.data?.projectRole, 'project')
}

function ownRole(role: Role | null | undefined, level: 'project' | 'silo' | 'fleet'): OwnRole {
  return {
    role,
    lacks: (needed) => {
      if (role === undefined || implies(role, needed)) return undefined
      const held = role === null ? `You have no role on the ${level}.` : `You are ${withArticle(role)} here.`
      return `This requires the ${needed} role on the ${level}. ${held}`
    },
  }
}
