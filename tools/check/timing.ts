import { callsOf, type Finding, type TextFile } from './files.ts'

const TEST = /\.(?:test|spec)\.tsx?$/
const TIMED =
  /\bwaitForTimeout\(|\bawait (?:wait|sleep|pause)\(|\bsetTimeout\(\(?(?:resolve|done)\b|\bperformance\.now\(\)/g

const ownTest = 'tools/check/timing.test.ts'

/** Tests that wait for a time or read a clock, how often, and why no condition can replace it. */
const exceptions: Readonly<Record<string, { times: number; why: string }>> = {
  'apps/server/attack/postgres-servers.test.ts': {
    times: 8,
    why: 'keepsWithin measures for the soak run; a process is stopped at random moments; a stream stays silent',
  },
  'apps/server/attack/postgres-outage.test.ts': {
    times: 2,
    why: 'keepsWithin measures for the soak run',
  },
  'apps/server/attack/identity.test.ts': {
    times: 2,
    why: 'keepsWithin measures for the soak run',
  },
  [ownTest]: {
    times: 5,
    why: 'it is about them',
  },
  'apps/console/src/features/images/upload/upload.test.ts': {
    times: 5,
    why: 'the clock of the uploader; calls that overlap; a call that must not follow',
  },
  'apps/console/src/live/events.test.ts': {
    times: 2,
    why: 'its clock is fake',
  },
  'packages/core/crash.test.ts': {
    times: 2,
    why: 'processes are killed at random moments',
  },
  'packages/sleds/sim.test.ts': {
    times: 1,
    why: 'it runs the suite of sleds on the real clock',
  },
  'packages/qemu/host/suite.test.ts': {
    times: 1,
    why: 'it runs the suite of sleds on real machines',
  },
  'e2e/networks/instance-networking.spec.ts': {
    times: 1,
    why: 'a response that is slow',
  },
  'e2e/shell.spec.ts': {
    times: 1,
    why: 'browsers fire no event when they have stored a scroll position',
  },
  'e2e/events.spec.ts': {
    times: 4,
    why: 'requests that must not follow',
  },
  'e2e/instances/metrics.spec.ts': {
    times: 1,
    why: 'a time on the screen has seconds',
  },
  'e2e/accessibility.spec.ts': {
    times: 2,
    why: 'a page that changes no more',
  },
  'e2e/pagination.server.spec.ts': {
    times: 2,
    why: 'a response that is slow',
  },
}

/** Vitest's own limit is a second, which a busy machine exceeds. */
const leastWaitMs = 50_000
/** The limit of a test in vitest.config.ts. A lower one would be a bound in time. */
const testMs = 300_000

/** Where a test or a group of them has a limit that is lower than that of all. */
const hurried = (text: string): number[] =>
  [...text.matchAll(/['`],\s*\{ timeout: ([\d_]+) \},\s*(?:async )?\(/g)]
    .filter(([, ms = '']) => Number(ms.replaceAll('_', '')) < testMs)
    .map(({ index }) => index)

/** Where `vi.waitFor` is called with no limit, or with one that is too short. */
const impatient = (text: string): number[] =>
  callsOf(text, /\bvi\.waitFor\(/g)
    .filter(({ given }) => {
      const limit = /,\s*(?:([\d_]+)|(patient|\{.*timeout: ([\d_]+).*\}))[\s,]*$/s.exec(given)
      const ms = limit?.[1] ?? limit?.[3]
      return ms === undefined ? limit?.[2] === undefined : Number(ms.replaceAll('_', '')) < leastWaitMs
    })
    .map(({ at }) => at)

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

const shortLimits = (path: string, text: string): string[] => [
  ...impatient(text).map(
    (at) => `${path} line ${lineOf(text, at)}: give vi.waitFor at least ${leastWaitMs} ms`,
  ),
  ...hurried(text).map(
    (at) => `${path} line ${lineOf(text, at)}: a test has ${testMs} ms, or more: leave its limit out`,
  ),
]

/** Tests wait for conditions and have no bound in time, which would depend on the machine. */
export function checkTiming(files: TextFile[]): Finding {
  const problems = files
    .filter(({ path }) => TEST.test(path))
    .flatMap(({ path, text }) => {
      const found = [...text.matchAll(TIMED)]
      const allowed = exceptions[path]?.times ?? 0
      const short = path === ownTest ? [] : shortLimits(path, text)
      if (found.length === allowed) return short
      const lines = found.map(({ index }) => lineOf(text, index)).join(', ')
      return [
        `${path} has ${found.length} waits or clocks (line ${lines}) instead of ${allowed}: wait for a condition, and move what measures time to bench or to a .soak.ts file`,
        ...short,
      ]
    })
  const said = `tests wait for conditions, with ${Object.keys(exceptions).length} exceptions`
  return { name: 'waits of tests', said, problems, figures: {} }
}
