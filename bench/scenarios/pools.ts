/**
 * The cost of an address from an unused pool and from one with a million assigned addresses, measured alternately:
 * each of two servers creates floating IPs, deletes them, and creates them again from the released addresses.
 */
import { performance } from 'node:perf_hooks'
import { newFolder } from '@purlin/server/testing/children'
import { signIn, type Api } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '../figures.ts'
import { addPool, project, seed, takeAddresses } from '../seed.ts'
import { startServer } from './servers.ts'

const sizes = [0, 1_000_000]
/** Addresses that are taken between two deletions. */
const atOnce = 20

export async function poolTimes({ rounds }: Pace): Promise<Figure[]> {
  const folders = sizes.map(() => newFolder())
  for (const [i, { path }] of folders.entries()) {
    await seed({ folder: path }, 1)
    await addPool({ folder: path })
    await takeAddresses({ folder: path }, sizes[i] ?? 0)
  }
  const servers = await Promise.all(folders.map(({ path }) => startServer({ folder: path })))
  const apis = await Promise.all(servers.map(async ({ url }) => (await signIn(url)).api))
  const times = sizes.map((): number[] => [])
  // The first one of each is not counted.
  for (let round = 0; round <= 4 * rounds; round++)
    for (const [i, api] of apis.entries()) {
      const taken = await takeAll(api)
      if (round > 0) times[i]?.push(...taken)
    }
  await Promise.all(servers.map((server) => server.stop()))
  for (const folder of folders) folder.remove()
  const p50 = times.map((all) => median(all))
  return [
    ...p50.map((value, i) => ({ name: `take of ${sizes[i]} taken: p50`, value, unit: 'ms' as const })),
    { name: 'take: growth of p50', value: (p50[1] ?? Infinity) / (p50[0] ?? 1), unit: '×' },
  ]
}

/** Takes addresses that were never given out, gives them back and takes them again. Answers the times in ms. */
async function takeAll(api: Api): Promise<number[]> {
  const times: number[] = []
  for (const round of ['new', 'again']) {
    const names = Array.from({ length: atOnce }, (_, i) => `${round}-${i}`)
    for (const name of names) {
      const start = performance.now()
      await api.floatingIpCreate({ query: { project }, body: { name, description: '' } })
      times.push(performance.now() - start)
    }
    for (const floatingIp of names) await api.floatingIpDelete({ params: { floatingIp }, query: { project } })
  }
  return times
}
