import type { Place } from '#/features/access/people/useUserMenu.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'

/** A silo as a place of users and groups, on its page. */
export function usePeoplePlace(silo: string): Place {
  const { identityMode } = useLoaded(viewQuery(kinds.silo, silo))
  return { silo, isLocal: identityMode === 'local_only', disabledReason: useSiloAdminReason(silo) }
}
