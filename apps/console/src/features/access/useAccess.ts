import { policyView } from '@purlin/contract/operations/access/policies'
import { accessIdentityList } from '@purlin/contract/operations/access/access'
import { groupList, userList } from '@purlin/contract/operations/silos/silos'
import type { Result } from '@purlin/contract/op'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { prefetch, query } from '#/api/query.ts'
import type { Policies } from './effectiveRole.ts'
import { everyPage, lookUpLimit } from '#/api/everyPage.ts'
import { asResource, policyQuery, siloOf, type Place } from './place.ts'
import type { Member } from './policy.ts'
import { ownQueries, useOwnGroups, useRole } from '#/resource/role/useRole.ts'
import { accessRows, identitiesIn, type AccessRow } from './rows.ts'

type Principal = Result<typeof userList>['items'][number]

// People come and go seldom. A page works without them.
const quietly = { throwOnError: false, staleTime: 30_000 } as const

const firstPage = { query: { limit: lookUpLimit } }
const accessQueries = {
  own: (place: Place) => ({ ...policyQuery(place), throwOnError: false }),
  silo: () => ({ ...query(policyView, {}), throwOnError: false }),
  users: () => ({ ...query(userList, firstPage), ...quietly }),
  groups: () => ({ ...query(groupList, firstPage), ...quietly }),
}

/** For the loader of a page about access: the policies are awaited, the people may come later. */
export function prefetchAccess(place: Place): Promise<unknown> {
  if (siloOf(place) === undefined) void prefetch(accessQueries.users(), accessQueries.groups())
  return prefetch(accessQueries.own(place), accessQueries.silo())
}

/** The users and groups of the silo as far as they are read without a search; undefined until then. */
export interface People {
  users: readonly Principal[] | undefined
  groups: readonly Principal[] | undefined
  /** There are more, which have to be searched for. */
  hasMore: boolean
  /** Both queries have ended, with or without data. */
  isSettled: boolean
  error: unknown
}

/** Where all are searched for. */
export const noPeople: People = { users: [], groups: [], hasMore: true, isSettled: true, error: null }

export function usePeople(): People {
  const users = useQuery(accessQueries.users())
  const groups = useQuery(accessQueries.groups())
  return {
    users: users.data?.items,
    groups: groups.data?.items,
    hasMore: Boolean(users.data?.nextPage ?? groups.data?.nextPage),
    isSettled: !users.isPending && !groups.isPending,
    error: users.error ?? groups.error,
  }
}

/** The identities that the policies of a place name, whatever silo they are of, in one request. */
function useIdentities(place: Place, policies: Policies, { users, groups }: People) {
  const me = useQuery(ownQueries.me()).data
  const resource = asResource(place, me?.siloName)
  const read = everyPage(accessIdentityList, { query: { resource } })
  const ids = [...identitiesIn(policies, 'silo_user'), ...identitiesIn(policies, 'silo_group')].toSorted()
  const { data, isPlaceholderData } = useQuery({
    ...read,
    // A policy with other identities needs a new read: an identity that is missing from an older answer may be new.
    queryKey: [...read.queryKey, ids.join(' ')],
    ...quietly,
    placeholderData: keepPreviousData,
    enabled: me !== undefined && ids.length > 0,
  })
  const known = new Map([...(users ?? []), ...(groups ?? [])].map((one) => [one.id, one.displayName]))
  for (const { identityId, displayName } of data ?? []) known.set(identityId, displayName)
  const others = (data ?? []).filter(({ siloId }) => siloId !== me?.siloId)
  return {
    names: known,
    otherSilos: new Map(others.map(({ identityId, siloName }) => [identityId, siloName])),
    isComplete: data !== undefined && !isPlaceholderData,
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

/** The roles at a place, as far as the signed-in user may see them. */
export interface Access {
  place: Place
  rows: AccessRow[]
  policies: Policies
  people: People
  nameOf: (id: string) => string
  /** The signed-in person, once known. */
  self: Member | undefined
  /** Why the signed-in person cannot change the policy, or undefined. */
  lacks: string | undefined
  isPending: boolean
  /** The place's policy failed to load. */
  error: unknown
  retry: () => void
  /** The silo's policy could not be read. */
  siloError: unknown
  /** The members of a group could not be read. */
  membersError: unknown
}

export function useAccess(place: Place): Access {
  const silo = useQuery(accessQueries.silo())
  const own = useQuery(accessQueries.own(place))
  const people = usePeople()
  const me = useQuery(ownQueries.me()).data
  const ownGroups = useOwnGroups().data
  const policies: Policies = {
    level: place.level,
    silo: { project: silo.data, silo: own.data, fleet: undefined }[place.level],
    project: place.level === 'project' ? own.data : undefined,
    fleet: place.level === 'fleet' ? own.data : undefined,
  }
  const identities = useIdentities(place, policies, people)
  const { names, otherSilos } = identities
  // Those of another silo, which the fleet's policy may name, cannot be read.
  const readableGroups = identitiesIn(policies, 'silo_group').filter((id) => !otherSilos.has(id))
  const { members, error: membersError } = useMembers(readableGroups)
  const isOwnSilo = place.level === 'silo' && place.silo === undefined
  const role = useRole(
    place.level === 'project' ? place.project : undefined,
    place.level === 'fleet' || siloOf(place) !== undefined ? 'fleet' : undefined,
  )
  return {
    place,
    rows: accessRows({ policies, ...identities, members }),
    policies,
    people,
    nameOf: (id) => names.get(id) ?? id,
    self: me && { id: me.id, groupIds: ownGroups?.map(({ id }) => id) ?? [] },
    // A collaborator of the fleet may change it as well.
    lacks: isOwnSilo && me?.siloAdmin ? undefined : role.lacks(siloOf(place) ? 'collaborator' : 'admin'),
    isPending: own.isPending || silo.isPending || !people.isSettled,
    error: own.data ? undefined : own.error,
    retry: () => void own.refetch(),
    siloError: place.level !== 'project' || silo.data ? undefined : silo.error,
    membersError,
  }
}
