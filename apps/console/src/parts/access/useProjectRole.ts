import { currentUserGroups, currentUserView } from '@purlin/contract/operations/session'
import { policyView } from '@purlin/contract/operations/silo'
import { projectPolicyView } from '@purlin/contract/operations/projects'
import { implies, projectRoleOfSiloRole, strongest, type Role } from '@purlin/contract/rules/roles'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api.ts'
import { effectiveRole, roleSources, type PolicyData } from './effective.ts'
import { everyPage } from '../everyPage.ts'
import { aRole } from './words.ts'

/** What the signed-in person may do somewhere. */
export interface OwnRole {
  /** Undefined as long as it is not known. */
  role: Role | null | undefined
  /** Why something that takes this role is not for them, or undefined. What is not known is left to the server. */
  lacks: (needed: Role) => string | undefined
}

// Roles change seldom, and the server has the last word: a minute old is good enough to disable a button.
const quietly = { staleTime: 60_000, throwOnError: false } as const
const roleQueries = {
  me: () => ({ ...query(currentUserView, {}), ...quietly }),
  silo: () => ({ ...query(policyView, {}), ...quietly }),
  project: (project: string) => ({ ...query(projectPolicyView, { params: { project } }), ...quietly }),
}

/** All groups of the signed-in person. */
export const ownGroups = () => ({ ...everyPage(currentUserGroups, { query: {} }), ...quietly })
export const useOwnGroups = () => useQuery(ownGroups())

/** The signed-in person with their groups and the silo's policy, as far as these may be read. */
export function useSelf() {
  const me = useQuery(roleQueries.me())
  const groups = useOwnGroups()
  const silo = useQuery(roleQueries.silo())
  return {
    id: me.data?.id,
    groupIds: groups.data?.map(({ id }) => id),
    silo: silo.data,
    /** Nothing more will come: read or refused. */
    isSettled: !me.isPending && !groups.isPending && !silo.isPending,
  }
}

/** The role of the signed-in person on a project: assigned there, on the silo, or to one of their groups. */
export function useProjectRole(project: string): OwnRole {
  const { id, groupIds, silo, isSettled } = useSelf()
  const fromSilo =
    id === undefined || !silo ? null : projectRoleOfSiloRole(siloRole(silo, [id, ...(groupIds ?? [])]))
  // An admin is one whatever the project says; a list of projects then needs no further call.
  const policy = useQuery({ ...roleQueries.project(project), enabled: isSettled && fromSilo !== 'admin' })
  if (fromSilo === 'admin') return ownRole('admin', 'project')
  // Less is certain only when all is known.
  const isKnown = [id, groupIds, silo, policy.data].every((part) => part !== undefined)
  const sources = id === undefined ? [] : roleSources({ silo, project: policy.data }, id, groupIds)
  const held = effectiveRole(sources)
  return ownRole(isKnown || held === 'admin' ? held : undefined, 'project')
}

/** The role of the signed-in person on their silo. */
export function useSiloRole(): OwnRole {
  const { id, groupIds, silo } = useSelf()
  const isKnown = id !== undefined && groupIds !== undefined && silo !== undefined
  return ownRole(isKnown ? siloRole(silo, [id, ...groupIds]) : undefined, 'silo')
}

const siloRole = (policy: PolicyData, ids: readonly string[]): Role | null =>
  strongest(
    policy.roleAssignments
      .filter(({ identityId }) => ids.includes(identityId))
      .map(({ roleName }) => roleName),
  )

function ownRole(role: Role | null | undefined, level: 'project' | 'silo'): OwnRole {
  return {
    role,
    lacks: (needed) => {
      if (role === undefined || implies(role, needed)) return undefined
      const held = role === null ? `You have no role on the ${level}.` : `You are ${aRole(role)} here.`
      return `This takes the ${needed} role on the ${level}. ${held}`
    },
  }
}
