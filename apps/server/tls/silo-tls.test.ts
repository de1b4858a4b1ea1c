import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { DatabaseUnavailable, type Engine } from '@purlin/core/ports'
import { makeCertificate, type MadeCertificate } from '@purlin/x509/make'
import { oddKeys } from '@purlin/x509/odd-keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSiloTls } from './silo-tls.ts'
import { startServers, type TestServers } from '../testing/test-servers.ts'

const acme = 'acme.sys.purlin.internal'
const other = 'other.sys.purlin.internal'
const dayMs = 24 * 60 * 60_000

let servers: TestServers
/** How far handshakes are ahead of the clock of sessions, ms. */
let later = 0
beforeAll(async () => {
  servers = await startServers({
    tls: (world) => {
      const clock = { ...world.clock, now: () => world.clock.now() + later }
      return { choose: createSiloTls({ ...world, clock }) }
    },
  })
})
afterAll(() => servers.close())

/** The common name of the certificate that a client gets, or the code of its error. */
async function shown(
  servername: string | undefined,
  { port }: Pick<TestServers, 'port'> = servers,
): Promise<string> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...(servername ? { servername } : {}),
  })
  try {
    await once(socket, 'secureConnect')
    return String(socket.getPeerCertificate().subject.CN)
  } catch (error) {
    const { code = 'failed' } = error as NodeJS.ErrnoException
    // Its name differs between versions of OpenSSL.
    return code.endsWith('_ALERT_HANDSHAKE_FAILURE') ? refused : code
  } finally {
    socket.destroy()
  }
}
const refused = 'refused'

const add = async (name: string, more: MadeCertificate, { who = 'admin', at = acme } = {}) =>
  servers.world.as(who as 'admin').certificateCreate({
    body: {
      name,
      description: '',
      service: 'external_api',
      ...(await makeCertificate({ commonName: name, dnsNames: [at], ...more })),
    },
  })
const remove = (certificate: string) =>
  servers.world.as('admin').certificateDelete({ params: { certificate } })
const inDays = (days: number) => new Date(servers.world.clock.now() + days * dayMs)

describe('a handshake', () => {
  it('shows the certificate of the silo that the client asks for, and none to others', async () => {
    expect(await shown(acme)).toBe(refused)
    await add('ours', { notBefore: inDays(-1), notAfter: inDays(90) })
    await add('theirs', { notAfter: inDays(90) }, { who: 'stranger', at: other })
    expect(await Promise.all([shown(acme), shown(acme.toUpperCase()), shown(other)])).toEqual([
      'ours',
      'ours',
      'theirs',
    ])
    for (const name of [undefined, 'acme.sys.elsewhere', 'acme', `x.${acme}`, 'unknown.sys.purlin.internal'])
      expect(await shown(name)).toBe(refused)
    const open = () => new Promise((resolve) => servers.server.getConnections((_, count) => resolve(count)))
    await expect.poll(open).toBe(0)
  })

  it('shows the one that expires last, of those that are valid already, from the next handshake on', async () => {
    await add('longer', { notBefore: inDays(-1), notAfter: inDays(100) })
    expect(await shown(acme)).toBe('longer')
    await add('shorter', { notBefore: inDays(-1), notAfter: inDays(50) })
    expect(await shown(acme)).toBe('longer')
    await add('later', { notBefore: inDays(10), notAfter: inDays(400) })
    expect(await shown(acme)).toBe('longer')
    later = 11 * dayMs
    expect(await shown(acme)).toBe('later')
    await remove('later')
    expect(await shown(acme)).toBe('longer')
    later = 200 * dayMs
    // None is valid any more: the client says so.
    expect(await shown(acme)).toBe('longer')
    for (const name of ['longer', 'shorter']) await remove(name)
    expect(await shown(acme)).toBe('ours')
    await remove('ours')
    expect(await shown(acme)).toBe(refused)
    later = 0
  })

  it('never shows a stored one that no handshake succeeds with in place of a good one', async () => {
    await add('good', { notBefore: inDays(-1), notAfter: inDays(50) })
    const bad = await makeCertificate({ commonName: 'bad', dnsNames: [acme], key: oddKeys.secp256k1 })
    // An earlier version let it in.
    await servers.world.world.engine.transaction('write', async (tx) => {
      const row = await tx
        .selectFrom('certificate')
        .selectAll()
        .where('name', '=', 'good')
        .executeTakeFirstOrThrow()
      const id = servers.world.world.ids.uuid()
      const pair = { certPem: bad.cert, keyPem: bad.key, notAfter: row.notAfter + dayMs }
      await tx
        .insertInto('certificate')
        .values({ ...row, ...pair, id, name: 'bad' })
        .execute()
    })
    expect(await shown(acme)).toBe('good')
    await remove('good')
    expect(await shown(acme)).toBe(refused)
    await remove('bad')
  })

  it('carries requests, which know that they came over TLS', async () => {
    await add('web', { notBefore: inDays(-1), notAfter: inDays(90) })
    const { status, headers } = await servers.ask('/v1/ping', { tls: { servername: acme } })
    expect([status, headers['strict-transport-security']]).toEqual([200, expect.any(String)])
    await remove('web')
  })
})

describe('TLS 1.2', () => {
  /** The negotiated parameters of a client that knows only one suite. */
  const agreedOn = async (ciphers: string) => {
    const socket = connect({
      port: servers.port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      servername: acme,
      maxVersion: 'TLSv1.2',
      ciphers,
    })
    try {
      await once(socket, 'secureConnect')
      return socket.getCipher().name
    } catch {
      return refused
    } finally {
      socket.destroy()
    }
  }

  it.each([
    ['AES128-SHA', refused],
    ['AES128-GCM-SHA256', refused],
    ['ECDHE-RSA-AES128-SHA256', refused],
    ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
    ['ECDHE-RSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ])(
    'with an RSA certificate, %s is %s: only suites with forward secrecy are served',
    async (suite, agreed) => {
      await add('rsa', { notBefore: inDays(-1), notAfter: inDays(90), rsaBits: 2048 })
      const name = await agreedOn(suite)
      await remove('rsa')
      expect(name).toBe(agreed)
    },
  )
})

describe('with files for all other names', () => {
  let folder: string
  let second: TestServers
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'purlin-tls-'))
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
    const made = await makeCertificate({ commonName: 'files' })
    writeFileSync(files.cert, made.cert)
    writeFileSync(files.key, made.key)
    second = await startServers({ tls: (world) => ({ files, choose: createSiloTls(world) }) })
  })
  afterAll(async () => {
    await second.close()
    rmSync(folder, { recursive: true })
  })

  it('they are used where no silo has one', async () => {
    for (const name of [undefined, 'localhost', acme]) expect(await shown(name, second)).toBe('files')
    const body = { name: 'web', description: '', service: 'external_api' as const }
    const made = await makeCertificate({ commonName: 'web', dnsNames: [acme] })
    await second.world.as('admin').certificateCreate({ body: { ...body, ...made } })
    expect(await shown(acme, second)).toBe('web')
    expect(await shown('localhost', second)).toBe('files')
  })
})

describe('the contexts of silos', () => {
  const worldWith = (engine: Partial<Engine>) => {
    const { world } = servers.world
    return { ...world, engine: { ...world.engine, ...engine } }
  }
  beforeAll(async () => {
    await add('kept', { notAfter: inDays(900) })
  })

  it('are made once, as many as are kept', async () => {
    const choose = createSiloTls(servers.world.world, 1)
    const [first, together] = await Promise.all([choose(acme), choose(acme)])
    expect(first).toBeDefined()
    expect([together, await choose(acme)]).toEqual([first, first])
    expect(await choose(other)).toBeDefined()
    expect(await choose(acme)).not.toBe(first)
  })

  it('are read again after a second if other servers write', async () => {
    let count = 0
    const { engine } = servers.world.world
    const world = worldWith({
      transaction: (mode, work, reads) => {
        count++
        return engine.transaction(mode, work, reads)
      },
    })
    const { changes: _, ...shared } = world.engine
    const choose = createSiloTls({ ...world, engine: shared })
    const first = await choose(acme)
    const after = count
    await choose(acme)
    expect(count).toBe(after)
    await servers.world.advance(1000)
    expect(await choose(acme)).toBe(first)
    expect(count).toBe(after + 1)
    await add('newer', { notAfter: inDays(950) })
    await servers.world.advance(1000)
    expect(await choose(acme)).not.toBe(first)
    await remove('newer')
  })

  it('outlive the database', async () => {
    let isAway = false
    const { engine } = servers.world.world
    const world = worldWith({
      transaction: (mode, work, reads) =>
        isAway ? Promise.reject(new DatabaseUnavailable('away')) : engine.transaction(mode, work, reads),
    })
    const choose = createSiloTls(world)
    const first = await choose(acme)
    isAway = true
    await add('newest', { notAfter: inDays(990) })
    expect(await choose(acme)).toBe(first)
    expect(await choose(other)).toBeUndefined()
    isAway = false
    expect(await choose(acme)).not.toBe(first)
    await remove('newest')
  })
})
