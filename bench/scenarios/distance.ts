/** Four servers on one PostgreSQL that is a millisecond away. */
import { later, startDistance } from '@purlin/core/testing/distance'
import { newFolder } from '@purlin/server/testing/children'
import { startPostgres } from '@purlin/server/testing/postgres'
import { signIn } from '@purlin/server/testing/requests'
import { medianSpeed, speedFigures, type Figure, type Pace } from '../figures.ts'
import { measure, type Speed } from '../load.ts'
import * as loads from './loads.ts'
import { seed } from '../seed.ts'
import { startServer } from './servers.ts'

const instances = 100
const servers = 4
const addedMs = 1

export async function distanceOnPostgres(pace: Pace): Promise<Figure[]> {
  const postgres = await startPostgres({ durable: true })
  const distance = await startDistance(postgres.url, later(addedMs))
  const folder = newFolder()
  try {
    await seed({ databaseUrl: postgres.url }, instances)
    const place = { databaseUrl: distance.url, folder: folder.path }
    const first = await startServer(place)
    const others = Array.from({ length: servers - 1 }, () => startServer(place))
    const all = [first, ...(await Promise.all(others))]
    const { cookie } = await signIn(first.url)
    const view = { ...loads.viewAnew(instances), ...pace, cookie, connections: 1 }
    const found: Speed[] = []
    for (const { url: origin } of all) found.push(await measure({ ...view, origin }))
    await Promise.all(all.map((server) => server.stop()))
    return speedFigures('view, varied', medianSpeed(found))
  } finally {
    await distance.stop()
    await postgres.stop()
    folder.remove()
  }
}
