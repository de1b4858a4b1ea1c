/** Searches by words among ten thousand and a million instances of one project, and a filter of the million by a tag. */
import { newFolder } from '@purlin/server/testing/children'
import { startPostgres } from '@purlin/server/testing/postgres'
import { signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '../figures.ts'
import { inSchema, vacuum } from './growth.ts'
import { growthOfLists, timesOf } from './list-growth.ts'
import { instanceName, makeSchema, project, seed, tagSome } from '../seed.ts'
import { startServer } from './servers.ts'

const sizes = [10_000, 1_000_000]
const list = `/v1/instances?project=${project}&limit=50`
const one = instanceName(8765)
const asked = {
  'find one name': `${list}&find=${one}&total=true`,
  'find the end of a name': `${list}&find=${one.slice(-4)}&total=true`,
  'search one name': `/v1/search?q=${one}`,
  'search the beginning of all names': `/v1/search?q=${one.slice(0, 2)}`,
  'first page with its total': `${list}&total=true`,
}

export async function findOnSqlite(pace: Pace): Promise<Figure[]> {
  const folders = sizes.map(() => newFolder())
  const places = folders.map(({ path }) => ({ folder: path }))
  try {
    for (const [i, place] of places.entries()) await seed(place, sizes[i] ?? 0)
    return await growthOfLists(pace, { sizes, places, asked })
  } finally {
    for (const folder of folders) folder.remove()
  }
}

export async function findOnPostgres(pace: Pace): Promise<Figure[]> {
  const postgres = await startPostgres({ durable: true })
  try {
    const places = sizes.map((size) => ({ databaseUrl: inSchema(postgres.url, `holds${size}`) }))
    for (const [i, place] of places.entries()) {
      await makeSchema({ databaseUrl: postgres.url }, `holds${sizes[i]}`)
      await seed(place, sizes[i] ?? 0)
    }
    vacuum(postgres.url)
    return await growthOfLists(pace, { sizes, places, asked })
  } finally {
    await postgres.stop()
  }
}

const filters = { tag: 'tag:env=prod', state: 'state:failed' }

/** The same list by a tag and by a state, in turn. One instance of each thousand has it. */
export async function filteredByTags({ rounds }: Pace): Promise<Figure[]> {
  const folder = newFolder()
  try {
    const place = { folder: folder.path }
    await seed(place, 1_000_000)
    await tagSome(place, { every: 1000, tag: ['env', 'prod'], state: 'failed' })
    const server = await startServer(place)
    const source = { url: server.url, cookie: (await signIn(server.url)).cookie }
    const [tag, state] = await timesOf(
      Object.values(filters).map((filter) => ({ ...source, path: `${list}&total=true&filter=${filter}` })),
      40 * rounds,
    )
    await server.stop()
    const [byTag, byState] = [median(tag ?? []), median(state ?? [])]
    return [
      { name: 'by a tag: p50', value: byTag, unit: 'ms' },
      { name: 'by a state: p50', value: byState, unit: 'ms' },
      { name: 'by a tag compared with a state', value: byTag / byState, unit: '×' },
    ]
  } finally {
    folder.remove()
  }
}
