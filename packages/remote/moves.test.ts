import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Pair } from '@purlin/contract/rules/credentials/certificate-checks'
import {
  createHolderEpochs,
  SledUnreachable,
  type SledDriver,
  type VmMigration,
  type VmWay,
} from '@purlin/core/ports'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { exampleSpec, web } from '@purlin/sleds/suite/suite-harness'
import { hostIdentity, makeAuthority, serverIdentity } from './authority.ts'
import { createFleet } from './fleet.ts'
import { connectHost, type RemoteHost } from './remote-host.ts'
import { createHostServer } from './serve.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const way: VmWay = { address: '0.0.0.0', port: 4321, secret: 'a secret' }

let authority: Pair
beforeAll(async () => {
  authority = await makeAuthority()
})

/** A simulated host over the wire, whose migrations are noted. */
async function openHost(id: string, receive?: SledDriver['receive']) {
  const sleds: SledDriver = createSimulatedSleds({ clock: realClock, rack: { sleds: 1, serial: id } })
  const asked: VmMigration[] = []
  const driver = Object.assign(sleds, {
    migrate: (_: string, migration: VmMigration) => Promise.resolve(void asked.push(migration)),
    ...(receive ? { receive } : {}),
  })
  const identity = await hostIdentity(authority, id)
  const epochs = createHolderEpochs()
  const server = createHostServer({ driver, identity, log, version: '1', epochs })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const remote: RemoteHost = connectHost(
    { id, address: '127.0.0.1', port },
    { identity: () => serverIdentity(authority), clock: realClock, log },
  )
  const [sled] = (await remote.hardware()).sleds
  const close = () => {
    remote.close()
    server.close()
  }
  return { id, driver: remote, asked, sledId: sled?.id ?? '', close }
}

describe('a machine that moves between hosts', () => {
  it('is sent where the other host waits, or stays if that does not answer or takes none', async () => {
    const received: VmMigration[] = []
    const one = await openHost('one')
    const two = await openHost('two', async (_, migration) => {
      received.push(migration)
      return way
    })
    const away = await openHost('away', async () => Promise.reject(new SledUnreachable('it is full')))
    const hosts = [one, two, away]
    const fleet = createFleet({ log, clock: realClock })
    fleet.setHosts(hosts)
    await fleet.hardware()
    const migration = { id: 'a migration', to: two.sledId, spec: exampleSpec(one.sledId) }
    // Another server drives the other sled: the holder of the one that the machine leaves decides.
    await two.driver.hold(two.sledId, 7)
    await fleet.hold(one.sledId, 3)
    await fleet.migrate(web, migration)
    expect(received).toEqual([migration])
    expect(one.asked).toEqual([{ ...migration, at: { ...way, address: '127.0.0.1' } }])
    for (const to of [away.sledId, 'nowhere']) await fleet.migrate(web, { ...migration, to })
    expect(one.asked.slice(1).map(({ at }) => at)).toEqual([undefined, undefined])
    // This host takes no machines of others.
    await fleet.migrate(web, { ...migration, to: one.sledId, spec: exampleSpec(two.sledId) })
    expect(two.asked.map(({ at }) => at)).toEqual([undefined])
    // A former holder that goes on is refused.
    await fleet.hold(one.sledId, 4)
    const refused = { name: 'DrivenElsewhere', epoch: 4 }
    await expect(fleet.hold(one.sledId, 3)).rejects.toMatchObject(refused)
    await expect(fleet.migrate(web, migration)).rejects.toMatchObject(refused)
    expect(one.asked).toHaveLength(3)
    for (const { close } of hosts) close()
  })
})
