/** Searches by words among ten thousand and a million instances of one project. */
import { newFolder } from '@purlin/server/testing/children'
import { startPostgres } from '@purlin/server/testing/postgres'
import type { Figure, Pace } from '../figures.ts'
import { inSchema, vacuum } from './growth.ts'
import { growthOfLists } from './list-growth.ts'
import { instanceName, makeSchema, project, seed } from '../seed.ts'

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
