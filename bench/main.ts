/**
 * `npm run bench`: measures the server and the console, prints a table and writes results.json.
 * `--only sqlite,browser` measures those alone and keeps the other results; `--quick` takes a
 * second per figure, good enough to see that everything works. Ends with 1 if a limit does not hold.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { accessTimes } from './scenarios/access.ts'
import { auditCost } from './scenarios/audit.ts'
import { firstLoads } from './scenarios/browser.ts'
import { filteredByTags, findOnPostgres, findOnSqlite } from './scenarios/find.ts'
import { budgetOf, budgets, holds, type Budget } from './budgets.ts'
import { distanceOnPostgres } from './scenarios/distance.ts'
import { equalServers } from './scenarios/equal.ts'
import type { Figure, Pace } from './figures.ts'
import { chartFigures } from './scenarios/chart.ts'
import { crowdedConsole } from './scenarios/crowded.ts'
import { growthOnPostgres, growthOnSqlite } from './scenarios/growth.ts'
import { deliverySpeed } from './scenarios/operators/deliveries.ts'
import { bundleCost } from './scenarios/operators/bundles.ts'
import { commandTimes } from './scenarios/command-line.ts'
import { hardwareFigures } from './scenarios/operators/hardware.ts'
import { metricsCost } from './scenarios/operators/monitoring.ts'
import { handshakeTimes } from './scenarios/handshakes.ts'
import { importSpeed } from './scenarios/import.ts'
import { guestFigures } from './scenarios/machines/guests.ts'
import { measureMachine, type MachineSpeed } from './machine.ts'
import { navigationFigures } from './scenarios/navigation.ts'
import { networksOnSqlite } from './scenarios/networks.ts'
import { passwordTimes } from './scenarios/passwords.ts'
import { poolTimes } from './scenarios/pools.ts'
import { speedOnPostgres, speedOnSqlite } from './scenarios/speed.ts'
import { streamCost } from './scenarios/streams.ts'
import { taskSpeed } from './scenarios/tasks.ts'
import { timeseriesOnPostgres, timeseriesOnSqlite } from './scenarios/timeseries.ts'
import { uploadSpeed } from './scenarios/operators/updates.ts'
import { vpcPages } from './scenarios/vpc-pages.ts'
import { watchedList } from './scenarios/watched.ts'
import { readFlags } from '@purlin/tools/flags'

const benchmarks: Record<string, { about: string; run: (pace: Pace) => Promise<Figure[]> }> = {
  sqlite: { about: 'One server on SQLite (WAL, each commit synced), 100 instances', run: speedOnSqlite },
  postgres: { about: 'One server on PostgreSQL (fsync on), 100 instances', run: speedOnPostgres },
  'growth-sqlite': {
    about: 'SQLite with 100, 10 000 and 1 000 000 instances in one project',
    run: growthOnSqlite,
  },
  'growth-postgres': {
    about: 'PostgreSQL with 100, 10 000 and 1 000 000 instances in one project',
    run: growthOnPostgres,
  },
  distance: {
    about:
      'Four servers on one PostgreSQL (fsync on), 1 ms added to each round trip, a client of each in turn',
    run: distanceOnPostgres,
  },
  equal: {
    about:
      'PostgreSQL (fsync on) compared with SQLite, and two servers on it with one, in turn; 100 instances',
    run: equalServers,
  },
  import: {
    about: 'Bulk import of a disk on SQLite: 2 GiB, 6 chunks of 512 KiB at a time',
    run: importSpeed,
  },
  'timeseries-sqlite': {
    about: 'Samples of 1000 instances (2 vCPUs, 2 disks, 1 interface) on SQLite (WAL, each commit synced)',
    run: timeseriesOnSqlite,
  },
  'timeseries-postgres': {
    about: 'Samples of 1000 instances (2 vCPUs, 2 disks, 1 interface) on PostgreSQL (fsync on)',
    run: timeseriesOnPostgres,
  },
  guests: {
    about:
      'A machine of QEMU by emulation: its start compared with that of QEMU alone, and a disk in two layers with a raw file, in turn',
    run: guestFigures,
  },
  networks: {
    about: 'A VPC with 1000 interfaces and 200 rules of 20 targets, hosts and ports, on SQLite, 16 sleds',
    run: networksOnSqlite,
  },
  'vpc-pages': {
    about:
      'First visit in Chromium to the pages of a VPC with 500 instances, 10 and 1024 rules with 20 targets each',
    run: vpcPages,
  },
  'find-sqlite': {
    about: 'Words among 10 000 and 1 000 000 instances in one project, on SQLite',
    run: findOnSqlite,
  },
  'find-postgres': {
    about: 'Words among 10 000 and 1 000 000 instances in one project, on PostgreSQL',
    run: findOnPostgres,
  },
  tags: {
    about: 'A list of 1 000 000 instances in one project, filtered by a tag and by a state, on SQLite',
    run: filteredByTags,
  },
  crowded: {
    about: 'The console in Chromium, a project with 10 000 instances and 2000 images, on SQLite',
    run: crowdedConsole,
  },
  updates: { about: 'Upload of a release of 1 GiB on SQLite', run: uploadSpeed },
  bundles: {
    about: 'A support bundle with a log of 1 GiB, collected and downloaded, on SQLite',
    run: bundleCost,
  },
  deliveries: { about: '10 000 deliveries of alerts to 8 receivers, on SQLite', run: deliverySpeed },
  monitoring: { about: 'The text of /metrics with 1000 instances, on SQLite', run: metricsCost },
  hardware: {
    about: 'Inventory of 32 sleds and 1000 instances in Chromium, and the plan to empty a sled',
    run: hardwareFigures,
  },
  tasks: {
    about: 'A task that deletes 10 000 instances, on SQLite, while others view a project every 20 ms',
    run: taskSpeed,
  },
  streams: {
    about: '1000 open streams of events of 10 viewers that watch the disks of a project, on SQLite',
    run: streamCost,
  },
  watched: {
    about:
      'A list of a project with 10 000 instances (SQLite), open in Chromium; another user makes 30 changes',
    run: watchedList,
  },
  pools: {
    about:
      'A floating IP of a pool on SQLite that has given out no address and of one that has given out 1 000 000',
    run: poolTimes,
  },
  audit: {
    about: 'The audit log: what it costs a create, and lists of 10 000 and 10 000 000 entries (SQLite)',
    run: auditCost,
  },
  access: {
    about: 'Permissions of a user in 200 groups, and lists of 100 and 100 000 users on SQLite',
    run: accessTimes,
  },
  handshakes: {
    about: 'A TLS handshake with one certificate in a file, and with those of 500 silos (SQLite)',
    run: handshakeTimes,
  },
  'command-line': {
    about: 'Commands from their start to their end, on SQLite with 100 instances',
    run: commandTimes,
  },
  passwords: { about: 'A hash of a password by Argon2id in one lane', run: passwordTimes },
  browser: {
    about: 'First visit in Chromium with a cold cache; bytes as received, compressed',
    run: firstLoads,
  },
  chart: { about: 'A chart in Chromium without a graphics card', run: chartFigures },
  navigation: {
    about: 'Moving between list, instance and tabs in Chromium, 64 instances',
    run: navigationFigures,
  },
}

interface Held extends Figure {
  limit?: { least?: number; most?: number; holds: boolean }
}
interface Result {
  about: string
  date: string
  machine: string
  node: string
  busy: number
  /** before and after */
  speed?: [MachineSpeed, MachineSpeed]
  pace: Pace
  figures: Held[]
}

const file = new URL('results.json', import.meta.url)
const known = (): Record<string, Result> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Result>) : {}

function chosen(): { names: string[]; pace: Pace } {
  const options = { only: { type: 'string' }, quick: { type: 'boolean' } } as const
  const { only, quick } = readFlags({ options }).values
  const names = only?.split(',') ?? Object.keys(benchmarks)
  const unknown = names.filter((name) => !(name in benchmarks))
  if (unknown.length > 0)
    throw new Error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}`)
  return {
    names,
    pace: quick ? { warmSeconds: 0.5, seconds: 1, rounds: 1 } : { warmSeconds: 1, seconds: 5, rounds: 3 },
  }
}

function held(of: string, figure: Figure): Held {
  const budget = budgetOf(of, figure.name)
  const value = Number(figure.value.toPrecision(4))
  if (!budget) return { ...figure, value }
  const { least, most } = budget
  const bounds = { ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) }
  return { ...figure, value, limit: { ...bounds, holds: holds(figure.value, budget) } }
}

// A missing figure fails.
const missing = (of: string, found: readonly Figure[]): Budget[] =>
  budgets.filter((one) => one.of === of && !found.some(({ name }) => name === one.figure))

function row({ name, value, unit, limit }: Held): string {
  const bound = limit ? `${limit.least === undefined ? '≤' : '≥'} ${limit.least ?? limit.most} ${unit}` : ''
  const mark = limit ? (limit.holds ? '✓' : '✗') : ' '
  return `${mark} ${name.padEnd(44)} ${String(value).padStart(9)} ${unit.padEnd(5)} ${bound}`
}

async function main(): Promise<void> {
  const { names, pace } = chosen()
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`
  for (const name of names) {
    const benchmark = benchmarks[name]
    if (!benchmark) continue
    console.log(`\n${name}: ${benchmark.about}`)
    const before = measureMachine()
    const found = await benchmark.run(pace)
    const figures = found.map((figure) => held(name, figure))
    for (const figure of figures) console.log(row(figure))
    const absent = missing(name, found)
    for (const { figure } of absent) console.log(`✗ ${figure} was not measured`)
    if (absent.length > 0 || figures.some(({ limit }) => limit?.holds === false)) process.exitCode = 1
    const speed: [MachineSpeed, MachineSpeed] = [before, measureMachine()]
    console.log(
      `  the machine: ${speed.map((one) => `SHA-256 ${one.hash} ms, new page ${one.newPage} µs`).join('; ')}`,
    )
    const result = {
      about: benchmark.about,
      date: new Date().toISOString(),
      machine,
      node: process.version,
      // Above the number of cores, other work was running as well: times are then too long.
      busy: Number(loadavg()[0]?.toFixed(1)),
      speed,
      pace,
      figures,
    }
    writeFileSync(file, `${JSON.stringify({ ...known(), [name]: result }, null, 2)}\n`)
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error)
  // Children of a benchmark that failed would keep this process alive.
  process.exit(1)
})
