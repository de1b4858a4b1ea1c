/** Equal servers and hosts as processes under load, while each of them and each wire between them fails in turn. */
import { violations } from '@purlin/core/testing/state'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { runningTwice, startCluster, type Cluster } from '../testing/cluster/cluster.ts'
import { takeConnections } from '../testing/cluster/full-table.ts'
import { missingMachines, untilSettled } from '../testing/faults/checks.ts'
import { startFailed, startLoad, type Load } from '../testing/faults/load.ts'
import { errorsOf, readNow, serverNames, until, type ServerName } from '../testing/faults/site.ts'
import { findPostgres } from '../testing/postgres.ts'

const instances = 12
/** Acknowledged writes that show that a server works. */
const some = 5

describe.skipIf(!findPostgres())('two servers and two hosts under load', () => {
  let cluster: Cluster
  let load: Load
  beforeAll(async () => {
    cluster = await startCluster(instances)
    await untilSettled(cluster.site)
    load = startLoad(cluster.site, instances)
    await untilWorking()
  })
  afterAll(async () => {
    await load.stop()
    killAll()
    await cluster.stop()
  })
  /** Waits until each of the servers has acknowledged more writes. */
  const untilWorking = async (names: readonly ServerName[] = serverNames) => {
    for (const name of names) {
      const before = load.acknowledged(name)
      await until(`the server ${name} works`, () => Promise.resolve(load.acknowledged(name) > before + some))
    }
  }
  /** Waits until that many servers drive the hosts, and all are driven. */
  const untilHolders = (count: 1 | 2) =>
    until(`the hosts are driven by ${count}`, async () => {
      const names = cluster.hosts.flatMap(({ sledIds }) => sledIds.map((id) => `sled ${id}`))
      const leases = await readNow(cluster.site, (tx) =>
        tx.selectFrom('lease').select(['holder', 'until']).where('name', 'in', names).execute(),
      )
      const held = leases.filter((lease) => lease.until > Date.now())
      return held.length === names.length && new Set(held.map(({ holder }) => holder)).size === count
    })
  const firstSled = () => cluster.hosts[0].sledIds[0] ?? ''
  const untilAnswering = (answers: boolean) =>
    until(`a sled ${answers ? 'answers' : 'is silent'}`, async () => {
      const { missingSince } = await cluster.site.apis.first.sledView({ params: { sledId: firstSled() } })
      return ((missingSince ?? null) === null) === answers
    })

  describe('lose no write and run no machine twice when', () => {
    // Whatever has failed has ended by then.
    afterEach(async () => {
      await untilWorking()
      await startFailed(cluster.site)
      expect(load.wrong()).toEqual([])
      expect(await readNow(cluster.site, violations)).toEqual([])
      expect(await runningTwice(cluster)).toEqual([])
    })

    it.each(['SIGTERM', 'SIGKILL'] as const)('each server is ended by %s', async (signal) => {
      for (const name of serverNames) {
        await cluster.site.restart(name, signal)
        await untilWorking()
      }
    })

    it('each server is frozen, and continues while another one drives its hosts', async () => {
      for (const name of serverNames) {
        const other = serverNames.filter((one) => one !== name)
        await untilHolders(2)
        cluster.site.servers[name].signal('SIGSTOP')
        await untilHolders(1)
        await untilWorking(other)
        cluster.site.servers[name].signal('SIGCONT')
        await untilWorking()
      }
    })

    it.each(['SIGTERM', 'SIGKILL'] as const)('a host is ended by %s, with its machines', async (signal) => {
      await cluster.hosts[0].restart(signal)
      await untilAnswering(true)
    })

    it('a host is frozen until servers know, and continues', async () => {
      cluster.hosts[0].signal('SIGSTOP')
      await untilAnswering(false)
      await untilWorking()
      cluster.hosts[0].signal('SIGCONT')
      await untilAnswering(true)
    })

    it('the database has no connection left', async () => {
      const release = await takeConnections(cluster.site.database.url)
      await untilWorking()
      release()
    })

    it('a server is cut off from the database', async () => {
      await untilHolders(2)
      cluster.databaseWire.cut()
      await untilHolders(1)
      await untilWorking(['first'])
      cluster.databaseWire.mend()
    })

    it('a server is cut off from the hosts, and another one reaches them', async () => {
      const states = () =>
        readNow(cluster.site, async (tx) => ({
          hosts: await tx
            .selectFrom('host')
            .select(['id', 'state', 'timeStateChanged'])
            .orderBy('id')
            .execute(),
          missing: await tx.selectFrom('sled').select('id').where('missingSince', 'is not', null).execute(),
        }))
      await untilHolders(2)
      await until('all answer', async () => {
        const { hosts, missing } = await states()
        return missing.length === 0 && hosts.every(({ state }) => state === 'up')
      })
      const before = await states()
      for (const { wire } of cluster.hosts) wire.cut(cluster.site.servers.first.pid)
      await untilHolders(1)
      await untilWorking()
      // They have answered all the time.
      expect(await states()).toEqual(before)
      for (const { wire } of cluster.hosts) wire.mend()
    })

    it('a host is cut off from all servers', async () => {
      cluster.hosts[0].wire.cut()
      await untilAnswering(false)
      await untilWorking()
      cluster.hosts[0].wire.mend()
      await untilAnswering(true)
    })

    it('a server is killed while a sled is cleared for maintenance', async () => {
      const { first: api } = cluster.site.apis
      const at = { params: { sledId: firstSled() } }
      for (const name of serverNames) {
        await until('the maintenance begins', async () => {
          await api.sledMaintenanceStart({ ...at, body: { stopUnmovable: true } })
          return true
        })
        await cluster.site.restart(name)
        await until('the sled is clear', async () => {
          const { items } = await api.sledInstanceList({ ...at, query: {} })
          return items.length === 0
        })
        await until('the maintenance ends', async () => {
          await api.sledMaintenanceEnd(at)
          return true
        })
      }
    })
  })

  it('at the end, each instance is as it should be, its machine runs once, and both servers are there', async () => {
    const { site } = cluster
    await load.stop()
    expect(load.wrong()).toEqual([])
    await untilSettled(site)
    expect(await missingMachines(site)).toEqual([])
    expect(await readNow(site, violations)).toEqual([])
    expect(await runningTwice(cluster)).toEqual([])
    for (const name of serverNames) expect((await site.apis[name].ping()).status).toBe('ok')
    expect([...site.errors, ...serverNames.flatMap((name) => errorsOf(site.servers[name]))]).toEqual([])
  })
})
