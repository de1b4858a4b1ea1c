import { groupList, userList } from '@purlin/contract/operations/silos'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '#/api/query.ts'
import { matchesLoosely } from '#/lib/text.ts'
import type { PolicyData } from '#/resource/effectiveRole.ts'
import { candidates, type Candidate } from './choices.ts'
import type { People } from './useAccess.ts'

const pauseMs = 200
/** Matches of each kind that are offered; more letters narrow them down. */
const most = 50

/**
 * Users and groups to give a role to, as far as they fit what is typed: of those that were read or, if these are not all
 * or none of them fits, of those that the server finds.
 */
export function usePicker(people: People, policy: PolicyData | undefined) {
  const [text, setText] = useState('')
  const [find, setFind] = useState('')
  const [chosen, setChosen] = useState<Candidate>()
  useEffect(() => {
    const timer = setTimeout(() => setFind(text.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const known = candidates({ users: people.users, groups: people.groups }, policy).filter(({ displayName }) =>
    matchesLoosely(displayName, text.trim()),
  )
  const isAsked = find !== '' && (people.hasMore || known.length === 0)
  const shared = { enabled: isAsked, throwOnError: false, placeholderData: keepPreviousData } as const
  const users = useQuery({ ...query(userList, { query: { find, limit: most } }), ...shared })
  const groups = useQuery({ ...query(groupList, { query: { find, limit: most } }), ...shared })
  const found = isAsked ? candidates({ users: users.data?.items, groups: groups.data?.items }, policy) : known
  // What was chosen stays an option, whatever is searched for next.
  const isListed = chosen === undefined || found.some(({ id }) => id === chosen.id)
  const offered = isListed ? found : [chosen, ...found]
  return {
    offered,
    isSearching: isAsked && (users.isFetching || groups.isFetching || text.trim() !== find),
    error: users.error ?? groups.error,
    choose: (id: string) => setChosen(offered.find((one) => one.id === id)),
    onSearch: setText,
  }
}
