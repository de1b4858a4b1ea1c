/** Checks of a cluster after its faults. */
import { violations } from '@purlin/core/testing/state'
import { expect } from 'vitest'
import { missingMachines, untilSettled } from '../faults/checks.ts'
import { startFailed, type Load } from '../faults/load.ts'
import { errorsOf, readNow, serverNames, until, type ServerName } from '../faults/site.ts'
import { runningTwice, type Cluster } from './cluster.ts'

/** Acknowledged writes that show that a server works. */
const some = 5

/** Waits until each of the servers has acknowledged more writes. */
export async function untilWorking(load: Load, names: readonly ServerName[] = serverNames): Promise<void> {
  for (const name of names) {
    const before = load.acknowledged(name)
    await until(`the server ${name} works`, () => Promise.resolve(load.acknowledged(name) > before + some))
  }
}

/** Once faults have ended: both servers work, no write is lost, sums are exact, and no machine runs twice. */
export async function expectSound(cluster: Cluster, load: Load): Promise<void> {
  await untilWorking(load)
  await startFailed(cluster.site)
  await expectRight(cluster, load)
}

async function expectRight(cluster: Cluster, load: Load): Promise<void> {
  expect(load.wrong()).toEqual([])
  expect(await readNow(cluster.site, violations)).toEqual([])
  expect(await runningTwice(cluster)).toEqual([])
}

/** After the load: each instance is as it should be, its machine runs once, and both servers are there and have met no error. */
export async function expectEnd(cluster: Cluster, load: Load): Promise<void> {
  const { site } = cluster
  await untilSettled(site)
  expect(await missingMachines(site)).toEqual([])
  await expectRight(cluster, load)
  for (const name of serverNames) expect((await site.apis[name].ping()).status).toBe('ok')
  expect([...site.errors, ...serverNames.flatMap((name) => errorsOf(site.servers[name]))]).toEqual([])
}
