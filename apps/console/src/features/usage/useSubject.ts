/** The changes of the subject of a report, and its quota: its charts show them. */
import { GiB } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { useChangeMarks } from '#/features/audit-log/useChangeMarks.ts'
import { siloUseQuery, utilizationQuery } from '#/features/utilization/quota.ts'
import { paths } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import type { ChartMarks } from '#/ui/chart/marks.ts'
import type { TimeRange } from '#/ui/chart/data.ts'
import type { AmountField } from './report.ts'
import type { Subject } from './search.ts'

/** Where the changes of a subject are: of the fleet, too many have nothing to do with its use. */
function placeOf(subject: Subject, ownSilo: string): { resource: string | undefined; all: string } {
  switch (subject.level) {
    case 'project':
      return { resource: `project:${subject.project}`, all: paths.projectActivity(subject.project) }
    case 'silo':
      return { resource: `silo:${ownSilo}`, all: paths.siloAuditLog }
    case 'fleet': {
      const { silo } = subject
      const all = `${paths.auditLog}?${new URLSearchParams({ silo: silo ?? '' }).toString()}`
      return { resource: silo && `silo:${silo}`, all }
    }
  }
}

export const useUsageMarks = (subject: Subject, range: TimeRange): ChartMarks =>
  useChangeMarks({ ...placeOf(subject, useLoaded(ownQueries.me()).siloName), range })

const hoursOfDay = 24

/** The hours that the quota of a silo allows each day; nothing for a project, which shares it, and for the fleet. */
export function useDailyQuota(subject: Subject): Partial<Record<AmountField, number>> | undefined {
  const own = useQuery({ ...utilizationQuery(), enabled: subject.level === 'silo' }).data
  const silo = subject.level === 'fleet' ? subject.silo : undefined
  const chosen = useQuery({ ...siloUseQuery(silo ?? ''), enabled: silo !== undefined }).data
  const quota = (subject.level === 'silo' ? own : silo === undefined ? undefined : chosen)?.capacity
  return (
    quota && {
      cpuSeconds: Number(quota.cpus) * hoursOfDay,
      memoryGibSeconds: (Number(quota.memory) / GiB) * hoursOfDay,
      storageGibSeconds: (Number(quota.storage) / GiB) * hoursOfDay,
    }
  )
}
