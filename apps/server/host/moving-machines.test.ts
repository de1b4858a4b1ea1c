import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createHolderEpochs, type VmSpec } from '@purlin/core/ports'
import { layerFile } from '@purlin/databases/layer-files'
import { findMachine } from '@purlin/qemu/machine/launch'
import { killProcess } from '@purlin/qemu/machine/process'
import { whyNoQemu } from '@purlin/qemu/testing/qemu'
import { sharedFolder } from '@purlin/qemu/testing/shared-hosts'
import { tinyGuest } from '@purlin/qemu/testing/tiny-guest'
import { hostIdentity, makeAuthority, serverIdentity } from '@purlin/remote/authority'
import { createFleet } from '@purlin/remote/fleet'
import { connectHost, type RemoteHost } from '@purlin/remote/remote-host'
import { createHostServer } from '@purlin/remote/serve'
import { realClock } from '@purlin/sleds/suite/real-clock'
import type { SledHarness } from '@purlin/sleds/suite/suite-harness'
import { migrationSuite } from '@purlin/sleds/suite/suite'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { lacks } from '@purlin/sleds/testing/skips'
import { consoleOf, counter, patient, startCounter, untilShown } from '../testing/boot-counter.ts'
import { killAll, newFolder } from '../testing/children.ts'
import { serve } from '../testing/process.ts'
import { signIn, type Api } from '../testing/requests.ts'
import { readHostConfig } from './host-flags.ts'
import { startHost, type RunningHost } from './host.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const MiB = 1024 ** 2
const later = () => Promise.reject(new Error('no test asks for this'))

/** Two hosts with QEMU and one folder of disks, over the wire. */
async function openPair(): Promise<SledHarness> {
  const shared = sharedFolder()
  const authority = await makeAuthority()
  const opened: {
    id: string
    sledId: string
    driver: RemoteHost
    server: ReturnType<typeof createHostServer>
  }[] = []
  for (const id of ['one', 'two']) {
    const { host, sledId } = await shared.open(id, {
      arrivals: { host: '127.0.0.1', port: 0 },
      hostId: randomUUID(),
    })
    const identity = await hostIdentity(authority, id)
    const server = createHostServer({
      driver: host,
      identity,
      log,
      version: '1',
      epochs: createHolderEpochs(),
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const around = { identity: () => serverIdentity(authority), clock: realClock, log }
    opened.push({ id, sledId, driver: connectHost({ id, address: '127.0.0.1', port }, around), server })
  }
  const driver = createFleet({ log, clock: realClock })
  driver.setHosts(opened)
  return {
    driver,
    maxWaitMs: 60_000,
    advance: (ms) => new Promise((done) => void realClock.after(Math.min(ms, 700), done)),
    /** Each machine has a separate disk, with a guest that echoes. */
    adapt: (spec: VmSpec) => ({
      ...spec,
      ncpus: 1,
      memory: 32 * MiB,
      disks: spec.disks.map((disk) => {
        const id = randomUUID()
        writeFileSync(layerFile(shared.blobs, id, 'data'), tinyGuest())
        return { ...disk, size: 16 * MiB, layers: [{ id, hasBytes: true }] }
      }),
    }),
    print: async (id, bytes) => {
      for (const { sledId } of opened) {
        const to = { data: () => undefined, closed: () => undefined }
        const stream = await driver.openConsole({ id, sledId }, { last: 0 }, to)
        stream?.write(bytes)
      }
    },
    crash: later,
    guestShutdown: later,
    forget: later,
    loseSled: later,
    restoreSled: later,
    restartNetworks: later,
    externalIps: later,
    carries: later,
    admits: later,
    close: async () => {
      for (const { driver: remote, server } of opened) {
        remote.close()
        server.close()
      }
      await shared.close()
    },
  }
}

interface LiveConsole {
  ws: WebSocket
  shown: () => string
}

/** Opens the live console of the instance, with its whole output. */
async function connectConsole(url: string, cookie: string): Promise<LiveConsole> {
  const { instance } = counter.params
  const path = `/v1/instances/${instance}/serial-console/stream?project=${counter.query.project}`
  const ws = new WebSocket(new URL(path, url.replace('http', 'ws')), { headers: { cookie } })
  let shown = ''
  ws.on('message', (bytes: Buffer) => void (shown += bytes.toString('latin1')))
  await once(ws, 'open')
  return { ws, shown: () => shown }
}

/** A server, and two hosts with real machines whose sleds take all instances. */
function site() {
  const [shared, one, two] = [newFolder(), newFolder(), newFolder()]
  const hosts: RunningHost[] = []
  let id = ''
  return {
    async open(): Promise<{ api: Api; sledIds: [string, string]; connect: () => Promise<LiveConsole> }> {
      const server = await serve({ folder: shared.path })
      const { api, cookie } = await signIn(server.url)
      const own = (await api.sledList({ query: {} })).items
      for (const folder of [one, two]) {
        const { code } = await api.hostJoinCodeCreate({ body: {} })
        const flags = ['--machines', 'qemu', '--disks', shared.path, '--data-dir', folder.path]
        const config = readHostConfig([...flags, '--join', code, '--listen', '127.0.0.1:0'])
        if (!config) throw new Error('these flags ask for help')
        hosts.push(await startHost(config, log))
      }
      const boards = await vi.waitFor(async () => {
        const { items } = await api.sledListUninitialized({ query: {} })
        expect(items).toHaveLength(2)
        return items.map(({ baseboard }) => baseboard)
      }, patient)
      const sledIds: string[] = []
      for (const { part, serial } of boards) sledIds.push((await api.sledAdd({ body: { part, serial } })).id)
      for (const sled of own)
        await api.sledSetProvisionPolicy({
          params: { sledId: sled.id },
          body: { state: 'non_provisionable' },
        })
      id = await startCounter(api, 'none')
      const [first = '', second = ''] = sledIds
      return { api, sledIds: [first, second], connect: () => connectConsole(server.url, cookie) }
    },
    async close(): Promise<void> {
      for (const host of hosts) await host.stop()
      for (const folder of [one, two]) {
        const process = await findMachine(join(folder.path, 'qemu', id))
        if (process) await killProcess(process)
      }
      killAll()
      for (const folder of [shared, one, two]) folder.remove()
    },
  }
}

describe.skipIf(lacks(whyNoQemu))('real machines', { timeout: 300_000 }, () => {
  migrationSuite('QEMU on two hosts', openPair)

  describe('in a fleet', () => {
    const here = site()
    afterAll(() => here.close())

    it('leave a sled that is cleared for maintenance while they run', async () => {
      const { api, sledIds, connect } = await here.open()
      await untilShown(api, 'boots: 1\n')
      const { ws, shown } = await connect()
      const sledOf = async (): Promise<string> => {
        for (const sledId of sledIds) {
          const { items } = await api.sledInstanceList({ params: { sledId }, query: {} })
          if (items.length > 0) return sledId
        }
        throw new Error('no sled has the instance')
      }
      const from = await sledOf()
      const to = sledIds.find((sledId) => sledId !== from)
      const at = { params: { sledId: from } }
      const plan = await api.sledMaintenancePlan({ ...at, query: {} })
      expect(plan.items).toMatchObject([{ to, reason: null }])
      await api.sledMaintenanceStart({ ...at, body: {} })
      await vi.waitFor(async () => expect(await sledOf()).toBe(to), patient)
      await vi.waitFor(
        async () => expect((await api.sledView(at)).maintenance).toMatchObject({ state: 'empty' }),
        patient,
      )
      expect(await consoleOf(api)).toContain('boots: 1\n')
      await api.instanceReboot(counter)
      await untilShown(api, 'boots: 2\n')
      // The console has gone on where the machine is now: nothing is missing, and nothing is there twice.
      await vi.waitFor(async () => expect(shown()).toBe(await consoleOf(api)), patient)
      expect(ws.readyState).toBe(WebSocket.OPEN)
      ws.close()
      expect(await api.instanceView(counter)).toMatchObject({ runState: 'running' })
    })
  })
})
