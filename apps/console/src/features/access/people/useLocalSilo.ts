import { siloView } from '@purlin/contract/operations/silos/system-silos'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { roleQueries, useRole } from '#/resource/role/useRole.ts'

/** The signed-in person's silo if its users are managed here, and why the person may not do that. */
export function useLocalSilo(): { silo: string | undefined; disabledReason: string | undefined } {
  const me = useQuery(roleQueries.me()).data
  const { lacks } = useRole()
  const { data } = useQuery({
    ...query(siloView, { params: { silo: me?.siloName ?? '' } }),
    enabled: me !== undefined,
    staleTime: 60_000,
    throwOnError: false,
  })
  return {
    silo: data?.identityMode === 'local_only' ? data.name : undefined,
    disabledReason: lacks('admin'),
  }
}
