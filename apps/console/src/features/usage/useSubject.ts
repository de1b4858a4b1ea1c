/** The changes of the subject of a report, and its limit: its charts show them. */
import { GiB } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { useChangeMarks, useFleetMarks } from '#/features/audit-log/useChangeMarks.ts'
import { capacityQuery } from '#/features/utilization/capacity.ts'
import { limitsOf, siloUseQuery, utilizationQuery, type Resource } from '#/features/utilization/quota.ts'
import { paths } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import type { ChartMarks } from '#/ui/chart/marks.ts'
import type { TimeRange } from '#/ui/chart/data.ts'
import type { AmountField } from './report.ts'
import type { Subject } from './search.ts'

/** Where the changes of a subject are; undefined for the whole fleet, of which only few matter. */
function placeOf(subject: Subject, ownSilo: string): { resource: string; all: string } | undefined {
  switch (subject.level) {
    case 'project':
      return { resource: `project:${subject.project}`, all: paths.projectActivity(subject.project) }
    case 'silo':
      return { resource: `silo:${ownSilo}`, all: paths.siloAuditLog }
    case 'fleet': {
      const { silo } = subject
      if (silo === undefined) return undefined
      return {
        resource: `silo:${silo}`,
        all: `${paths.auditLog}?${new URLSearchParams({ silo }).toString()}`,
      }
    }
  }
}

export function useUsageMarks(subject: Subject, range: TimeRange): ChartMarks {
  const place = placeOf(subject, useLoaded(ownQueries.me()).siloName)
  const ofPlace = useChangeMarks({ ...(place ?? { resource: undefined, all: '' }), range })
  const ofFleet = useFleetMarks(place ? undefined : range)
  return place ? ofPlace : ofFleet
}

const hoursOfDay = 24

/** The most hours that can be used each day, by amounts. */
interface DailyLimit {
  label: string
  of: Partial<Record<AmountField, number>>
}

/** The hours of amounts that are there all day: of vCPUs, and of bytes in GiB. */
export const eachDay = (label: string, { cpus, memory, storage }: Record<Resource, number>): DailyLimit => ({
  label,
  of: {
    cpuSeconds: cpus * hoursOfDay,
    memoryGibSeconds: (memory / GiB) * hoursOfDay,
    storageGibSeconds: (storage / GiB) * hoursOfDay,
  },
})

/** The quota of a silo, or the hardware of the fleet; nothing for a project, which shares a quota. */
export function useDailyLimit(subject: Subject): DailyLimit | undefined {
  const own = useQuery({ ...utilizationQuery(), enabled: subject.level === 'silo' }).data
  const silo = subject.level === 'fleet' ? subject.silo : undefined
  const chosen = useQuery({ ...siloUseQuery(silo ?? ''), enabled: silo !== undefined }).data
  const isFleet = subject.level === 'fleet' && silo === undefined
  const hardware = useQuery({ ...capacityQuery(), enabled: isFleet }).data
  if (isFleet)
    return (
      hardware &&
      eachDay('Hardware now', {
        cpus: hardware.threads.usable,
        memory: hardware.memory.usable,
        storage: hardware.storage.usable,
      })
    )
  const quota = (subject.level === 'silo' ? own : silo === undefined ? undefined : chosen)?.capacity
  return quota && eachDay('Quota now', limitsOf(quota))
}
