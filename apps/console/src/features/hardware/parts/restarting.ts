import { useQuery } from '@tanstack/react-query'
import { statusQuery, type Status } from '#/features/update/queries.ts'

interface Unit {
  id: string
  missingSince?: Date | null | undefined
}

/** The release that a sled or switch restarts with: that it does not answer then is no fault. */
export const releaseOf = (status: Status | undefined, { id, missingSince }: Unit): string | undefined =>
  missingSince && status?.step?.phase === 'installing' && status.step.id === id
    ? status.targetRelease?.version
    : undefined

/** The same of the update that is under way. */
export function useRelease(unit: Unit): string | undefined {
  const { data } = useQuery({ ...statusQuery(), enabled: Boolean(unit.missingSince), throwOnError: false })
  return releaseOf(data, unit)
}
