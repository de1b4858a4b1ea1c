import { currentUserGroups, currentUserView } from '@purlin/contract/operations/access/current-user'
import { policyView } from '@purlin/contract/operations/access/policies'
import { projectPolicyView } from '@purlin/contract/operations/projects/projects'
import { implies, projectRoleOfSiloRole, strongest, type Role } from '@purlin/contract/rules/roles'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { effectiveRole, fleetRole, roleSources, type PolicyData } from './effectiveRole.ts'
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
/** The known facts of the signed-in user and their silo. */
export const roleQueries = {
  me: () => ({ ...query(currentUserView, {}), ...quietly }),
  /** All of them. */
  groups: () => ({ ...everyPage(currentUserGroups, { query: {} }), ...quietly }),
  silo: () => ({ ...query(policyView, {}), ...quietly }),
  project: (project: string) => ({ ...query(projectPolicyView, { params: { project } }), ...quietly }),
}

export const useOwnGroups = () => useQuery(roleQueries.groups())

/** The signed-in person with their groups and the silo's policy, as far as these may be read. */
export function useSelf() {
  const me = useQuery(roleQueries.me())
  const groups = useOwnGroups()
  const silo = useQuery(roleQueries.silo())
  return {
    id: me.data?.id,
    fleet: me.data && fleetRole(me.data),
    mayModifySilo: me.data?.siloAdmin,
    groupIds: groups.data?.map(({ id }) => id),
    silo: silo.data,
    /** All three queries have ended, with or without data. */
    isSettled: !me.isPending && !groups.isPending && !silo.isPending,
  }
}

/** The role of the signed-in person on a project: assigned there, on the silo, or to one of their groups. */
export const useProjectRole = (project: string): OwnRole => useRole(project)

/** The role of the signed-in person on a project, without one on their silo, or on the fleet. */
export function useRole(project?: string, level?: 'fleet'): OwnRole {
  const { id, groupIds, silo, isSettled, fleet } = useSelf()
  const onSilo = id === undefined || !silo ? null : siloRole(silo, [id, ...(groupIds ?? [])])
  const isAdmin = projectRoleOfSiloRole(onSilo) === 'admin'
  // A silo's admin is admin of every project; a list of projects then needs no further call.
  const policy = useQuery({
    ...roleQueries.project(project ?? ''),
    enabled: project !== undefined && isSettled && !isAdmin,
  })
  if (level) return ownRole(fleet, level)
  const isKnown = [id, groupIds, silo].every((part) => part !== undefined)
  if (project === undefined) return ownRole(isKnown ? onSilo : undefined, 'silo')
  if (isAdmin) return ownRole('admin', 'project')
  const sources = id === undefined ? [] : roleSources({ silo, project: policy.data }, id, groupIds)
  const held = effectiveRole(sources)
  // A weaker role is certain only when all sources are known.
  return ownRole((isKnown && policy.data !== undefined) || held === 'admin' ? held : undefined, 'project')
}

const siloRole = (policy: PolicyData, ids: readonly string[]): Role | null =>
  strongest(
    policy.roleAssignments
      .filter(({ identityId }) => ids.includes(identityId))
      .map(({ roleName }) => roleName),
  )

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
