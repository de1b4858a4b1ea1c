/** How much slower lists become as there is more in them. */
import { performance } from 'node:perf_hooks'
import { newFolder } from '@purlin/server/testing/children'
import { signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '../figures.ts'
import { startServer, type Place } from './servers.ts'

interface Lists {
  /** The number of rows in each database, the smallest first. */
  sizes: readonly number[]
  /** Creates a database with this many in a folder. */
  fill?: (folder: string, count: number) => Promise<void>
  /** Databases that have them already, in place of new ones. */
  places?: readonly Place[]
  /** The requested addresses, by the names of their figures. */
  asked: Readonly<Record<string, string>>
}

/** The median of each list, of each size in turn, and the quotient of the last and the first. */
export async function growthOfLists(
  { rounds }: Pace,
  { sizes, fill, places, asked }: Lists,
): Promise<Figure[]> {
  const folders = places ? [] : sizes.map(() => newFolder())
  try {
    for (const [i, { path }] of folders.entries()) await fill?.(path, sizes[i] ?? 0)
    const servers = await Promise.all(
      (places ?? folders.map(({ path }) => ({ folder: path }))).map((place) => startServer(place)),
    )
    const sources = await Promise.all(
      servers.map(async ({ url }) => ({ url, cookie: (await signIn(url)).cookie })),
    )
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(asked)) {
      const times = await timesOf(
        sources.map((source) => ({ ...source, path })),
        40 * rounds,
      )
      const p50 = times.map((all) => median(all))
      figures.push(
        ...p50.map((value, i) => ({ name: `${name} of ${sizes[i]}: p50`, value, unit: 'ms' as const })),
        { name: `${name}: growth of p50`, value: (p50.at(-1) ?? Infinity) / (p50[0] ?? 1), unit: '×' },
      )
    }
    await Promise.all(servers.map((server) => server.stop()))
    return figures
  } finally {
    for (const folder of folders) folder.remove()
  }
}

/** A list, and whose session asks for it. */
interface Source {
  url: string
  cookie: string
  path: string
}

/** The times in ms of each list, in turn, after an answer that is not counted. */
export async function timesOf(sources: readonly Source[], rounds: number): Promise<number[][]> {
  const times = sources.map((): number[] => [])
  for (let round = 0; round <= rounds; round++)
    for (const [i, source] of sources.entries()) {
      const took = await timeOf(source)
      if (round > 0) times[i]?.push(took)
    }
  return times
}

async function timeOf({ url, cookie, path }: Source): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url + path, { headers: { cookie, 'cache-control': 'no-cache' } })
  const { items } = (await answer.json()) as { items?: unknown[] }
  if (!answer.ok || !items?.length) throw new Error(`${path}: ${answer.status}`)
  return performance.now() - began
}
