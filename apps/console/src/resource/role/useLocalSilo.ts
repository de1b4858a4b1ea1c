import { siloView } from '@purlin/contract/operations/silos/system-silos'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { ownQueries, useRole } from './useRole.ts'

/** The silo of the signed-in user if it has local users, and why the user may not manage them. */
export function useLocalSilo(): {
  silo: string | undefined
  disabledReason: string | undefined
  isPending: boolean
} {
  const me = useQuery(ownQueries.me()).data
  const { lacks } = useRole()
  const { data, isPending } = useQuery({
    ...query(siloView, { params: { silo: me?.siloName ?? '' } }),
    enabled: me !== undefined,
    staleTime: 60_000,
    throwOnError: false,
  })
  return {
    silo: data?.identityMode === 'local_only' ? data.name : undefined,
    disabledReason: lacks('admin'),
    isPending,
  }
}
