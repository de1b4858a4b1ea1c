/** PostgreSQL compared with SQLite, and two servers on one PostgreSQL with one of them, in turn on the same machine. */
import { cpus } from 'node:os'
import { newFolder } from '@purlin/server/testing/children'
import { startPostgres } from '@purlin/server/testing/postgres'
import type { ServerProcess } from '@purlin/server/testing/process'
import { signIn } from '@purlin/server/testing/requests'
import { byTurns, medianSpeed, type Figure, type Pace } from '../figures.ts'
import { measure, type Speed } from '../load.ts'
import * as loads from './loads.ts'
import { addPool, seed } from '../seed.ts'
import { startServer, type Place } from './servers.ts'
import { makeProjects } from './speed.ts'

const instances = 100

/** A server, and the requests that it is measured with. */
interface Measured {
  server: ServerProcess
  list: () => Promise<Speed>
  view: () => Promise<Speed>
  create: () => Promise<Speed>
}

export async function equalServers(pace: Pace): Promise<Figure[]> {
  const [folder, shared] = [newFolder(), newFolder()]
  const postgres = await startPostgres({ durable: true })
  try {
    const sqlite = await ready({ folder: folder.path }, pace)
    const first = await ready({ databaseUrl: postgres.url, folder: shared.path }, pace)
    const databases = await databaseFigures(pace, sqlite, first)
    await sqlite.server.stop()
    const place = { databaseUrl: postgres.url, folder: shared.path }
    const other = await measured(await startServer(place), pace)
    const servers = await serverFigures(pace, first, other)
    await Promise.all([first.server.stop(), other.server.stop()])
    return [...databases, ...servers]
  } finally {
    await postgres.stop()
    for (const one of [folder, shared]) one.remove()
  }
}

async function ready(place: Place, pace: Pace): Promise<Measured> {
  await seed(place, instances)
  await addPool(place)
  const server = await startServer(place)
  const { api } = await signIn(server.url)
  await makeProjects(api, 'default')
  return measured(server, pace)
}

async function measured(server: ServerProcess, pace: Pace): Promise<Measured> {
  const { url: origin } = server
  const { cookie, api } = await signIn(origin)
  const list = await loads.listAnew(api, instances)
  const send = (request: loads.Request) => measure({ cookie, ...request, ...pace, origin })
  return {
    server,
    list: () => send(list),
    view: () => send(loads.viewAnew(instances)),
    create: () => send(loads.createDefault),
  }
}

async function databaseFigures(pace: Pace, sqlite: Measured, postgres: Measured): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of ['list', 'view', 'create'] as const) {
    // New names would be taken in a second round.
    const rounds = name === 'create' ? 1 : pace.rounds
    const found = await byTurns(rounds, { sqlite: sqlite[name], postgres: postgres[name] })
    const [fast, slow] = [medianSpeed(found.sqlite), medianSpeed(found.postgres)]
    figures.push({ name: `${name}: SQLite to PostgreSQL`, value: fast.rps / slow.rps, unit: '×' })
  }
  return figures
}

async function serverFigures(pace: Pace, first: Measured, other: Measured): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const name of ['list', 'view'] as const) {
    const busy: Record<'one' | 'two', number[]> = { one: [], two: [] }
    const found = await byTurns(pace.rounds, {
      one: () => whileBusy(first[name], busy.one),
      two: () => whileBusy(() => bothOf([first[name], other[name]]), busy.two),
    })
    const [one, two] = [medianSpeed(found.one), medianSpeed(found.two)]
    figures.push(
      { name: `${name}: two servers to one`, value: two.rps / one.rps, unit: '×' },
      { name: `${name}: processors busy with one`, value: Math.max(...busy.one), unit: '%' },
      { name: `${name}: processors busy with two`, value: Math.max(...busy.two), unit: '%' },
    )
  }
  return figures
}

/** Two loads at once count as one. */
async function bothOf(each: readonly (() => Promise<Speed>)[]): Promise<Speed> {
  const speeds = await Promise.all(each.map((run) => run()))
  return { ...medianSpeed(speeds), rps: speeds.reduce((sum, { rps }) => sum + rps, 0) }
}

/** Notes the share of all processors that was busy, with whatever ran on the machine. */
async function whileBusy(run: () => Promise<Speed>, noted: number[]): Promise<Speed> {
  const before = processorTimes()
  const speed = await run()
  const after = processorTimes()
  noted.push(100 * (1 - (after.idle - before.idle) / (after.all - before.all)))
  return speed
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((one) => one.times)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((one) => Object.values(one))) }
}
