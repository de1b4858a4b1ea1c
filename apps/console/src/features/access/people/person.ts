import { paths } from '#/lib/addresses.ts'
import type { Place } from '../place.ts'

/** The page of a user: that of the reader's silo or, of another silo or within the system, that of the fleet. */
export const personHref = (
  { id, siloId }: { id: string; siloId: string },
  ownSilo: string | undefined,
  { level }: Pick<Place, 'level'>,
): string => (level === 'fleet' || siloId !== ownSilo ? paths.fleetIdentity(id) : paths.user(id))
