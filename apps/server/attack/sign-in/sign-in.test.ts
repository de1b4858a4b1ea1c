/** Attacks on sign-ins by pages of other sites, by names of other hosts, and by what was planted in a browser. */
import { randomBytes } from 'node:crypto'
import { destination, hostileAddresses } from '@purlin/core/testing/access/hostile-addresses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll, newFolder } from '@purlin/server/testing/children'
import { addSession } from '@purlin/server/testing/prepared'
import { serve, type ServerProcess } from '@purlin/server/testing/process'
import { type Answer, ask, type Ask, clientOf, sendRaw, trySignIn } from '@purlin/server/testing/requests'

const origin = 'https://cloud.test'
const evil = 'evil.example'
const html = { accept: 'text/html' }
const local = { silo: 'engineering', user: 'mei-tanaka', password: 'drafting-table' }
const saml = '/login/manufacturing/saml/corporate'
const oidc = '/login/manufacturing/oidc/partners'
let server: ServerProcess
let operator: string
let victim: string
beforeAll(async () => {
  const folder = newFolder().path
  const first = await serve({ folder, args: ['--demo'] })
  await first.stop()
  operator = addSession(folder, { silo: 'engineering', user: 'tariq-aziz' })
  victim = addSession(folder, { silo: 'engineering', user: 'hanna-okafor' })
  server = await serve({ folder, args: ['--public-url', origin] })
})
afterAll(killAll)

const get = (path: string, how: Ask = {}) => ask(server.url, path, how)
const cookiesOf = ({ headers }: Answer) => (headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? '')

describe('a sign-in returns to this site, however the address is spelled', () => {
  /** The address that an answer leads to, and those that travel with it. */
  function leadsTo({ headers }: Answer): { location: string; carried: string[] } {
    const { location = '' } = headers
    const { searchParams } = new URL(location, origin)
    const states = [searchParams.get('RelayState'), searchParams.get('state')?.split('.')[1]]
    const relayed = states.flatMap((state) => {
      const text = Buffer.from(state ?? '', 'base64').toString()
      return text === '' ? [] : [(JSON.parse(text) as { redirect_uri?: string }).redirect_uri ?? '']
    })
    return { location, carried: [searchParams.get('redirect_uri') ?? '', ...relayed] }
  }

  it.each([
    ['the sign-in page', '/login', origin],
    ['SAML', `${saml}/redirect`, undefined],
    ['OpenID Connect', `${oidc}/redirect`, undefined],
  ])('%s', async (_, path, site) => {
    const wrong: string[] = []
    for (const address of hostileAddresses) {
      const sent = encodeURIComponent(address.toWellFormed())
      const answer = await get(`${path}?redirect_uri=${sent}`, { headers: html })
      const isRefused = answer.status === 400 || answer.headers.location?.includes('failed=refused')
      if (isRefused) continue
      const { location, carried } = leadsTo(answer)
      const isHere = answer.status === 302 && (site === undefined || destination(location, origin) === site)
      // Of OpenID Connect, it is the address at which the provider has the browser return.
      const stays = carried.every((one) => destination(one, origin) === origin)
      if (!isHere || !stays) wrong.push(`${JSON.stringify(address)} → ${answer.status} ${location}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('the host of a request', () => {
  it.each<[string, string, string[]]>([
    ['Host', '', [`host: ${evil}`]],
    ['Host with a port', '', [`host: ${evil}:443`]],
    ['X-Forwarded-Host', '', ['host: cloud.test', `x-forwarded-host: ${evil}`, 'x-forwarded-proto: http']],
    ['Forwarded', '', ['host: cloud.test', `forwarded: host=${evil};proto=http`]],
    ['the target', `http://${evil}`, ['host: cloud.test']],
    ['a silo of another zone', '', [`host: engineering.sys.${evil}`]],
  ])('is in no address or cookie that answers have: %s', async (_, target, lines) => {
    const send = (line: string, body = '') =>
      sendRaw(
        server.url,
        `${line} HTTP/1.1\r\n${[...lines, 'connection: close'].join('\r\n')}\r\n${body === '' ? '\r\n' : ''}${body}`,
      )
    const form = 'client_id=00000000-0000-4000-8000-000000000000'
    const answers = [
      await send(`GET ${target}/login?redirect_uri=/projects`),
      await send(`GET ${target}${saml}/redirect`),
      await send(`GET ${target}${oidc}/redirect`),
      await send(
        `POST ${target}/device/auth`,
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
      ),
    ]
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1.1 (?:200|302|400) /)
      // The one place that repeats it is the reason of a refusal.
      if (!answer.startsWith('HTTP/1.1 400 ')) expect(answer).not.toContain(evil)
      expect(answer).not.toMatch(/set-cookie:[^\r]*domain/i)
    }
    expect(answers.at(-1)).toContain(`"verification_uri":"${origin}/device/verify"`)
  })
})

describe('a page of another site', () => {
  it.each<[string, Record<string, string>]>([
    ['with its origin', { origin: `https://${evil}` }],
    ['without one to name', { origin: 'null' }],
    ['whose name begins like ours', { origin: `${origin}.${evil}` }],
    ['without TLS', { origin: 'http://cloud.test' }],
    ['at another port', { origin: `${origin}:8443` }],
    ['in a browser that only says from where', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbour, in such a browser', { 'sec-fetch-site': 'same-site' }],
  ])('signs no one in or out: %s', async (_, headers) => {
    const body = JSON.stringify({ username: local.user, password: local.password })
    for (const path of [
      '/v1/login/engineering/local',
      '/v1/login/engineering/local/second-factor',
      '/v1/logout',
    ]) {
      const answer = await get(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: operator, ...headers },
        body: path === '/v1/logout' ? '' : body,
      })
      expect([path, answer.status, cookiesOf(answer)]).toEqual([path, 403, []])
    }
    expect((await get('/v1/me', { headers: { cookie: operator } })).status).toBe(200)
  })

  it('cannot have an answer accepted that this browser has not requested', async () => {
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const answers = [
      await get(`${oidc}/callback?code=x&state=${'_'.padEnd(65, '0')}.e30=`),
      await get(saml, { ...form, body: `SAMLResponse=${encodeURIComponent(btoa('<a/>'))}` }),
    ]
    for (const answer of answers) expect([answer.status, cookiesOf(answer)]).toEqual([400, []])
  })
})

describe('a session that was planted in a browser', () => {
  it('is never that of the user who signs in there', async () => {
    const planted = `session=${randomBytes(20).toString('hex')}`
    const signedIn = await trySignIn(server.url, local, { cookie: planted })
    expect(signedIn.status).toBe(204)
    const [session = ''] = cookiesOf(signedIn)
    expect(session).toMatch(/^session=[0-9a-f]{40}$/)
    expect(session).not.toBe(planted)
    expect((await get('/v1/me', { headers: { cookie: planted } })).status).toBe(401)
    // One of the attacker's own ends.
    const attackers = cookiesOf(await trySignIn(server.url, local))[0] ?? ''
    const [next = ''] = cookiesOf(await trySignIn(server.url, local, { cookie: attackers }))
    expect(next).not.toBe(attackers)
    expect((await get('/v1/me', { headers: { cookie: attackers } })).status).toBe(401)
  })

  it('does not count next to the own one, in either order', async () => {
    const own = cookiesOf(await trySignIn(server.url, local))[0] ?? ''
    for (const cookie of [`${operator}; ${own}`, `${own}; ${operator}`])
      expect((await get('/v1/me', { headers: { cookie } })).status).toBe(401)
    expect((await get('/v1/me', { headers: { cookie: `${own}; ${own}` } })).status).toBe(200)
  })
})

describe('the credentials of another silo', () => {
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const clientId = '00000000-0000-4000-8000-000000000000'
  const rival = { silo: 'rival', user: 'eve', password: 'eves own password' }
  const one = 'storefront'
  const deviceForm = (fields: Record<string, string>): Ask => ({
    method: 'POST',
    headers: form,
    body: new URLSearchParams({ client_id: clientId, ...fields }).toString(),
  })
  const poll = (code: string, more: Record<string, string> = {}) =>
    get(
      '/device/token',
      deviceForm({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code, ...more }),
    )
  const codes = async () =>
    JSON.parse((await get('/device/auth', deviceForm({}))).text) as { device_code: string; user_code: string }
  const confirm = (cookie: string, userCode: string) =>
    get('/device/confirm', {
      method: 'POST',
      headers: { ...json, cookie },
      body: JSON.stringify({ user_code: userCode }),
    })

  /** The administrator of a new silo, with a credential of each kind; and the SCIM token of a third silo. */
  async function credentials(): Promise<Record<string, Record<string, string>>> {
    const api = clientOf(server.url, operator)
    const quotas = { cpus: 0, memory: 0, storage: 0 }
    const body = { name: rival.silo, description: '', discoverable: true, quotas, tlsCertificates: [] }
    await api.siloCreate({ body: { ...body, identityMode: 'local_only', mappedFleetRoles: {} } })
    const query = { silo: rival.silo }
    const { id } = await api.localIdpUserCreate({
      query,
      body: { externalId: rival.user, password: { mode: 'password', value: rival.password } },
    })
    const admins = (...ids: string[]) =>
      api.siloPolicyUpdate({
        params: query,
        body: {
          roleAssignments: ids.map((identityId) => ({
            identityType: 'silo_user' as const,
            identityId,
            roleName: 'admin' as const,
          })),
        },
      })
    await admins(id)
    const [cookie = ''] = cookiesOf(await trySignIn(server.url, rival))
    const eve = clientOf(server.url, cookie)
    const account = await eve.serviceAccountCreate({ query, body: { name: 'robot', description: '' } })
    await admins(id, account.id)
    const { key } = await eve.serviceAccountKeyCreate({
      params: { serviceAccount: 'robot' },
      query,
      body: { name: 'key', ttlSeconds: 3600 },
    })
    const { device_code: code, user_code: userCode } = await codes()
    expect((await confirm(cookie, userCode)).status).toBe(204)
    const { access_token: token } = JSON.parse((await poll(code)).text) as { access_token: string }
    const { bearerToken } = await api.scimTokenCreate({ query: { silo: 'manufacturing' } })
    const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
    return {
      'a session': { cookie },
      'an access token': bearer(token),
      'a key of a service account': bearer(key),
      'a token of SCIM': bearer(bearerToken),
    }
  }

  /** Requests about what is in the silo, by its names and ids. */
  async function requests(): Promise<[method: string, path: string, body?: object][]> {
    const api = clientOf(server.url, victim)
    const query = { project: one }
    const project = await api.projectView({ params: query })
    const [disk] = (await api.diskList({ query })).items
    const [instance] = (await api.instanceList({ query })).items
    const [account] = (await api.serviceAccountList({ query: { silo: 'engineering' } })).items
    const me = await api.currentUserView({ query: {} })
    const [userId, siloId] = [me.id, me.siloId]
    const accounts = (silo: string) => `/v1/system/service-accounts/${account?.id}/keys?silo=${silo}`
    const newKey = { name: 'stolen', ttl_seconds: 60 }
    const password = { mode: 'password', value: 'another password' }
    return [
      ['GET', `/v1/projects/${project.id}`],
      ['GET', `/v1/projects/${one}`],
      ['DELETE', `/v1/projects/${project.id}`],
      ['PUT', `/v1/projects/${project.id}/policy`, { role_assignments: [] }],
      ['GET', `/v1/disks?project=${project.id}`],
      ['GET', `/v1/disks/${disk?.id}`],
      ['DELETE', `/v1/disks/${disk?.name}?project=${project.id}`],
      ['POST', `/v1/instances/${instance?.id}/stop`],
      ['GET', `/v1/system/users/${userId}?silo=engineering`],
      ['GET', `/v1/users/${userId}/sessions`],
      ['POST', `/v1/users/${userId}/logout`],
      ['GET', `/v1/access/explain?identity=${userId}`],
      ['GET', '/v1/system/silos/engineering'],
      ['GET', `/v1/system/silos/${siloId}/policy`],
      ['PUT', `/v1/system/silos/${siloId}/policy`, { role_assignments: [] }],
      ['GET', '/v1/system/service-accounts?silo=engineering'],
      ['POST', accounts('engineering'), newKey],
      ['POST', accounts(siloId), newKey],
      ['POST', accounts(rival.silo), newKey],
      ['POST', `/v1/system/identity-providers/local/users/${userId}/set-password?silo=engineering`, password],
      ['GET', `/scim/v2/Users/${userId}`],
      ['DELETE', `/scim/v2/Users/${userId}`],
    ]
  }

  it('are worth nothing against its names and ids', async () => {
    const asked = await requests()
    const wrong: string[] = []
    for (const [kind, headers] of Object.entries(await credentials())) {
      // They are valid, where they belong.
      const own = kind === 'a token of SCIM' ? '/scim/v2/Users' : '/v1/me'
      expect([kind, (await get(own, { headers })).status]).toEqual([kind, 200])
      for (const [method, path, body] of asked) {
        const sent = { method, headers: { ...headers, ...(body ? json : {}) } }
        const { status, text } = await get(path, body ? { ...sent, body: JSON.stringify(body) } : sent)
        if (![401, 403, 404].includes(status)) wrong.push(`${kind}: ${method} ${path} → ${status} ${text}`)
      }
      for (const path of ['/v1/projects', '/v1/users', `/v1/search?q=${one}`, '/v1/audit-log']) {
        const { text } = await get(path, { headers })
        if (/storefront|okafor/.test(text.replaceAll(/"(?:query|q)":"[^"]*"/g, '')))
          wrong.push(`${kind}: ${path} → ${text}`)
      }
    }
    expect(wrong).toEqual([])
    const api = clientOf(server.url, victim)
    expect((await api.projectView({ params: { project: one } })).name).toBe(one)
  })

  it('make of a device code a token for their silo only, once, and for the program that has the code', async () => {
    const { device_code: code, user_code: userCode } = await codes()
    const [cookie = ''] = cookiesOf(await trySignIn(server.url, rival))
    expect((await confirm(cookie, userCode)).status).toBe(204)
    expect((await confirm(victim, userCode)).status).toBe(404)
    const other = '00000000-0000-4000-8000-000000000001'
    expect((await poll(code, { client_id: other })).status).toBe(400)
    const { access_token: token } = JSON.parse((await poll(code)).text) as { access_token: string }
    expect((await poll(code)).status).toBe(400)
    const headers = { authorization: `Bearer ${token}` }
    expect(JSON.parse((await get('/v1/me', { headers })).text)).toMatchObject({ silo_name: rival.silo })
    expect((await get(`/v1/projects/${one}`, { headers })).status).toBe(404)
  })
})

describe('a filter of SCIM', () => {
  const name = 'reinhold'
  it('finds rows of its silo by the attributes that it may, and is refused otherwise', async () => {
    const api = clientOf(server.url, operator)
    const { bearerToken } = await api.scimTokenCreate({ query: { silo: 'manufacturing' } })
    const headers = { authorization: `Bearer ${bearerToken}`, 'content-type': 'application/scim+json' }
    const made = await get('/scim/v2/Users', {
      method: 'POST',
      headers,
      body: JSON.stringify({ userName: name }),
    })
    expect(made.status, made.text).toBe(201)
    const find = async (filter: string) => {
      const { status, text } = await get(`/scim/v2/Users?filter=${encodeURIComponent(filter)}`, { headers })
      const { Resources = [], scimType } = JSON.parse(text) as {
        Resources?: { userName: string }[]
        scimType?: string
      }
      return [status, scimType ?? Resources.map(({ userName }) => userName)]
    }
    expect(await find(`userName eq "${name}"`)).toEqual([200, [name]])
    const texts = [
      `${name}" or userName pr or userName eq "`,
      `' or 1=1 --`,
      `x'; drop table "siloUser"; --`,
      `${name}%`,
      '%',
      '_'.repeat(name.length),
      `${name}\\`,
      `\\u0000`,
      '{{7*7}}',
      '*',
      'mei-tanaka',
    ]
    for (const text of texts)
      expect([text, ...(await find(`userName eq ${JSON.stringify(text)}`))]).toEqual([text, 200, []])
    const refused = [
      `userName eq "${name}" or userName eq "x"`,
      `userName eq "x\\" or userName pr`,
      'password eq "x"',
      'passwordHash eq "x"',
      'siloId pr',
      'siloId eq "x"',
      '__proto__ eq "x"',
      'constructor.name eq "Object"',
      'userName sw ""',
      'not (userName eq "x")',
      `${'('.repeat(300)}userName eq "x"${')'.repeat(300)}`,
      `emails[${'('.repeat(300)}`,
      `userName eq "${'x'.repeat(2000)}"`,
      Array.from({ length: 200 }, () => 'a eq 1').join(' and '),
      'userName eq "x\0"',
      'userName eq "\u0001"',
      'userName eq',
      'userName eq {"$ne":null}',
      'userName eq ["x"]',
      '"',
      '[',
    ]
    for (const filter of refused) {
      const [status, type] = await find(filter)
      expect([filter, status, String(type).startsWith('invalid')]).toEqual([filter, 400, true])
    }
  })
})
