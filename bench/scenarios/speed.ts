/** How fast one server process answers the everyday requests, and what memory it then holds. */
import { digits, measure, type Speed } from '../load.ts'
import { newFolder } from '@purlin/server/testing/children'
import { signIn, type Api } from '@purlin/server/testing/requests'
import { byTurns, medianSpeed, speedFigures, type Figure, type Pace } from '../figures.ts'
import * as loads from './loads.ts'
import { addPool, seed, signInElsewhere } from '../seed.ts'
import { startServer, type Place } from './servers.ts'
import { startPostgres } from '@purlin/server/testing/postgres'

const instances = 100

export async function speedOnSqlite(pace: Pace): Promise<Figure[]> {
  const folder = newFolder()
  const found = await speedOn({ folder: folder.path }, pace)
  folder.remove()
  return found
}

export async function speedOnPostgres(pace: Pace): Promise<Figure[]> {
  const postgres = await startPostgres({ durable: true })
  try {
    return await speedOn({ databaseUrl: postgres.url }, pace)
  } finally {
    await postgres.stop()
  }
}

async function speedOn(place: Place, pace: Pace): Promise<Figure[]> {
  await seed(place, instances)
  await addPool(place)
  const server = await startServer(place)
  const { url: origin } = server
  const { cookie, api } = await signIn(origin)
  const load = (request: loads.Request & { cookie?: string }) =>
    measure({ cookie, ...request, ...pace, origin })
  const reads = await readSpeeds({ api, pace, load })
  const afterReads = server.memory()?.now
  // All that one server creates in this time may be more than a silo may have.
  const elsewhere = await signInElsewhere(origin, api)
  await makeProjects(api, 'default')
  await makeProjects(elsewhere.api, 'plain')
  const writes = [
    ...speedFigures('create', await load(loads.createDefault)),
    ...speedFigures('create without network', await load({ ...loads.createPlain, cookie: elsewhere.cookie })),
    ...speedFigures('sign-in', await load(loads.signInAnew)),
  ]
  const afterAll = server.memory()?.now
  await server.stop()
  return [
    ...reads,
    ...writes,
    ...memory('memory after reads', afterReads),
    ...memory('memory after all', afterAll),
  ]
}

interface Reading {
  api: Api
  pace: Pace
  load: (request: loads.Request) => Promise<Speed>
}

async function readSpeeds({ api, pace, load }: Reading): Promise<Figure[]> {
  const listAnew = await loads.listAnew(api, instances)
  const rounds = await byTurns(pace.rounds, {
    'list, varied': () => load(listAnew),
    'view, varied': () => load(loads.viewAnew(instances)),
  })
  return Object.entries(rounds).flatMap(([name, speeds]) => speedFigures(name, medianSpeed(speeds)))
}

/** The projects that new instances go to. */
export async function makeProjects(api: Api, group: 'default' | 'plain'): Promise<void> {
  for (let i = 0; i < loads.projects; i++)
    await api.projectCreate({ body: { name: `${group}-${digits(i)}`, description: '' } })
}

const memory = (name: string, bytes: number | undefined): Figure[] =>
  bytes === undefined ? [] : [{ name, value: bytes / 1e6, unit: 'MB' }]
