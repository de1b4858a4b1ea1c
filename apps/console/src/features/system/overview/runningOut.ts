/** The things of the fleet that run out. */
import { expiryDays, latestOf } from '@purlin/contract/rules/credentials/certificates'
import { quotaLevel, soonDays } from '@purlin/contract/rules/quotas'
import { keysOf } from '@purlin/contract/rules/keys'
import type { Issue } from '#/features/issues/subject.ts'
import { statementsOf } from '#/features/update/rootDocument.ts'
import { serverNow } from '#/lib/clock.ts'
import type { Capacity } from '#/features/utilization/trend.ts'

/** The conditions about something that runs out. The others are about something that is wrong. */
const kindsOfRunningOut: readonly Issue['kind'][] = ['pool_filling', 'quota_filling', 'certificate_expiring']

/** Pools and certificates are in the overview, with their times. */
export const isFillingQuota = ({ kind }: Pick<Issue, 'kind'>): boolean => kind === 'quota_filling'
export const isRunningOut = ({ kind }: Pick<Issue, 'kind'>): boolean => kindsOfRunningOut.includes(kind)

/** The trust roots that expire as soon as a certificate would be warned about. */
export const expiringRoots = (
  roots: readonly { id: string; rootRole: unknown }[],
): { id: string; expires: Date }[] =>
  roots.flatMap(({ id, rootRole }) => {
    const { expires } = statementsOf(rootRole)
    return expires && expires.getTime() <= latestOf(expiryDays[0], serverNow()) ? [{ id, expires }] : []
  })

export interface Scarce {
  key: keyof Capacity['trends']
  level: 'fine' | 'warning' | 'critical'
  free: number
  percent: number
}

/** The resources of the fleet that are nearly used up, or will be soon at the trend of the last days. */
export const scarceIn = ({
  trends,
  ...capacity
}: Pick<Capacity, 'trends' | keyof Capacity['trends']>): Scarce[] =>
  keysOf(trends).flatMap((key) => {
    const { usable, reserved } = capacity[key]
    // A host that does not say how large its storage is.
    if (key === 'storage' && usable === 0) return []
    const level = quotaLevel(reserved, usable)
    const { daysUntilFull } = trends[key]
    if (level === 'fine' && (daysUntilFull === null || daysUntilFull > soonDays)) return []
    const percent = usable > 0 ? Math.floor((100 * reserved) / usable) : 100
    return [{ key, level, free: Math.max(0, usable - reserved), percent }]
  })
