/** The names of the snapshots that a task makes. */
import { digestOf } from './events.ts'
import { nameMaxLength, nameProblem } from './names.ts'

/** Each has the name of its disk, and the time at which the task was made. */
export const usualPattern = '{disk}-{time}'
const timeLength = 15
// The length left for the name of a disk.
const leastOfDisk = 16

/** Instances may have equal names of them: each has the time at which the task was made. */
export const usualWholePattern = 'snapshot-{time}'

/** The problem with a pattern of names of snapshots of instances, or undefined. */
export function wholePatternProblem(pattern: string): string | undefined {
  if (pattern.split('{time}').length > 2) return '{time} can occur only once'
  return (
    nameProblem(pattern.replace('{time}', '0')) ??
    (fixedLength(pattern) > wholeNameMaxLength
      ? `it can have at most ${wholeNameMaxLength} characters`
      : undefined)
  )
}

/** `monday-20260102-030405`. */
export const wholeNameBy = (pattern: string, at: number): string => pattern.replace('{time}', timeText(at))

/** How the snapshots of a snapshot of an instance are called. */
export const patternOfWhole = (name: string): string => `${name}-{disk}`
/** The longest name of a snapshot of an instance: a `-` and the name of a disk follow it. */
export const wholeNameMaxLength = nameMaxLength - leastOfDisk - 1

/** The names of the snapshots of disks that a schedule takes, and of those of instances: they name the schedule. */
export const patternsOfSchedule = (name: string) => {
  const short = name.slice(0, wholeNameMaxLength - timeLength - 1).replace(/-+$/, '')
  return { disk: `{disk}-${short}-{time}`, instance: `${short}-{time}` }
}

/** The problem with a pattern of names, or undefined. */
export function patternProblem(pattern: string): string | undefined {
  if (!pattern.includes('{disk}'))
    return 'it must contain {disk}, so that every snapshot gets a different name'
  if (pattern.split('{disk}').length > 2 || pattern.split('{time}').length > 2)
    return '{disk} and {time} can each occur only once'
  const problem = nameProblem(pattern.replace('{disk}', 'd').replace('{time}', '0'))
  if (problem !== undefined) return problem
  const most = nameMaxLength - leastOfDisk
  return fixedLength(pattern) > most
    ? `it can have at most ${most} characters in addition to {disk}`
    : undefined
}

const fixedLength = (pattern: string): number =>
  pattern.replace('{disk}', '').replace('{time}', '0'.repeat(timeLength)).length

/** `20260102-030405` */
const timeText = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')

/** `web-20260102-030405`. A name of a disk that is too long is cut, and made unique again. */
export function snapshotNameBy(pattern: string, { disk, at }: { disk: string; at: number }): string {
  const room = nameMaxLength - fixedLength(pattern)
  const mark = digestOf(disk).slice(0, 6)
  const short =
    disk.length <= room ? disk : `${disk.slice(0, room - mark.length - 1).replace(/-+$/, '')}-${mark}`
  return pattern.replace('{disk}', short).replace('{time}', timeText(at))
}
