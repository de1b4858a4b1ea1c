/** Samples: `npm test` runs a part of the cases that are many; `npm run soak -- --whole` runs all of them. */
import { omits } from '@purlin/sleds/testing/skips'

const isWhole = process.env['PURLIN_WHOLE'] === '1'
const isFirstEngine = process.env['PURLIN_TEST_ENGINE'] === undefined

/** One case of each ten, beginning with the first; all in the whole run. */
export const sample = <T>(cases: readonly T[], each = 10): T[] =>
  cases.filter((_, index) => isWhole || index % each === 0)

/** All cases on SQLite, and a sample on the other engines: for rules that the database has no part in. */
export const sampleOnOtherEngines = <T>(cases: readonly T[]): T[] =>
  isFirstEngine ? [...cases] : sample(cases)

/** The first number in `npm test`, the second in the whole run. */
export const inWholeRun = (few: number, many: number): number => (isWhole ? many : few)

/**
 * Tests of a long stretch of simulated time run on SQLite, and on all engines in the whole run. Other tests run the same
 * statements on the other engines, where an hour of all loops takes a minute.
 */
export const skipsLong = (): boolean =>
  omits(!isWhole && !isFirstEngine && 'long: npm run soak -- --whole runs it on all engines')
