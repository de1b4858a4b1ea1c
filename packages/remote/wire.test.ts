import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createSecureServer } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Pair } from '@purlin/contract/rules/credentials/certificate-checks'
import { createHolderEpochs, SledUnreachable, type SledDriver, type VmSpec } from '@purlin/core/ports'
import { manualClock } from '@purlin/sleds/manual-clock'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { simulatedHarness } from '@purlin/sleds/suite/simulated-harness'
import { exampleSpec, web } from '@purlin/sleds/suite/suite-harness'
import { sledSuite, type SledHarness } from '@purlin/sleds/suite/suite'
import { hostIdentity, makeAuthority, serverIdentity } from './authority.ts'
import { epochHeader } from './calls.ts'
import { nameOfHost, tlsOf, type Identity } from './identity.ts'
import { createFleet } from './fleet.ts'
import { createJoinedFleet } from './joined.ts'
import { connectHost, type RemoteHost } from './remote-host.ts'
import { createHostServer } from './serve.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

const emptySpec: VmSpec = {
  sledId: '',
  boot: 1,
  reset: 0,
  storage: 0,
  name: 'web',
  hostname: 'web',
  ncpus: 1,
  cpuPlatform: 'host',
  memory: 2 ** 30,
  bootDiskId: null,
  disks: [],
  nics: [],
  userData: new Uint8Array(),
  sshPublicKeys: [],
}

/** of the hosts */
const version = '1.2.3'

let authority: Pair
let ours: Identity
let theirs: Identity
beforeAll(async () => {
  authority = await makeAuthority()
  ours = await serverIdentity(authority)
  theirs = await hostIdentity(authority, 'one')
})

async function listening(driver: SledDriver, identity = theirs, epochs = createHolderEpochs()) {
  const server = createHostServer({ driver, identity, log, version, epochs })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const connected = (port: number, identity = ours): RemoteHost =>
  connectHost(
    { id: 'one', address: '127.0.0.1', port },
    { identity: () => Promise.resolve(identity), clock: realClock, log },
  )

/** A simulated rack on a manual clock, seen over the wire. */
async function open(): Promise<SledHarness> {
  const clock = manualClock()
  const sleds = createSimulatedSleds({ clock })
  const { server, port } = await listening(sleds)
  const host = connected(port)
  const remote = createFleet({ log, clock: realClock })
  remote.setHosts([{ id: 'one', driver: host }])
  let sent = 0
  let got = 0
  sleds.watch(() => sent++)
  remote.watch(() => got++)
  const sledId = (await remote.hardware()).sleds[0]?.id ?? ''
  /** Returns when all bytes that were sent before have arrived, in both directions. */
  const roundTrip = () => remote.networks(sledId).catch(() => null)
  const arrived = async () => {
    while (got < sent) await turn()
  }
  return {
    ...simulatedHarness(sleds, clock),
    driver: afterEach(remote, arrived),
    advance: async (ms) => {
      await roundTrip()
      await clock.advance(ms)
      await roundTrip()
      await arrived()
    },
    close: () => {
      remote.setHosts([])
      host.close()
      server.close()
    },
  }
}

/** The driver, whose calls return when all reports until then have arrived. */
const afterEach = (driver: SledDriver, arrived: () => Promise<void>): SledDriver =>
  new Proxy(driver, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args)
        return result instanceof Promise ? after(result, arrived) : result
      }
    },
  })

async function after<T>(result: Promise<T>, arrived: () => Promise<void>): Promise<T> {
  try {
    return await result
  } finally {
    await arrived()
  }
}

sledSuite('over the wire', open)

describe('the wire', () => {
  const rack = () => createSimulatedSleds({ clock: manualClock() })

  /** A host of the fleet whose answers are no use. */
  async function hostile() {
    const server = createSecureServer({ ...tlsOf(theirs), requestCert: true })
    server.on('stream', (stream, { ':path': path }) => {
      stream.on('error', () => undefined)
      stream.once('wantTrailers', () => stream.sendTrailers({ reason: '%' }))
      stream.respond({ ':status': 200 }, { waitForTrailers: true })
      if (path === '/console') stream.end('hello')
      else if (path !== '/reports') stream.end('{"sleds":7}')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, port: (server.address() as AddressInfo).port }
  }

  it('obeys the newest holder of a sled, and refuses the changes of an older one', async () => {
    const sleds = rack()
    const { server, port } = await listening(sleds)
    const [before, now] = [connected(port), connected(port)]
    const { id: sledId } = (await before.hardware()).sleds[0] ?? { id: '' }
    expect(await before.hosts()).toContain(sledId)
    const spec = exampleSpec(sledId)
    await before.hold(sledId, 1)
    await before.ensure(web, spec)
    await now.hold(sledId, 2)
    const refused = { name: 'DrivenElsewhere', epoch: 2 }
    await expect(before.remove(web, sledId, 1)).rejects.toMatchObject(refused)
    await expect(before.ensure(web, { ...spec, boot: 2 })).rejects.toMatchObject(refused)
    await expect(before.hold(sledId, 1)).rejects.toMatchObject(refused)
    expect(await before.inspect(web, sledId)).toMatchObject({ boot: 1 })
    await now.ensure(web, { ...spec, boot: 2 })
    expect(await before.inspect(web, sledId)).toMatchObject({ boot: 2 })
    for (const one of [before, now]) one.close()
    server.close()
  })

  it('is closed to hosts and to strangers, and a server cannot pass for a host', async () => {
    const stranger = await makeAuthority()
    const { server, port } = await listening(rack())
    const impostor = await listening(rack(), await serverIdentity(authority))
    const other = await listening(rack(), await hostIdentity(authority, 'two'))
    for (const [at, identity] of [
      [port, theirs],
      [port, await serverIdentity(stranger)],
      [port, { ...(await serverIdentity(stranger)), authority: authority.cert }],
      [impostor.port, ours],
      [other.port, ours],
    ] as const) {
      const remote = connected(at, identity)
      await expect(remote.hardware()).rejects.toBeInstanceOf(SledUnreachable)
      remote.close()
    }
    const remote = connected(port)
    expect((await remote.hardware()).sleds.length).toBeGreaterThan(0)
    remote.close()
    for (const one of [server, impostor.server, other.server]) one.close()
  })

  it('says at once that a host which has ended does not answer, and goes on when it is back', async () => {
    const sleds = rack()
    const { server, port } = await listening(sleds)
    const connections = new Set<Socket>()
    server.on('connection', (socket: Socket) => connections.add(socket))
    const remote = connected(port)
    const sledId = (await remote.hardware()).sleds[0]?.id ?? ''
    const seen = Promise.withResolvers<void>()
    remote.watchHardware(seen.resolve)
    server.close()
    for (const socket of connections) socket.destroy()
    await seen.promise
    await expect(remote.machines(sledId)).rejects.toBeInstanceOf(SledUnreachable)
    await expect(remote.hardware()).rejects.toBeInstanceOf(SledUnreachable)
    const back = Promise.withResolvers<void>()
    remote.watchHardware(back.resolve)
    const again = createHostServer({
      driver: sleds,
      identity: theirs,
      log,
      version,
      epochs: createHolderEpochs(),
    })
    again.listen(port, '127.0.0.1')
    await back.promise
    expect(await remote.machines(sledId)).toEqual([])
    remote.close()
    again.close()
  })

  it('refuses calls that it does not know and inputs that do not fit, and stays open', async () => {
    const { server, port } = await listening(rack())
    const session = connect(`https://${nameOfHost('one')}`, {
      ...tlsOf(ours),
      host: '127.0.0.1',
      port,
      servername: nameOfHost('one'),
    })
    const post = async (path: string, body: string, headers = {}) => {
      const stream = session.request({ ':method': 'POST', ':path': path, ...headers })
      stream.end(body)
      const [answer] = (await once(stream, 'response')) as [{ ':status'?: number }]
      const pieces: Buffer[] = []
      for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
      return [answer[':status'], Buffer.concat(pieces).toString()] as const
    }
    expect((await post('/toString', '{}'))[0]).toBe(404)
    expect(await post('/inspect', '{"id":7}')).toEqual([400, expect.stringContaining('id: invalid type')])
    expect((await post('/inspect', '{'))[0]).toBe(400)
    expect((await post('/console', '{}\n'))[0]).toBe(400)
    expect((await post('/console', ''))[0]).toBe(400)
    expect((await post('/networks', '{"sled_id":"nowhere"}'))[0]).toBe(503)
    for (const epoch of ['', '-1', '1.5', '1e3', 'x', '9'.repeat(16)])
      expect((await post('/networks', '{"sled_id":"nowhere"}', { [epochHeader]: epoch }))[0]).toBe(400)
    session.destroy()
    server.close()
  })

  it('keeps sleds with the host that the database names, and says once if another one reports on them', async () => {
    const sleds = rack()
    const { server, port } = await listening(sleds)
    const host = connected(port)
    const warned: string[] = []
    const fleet = createFleet({ clock: realClock, log: { warn: (_, message) => warned.push(message) } })
    const [mine, other] = (await sleds.hardware()).sleds.map(({ id }) => id)
    const places = new Map([[other ?? '', 'another host']])
    const seen: string[] = []
    fleet.watch(({ sledId }) => seen.push(sledId))
    fleet.setHosts([{ id: 'one', driver: host }], { places, simulated: new Set() })
    const { sleds: reported, hosts: up } = await fleet.hardware()
    expect(up).toEqual(['one'])
    expect(reported.map((sled) => [sled.id, sled.hostId, sled.version])).toContainEqual([
      mine,
      'one',
      version,
    ])
    expect(reported.map(({ id }) => id)).not.toContain(other)
    await expect(fleet.machines(other ?? '')).rejects.toBeInstanceOf(SledUnreachable)
    expect([fleet.keepsBytes(mine ?? ''), fleet.keepsBytes(other ?? '')]).toEqual([false, false])
    const spec = (sledId: string): VmSpec => ({ ...emptySpec, sledId })
    for (const sledId of [other, other, mine]) await sleds.ensure(randomUUID(), spec(sledId ?? ''))
    while (!seen.includes(mine ?? '')) await turn()
    expect(seen).not.toContain(other)
    expect(warned).toEqual(['reports of a host on a sled of another one are dropped'])
    host.close()
    server.close()
  })

  it('keeps hosts from the machines of others, and from the rest by answers that are no use', async () => {
    const sleds = rack()
    const [one, two] = [await listening(sleds), await listening(sleds)]
    const hosts = [connected(one.port), connected(two.port)]
    const named = hosts.map((driver, i) => ({ id: `host ${i}`, driver }))
    const fleet = createFleet({ log, clock: realClock })
    fleet.setHosts(named.slice(0, 1))
    const before = await fleet.hardware()
    fleet.setHosts(named)
    const { hosts: up, ...rest } = await fleet.hardware()
    expect([{ ...rest, hosts: ['host 0'] }, up]).toEqual([before, ['host 0', 'host 1']])
    const { server, port } = await hostile()
    const bad = connected(port)
    fleet.setHosts([...named, { id: 'bad', driver: bad }])
    expect(await fleet.hardware()).toEqual({ ...before, hosts: up })
    await expect(bad.hardware()).rejects.toBeInstanceOf(SledUnreachable)
    for (const host of [...hosts, bad]) host.close()
    for (const listener of [one.server, two.server, server]) listener.close()
  })

  it('adds the sled of the host that was the first to report its board, and keeps the parts of hosts with them', async () => {
    const spare = { sleds: 1, spare: 1, switches: 0, sledSerials: 'SAME' }
    const [first, second] = ['one', 'two'].map((serial) =>
      createSimulatedSleds({ clock: manualClock(), rack: { ...spare, serial } }),
    )
    if (!first || !second) throw new Error('two racks')
    const fleet = createFleet({ log, clock: realClock })
    const one = { id: 'one', driver: first }
    fleet.setHosts([one])
    const [board] = (await fleet.hardware()).uninitialized
    if (!board) throw new Error('no spare host')
    fleet.setHosts([{ id: 'two', driver: second }, one])
    expect((await fleet.hardware()).uninitialized).toHaveLength(1)
    const added = await fleet.addSled(board)
    expect((await first.hardware()).sleds.map(({ id }) => id)).toContain(added?.id)
    expect((await second.hardware()).sleds).toHaveLength(1)
    // It may be asked for again.
    expect(await fleet.addSled(board)).toMatchObject({ id: added?.id })
    const { racks, disks, components } = await second.hardware()
    const parts = [...racks, ...disks, ...components].map(({ id }) => id)
    expect(parts.length).toBeGreaterThan(2)
    fleet.setHosts([{ id: 'two', driver: second }], {
      places: new Map(parts.map((id) => [id, 'three'])),
      simulated: new Set(),
    })
    const report = await fleet.hardware()
    expect([report.racks, report.disks, report.components]).toEqual([[], [], []])
    expect(report.sleds).toHaveLength(1)
  })

  it('asks a host that was forgotten for its sleds only, and to drop them', async () => {
    const spare = { sleds: 2, spare: 1, switches: 1 }
    const theirRack = createSimulatedSleds({ clock: manualClock(), rack: { ...spare, serial: 'one' } })
    const local = createSimulatedSleds({ clock: manualClock(), rack: { ...spare, spare: 0, serial: 'two' } })
    const { server, port } = await listening(theirRack)
    const [sled = '', fresh] = (await theirRack.hardware()).sleds.map(({ id }) => id)
    const fleet = createJoinedFleet({ local, clock: realClock, log })
    const join = (isForgotten: boolean) =>
      fleet.setJoined?.({
        authority,
        hosts: [{ id: 'one', address: '127.0.0.1', port, isForgotten }],
        places: new Map([[sled, 'one']]),
        simulated: new Set(),
      })
    join(false)
    const before = await fleet.hardware()
    const own = await local.hardware()
    const [board] = before.uninitialized
    if (!board) throw new Error('no board')
    expect(await fleet.hosts()).toContain(fresh)
    join(true)
    const { hosts: up, sleds: named, ...rest } = await fleet.hardware()
    const { sleds: _, ...inside } = own
    expect(up).toEqual(['one'])
    expect(named.flatMap(({ id, hostId }) => (hostId === 'one' ? [id] : []))).toEqual([sled])
    expect(rest).toEqual(inside)
    expect(await fleet.hosts()).toEqual(await local.hosts())
    expect(await fleet.addSled(board)).toBeNull()
    await expect(fleet.hold(sled, 1)).rejects.toBeInstanceOf(SledUnreachable)
    await expect(fleet.machines(sled)).rejects.toBeInstanceOf(SledUnreachable)
    await fleet.dropSled(sled)
    expect((await theirRack.hardware()).sleds.map(({ id }) => id)).toEqual([fresh])
    fleet.close()
    server.close()
  })

  it('waits for no host that takes long to say what it has', async () => {
    const clock = manualClock()
    const [quick, slow] = [createSimulatedSleds({ clock, rack: { serial: 'other' } }), rack()]
    const fleet = createFleet({ log, clock })
    const { promise: answers, resolve } = Promise.withResolvers<void>()
    let isSlow = false
    const hardware = slow.hardware.bind(slow)
    slow.hardware = async () => {
      if (isSlow) await answers
      return hardware()
    }
    fleet.setHosts([
      { id: 'quick', driver: quick },
      { id: 'slow', driver: slow },
    ])
    const before = await fleet.hardware()
    isSlow = true
    let changes = 0
    fleet.watchHardware(() => changes++)
    const late = fleet.hardware()
    await clock.advance(2_000)
    expect(await late).toEqual(before)
    expect(await fleet.hardware()).toEqual(before)
    resolve()
    while (changes === 0) await turn()
    expect(await fleet.hardware()).toEqual(before)
  })

  it('reads why a console has ended, whatever the host writes there', async () => {
    const { server, port } = await hostile()
    const host = connected(port)
    const ended = Promise.withResolvers<string>()
    const output: Uint8Array[] = []
    const id = '6a1f0c52-7c1e-4f0b-9d43-0d4a3c1b8e01'
    await host.openConsole(
      { id, sledId: 'a sled' },
      { last: 0 },
      {
        data: (bytes) => output.push(bytes),
        closed: ended.resolve,
      },
    )
    expect(await ended.promise).toBe('the connection to the host broke')
    expect(Buffer.concat(output).toString()).toBe('hello')
    host.close()
    server.close()
  })
})
