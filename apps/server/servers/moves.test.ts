/** Real machines that move between two hosts, while the servers, the hosts, the database and the wires between them fail. */
import { whyNoQemu } from '@purlin/qemu/testing/qemu'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll } from '../testing/children.ts'
import { startRealCluster, type Cluster } from '../testing/cluster/cluster.ts'
import { carryOut, faultsOfMoves, untilWhole } from '../testing/cluster/faults.ts'
import { makeWriters } from '../testing/cluster/machines.ts'
import { beginMoves, expectMoved } from '../testing/cluster/moves.ts'
import { whyNoPostgres } from '../testing/postgres.ts'
import { createRandom } from '../testing/faults/faults.ts'

const instances = 3
/** A fault begins within this time after the first machine has begun to move, and ends within the same time. */
const longestPauseMs = 2_000
const random = createRandom(1)
const pauseMs = () => Math.floor(random() * longestPauseMs)

describe.skipIf(lacks(whyNoPostgres() || whyNoQemu))('real machines that move between two hosts', () => {
  let cluster: Cluster
  let ids: string[]
  beforeAll(async () => {
    cluster = await startRealCluster()
    ids = await makeWriters(cluster.site.apis.first, instances)
    await expectMoved(cluster, ids)
  })
  afterAll(async () => {
    killAll()
    await cluster.stop()
  })

  for (const fault of faultsOfMoves.filter(({ meetsMoves }) => meetsMoves))
    it(`run once, and have their disks, when ${fault.name}`, async () => {
      await untilWhole(cluster)
      const endMoves = await beginMoves(cluster)
      await carryOut(cluster, { faults: [fault], pausesMs: [pauseMs(), pauseMs()] })
      await endMoves()
      await expectMoved(cluster, ids)
    })
})
