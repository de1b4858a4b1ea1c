import { policyView } from '@purlin/contract/operations/policies'
import { projectPolicyView } from '@purlin/contract/operations/projects'
import { groupList, userList } from '@purlin/contract/operations/silos'
import type { Result } from '@purlin/contract/op'
import { useQueries, useQuery } from '@tanstack/react-query'
import { prefetch, query } from '#/api/query.ts'
import type { Policies } from '#/resource/effectiveRole.ts'
import { everyPage } from '#/api/everyPage.ts'
import type { Member } from './policy.ts'
import { useSelf } from '#/resource/useRole.ts'
import { accessRows, identitiesIn, type AccessRow } from './rows.ts'

type User = Result<typeof userList>['items'][number]
type Group = Result<typeof groupList>['items'][number]

// People come and go seldom. A page works without them.
const quietly = { throwOnError: false, staleTime: 30_000 } as const

const accessQueries = {
  project: (project: string) => query(projectPolicyView, { params: { project } }),
  silo: () => ({ ...query(policyView, {}), throwOnError: false }),
  users: () => ({ ...everyPage(userList, { query: {} }), ...quietly }),
  groups: () => ({ ...everyPage(groupList, { query: {} }), ...quietly }),
}

/** For the loader of a page about a project's access: the policies are awaited, the people may come later. */
export function prefetchAccess(project: string): Promise<unknown> {
  void prefetch(accessQueries.users(), accessQueries.groups())
  return prefetch(accessQueries.project(project), accessQueries.silo())
}

/** All users and groups of the silo; undefined as long as they are not known. */
export interface People {
  users: readonly User[] | undefined
  groups: readonly Group[] | undefined
  names: ReadonlyMap<string, string>
  /** Both queries have ended, with or without data. */
  isSettled: boolean
  error: unknown
}

function usePeople(): People {
  const users = useQuery(accessQueries.users())
  const groups = useQuery(accessQueries.groups())
  const names = new Map(
    [...(users.data ?? []), ...(groups.data ?? [])].map(({ id, displayName }) => [id, displayName]),
  )
  return {
    users: users.data,
    groups: groups.data,
    names,
    isSettled: !users.isPending && !groups.isPending,
    error: users.error ?? groups.error,
  }
}

// Which users are in the groups that hold a role. Undefined as long as one group is missing.
function useMembers(groups: readonly string[]) {
  return useQueries({
    queries: groups.map((group) => ({ ...everyPage(userList, { query: { group } }), ...quietly })),
    combine: (results) => ({
      error: results.find(({ error }) => error)?.error,
      members: results.some(({ data }) => data === undefined)
        ? undefined
        : new Map(groups.map((group, i) => [group, new Set(results[i]?.data?.map(({ id }) => id))])),
    }),
  })
}

/** Who may do what on a project, as far as the signed-in person may know. */
export interface Access {
  rows: AccessRow[]
  policies: Policies
  people: People
  nameOf: (id: string) => string
  /** The signed-in person, once known. */
  self: Member | undefined
  isPending: boolean
  /** The project's own policy could not be read. */
  error: unknown
  retry: () => void
  /** The silo's policy could not be read. */
  siloError: unknown
  /** The members of a group could not be read. */
  membersError: unknown
}

export function useAccess(project: string): Access {
  const silo = useQuery(accessQueries.silo())
  const policy = useQuery(accessQueries.project(project))
  const people = usePeople()
  const own = useSelf()
  const policies = { silo: silo.data, project: policy.data }
  const { members, error: membersError } = useMembers(identitiesIn(policies, 'silo_group'))
  return {
    rows: accessRows({ policies, names: people.names, members }),
    policies,
    people,
    nameOf: (id) => people.names.get(id) ?? id,
    self: own.id === undefined ? undefined : { id: own.id, groupIds: own.groupIds ?? [] },
    isPending: policy.isPending || silo.isPending || !people.isSettled,
    error: policy.data ? undefined : policy.error,
    retry: () => void policy.refetch(),
    siloError: silo.data ? undefined : silo.error,
    membersError,
  }
}
