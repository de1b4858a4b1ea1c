/**
 * The cost of list and view with a hundred, ten thousand and a million instances. One server for each size, measured
 * alternately.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { findPostgres, startPostgres } from '@purlin/server/testing/postgres'
import { newFolder } from '@purlin/server/testing/children'
import { signIn } from '@purlin/server/testing/requests'
import { byTurns, medianSpeed, speedFigures, type Figure, type Pace } from '../figures.ts'
import { measure, type Speed } from '../load.ts'
import * as loads from './loads.ts'
import { makeSchema, seed } from '../seed.ts'
import { startServer, type Place } from './servers.ts'

// Many short rounds, so that other load on the machine affects all sizes alike.
const shortRounds = ({ warmSeconds, seconds, rounds }: Pace): Pace => ({
  warmSeconds: Math.min(warmSeconds, 0.5),
  seconds: 1,
  rounds: rounds > 1 ? seconds : 1,
})

const sizes = [100, 10_000, 1_000_000]

export async function growthOnSqlite(pace: Pace): Promise<Figure[]> {
  const folders = sizes.map(() => newFolder())
  const found = await growthOn(
    folders.map((folder) => ({ folder: folder.path })),
    pace,
  )
  for (const folder of folders) folder.remove()
  return found
}

export async function growthOnPostgres(pace: Pace): Promise<Figure[]> {
  const postgres = await startPostgres({ durable: true })
  try {
    const places = sizes.map((size) => ({ databaseUrl: inSchema(postgres.url, `holds${size}`) }))
    for (const size of sizes) await makeSchema({ databaseUrl: postgres.url }, `holds${size}`)
    const settle = () => vacuum(postgres.url)
    return await growthOn(places, pace, settle)
  } finally {
    await postgres.stop()
  }
}

export const inSchema = (url: string, schema: string) =>
  `${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`

// Autovacuum would do this within minutes; here it is done before the measurement.
export function vacuum(url: string): void {
  execFileSync(join(findPostgres() ?? '', 'vacuumdb'), ['--analyze', '--quiet', '--dbname', url])
}

async function growthOn(places: Place[], full: Pace, settle = () => {}): Promise<Figure[]> {
  const pace = shortRounds(full)
  for (const [i, place] of places.entries()) await seed(place, sizes[i] ?? 0)
  settle()
  const servers = await Promise.all(places.map((place) => startServer(place)))
  const asked = await Promise.all(servers.map(({ url }, i) => requestsTo(url, sizes[i] ?? 0)))
  const each: Record<string, () => Promise<Speed>> = {}
  // Figures are compared within a round.
  for (const kind of kinds)
    for (const [i, { origin, cookie, requests }] of asked.entries())
      each[`${kind}, of ${sizes[i]}`] = () => measure({ ...requests[kind], ...pace, origin, cookie })
  const rounds = await byTurns(pace.rounds, each)
  await Promise.all(servers.map((server) => server.stop()))
  const speeds = Object.entries(rounds).flatMap(([name, all]) => speedFigures(name, medianSpeed(all)))
  return [...speeds, ...growths(rounds)]
}

const kinds = ['list, varied', 'view, varied'] as const

async function requestsTo(origin: string, count: number) {
  const { cookie, api } = await signIn(origin)
  const requests: Record<(typeof kinds)[number], loads.Request> = {
    'list, varied': await loads.listAnew(api, count),
    'view, varied': loads.viewAnew(count),
  }
  return { origin, cookie, requests }
}

/** Of the fastest round of each size: other load on the machine can only add to a latency. */
function growths(rounds: Record<string, Speed[]>): Figure[] {
  const best = (kind: string, count: number | undefined) =>
    Math.min(...(rounds[`${kind}, of ${count}`] ?? []).map(({ p50 }) => p50))
  return kinds.map((kind) => ({
    name: `${kind}: growth of p50`,
    value: best(kind, sizes.at(-1)) / best(kind, sizes[0]),
    unit: '×',
  }))
}
