/**
 * Why tests are skipped. In CI none may be for want of a package or of a right, and the end of a test run names those
 * that were, with their reasons.
 */
import { appendFileSync } from 'node:fs'

/** Machines of CI may be without these, and no package or right brings them. */
export const notEverywhere = {
  controlGroups: 'this machine has no control groups that can be made',
  processes: 'the control groups of this machine have no limit of processes',
} as const
const accepted: ReadonlySet<string> = new Set(Object.values(notEverywhere))

/** The reason of tests with files and processes of Linux. */
export const onLinux = 'this needs Linux'

/** The file of a run with a line of JSON for each reason. */
export const skipsVariable = 'PURLIN_SKIPS'
/** Why tests of a file were skipped. */
export interface Skip {
  file: string
  reason: string
}

/** True if the machine lacks what a test needs: `reason` says what. Throws in CI, which has to have it. */
export function lacks(reason: string | false | undefined): boolean {
  if (reason === false || reason === undefined) return false
  if (process.env['CI'] === 'true' && !accepted.has(reason))
    throw new Error(`In CI this test is not skipped: ${reason}`)
  return omits(reason)
}

/** True if a test is left out wherever it runs, for this reason. */
export function omits(reason: string | false | undefined): boolean {
  if (reason === false || reason === undefined) return false
  const path = process.env[skipsVariable]
  if (path !== undefined) {
    const skip: Skip = { file: caller(), reason }
    appendFileSync(path, `${JSON.stringify(skip)}\n`)
  }
  return true
}

/** The path of the test that has called this file. */
const caller = (): string =>
  /([^\s(]+\.(?:test|spec)\.tsx?)(?::\d+)/
    .exec(new Error('where').stack ?? '')?.[1]
    ?.replace(/^file:\/\//, '') ?? ''
