/** Tests of faults of a cluster under load. Each file has a part of them, so that the parts run at the same time. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll } from '../children.ts'
import { untilSettled } from '../faults/checks.ts'
import { startLoad, type Load } from '../faults/load.ts'
import { whyNoPostgres } from '../postgres.ts'
import { expectEnd, expectSound, untilWorking } from './checks.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { carryOut, clusterFaults, drawRounds, recordsOfHosts, untilWhole, type Part } from './faults.ts'

const instances = 12

interface Faults {
  /** Of these parts. */
  parts: readonly Part[]
  /** Of drawn faults of all parts, several at once. A seed that fails in `npm run soak -- --servers` is added to one of the files. */
  seeds: readonly number[]
  more?: Record<string, (cluster: Cluster) => Promise<void>>
}

/** Two servers and two hosts lose no write and run no machine twice while each of some parts fails in turn, and drawn faults meet. */
export function describeFaults({ parts, seeds, more = {} }: Faults): void {
  describe.skipIf(lacks(whyNoPostgres()))('two servers and two hosts under load', () => {
    let cluster: Cluster
    let load: Load
    beforeAll(async () => {
      cluster = await startCluster(instances)
      await untilSettled(cluster.site)
      load = startLoad(cluster.site, instances)
      await untilWorking(load)
    })
    afterAll(async () => {
      killAll()
      // After a failure, its work waits for what has ended.
      await load.stop().catch(() => undefined)
      await cluster.stop()
    })

    describe('lose no write and run no machine twice when', () => {
      // Whatever has failed has ended by then.
      afterEach(() => expectSound(cluster, load))

      for (const fault of clusterFaults.filter((one) => parts.some((part) => part === one.parts[0])))
        it(fault.name, async () => {
          await untilWhole(cluster)
          const before = await recordsOfHosts(cluster)
          const end = await fault.begin(cluster)
          try {
            await fault.untilNoticed?.(cluster)
            await untilWorking(load, fault.working)
            if (fault.isHidden) expect(await recordsOfHosts(cluster)).toEqual(before)
          } finally {
            await end()
          }
          await untilWhole(cluster)
        })

      for (const [name, work] of Object.entries(more)) it(name, () => work(cluster))

      it.each(seeds)('faults meet that are drawn with the seed %i', async (seed) => {
        for (const round of drawRounds(clusterFaults, seed)) {
          await carryOut(cluster, round)
          await expectSound(cluster, load)
        }
      })
    })

    it('at the end, each instance is as it should be, its machine runs once, and both servers are there', async () => {
      await load.stop()
      await expectEnd(cluster, load)
    })
  })
}
