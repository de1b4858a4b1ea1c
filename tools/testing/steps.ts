import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from '../building/build.ts'
import { buildGuide } from '../building/guide.ts'
import {
  chromiumPackages,
  ensure,
  findChromium,
  findFirefox,
  findProgram,
  type Presence,
} from '../machine.ts'
import { findPgbouncer } from '@purlin/server/testing/pgbouncer'
import { findPysaml2 } from '@purlin/server/testing/pysaml2'
import { findPostgres } from '@purlin/server/testing/postgres'
import { findQemu, qemuPackages } from '@purlin/qemu/testing/qemu'
import { skipsVariable, type Skip } from '@purlin/sleds/testing/skips'
import { findNft, testPackages } from '@purlin/netns/testing/packets'
import { cache } from '../repo.ts'
import {
  type Counts,
  failuresFromPlaywright,
  failuresFromVitest,
  skipsFromPlaywright,
  skipsFromVitest,
  fromPlaywright,
  fromVitest,
  oneFailed,
  onePassed,
  oneSkipped,
  type PlaywrightReport,
  type VitestReport,
  withExit,
} from './results.ts'
import { writeRouteTree } from '../building/routes.ts'
import { run } from './run.ts'

/**
 * How a step ended. `said` is shown if it failed; `note` is its one line otherwise; `failures` are the failed
 * tests in words, which are printed once more at the end.
 */
export interface Outcome {
  counts: Counts
  failures?: string[] | undefined
  /** The skipped tests in words, with the reasons. */
  skips?: string[] | undefined
  note?: string
  said?: string
  cpuSeconds?: number
}

/** One part of the test run. `needs` names the steps that go before it; `words` are for Vitest and Playwright. */
export interface Step {
  name: string
  about: string
  needs?: string[]
  run(words: string[]): Promise<Outcome>
}

/** All steps, in order. */
export const steps: Step[] = [
  {
    name: 'postgresql',
    about: 'install PostgreSQL if it is missing',
    run: () => present(findPostgres, ['postgresql']),
  },
  {
    name: 'pgbouncer',
    about:
      'install PgBouncer if it is missing; without it, the tests behind a pooler are skipped, but not in CI',
    run: () => present(findPgbouncer, ['pgbouncer']),
  },
  {
    name: 'pysaml2',
    about: 'install an identity provider if it is missing; without it, the sign-in with one is skipped',
    run: () => present(findPysaml2, ['python3-pysaml2']),
  },
  {
    name: 'qemu',
    about: 'install QEMU if it is missing; without it, the tests with machines are skipped',
    run: () => present(findQemu, qemuPackages),
  },
  {
    name: 'nftables',
    about:
      'install nftables if it is missing; without it or without root, the tests with networks are skipped, but not in CI',
    run: () => present(findNft, testPackages),
  },
  {
    name: 'unzip',
    about: 'install unzip if it is missing',
    run: () => present(() => findProgram('unzip'), ['unzip']),
  },
  {
    name: 'chromium',
    about: 'install Chromium if it is missing',
    run: () => present(findChromium, chromiumPackages),
  },
  {
    name: 'firefox',
    about: 'install Firefox if it is missing',
    run: () => present(findFirefox, ['firefox-esr']),
  },
  { name: 'routes', about: 'write the route tree of the console', run: routes },
  { name: 'types', about: 'the type check', needs: ['routes'], run: () => command(['tsc', '-b']) },
  { name: 'scale', about: 'the type check at the size of the finished product', run: scale },
  {
    name: 'lint',
    about: 'the lint rules',
    needs: ['routes'],
    run: () => command(lint),
  },
  { name: 'format', about: 'the format check', run: () => command(['oxfmt', '--check']) },
  { name: 'dead', about: 'code and packages that nothing uses', needs: ['routes'], run: () => command(dead) },
  {
    name: 'check',
    about: 'the house rules: import directions, sizes, names, documents',
    run: () => command(['node', 'tools/check.ts'], { shows: true }),
  },
  {
    name: 'unit',
    about: 'unit, front-door and storage tests',
    needs: ['postgresql', 'pysaml2', 'qemu', 'unzip'],
    run: (words) => tests('unit', [...unitProjects, ...words]),
  },
  {
    name: 'machines',
    about: 'real machines: disks, drivers and guests with QEMU, and networks in the kernel',
    needs: ['qemu', 'nftables'],
    run: (words) => tests('machines', ['--project', 'machines', '--passWithNoTests', ...words]),
  },
  {
    name: 'attack',
    about: 'attacks on the running server: it is not stalled, filled, flooded or ended',
    needs: ['postgresql', 'pgbouncer'],
    run: (words) => tests('attack', ['--project', 'attack', '--passWithNoTests', ...words]),
  },
  {
    name: 'servers',
    about: 'two servers, two hosts and their database as processes, while each of them fails',
    needs: ['postgresql', 'qemu'],
    run: (words) => tests('servers', ['--project', 'servers', '--passWithNoTests', ...words]),
  },
  { name: 'build', about: 'both consoles and the guide', needs: ['routes'], run: build },
  { name: 'budgets', about: 'the size of the first load', needs: ['build'], run: budgets },
  {
    name: 'e2e',
    about: 'journeys in Chromium',
    needs: ['chromium', 'build'],
    run: (words) => journeys(['server', 'preview'], findChromium(), words),
  },
  {
    name: 'guest',
    about: 'a journey in Chromium on a real machine, which nothing else runs next to',
    needs: ['qemu', 'chromium', 'build'],
    run: (words) => journeys(['guest'], findChromium(), words),
  },
  {
    name: 'cluster',
    about: 'a short set of journeys through a proxy in front of two servers',
    needs: ['postgresql', 'chromium', 'build'],
    run: async (words) =>
      findPostgres()
        ? journeys(['cluster'], findChromium(), words)
        : { counts: process.env['CI'] ? oneFailed : oneSkipped, note: 'no PostgreSQL' },
  },
  {
    name: 'smoke',
    about: 'a short set of journeys in Firefox',
    needs: ['firefox', 'build'],
    run: (words) => journeys(['firefox', 'firefox-preview'], findFirefox(), words),
  },
]

/** The projects of Vitest without a separate step. */
const unitProjects = ['attack*', 'machines', 'servers'].flatMap((name) => ['--project', `!${name}`])
const lint = ['oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives']
const dead = ['knip', '--no-progress']

/** The named steps and what they need, in order; all steps if no names are given. Throws on a wrong name. */
export function chosen(names: string[] | undefined): Step[] {
  if (!names) return steps
  const wanted = new Set<string>()
  const want = (name: string) => {
    const step = steps.find((each) => each.name === name)
    if (!step) throw new Error(`There is no step "${name}": ${steps.map((each) => each.name).join(', ')}`)
    wanted.add(name)
    step.needs?.forEach(want)
  }
  names.forEach(want)
  return steps.filter(({ name }) => wanted.has(name))
}

/** A program that steps need: in CI it has to be there. */
async function present(find: () => string | undefined, names: readonly string[]): Promise<Outcome> {
  const presence: Presence = await ensure(find, ...names)
  if (presence.at === 'present') return { counts: onePassed, note: find() ?? '' }
  const note = `missing: ${presence.install}`
  return process.env['CI']
    ? { counts: oneFailed, said: `${note}\n${presence.said}` }
    : { counts: oneSkipped, note, skips: [note] }
}

/** A check that passes or fails as one; `shows` prints what it says even if it passes. */
async function command(words: string[], { shows = false } = {}): Promise<Outcome> {
  const ended = await run(words)
  if (shows && ended.code === 0) console.log(ended.output)
  const counts = ended.code === 0 ? onePassed : oneFailed
  return { counts, said: ended.output, cpuSeconds: ended.cpuSeconds }
}

async function routes(): Promise<Outcome> {
  await writeRouteTree()
  return { counts: onePassed }
}

async function build(): Promise<Outcome> {
  const builds = [buildConsole('production'), buildConsole('preview'), buildGuide()]
  const [server, preview, guide] = await Promise.all(builds)
  return { counts: onePassed, note: `server ${server}, preview ${preview}, guide ${guide}` }
}

function scale(): Promise<Outcome> {
  return command(['node', 'tools/testing/typecheck-scale.ts'], { shows: true })
}

function budgets(): Promise<Outcome> {
  return command(['node', 'tools/building/budgets.ts'], { shows: true })
}

/** Runs Vitest. */
async function tests(name: string, chosen: string[]): Promise<Outcome> {
  const file = reportFile(`${name}.json`)
  const reasons = reportFile(`${name}-skips.jsonl`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, cpuSeconds } = await run(['vitest', 'run', ...reporters, ...chosen], {
    stream: true,
    env: { [skipsVariable]: reasons },
  })
  const report = read<VitestReport>(file)
  const counts = withExit(report && fromVitest(report), code)
  return {
    counts,
    cpuSeconds,
    failures: report && failuresFromVitest(report),
    skips: report && skipsFromVitest(report, readLines(reasons)),
  }
}

/** Runs projects of e2e/playwright.config.ts, if there is a browser for them. */
async function journeys(projects: string[], browser: string | undefined, words: string[]): Promise<Outcome> {
  if (!browser) return { counts: process.env['CI'] ? oneFailed : oneSkipped, note: 'no browser' }
  const browsers = { PURLIN_CHROMIUM: findChromium(), PURLIN_FIREFOX: findFirefox() }
  const file = reportFile(`${projects[0]}.json`)
  const { code, cpuSeconds } = await run(
    [
      'playwright',
      'test',
      '--config=e2e/playwright.config.ts',
      '--reporter=list,json',
      '--pass-with-no-tests',
      ...projects.map((project) => `--project=${project}`),
      ...words,
    ],
    { stream: true, env: { ...browsers, PLAYWRIGHT_JSON_OUTPUT_FILE: file } },
  )
  const report = read<PlaywrightReport>(file)
  const counts = withExit(report && fromPlaywright(report), code)
  return {
    counts,
    cpuSeconds,
    failures: report && failuresFromPlaywright(report, readText),
    skips: report && skipsFromPlaywright(report),
  }
}

/** The reasons for skipped tests, which a run has written one after the other. */
const readLines = (file: string): Skip[] =>
  existsSync(file)
    ? readText(file)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Skip)
    : []

const readText = (file: string) => readFileSync(file, 'utf8')

function reportFile(name: string): string {
  const file = join(cache, name)
  mkdirSync(cache, { recursive: true })
  rmSync(file, { force: true })
  return file
}

/** undefined if the runner ended without a report. */
function read<R>(file: string): R | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as R
  } catch {
    return undefined
  }
}
