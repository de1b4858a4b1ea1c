import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { hostLimits, joinText, readJoinCode, type JoinCode } from '@purlin/contract/rules/credentials/hosts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordHardware } from '#/loops/hardware.ts'
import { noHardware, SledUnreachable, type Hardware, type JoinedHosts } from '#/ports.ts'
import { altered } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { recordedPart } from './hosts.ts'
import { record as recordRows } from './record.ts'
import { openWorld, type RawResponse, type TestWorld } from '#/testing/world.ts'
import { disorder } from '#/testing/state.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(async () => {
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const admin = () => w.as('fleetAdmin')
const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString()
const wrong = 'the join code is wrong, was used already, or has expired: make another one'

async function newCode(minutes?: number): Promise<JoinCode> {
  const { code } = await admin().hostJoinCodeCreate({ body: minutes === undefined ? {} : { minutes } })
  const parts = readJoinCode(code)
  if (!parts) throw new Error(`no code: ${code}`)
  return parts
}

let sender = 0
/** Each request comes from another address unless one is given. */
function join(
  code: JoinCode,
  more: { port?: number; publicKey?: string; address?: string; remote?: string } = {},
) {
  const { remote = `198.51.100.${++sender}`, ...fields } = more
  const host = { codeId: code.id, address: '192.0.2.8', port: 7400, publicKey, ...fields }
  const { passwords } = w.world
  const proof = passwords.sign(passwords.fingerprint(code.secret), joinText(host))
  return send({ ...host, proof }, remote)
}

const send = (
  host: { codeId: string; address: string; port: number; publicKey: string; proof: string },
  remote: string,
): Promise<RawResponse> =>
  w.raw({
    method: 'POST',
    url: '/v1/host-join',
    remote,
    body: JSON.stringify({
      code_id: host.codeId,
      address: host.address,
      port: host.port,
      public_key: host.publicKey,
      proof: host.proof,
    }),
  })

describe('joining', () => {
  it('gives a host with a code a certificate of the authority in the code, once', async () => {
    const code = await newCode()
    const { status, json } = await join(code)
    expect(status).toBe(201)
    const [cert, authority] = [new X509Certificate(json.certificate), new X509Certificate(json.authority)]
    expect(authority.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(code.fingerprint)
    expect(cert.verify(authority.publicKey)).toBe(true)
    expect(cert.publicKey.export({ type: 'spki', format: 'pem' })).toBe(publicKey)
    expect(cert.checkHost(`${json.id}.host.purlin.internal`)).toBeDefined()
    expect(await admin().hostView({ params: { hostId: json.id } })).toMatchObject({
      address: '192.0.2.8',
      port: 7400,
      fingerprint: cert.fingerprint256.replaceAll(':', '').toLowerCase(),
      state: 'silent',
      sledIds: [],
    })
    const again = await join(code)
    expect([again.status, again.json.message]).toEqual([400, wrong])
    const codes = (await admin().hostJoinCodeList({ query: {} })).items
    expect(codes.map(({ id }) => id)).not.toContain(code.id)
  })

  it('is recorded in the audit log in the name of the operator who made the code', async () => {
    const { json } = await join(await newCode())
    await w.settle()
    const entries = await admin().auditLogList({
      query: { startTime: new Date(0), sortBy: 'time_and_id_descending' },
    })
    const entry = entries.items.find(({ operationId }) => operationId === 'host_join')
    expect(entry).toMatchObject({ actor: { kind: 'silo_user', siloUserId: w.ids['fleetAdmin'] } })
    expect(JSON.stringify(entry)).toContain(json.id)
  })

  it('answers the same to a code that is unknown, altered, revoked or expired', async () => {
    const [code, revoked, short] = [await newCode(), await newCode(), await newCode(1)]
    await admin().hostJoinCodeDelete({ params: { codeId: revoked.id } })
    await w.advance(60_000)
    const answers = [
      await join({ ...code, id: '3f1c9a52-0000-4000-8000-000000000009' }),
      await join({ ...code, secret: '0'.repeat(64) }),
      await join(revoked),
      await join(short),
    ]
    for (const { status, json } of answers) expect([status, json.message]).toEqual([400, wrong])
    const altered = { codeId: code.id, address: '192.0.2.8', port: 7401, publicKey, proof: 'a'.repeat(64) }
    expect((await send(altered, '198.51.100.200')).json.message).toBe(wrong)
    expect((await join(code)).status).toBe(201)
  })

  it('refuses a code whose maker may make none any more', async () => {
    const [code, later] = [await newCode(), await newCode()]
    const maker = w.ids['fleetAdmin'] ?? ''
    const role = (roleName: 'admin' | 'viewer') =>
      inDb(w, (tx) =>
        tx
          .updateTable('roleAssignment')
          .set({ roleName })
          .where('identityId', '=', maker)
          .where('resourceType', '=', 'fleet')
          .execute(),
      )
    const deactivated = (timeDeactivated: number | null) =>
      inDb(w, (tx) => tx.updateTable('siloUser').set({ timeDeactivated }).where('id', '=', maker).execute())
    await role('viewer')
    const dismissed = await join(code)
    await role('admin')
    await deactivated(w.clock.now())
    const gone = await join(later)
    await deactivated(null)
    for (const { status, json } of [dismissed, gone]) expect([status, json.message]).toEqual([400, wrong])
    expect((await join(code)).status).toBe(201)
  })

  it('refuses keys and addresses that are none, and the code still counts', async () => {
    const code = await newCode()
    expect((await join(code, { publicKey: 'no key' })).json.message).toContain('P-256')
    expect((await join(code, { address: 'no address' })).json.message).toContain('an address is')
    expect((await join(code, { port: 0 })).status).toBe(400)
    expect((await join(code)).status).toBe(201)
  })

  it('slows down an address that guesses', async () => {
    const code = { ...(await newCode()), secret: '0'.repeat(64) }
    let status = 400
    for (let i = 0; i < 60 && status === 400; i++)
      status = (await join(code, { remote: '203.0.113.99' })).status
    expect(status).toBe(429)
  })

  it('uses a code once, also if two hosts have it', async () => {
    const code = await newCode()
    const both = await Promise.all([join(code), join(code)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 400]))
  })

  it('keeps no secret, and shows the code only to its maker', async () => {
    const code = await newCode()
    const rows = await inDb(w, (tx) => tx.selectFrom('hostJoinCode').selectAll().execute())
    const listed = await admin().hostJoinCodeList({ query: {} })
    const viewed = await admin().hostJoinCodeView({ params: { codeId: code.id } })
    expect(JSON.stringify([rows, listed, viewed])).not.toContain(code.secret)
    expect(viewed).toMatchObject({ createdBy: expect.any(String) })
    expect(viewed.timeExpires.getTime()).toBe(w.clock.now() + hostLimits.minutes.usual * 60_000)
  })
})

describe('hosts', () => {
  it('are forgotten only if no sled of theirs is in service', async () => {
    const { json } = await join(await newCode())
    const hostId: string = json.id
    const [sled] = (await admin().sledList({ query: {} })).items
    const of = (id: string | null) =>
      inDb(w, (tx) =>
        tx
          .updateTable('sled')
          .set({ hostId: id })
          .where('id', '=', sled?.id ?? '')
          .execute(),
      )
    await of(hostId)
    expect((await admin().hostView({ params: { hostId } })).sledIds).toEqual([sled?.id])
    await expect(admin().hostDelete({ params: { hostId } })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`sled "${sled?.baseboard.serial}" of the host is in service`),
    })
    await of(null)
    await admin().hostDelete({ params: { hostId } })
    await expect(admin().hostView({ params: { hostId } })).rejects.toMatchObject({ status: 404 })
  })

  it('are reached after they were forgotten, until they have ended the machines of their sleds', async () => {
    const { json } = await join(await newCode())
    const hostId: string = json.id
    const report = await w.sleds.hardware()
    const [first] = report.sleds
    if (!first) throw new Error('no sled')
    const gone = { ...first, id: w.world.ids.uuid(), serial: 'GONE', hostId }
    let [hosts, sleds] = [[] as string[], report.sleds]
    let given: JoinedHosts | undefined
    const dropped: string[] = []
    const driver = altered(w.sleds, {
      setJoined: (joined) => void (given = joined),
      hardware: () => Promise.resolve({ ...report, hosts, sleds }),
    })
    const round = async () => {
      const recorded = await recordHardware({ ...w.world, sleds: driver })
      dropped.push(...recorded.dropped)
    }
    const place = () => given?.hosts.find(({ id }) => id === hostId)
    const isReached = () => place() !== undefined
    const hasRow = async (id: string) =>
      inDb(w, (tx) => tx.selectFrom('sled').select('policy').where('id', '=', id).executeTakeFirst())
    hosts = [hostId]
    sleds = [...report.sleds, gone]
    await round()
    // It falls silent.
    hosts = []
    sleds = report.sleds
    await inDb(w, (tx) =>
      tx.updateTable('sled').set({ policy: 'expunged' }).where('id', '=', gone.id).execute(),
    )
    await admin().hostDelete({ params: { hostId } })
    await round()
    expect([place()?.isForgotten, dropped]).toEqual([true, []])
    expect((await admin().hostList({ query: {} })).items.map(({ id }) => id)).not.toContain(hostId)
    // It is back, and no new sled of it counts.
    const fresh = { ...gone, id: w.world.ids.uuid(), serial: 'FRESH' }
    hosts = [hostId]
    sleds = [...report.sleds, gone, fresh]
    await round()
    expect([isReached(), dropped, given?.places.get(gone.id)]).toEqual([true, [gone.id], hostId])
    sleds = [...report.sleds, fresh]
    await round()
    expect(isReached()).toBe(false)
    expect([await hasRow(gone.id), await hasRow(fresh.id)]).toEqual([{ policy: 'expunged' }, undefined])
  })

  it('are up while the driver reports them, and silent since it does not', async () => {
    const { json } = await join(await newCode())
    const hostId: string = json.id
    const report = async (hosts: string[]) => {
      const hardware = async () => ({ ...(await w.sleds.hardware()), hosts })
      await recordHardware({ ...w.world, sleds: altered(w.sleds, { hardware }) })
      const { state, timeStateChanged } = await admin().hostView({ params: { hostId } })
      return [state, timeStateChanged.getTime()]
    }
    await w.advance(1000)
    const up = w.clock.now()
    expect(await report([hostId])).toEqual(['up', up])
    await w.advance(1000)
    expect(await report([hostId])).toEqual(['up', up])
    expect(await report([])).toEqual(['silent', w.clock.now()])
  })

  it('are shown with their sleds, and sleds with their host', async () => {
    const { json } = await join(await newCode())
    const hostId: string = json.id
    const report = await w.sleds.hardware()
    const [inside] = report.sleds
    if (!inside) throw new Error('no sled')
    const sled = { ...inside, id: w.world.ids.uuid(), serial: 'JOINED', hostId, version: '1.2.3' }
    const record = (hosts: string[]) => {
      const hardware = async () => ({ ...report, sleds: [...report.sleds, sled], hosts })
      return recordHardware({ ...w.world, sleds: altered(w.sleds, { hardware }) })
    }
    const hostOf = async (sledId: string) => (await admin().sledView({ params: { sledId } })).joinedHost
    const asHost = { id: hostId, address: '192.0.2.8', port: 7400, state: 'up' }
    await record([hostId])
    const since = new Date(w.clock.now())
    expect(await hostOf(sled.id)).toEqual({ ...asHost, timeStateChanged: since })
    expect(await hostOf(inside.id)).toBeNull()
    expect(await admin().hostView({ params: { hostId } })).toMatchObject({
      version: '1.2.3',
      sledIds: [sled.id],
    })
    expect((await admin().sledView({ params: { sledId: sled.id } })).host?.version).toBe('1.2.3')
    await record([])
    expect(await hostOf(sled.id)).toMatchObject({ state: 'silent' })
    await admin().sledExpunge({ params: { sledId: sled.id } })
    await admin().hostDelete({ params: { hostId } })
    expect(await hostOf(sled.id)).toBeUndefined()
  })

  it('are not taken for silent, nor what they have for missing, if another server drives them', async () => {
    const { json } = await join(await newCode())
    const hostId: string = json.id
    const all = await w.sleds.hardware()
    const sleds = all.sleds.map((sled) => ({ ...sled, hostId }))
    const record = (report: Hardware) =>
      w.world.engine.transaction('write', (tx) => recordRows(tx, report, w.clock.now()))
    const missing = async () => {
      const tables = ['rack', 'sled', 'physicalDisk', 'switch', 'switchPort', 'updateComponent'] as const
      const of = async (table: (typeof tables)[number]) =>
        inDb(w, (tx) => tx.selectFrom(table).select('id').where('missingSince', 'is not', null).execute())
      return (await Promise.all(tables.map(of))).map(({ length }) => length > 0)
    }
    await inDb(w, (tx) => tx.updateTable('sled').set({ hostId }).execute())
    await record({ ...all, sleds, hosts: [hostId] })
    const isInside = (id: string | null) => id === null
    const ofSwitches = all.components.filter(({ switchId }) => switchId !== null)
    const silent = { ...all, racks: [], sleds: [], disks: [], components: ofSwitches, hosts: [] }
    const seen = recordedPart(silent, isInside)
    await record(seen)
    expect(await missing()).toEqual([false, false, false, false, false, false])
    expect((await admin().hostView({ params: { hostId } })).state).toBe('up')
    // Another one has the sleds, and this one the switches.
    await record(recordedPart({ ...noHardware, hosts: [] }, (id) => id !== null))
    expect(await missing()).toEqual([false, true, true, false, false, true])
    expect((await admin().hostView({ params: { hostId } })).state).toBe('silent')
    await inDb(w, (tx) => tx.updateTable('sled').set({ hostId: null }).execute())
    await record(all)
  })

  it('are given to the driver with the sleds that each was the first to report', async () => {
    const { json } = await join(await newCode())
    const hostId: string = json.id
    const report = await w.sleds.hardware()
    const [first, ...others] = report.sleds
    // Before all others in the order of ids, which is not that of the reports.
    const id = '00000000-0000-4000-8000-000000000001'
    const fresh = { ...first, id, serial: 'NEW', hostId } as (typeof report.sleds)[number]
    const given: JoinedHosts[] = []
    const driver = (sleds: typeof report.sleds) =>
      altered(w.sleds, {
        setJoined: (joined) => void given.push(joined),
        hardware: () => Promise.resolve({ ...report, sleds, hosts: [hostId] }),
      })
    const all = first ? [first, ...others, fresh] : []
    await recordHardware({ ...w.world, sleds: driver(all) })
    const stolen = all.map((sled) => ({ ...sled, hostId }))
    await recordHardware({ ...w.world, sleds: driver(stolen) })
    const { places, hosts, simulated } = given.at(-1) ?? {}
    for (const { id, sledId } of report.disks)
      if (sledId === first?.id) expect([id, places?.get(id)]).toEqual([id, null])
    for (const { id } of [...report.racks, ...report.ports, ...report.components])
      expect([id, places?.get(id)]).toEqual([id, null])
    expect(places?.get(fresh.id)).toBe(hostId)
    expect(places?.get(first?.id ?? '')).toBeNull()
    expect(simulated?.has(fresh.id)).toBe(true)
    expect(hosts).toContainEqual({ id: hostId, address: '192.0.2.8', port: 7400 })
    expect((await admin().hostView({ params: { hostId } })).sledIds).toEqual([fresh.id])
  })

  it('that report what cannot be stored keep neither others nor servers from theirs', async () => {
    const { json } = await join(await newCode())
    const hostId: string = json.id
    const report = await w.sleds.hardware()
    const [sled] = report.sleds
    const [first] = report.switches
    if (!sled || !first) throw new Error('no rack')
    const wild = { load: { threads: 1e300, memory: 0, storage: 0 }, temperature: 1e300 }
    const [bad, good, twin] = [w.world.ids.uuid(), w.world.ids.uuid(), w.world.ids.uuid()]
    const driver = altered(w.sleds, {
      hardware: async () => ({
        ...report,
        hosts: [hostId],
        sleds: [
          ...report.sleds,
          { ...sled, id: good, serial: 'GOOD', hostId, ...wild },
          // No schema lets it pass: whatever else cannot be stored.
          { ...sled, id: bad, serial: null as never, hostId: 'bad' },
        ],
        switches: [...report.switches, { ...first, id: twin, hostId }],
        ports: [
          ...report.ports,
          ...report.ports.map((port) => ({ ...port, id: w.world.ids.uuid(), switchId: twin })),
        ],
      }),
      dropSled: (id) => Promise.reject(new SledUnreachable(id)),
    })
    await inDb(w, (tx) =>
      tx.updateTable('sled').set({ policy: 'expunged' }).where('id', '=', sled.id).execute(),
    )
    const lines: string[] = []
    const line = (_: object, text: string) => void lines.push(text)
    const other = await w.another(driver, { log: { ...w.world.log, warn: line, error: line } })
    await other.plane.loops.settled()
    const sleds = await inDb(w, (tx) => tx.selectFrom('sled').selectAll().execute())
    expect(sleds.find(({ id }) => id === good)).toMatchObject({ missingSince: null })
    expect(sleds.map(({ id }) => id)).not.toContain(bad)
    expect(lines).toContain('the hardware of a host cannot be recorded')
    expect(lines).toContain('a sled was not dropped')
    const ports = await inDb(w, (tx) => tx.selectFrom('switchPort').selectAll().execute())
    expect(ports.filter(({ switchId }) => switchId === twin)).toEqual([])
    await other.plane.loops.stop()
    await inDb(w, (tx) =>
      tx.updateTable('sled').set({ policy: 'in_service' }).where('id', '=', sled.id).execute(),
    )
  })
})
