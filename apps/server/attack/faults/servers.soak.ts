/** The faults of the step `servers`, drawn at random: several at once, seed after seed, until the time is up. */
import { randomInt } from 'node:crypto'
import { whyNoQemu } from '@purlin/qemu/testing/qemu'
import { killAll } from '@purlin/server/testing/children'
import { expectEnd, expectSound } from '@purlin/server/testing/cluster/checks'
import { startCluster, startRealCluster, type Cluster } from '@purlin/server/testing/cluster/cluster'
import {
  carryOut,
  clusterFaults,
  drawRounds,
  faultsOfMoves,
  type Round,
} from '@purlin/server/testing/cluster/faults'
import { makeWriters } from '@purlin/server/testing/cluster/machines'
import { beginMoves, expectMoved } from '@purlin/server/testing/cluster/moves'
import { untilSettled } from '@purlin/server/testing/faults/checks'
import { startLoad } from '@purlin/server/testing/faults/load'
import { whyNoPostgres } from '@purlin/server/testing/postgres'
import { afterEach, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'

/** For each of the two tests. */
const minutes = Number(process.env['PURLIN_MINUTES'] ?? 5)
const given = process.env['PURLIN_PROPERTY_SEED']
const [instances, writers] = [100, 3]

/** Seeds until the time is up, or the one that is given. */
function* seeds(title: string): Generator<number> {
  for (const until = Date.now() + minutes * 60_000; Date.now() < until;) {
    const seed = given === undefined ? randomInt(2 ** 31) : Number(given)
    console.log(`seed ${seed}: repeat with npm run soak -- --servers --seed ${seed} --only '${title}'`)
    yield seed
    if (given !== undefined) return
  }
}

function say({ faults, pausesMs }: Round): void {
  const words = faults.map(({ name }, i) => `after ${pausesMs[i]} ms ${name}`)
  console.log(`${new Date().toISOString()} ${words.join(', ')}; all end after ${pausesMs.at(-1)} ms`)
}

let cluster: Cluster | undefined
afterEach(async () => {
  killAll()
  await cluster?.stop()
})

describe.skipIf(lacks(whyNoPostgres()))('drawn faults', () => {
  it('of servers and hosts under load: no write is lost, and no machine runs twice', async () => {
    const here = (cluster = await startCluster(instances))
    await untilSettled(here.site)
    for (const seed of seeds('of servers and hosts under load')) {
      const load = startLoad(here.site, instances, `books-${seed}`)
      for (const round of drawRounds(clusterFaults, seed)) {
        say(round)
        await carryOut(here, round)
        await expectSound(here, load)
      }
      await load.stop()
      await expectEnd(here, load)
    }
  })

  it.skipIf(lacks(whyNoQemu))(
    'of servers and hosts while real machines move: each runs once and has its disk',
    async () => {
      const here = (cluster = await startRealCluster())
      const ids = await makeWriters(here.site.apis.first, writers)
      await expectMoved(here, ids)
      for (const seed of seeds('while real machines move'))
        for (const round of drawRounds(faultsOfMoves, seed)) {
          say(round)
          const endMoves = await beginMoves(here)
          await carryOut(here, round)
          await endMoves()
          await expectMoved(here, ids)
        }
      expect(await here.site.apis.first.ping()).toEqual({ status: 'ok' })
    },
  )
})
