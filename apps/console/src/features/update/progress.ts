/** How far an update is. */
import { factoryRelease, unknownRelease } from '@purlin/contract/rules/updates'
import type { Status } from './queries.ts'

const minute = 60_000
/** An update is under way if something was decided that recently. */
const recentMs = 30 * minute

/** The share of components at the target, as a whole number that is 100 only if all are. Null without any. */
export function progressOf({
  targetRelease,
  componentsByReleaseVersion: counts,
}: Pick<Status, 'targetRelease' | 'componentsByReleaseVersion'>) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (!targetRelease || total === 0) return null
  const current = counts[targetRelease.version] ?? 0
  return { percent: Math.floor((100 * current) / total), current, total }
}

/** How often the status is read: more often while an update is under way. */
export function pollMs({ targetRelease, timeLastStepPlanned }: Status, now: number): number {
  const times = [targetRelease?.timeRequested, timeLastStepPlanned]
  return times.some((time) => time && now - time.getTime() < recentMs) ? 20_000 : 120_000
}

/** The releases that components are at, the target first and factory software and unknown ones last. */
export function breakdownOf({ targetRelease, componentsByReleaseVersion: counts }: Status) {
  const rank = (release: string): number =>
    release === targetRelease?.version
      ? 0
      : release === factoryRelease
        ? 2
        : release === unknownRelease
          ? 3
          : 1
  return Object.entries(counts)
    .map(([release, count]) => ({ release, count, isTarget: release === targetRelease?.version }))
    .toSorted((a, b) => rank(a.release) - rank(b.release) || (a.release < b.release ? 1 : -1))
}

/** Why a release cannot become the target, or undefined. */
export function targetReason(
  version: string,
  { target, isOlder }: { target: string | undefined; isOlder: (version: string, than: string) => boolean },
): string | undefined {
  if (target === undefined) return undefined
  if (version === target) return 'Already set as target'
  return isOlder(version, target) ? 'Cannot set older release as target' : undefined
}

/** `host_os` → `host os` */
export const componentWords = (component: string): string => component.replaceAll('_', ' ')
