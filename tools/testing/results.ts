import type { Skip } from '@purlin/sleds/testing/skips'
import { stripVTControlCharacters } from 'node:util'

/** The numbers of passed, failed and skipped tests. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export const none: Counts = { passed: 0, failed: 0, skipped: 0 }
export const onePassed: Counts = { ...none, passed: 1 }
export const oneFailed: Counts = { ...none, failed: 1 }
export const oneSkipped: Counts = { ...none, skipped: 1 }

/** The part of Vitest's JSON report that is counted. */
export interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[]
  }[]
}

/** The part of Playwright's JSON report that is counted. */
export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: { message?: string }[]
  suites: PlaywrightSuite[]
}

/** A file or a group of journeys. */
interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    tests: {
      status: string
      projectName: string
      annotations?: { type: string; description?: string }[]
      results: JourneyResult[]
    }[]
  }[]
}

interface JourneyResult {
  error?: { message?: string }
  attachments?: { name: string; path?: string }[]
}

export function add(all: Counts[]): Counts {
  const sum = (pick: (counts: Counts) => number) => all.reduce((total, counts) => total + pick(counts), 0)
  return { passed: sum((c) => c.passed), failed: sum((c) => c.failed), skipped: sum((c) => c.skipped) }
}

/** A test file that broke before its first test is one failed test. */
export function fromVitest(report: VitestReport): Counts {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.length,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** A test that passed at the second try has passed; an error outside of tests is a failed test. */
export function fromPlaywright({ stats, errors }: PlaywrightReport): Counts {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}

/** Each failed test in words: file, name, and the first lines of its error. */
export function failuresFromVitest(report: VitestReport): string[] {
  return report.testResults
    .filter((file) => file.status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      if (!failed.length) return [inWords(name, '', message)]
      return failed.map((test) => inWords(name, test.fullName, test.failureMessages?.[0]))
    })
}

/**
 * Each failed journey in words: file, project, title, the first lines of its last error, and what the page
 * showed then. `read` gives the text of an attached file.
 */
export function failuresFromPlaywright(
  { suites, errors }: PlaywrightReport,
  read: (path: string) => string,
): string[] {
  const inPage = ({ attachments = [] }: JourneyResult) => {
    const path = attachments.find(({ name }) => name === 'error-context')?.path
    return path === undefined ? '' : `\n${shownPage(read(path))}`
  }
  const of = (suite: PlaywrightSuite, path: string): string[] => [
    ...suite.specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ projectName, results }) => {
          const last = results.at(-1) ?? {}
          return inWords(path, `[${projectName}] ${title}`, last.error?.message) + inPage(last)
        }),
    ),
    ...(suite.suites ?? []).flatMap((child) => of(child, `${path} › ${child.title}`)),
  ]
  return [
    ...errors.map(({ message }) => inWords('outside of tests', '', message)),
    ...suites.flatMap((suite) => of(suite, suite.title)),
  ]
}

const unsaid = 'no reason is given'

/** The skipped tests of each file, and why: one line for a file. */
export function skipsFromVitest(report: VitestReport, skips: readonly Skip[]): string[] {
  return report.testResults.flatMap(({ name, assertionResults }) => {
    const skipped = assertionResults.filter(({ status }) => ['skipped', 'pending', 'todo'].includes(status))
    if (!skipped.length) return []
    const reasons = new Set(skips.flatMap(({ file, reason }) => (file === name ? reason : [])))
    return `${name}: ${skipped.length}: ${[...reasons].join('; ') || unsaid}`
  })
}

/** The skipped journeys, each with its reason. */
export function skipsFromPlaywright({ suites }: PlaywrightReport): string[] {
  const of = (suite: PlaywrightSuite, path: string): string[] => [
    ...suite.specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === 'skipped')
        .map(({ projectName, annotations = [] }) => {
          const why = annotations.find(({ type }) => type === 'skip')?.description
          return `${path} › [${projectName}] ${title}: ${why ?? unsaid}`
        }),
    ),
    ...(suite.suites ?? []).flatMap((child) => of(child, `${path} › ${child.title}`)),
  ]
  return suites.flatMap((suite) => of(suite, suite.title))
}

const PAGE_CHARACTERS = 4000

/** The accessibility tree of the page in the file that Playwright attaches to a failure. */
function shownPage(context: string): string {
  const tree = /^```yaml\n(.*?)\n```/ms.exec(context)?.[1] ?? ''
  return tree.slice(0, PAGE_CHARACTERS).replaceAll(/^/gm, '    ')
}

const ERROR_LINES = 12
const ERROR_CHARACTERS = 1500

function inWords(place: string, name: string, error = ''): string {
  const text = stripVTControlCharacters(error).split('\n').slice(0, ERROR_LINES).join('\n    ')
  return `${place}${name && ` › ${name}`}\n    ${text.slice(0, ERROR_CHARACTERS)}`
}

const LINE_CHARACTERS = 400

/** A failure in one line: file, name and the beginning of its error. */
export const inOneLine = (failure: string): string =>
  failure
    .split('\n', 2)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(': ')
    .slice(0, LINE_CHARACTERS)

/** The counts of a runner, corrected by how it ended: a bad end is at least one failure. */
export function withExit(counts: Counts | undefined, code: number | null): Counts {
  if (!counts) return oneFailed
  return code !== 0 && counts.failed === 0 ? add([counts, oneFailed]) : counts
}

/** The last line of the whole test run; other programs read it. */
export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

/** Seconds in the output of the shell's `times`: two lines of `0m1.25s 0m0.10s`. */
export function cpuSeconds(times: string): number {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}
