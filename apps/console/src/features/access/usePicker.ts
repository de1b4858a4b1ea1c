import { groupList, userList } from '@purlin/contract/operations/silos/silos'
import { siloUserList } from '@purlin/contract/operations/access/users'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lookUpLimit } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { matchesLoosely } from '#/lib/text.ts'
import type { PolicyData } from './effectiveRole.ts'
import { candidates, type Candidate } from './roles/choices.ts'
import type { People } from './useAccess.ts'

const pauseMs = 200
/** How many matches of each kind are offered: at first, and each time the user requests more. */
const offers = [50, 200, lookUpLimit]

/**
 * Users and groups to give a role to, as far as they fit what is typed: of those that were read or, if these are not all
 * or none of them fits, of those that the server finds. Of another silo, if one is given, only users can be found.
 */
export function usePicker(people: People, policy: PolicyData | undefined, silo = '') {
  const [text, setText] = useState('')
  const [find, setFind] = useState('')
  const [chosen, setChosen] = useState<Candidate>()
  const [step, setStep] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => {
      setFind(text.trim())
      setStep(0)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const isElsewhere = silo !== ''
  const known = isElsewhere ? [] : knownCandidates(people, policy, text)
  const isLookedUp = isElsewhere || (find !== '' && (people.hasMore || known.length === 0))
  const lookUp = { limit: offers[step] ?? lookUpLimit, ...(find === '' ? {} : { find }) }
  const shared = { throwOnError: false, placeholderData: keepPreviousData } as const
  const own = useQuery({
    ...query(userList, { query: lookUp }),
    ...shared,
    enabled: isLookedUp && !isElsewhere,
  })
  const others = useQuery({
    ...query(siloUserList, { query: { ...lookUp, silo } }),
    ...shared,
    enabled: isElsewhere,
  })
  const groups = useQuery({
    ...query(groupList, { query: lookUp }),
    ...shared,
    enabled: isLookedUp && !isElsewhere,
  })
  const users = isElsewhere ? others : own
  const found = isLookedUp
    ? candidates({ users: users.data?.items, groups: isElsewhere ? [] : groups.data?.items }, policy)
    : known
  const hasMore =
    isLookedUp && Boolean(users.data?.nextPage ?? (isElsewhere ? undefined : groups.data?.nextPage))
  // The chosen option stays, whatever the next search is.
  const isListed = chosen === undefined || found.some(({ id }) => id === chosen.id)
  const offered = isListed ? found : [chosen, ...found]
  return {
    offered,
    isSearching: isLookedUp && (users.isFetching || groups.isFetching || text.trim() !== find),
    error: users.error ?? groups.error,
    /** How many of each kind are offered, if there are more. */
    cutAt: hasMore ? offers[step] : undefined,
    /** Offers more of them; undefined if there are none. */
    more: hasMore && step < offers.length - 1 ? () => setStep(step + 1) : undefined,
    choose: (id: string) => setChosen(offered.find((one) => one.id === id)),
    onSearch: setText,
  }
}

const knownCandidates = (
  { users, groups }: People,
  policy: PolicyData | undefined,
  text: string,
): Candidate[] =>
  candidates({ users, groups }, policy).filter(({ displayName }) => matchesLoosely(displayName, text.trim()))
