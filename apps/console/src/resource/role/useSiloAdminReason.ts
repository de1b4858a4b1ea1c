import { useQuery } from '@tanstack/react-query'
import { roleScope } from '../kind.ts'
import { kinds } from '../kinds.ts'
import { ownQueries, useRole } from './useRole.ts'

/** Why the signed-in person may not manage users and providers of a silo: it takes an admin of the fleet, or of the silo. */
export function useSiloAdminReason(silo: string): string | undefined {
  const me = useQuery(ownQueries.me()).data
  const { lacks } = useRole(...roleScope(kinds.silo, {}))
  return me?.siloName === silo && me.siloAdmin ? undefined : lacks('admin')
}
