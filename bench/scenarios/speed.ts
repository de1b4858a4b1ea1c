/** How fast one server process answers the everyday requests, and what memory it then holds. */
import { digits, measure, type Speed } from '../load.ts'
import { startBare } from './bare.ts'
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
  const reads = await readSpeeds({ api, pace, load, bytes: await bytesOf(origin + loads.listPath, cookie) })
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
  /** the answer that the bare handler gives as well */
  bytes: string
}

async function readSpeeds({ api, pace, load, bytes }: Reading): Promise<Figure[]> {
  const bare = await startBare(bytes)
  const listAnew = await loads.listAnew(api, instances)
  const rounds = await byTurns(pace.rounds, {
    bare: () => measure({ ...loads.listAgain, ...pace, origin: bare.origin }),
    list: () => load(loads.listAgain),
    'list, varied': () => load(listAnew),
    view: () => load(loads.viewAgain),
    'view, varied': () => load(loads.viewAnew(instances)),
  })
  await bare.stop()
  const all = Object.entries(rounds).flatMap(([name, speeds]) => speedFigures(name, medianSpeed(speeds)))
  const share = (name: 'list' | 'list, varied') => {
    const value = (100 * medianSpeed(rounds[name]).rps) / medianSpeed(rounds.bare).rps
    return { name: `${name}: share of bare node:http`, value, unit: '%' } as const
  }
  return [...all, share('list'), share('list, varied')]
}

async function bytesOf(url: string, cookie: string): Promise<string> {
  const response = await fetch(url, { headers: { cookie } })
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`)
  return response.text()
}

async function makeProjects(api: Api, group: 'default' | 'plain'): Promise<void> {
  for (let i = 0; i < loads.projects; i++)
    await api.projectCreate({ body: { name: `${group}-${digits(i)}`, description: '' } })
}

const memory = (name: string, bytes: number | undefined): Figure[] =>
  bytes === undefined ? [] : [{ name, value: bytes / 1e6, unit: 'MB' }]
