/** Moves of real machines between the two hosts of a cluster. */
import { violations } from '@purlin/core/testing/state'
import { expect } from 'vitest'
import { untilSettled } from '../faults/checks.ts'
import { errorsOf, readNow, serverNames, until, type Site } from '../faults/site.ts'
import { runningTwice, type Cluster } from './cluster.ts'
import { printed, processesOf } from './machines.ts'

/** Dots of a guest that show that it goes on. */
const some = 5

/**
 * Clears the sled with most instances for maintenance, and waits until the first one is on its way. Returns how to end that: it waits
 * until each has arrived or stays.
 */
export async function beginMoves({ site, hosts }: Cluster): Promise<() => Promise<void>> {
  const { first: api } = site.apis
  const sledIds = hosts.flatMap((host) => host.sledIds)
  const rows = await instancesOf(site)
  const on = (id: string) => rows.filter(({ sledId }) => sledId === id).length
  const [sledId = ''] = sledIds.toSorted((one, other) => on(other) - on(one))
  const at = { params: { sledId } }
  await api.sledMaintenanceStart({ ...at, body: {} })
  const isOver = async () => (await api.sledView(at)).maintenance?.state !== 'evacuating'
  const isAnyOnItsWay = async () =>
    (await instancesOf(site)).some(({ migrationSledId }) => migrationSledId !== null)
  // A move that the other host refuses immediately may be over between two looks.
  await until('a machine is on its way', async () => (await isAnyOnItsWay()) || (await isOver()))
  return async () => {
    await until('each has arrived or stays', isOver)
    await until('the maintenance ends', async () => {
      await api.sledMaintenanceEnd(at)
      return true
    })
  }
}

const instancesOf = (site: Site) =>
  readNow(site, (tx) => tx.selectFrom('instance').select(['id', 'sledId', 'migrationSledId']).execute())

/** After moves and faults: each machine runs, in one process, its disk is as it has written it, and sums are exact. */
export async function expectMoved(cluster: Cluster, ids: readonly string[]): Promise<void> {
  const { site } = cluster
  await untilSettled(site)
  for (const id of ids) await untilPrinting(site, id)
  // The rest of a move that was broken off ends later: the host asks the other one for up to a minute. Until then its machine stands still, and
  // counts as running.
  for (const id of ids)
    await until(`${id} has one process`, async () => (await processesOf(cluster, id)) === 1)
  expect(await runningTwice(cluster)).toEqual([])
  expect(await readNow(site, violations)).toEqual([])
  expect([...site.errors, ...serverNames.flatMap((name) => errorsOf(site.servers[name]))]).toEqual([])
}

/** Waits until a guest goes on. It prints `!` if its disk is not as it has written it. */
async function untilPrinting(site: Site, id: string): Promise<void> {
  let text = ''
  let before: number | undefined
  await until(`the guest of ${id} goes on`, async () => {
    text = await printed(site.apis.first, id)
    before ??= text.length
    return text.includes('!') || text.length > before + some
  })
  expect(text).toMatch(/^b\.+$/)
}
