import { writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { makeCertificate } from '@purlin/x509/make'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll, newFolder } from '../testing/children.ts'
import { whyNoPostgres, startPostgres, type Postgres } from '../testing/postgres.ts'
import { admin, serve, type ServerProcess } from '../testing/process.ts'
import { ask, signIn } from '../testing/requests.ts'

afterEach(killAll)

const servername = 'main.sys.purlin.internal'
const dayMs = 24 * 60 * 60_000
const made = async (name: string, days: number) => ({
  name,
  description: '',
  service: 'external_api' as const,
  ...(await makeCertificate({
    commonName: name,
    dnsNames: [servername],
    notAfter: new Date(Date.now() + days * dayMs),
  })),
})

/** The common name that a server shows for a host name, or `refused`. */
const shownBy = (url: string, name: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port: Number(new URL(url).port), servername: name, rejectUnauthorized: false })
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.once('error', () => resolve('refused'))
  })

/** Files with a certificate of localhost, and flags that serve them. */
async function fallback(folder: string): Promise<string[]> {
  const { cert, key } = await makeCertificate({ commonName: 'localhost', dnsNames: ['localhost'] })
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  return ['--tls-cert', files.cert, '--tls-key', files.key]
}

/** Sends requests as the administrator, over TLS at any name. */
async function signInSecurely(url: string) {
  const send = (method: string, path: string, body?: object, cookie = '') =>
    ask(url, path, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      tls: { servername: 'localhost' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const { user: username, password } = admin
  const { headers } = await send('POST', `/v1/login/${admin.silo}/local`, { username, password })
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return {
    cookie,
    add: async (body: object) =>
      expect((await send('POST', '/v1/certificates', body, cookie)).status).toBe(201),
    remove: async (name: string) =>
      expect((await send('DELETE', `/v1/certificates/${name}`, undefined, cookie)).status).toBe(204),
  }
}

/** Requests one after another, each with a handshake that verifies the certificate, until they are stopped. */
function startLoad(url: string, { cookie, ca }: { cookie: string; ca: string }) {
  let isOver = false
  let answered = 0
  const failed: string[] = []
  const client = async () => {
    while (!isOver)
      try {
        const { status } = await ask(url, '/v1/me', { headers: { cookie }, tls: { servername, ca } })
        if (status === 200) answered++
        else failed.push(String(status))
      } catch (error) {
        failed.push(String(error))
      }
  }
  const clients = Array.from({ length: 4 }, client)
  const count = () => answered
  return {
    count,
    stop: async () => {
      isOver = true
      await Promise.all(clients)
      return failed
    },
  }
}

/** Replaces the certificate of a silo during requests to all servers, and removes it in the end. */
async function replaceUnderLoad(servers: readonly ServerProcess[]): Promise<void> {
  const [{ url } = { url: '' }] = servers
  const shown = () => Promise.all(servers.map((one) => shownBy(one.url, servername)))
  const everywhere = (name: string) => servers.map(() => name)
  const { cookie, add, remove } = await signInSecurely(url)
  expect(await shown()).toEqual(everywhere('localhost'))
  const [before, after] = [await made('before', 10), await made('after', 90)]
  await add(before)
  await expect.poll(shown).toEqual(everywhere('before'))
  const loads = servers.map((one) => startLoad(one.url, { cookie, ca: before.cert + after.cert }))
  const moreAnswers = async () => {
    const counts = loads.map(({ count }) => count())
    await expect.poll(() => loads.every(({ count }, i) => count() > (counts[i] ?? 0) + 20)).toBe(true)
  }
  await moreAnswers()
  await add(after)
  await expect.poll(shown).toEqual(everywhere('after'))
  await moreAnswers()
  await remove('before')
  await moreAnswers()
  expect(await Promise.all(loads.map((load) => load.stop()))).toEqual(servers.map(() => []))
  expect(await shown()).toEqual(everywhere('after'))
  await remove('after')
  await expect.poll(shown).toEqual(everywhere('localhost'))
}

describe('a certificate is replaced under load without a failed request', () => {
  it('on one server', async () => {
    const { path } = newFolder()
    await replaceUnderLoad([await serve({ folder: path, args: await fallback(path) })])
  })

  describe.skipIf(lacks(whyNoPostgres()))('of PostgreSQL', () => {
    let database: Postgres | undefined
    afterAll(async () => {
      killAll()
      await database?.stop()
    })

    it('on all servers of a database', async () => {
      database = await startPostgres()
      const { path } = newFolder()
      const how = { databaseUrl: database.url, folder: path, args: await fallback(path) }
      const rack = await serve(how)
      const other = await serve(how)
      await replaceUnderLoad([rack, other])
    })
  })
})

describe('a server with only the certificates of silos', () => {
  it('answers at their names during any other handshakes, and keeps no connections of those', async () => {
    const { path } = newFolder()
    const first = await serve({ folder: path })
    const { api } = await signIn(first.url)
    const web = await made('web', 90)
    await api.certificateCreate({ body: web })
    await first.stop()
    expect(first.lines().join('\n')).not.toContain('PRIVATE KEY')

    const { url, lines } = await serve({ folder: path, args: ['--tls'] })
    const ping = () => ask(url, '/v1/ping', { tls: { servername, ca: web.cert } })
    expect(url).toMatch(/^https:/)
    expect((await ping()).status).toBe(200)
    const names = Array.from({ length: 300 }, (_, i) => `silo-${i}.sys.purlin.internal`)
    const odd = ['x', `a.${servername}`, `${'a'.repeat(63)}.sys.purlin.internal`, 'main.sys.other']
    const shown = await Promise.all([...names, ...odd].map((name) => shownBy(url, name)))
    expect(new Set(shown)).toEqual(new Set(['refused']))
    const port = Number(new URL(url).port)
    const garbage = ['GET / HTTP/1.1\r\n\r\n', '\u0016\u0003\u0001\u00ff\u00ff', 'x'.repeat(20_000)]
    const ended = garbage.map(
      (bytes) =>
        new Promise((resolve) => {
          const socket = connectPlain(port, '127.0.0.1')
          socket.once('close', resolve).on('error', () => undefined)
          socket.end(bytes, 'latin1')
          socket.resume()
        }),
    )
    await Promise.all(ended)
    expect((await ping()).status).toBe(200)
    expect(lines().filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})
