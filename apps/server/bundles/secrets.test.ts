/** A support bundle of the real server, with every kind of secret that there is: none of them is in it. */
import { randomBytes } from 'node:crypto'
import { demoPassword } from '@purlin/core/seed'
import { defaultZone, hostOfSilo } from '@purlin/contract/rules/credentials/certificates'
import { GiB } from '@purlin/contract/rules/limits'
import { makeCertificate } from '@purlin/x509/make'
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll, newFolder } from '../testing/children.ts'
import { startOpenIdProvider } from '../testing/openid/provider.ts'
import { findPostgres, startPostgres, type Postgres } from '../testing/postgres.ts'
import { admin, serve } from '../testing/process.ts'
import { ask, signIn, type Api } from '../testing/requests.ts'
import { findUnzip, unpack } from '../testing/unzip.ts'

const unzip = findUnzip()
const silo = 'engineering'
const named = (name: string) => ({ name, description: '' })
const secret = (what: string) => `${what}-${randomBytes(12).toString('hex')}`
const privateKey = () =>
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${randomBytes(120).toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`

/** The forms in which a text may be written. */
const formsOf = (text: string): string[] => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -2),
  Buffer.from(text).toString('hex'),
]

/** Makes a secret of every kind. Returns them by what they are. */
async function makeSecrets(
  url: string,
  { operator, owner }: { operator: Api; owner: Api },
): Promise<Record<string, string>> {
  const password = secret('password')
  await operator.localIdpUserCreate({
    query: { silo: silo },
    body: { externalId: 'ada', password: { mode: 'password', value: password } },
  })
  const wrong = secret('mistyped')
  await owner
    .loginLocal({ params: { siloName: silo }, body: { username: 'ada', password: wrong } })
    .catch(() => undefined)
  const ada = await signIn(url, { silo: silo, user: 'ada', password })

  const clientId = '0b7a1c9e-0000-4000-8000-000000000001'
  const device = await owner.deviceAuthRequest({ body: { clientId } })
  await owner.deviceAuthConfirm({ body: { userCode: device.userCode } })
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
  const access = await owner.deviceAccessToken({
    body: { grantType, deviceCode: device.deviceCode, clientId },
  })
  await ask(url, '/v1/me', { headers: { authorization: `Bearer ${access.accessToken}` } })

  await operator.siloCreate({
    body: {
      ...named('directory'),
      discoverable: false,
      identityMode: 'saml_scim',
      quotas: { cpus: 1, memory: GiB, storage: GiB },
      tlsCertificates: [],
    },
  })
  const scim = await operator.scimTokenCreate({ query: { silo: 'directory' } })

  const clientSecret = secret('client')
  const openid = await startOpenIdProvider([])
  await operator.oidcIdentityProviderCreate({
    query: { silo: 'directory' },
    body: { ...named('openid'), issuer: openid.issuer, clientId: openid.clientId, clientSecret },
  })
  await openid.close()

  const host = hostOfSilo(silo, defaultZone)
  const days = 24 * 60 * 60_000
  const pair = await makeCertificate({
    commonName: host,
    dnsNames: [host],
    notBefore: new Date(Date.now() - days),
    notAfter: new Date(Date.now() + days),
  })
  await owner.certificateCreate({ body: { ...named('tls'), ...pair, service: 'external_api' } })
  const hook = secret('webhook')
  await operator.webhookReceiverCreate({
    body: {
      ...named('pager'),
      endpoint: 'https://pager.invalid/hook',
      secrets: [hook],
      subscriptions: ['hardware.**'],
    },
  })
  const userData = `#cloud-config\npassword: ${secret('guest')}\n${privateKey()}`
  await owner.projectCreate({ body: named('web') })
  await owner.instanceCreate({
    query: { project: 'web' },
    body: {
      ...named('with-user-data'),
      ncpus: 1,
      memory: GiB,
      hostname: 'web',
      userData: Buffer.from(userData),
      networkInterfaces: { type: 'none' },
    },
  })
  return {
    'password of a user': password,
    'password that was refused': wrong,
    'session token': ada.cookie.split('=')[1] ?? '',
    'device code': device.deviceCode,
    'user code': device.userCode,
    'access token': access.accessToken,
    'SCIM token': scim.bearerToken,
    'client secret of OpenID Connect': clientSecret,
    'TLS key': pair.key,
    'line of the TLS key': pair.key.split('\n')[2] ?? '',
    'webhook secret': hook,
    'user data': userData,
    'password in user data': userData.split('\n')[1]?.slice('password: '.length) ?? '',
    'SSH key in user data': userData.split('\n')[3] ?? '',
  }
}

// On PostgreSQL, the password of the database is a secret as well.
const onPostgres = findPostgres() !== undefined
let database: Postgres | undefined
beforeAll(async () => {
  if (onPostgres) database = await startPostgres()
})
afterAll(async () => {
  killAll()
  await database?.stop()
})

it.skipIf(lacks(!unzip && 'install unzip'))(
  'a support bundle has what helps to find a fault, and no secret',
  { timeout: 300_000 },
  async () => {
    const [metricsToken, databasePassword] = [secret('metrics'), secret('database')]
    const smtpPassword = secret('smtp')
    const tracesKey = secret('traces')
    const traces = ['--traces-to', 'http://127.0.0.1:9/v1/traces']
    // The identity provider is on this machine.
    const reach = ['--webhooks-allow', '127.0.0.0/8']
    const mail = ['--smtp-url', 'smtp://cloud@127.0.0.1:9', '--mail-from', 'cloud@example.org']
    const server = await serve({
      folder: newFolder().path,
      args: [
        '--demo',
        '--metrics-token',
        metricsToken,
        ...mail,
        '--smtp-password',
        smtpPassword,
        ...traces,
        ...reach,
      ],
      env: { PURLIN_TRACES_HEADERS: `X-Key=${tracesKey}` },
      databaseUrl: database?.url.replace('://postgres@', `://postgres:${databasePassword}@`),
    })
    onTestFailed(() => console.error(server.lines().slice(-20).join('\n')))
    const { cookie, api } = await signIn(server.url, { silo, user: 'tariq-aziz', password: demoPassword })
    const { api: owner } = await signIn(server.url, { silo, user: 'hanna-okafor', password: demoPassword })
    const secrets: Record<string, string> = {
      ...(await makeSecrets(server.url, { operator: api, owner })),
      'password of the administrator': admin.password,
      'session of the administrator': cookie.split('=')[1] ?? '',
      'token of the metrics': metricsToken,
      'password of SMTP': smtpPassword,
      'key of the collector of traces': tracesKey,
      'password of the database': databasePassword,
      'password of the demo': demoPassword,
      'webhook secret of the demo': 'a secret of the demo',
    }
    const scraped = await ask(server.url, '/metrics', {
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    expect(scraped.status).toBe(200)

    const made = { params: { instance: 'with-user-data' }, query: { project: 'web' } }
    await expect.poll(async () => (await owner.instanceView(made)).runState).toBe('running')
    const { id } = await api.supportBundleCreate({ body: { userComment: 'slow disks' } })
    const params = { bundleId: id }
    await expect.poll(async () => (await api.supportBundleView({ params })).state).toBe('active')
    const root = `${server.url}/experimental/v1/system/support-bundles/${id}`
    const answer = await fetch(`${root}/download`, { headers: { cookie } })
    expect(answer.status).toBe(200)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    if (!unzip) throw new Error('there is no program that unpacks zip files')
    const files = unpack(unzip, bytes)
    const index = await (await fetch(`${root}/index`, { headers: { cookie } })).text()
    expect([...files.keys()].toSorted()).toEqual(index.trimEnd().split('\n').toSorted())

    const all = Buffer.concat([...files.entries()].flatMap(([path, content]) => [Buffer.from(path), content]))
    const found = Object.entries(secrets).flatMap(([what, text]) => {
      expect(text.length, what).toBeGreaterThan(7)
      return formsOf(text).some((form) => all.includes(form)) ? what : []
    })
    expect(found).toEqual([])
    expect(all.toString('latin1')).not.toMatch(/PRIVATE KEY|\$argon2/)

    const json = (path: string): unknown => JSON.parse(String(files.get(path)))
    expect(json('bundle.json')).toMatchObject({ id, userComment: 'slow disks' })
    expect(json('server/settings.json')).toMatchObject({
      '--demo': true,
      '--metrics-token': '(set)',
      '--smtp-password': '(set)',
      PURLIN_TRACES_HEADERS: '(set)',
      '--database-url': onPostgres ? '(set)' : null,
    })
    expect(json('server/versions.json')).toMatchObject({ node: process.versions.node })
    expect(json('server/health.json')).toMatchObject({ isOpen: true })
    expect(json('server/loops.json')).toMatchObject({ hardware: { result: 'done' } })
    expect(json('database/version.json')).toMatchObject({ engine: onPostgres ? 'postgres' : 'sqlite' })
    expect(json('health/attention.json')).toContainEqual(expect.objectContaining({ kind: 'disk_failing' }))
    expect(String(files.get('server/metrics.txt'))).toMatch(/^purlin_requests_total\{/m)
    expect(String(files.get('server/log.txt'))).toContain('"msg":"request"')
    const machines = [...files].filter(([path]) => path.endsWith('/machines.json'))
    expect(machines.some(([, content]) => content.includes('"state": "running"'))).toBe(true)
    // A sled of the demo is away.
    expect(String(files.get('problems.txt'))).toContain('does not answer')
  },
)
