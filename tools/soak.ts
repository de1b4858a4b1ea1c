/**
 * `npm run soak [-- --minutes 10] [-- --runs N] [-- --seed N] [-- --only TITLE]`: runs the files with property
 * tests again and again, each time with a fresh seed, until the time is up, N runs are done or a test fails.
 * A failure shows the counterexample and the seed; `--seed` repeats that run. `--only` chooses tests by title.
 *
 * `npm run soak -- --attack [--seed N] [--only TITLE]`: runs all attacks on the server once, the long ones and
 * those of `npm test`, with a fixed seed; the latter with their bounds in time. Faults of servers, database, hosts and
 * receivers have a fresh seed unless one is given: PURLIN_FAULTS is their number, PURLIN_FAULT_INSTANCES that of instances.
 *
 * `npm run soak -- --servers [--minutes 10] [--seed N] [--only TITLE]`: the faults of the step `servers`, drawn at random and several at
 * once, with fresh seeds until the time is up or a test fails: half of it under load, half of it while real machines move between hosts.
 * A seed that fails is added to those of `apps/server/servers`.
 *
 * `npm run soak -- --whole [--only TITLE]`: runs the unit tests once with all cases of which `npm test` runs a sample:
 * every crash, every former version of the database, and every test of core on every engine.
 *
 * `npm run soak -- --cluster [--only TITLE]`: runs the journeys that several servers could get wrong through a proxy that sends
 * each request to another one of two servers.
 */
import { randomInt } from 'node:crypto'
import { findChromium } from './machine.ts'
import { run } from './testing/run.ts'
import { readFlags } from './flags.ts'

const { values } = readFlags({
  options: {
    attack: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    servers: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const minutes = Number(values.minutes)
const runs = Number(values.runs ?? (values.seed === undefined ? Infinity : 1))
if (Number.isNaN(runs) || Number.isNaN(minutes)) {
  console.error('--minutes and --runs take a number')
  process.exit(2)
}
if (values.attack) await once('attack*', { PURLIN_PROPERTY_SEED: values.seed, PURLIN_BOUNDS: '1' })
else if (values.servers)
  await once(
    'attack at length',
    { PURLIN_PROPERTY_SEED: values.seed, PURLIN_MINUTES: String(minutes / 2) },
    'apps/server/attack/faults/servers.soak.ts',
  )
else if (values.cluster) await journeys('cluster at length')
else if (values.whole) await once('!attack*', { PURLIN_WHOLE: '1' })
else await repeat()

async function once(
  project: string,
  env: Record<string, string | undefined>,
  ...files: string[]
): Promise<void> {
  const command = ['vitest', 'run', '--project', project, '--testNamePattern', values.only, ...files]
  const { code } = await run(command, { stream: true, env })
  process.exitCode = code ?? 1
}

async function journeys(project: string): Promise<void> {
  const built = await run(['node', 'tools/test.ts', '--only', 'build'])
  if (built.code !== 0) console.log(built.output)
  const env = { PURLIN_CHROMIUM: findChromium() }
  const command = ['playwright', 'test', '--config=e2e/playwright.config.ts', `--project=${project}`]
  const { code } =
    built.code === 0 ? await run([...command, '--grep', values.only], { stream: true, env }) : built
  process.exitCode = code ?? 1
}

async function repeat(): Promise<void> {
  const until = Date.now() + minutes * 60_000
  // Every file that reaches this module holds property tests; other databases would add nothing to them.
  const command = ['vitest', 'related', '--run', 'packages/core/testing/properties.ts']
  command.push('--project', 'all on sqlite', '--project', 'machines', '--testNamePattern', values.only)
  // A busy machine must not fail a soak, and fast-check needs time to shrink a counterexample.
  command.push('--reporter', 'minimal', '--testTimeout', '600000')

  let done = 0
  while (done < runs && Date.now() < until) {
    const seed = values.seed ?? String(randomInt(2 ** 31))
    const { code, output, seconds } = await run(command, { env: { PURLIN_PROPERTY_SEED: seed } })
    console.log(`seed ${seed}: ${code === 0 ? 'passed' : 'failed'} after ${Math.round(seconds)} s`)
    if (code !== 0) {
      console.log(`${output}\n\nRepeat with: npm run soak -- --seed ${seed}`)
      process.exit(1)
    }
    done++
  }
  console.log(`${done} runs passed`)
}
