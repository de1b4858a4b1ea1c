import { addProvider } from '@purlin/core/testing/access/providers'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServers, type TestServers } from '../testing/test-servers.ts'

let servers: TestServers
beforeAll(async () => (servers = await startServers()))
afterAll(() => servers.close())

const html = { accept: 'text/html,application/xhtml+xml' }
const firstScript = `'sha256-${createHash('sha256').update('first()').digest('base64')}'`
const consolePaths = [
  '/',
  '/projects',
  '/projects/demo/instances',
  '/projects-new',
  '/access-new',
  '/access/users',
  '/settings/profile',
  '/system/silos',
  '/lookup/instances/x',
  '/instances',
  '/images',
  '/images-new',
  '/utilization',
  '/access',
  '/device/verify',
  '/device/success',
]

describe('pages of the console', () => {
  it.each(consolePaths)('%s is the app page for those who are signed in', async (path) => {
    const cookie = await servers.signIn('noRole')
    const { status, headers, text } = await servers.ask(path, { headers: { cookie } })
    expect({ status, text }).toMatchObject({
      status: 200,
      text: expect.stringContaining('<title>Purlin') as string,
    })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' })
    expect(headers['content-security-policy']).toContain(`script-src 'self' ${firstScript};`)
    expect(headers['x-request-id']).toBeTruthy()
  })

  it('send all other users to sign in, with the way back', async () => {
    for (const cookie of ['', 'session=', 'session=00']) {
      const { status, headers } = await servers.ask('/projects/demo?a=b&c=%20', { headers: { cookie } })
      const back = encodeURIComponent('/projects/demo?a=b&c=%20')
      expect({ status, to: headers.location }).toEqual({
        status: 302,
        to: `/login/acme/local?redirect_uri=${back}`,
      })
    }
  })

  it('answer HEAD like GET, without the page', async () => {
    const cookie = await servers.signIn('noRole')
    const page = await servers.ask('/projects', { headers: { cookie } })
    const { status, text, headers } = await servers.ask('/projects', { method: 'HEAD', headers: { cookie } })
    expect({ status, text, length: headers['content-length'] }).toEqual({
      status: 200,
      text: '',
      length: String(Buffer.byteLength(page.text)),
    })
  })

  it('refuse other methods', async () => {
    const { status, headers } = await servers.ask('/projects', { method: 'POST' })
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' })
  })

  it.each(['/nothing', '/assets/gone-1.js', '/projectsx', '/login/acme'])(
    '%s is not found, in the requested format',
    async (path) => {
      const page = await servers.ask(path, { headers: html })
      expect(page.status).toBe(404)
      expect(page.text).toContain('<title>Purlin')
      const program = await servers.ask(path)
      expect(program.status).toBe(404)
      expect(JSON.parse(program.text)).toMatchObject({ message: 'Not Found' })
    },
  )

  it('the sign-in page is public and probes no silo', async () => {
    for (const path of [
      '/login/acme/local',
      '/login/no-such-silo/local?redirect_uri=%2Fprojects',
      '/login/acme/saml/idp',
    ])
      expect((await servers.ask(path)).status).toBe(200)
  })

  it('files are served without a session', async () => {
    const { status, headers } = await servers.ask('/assets/app-1a2b.js')
    expect({ status, cache: headers['cache-control'] }).toEqual({
      status: 200,
      cache: 'max-age=31536000, immutable',
    })
  })
})

describe('the guide', () => {
  it.each([
    ['/docs', 200, '<h1>Guide</h1>'],
    ['/docs/', 200, '<h1>Guide</h1>'],
    ['/docs/disks', 200, '<h1>Disks</h1>'],
    ['/docs/assets/page.js', 200, 'page()'],
    ['/docs/none', 404, '<h1>No such page</h1>'],
    ['/docs/../index', 404, '<h1>No such page</h1>'],
    ['/docs/%2e%2e/index.html', 404, '<h1>No such page</h1>'],
  ])('answers %s without a session', async (path, status, body) => {
    const reply = await servers.ask(path, { headers: html })
    expect({ status: reply.status, body: reply.text }).toEqual({ status, body })
    expect(reply.headers['content-security-policy']).toContain("script-src 'self';")
  })

  it('is compared by its entity tag, and refuses other methods', async () => {
    const { headers } = await servers.ask('/docs/disks')
    const again = await servers.ask('/docs/disks', { headers: { 'if-none-match': headers.etag ?? '' } })
    expect([headers['cache-control'], again.status]).toEqual(['no-cache', 304])
    expect((await servers.ask('/docs/disks', { method: 'POST' })).status).toBe(405)
  })
})

describe('the way to sign in', () => {
  const to = async (path: string, host = 'localhost:1') => {
    const { status, headers, text } = await servers.ask(path, { headers: { host } })
    return status === 302
      ? headers.location
      : `${status} ${(JSON.parse(text) as { message: string }).message}`
  }

  it('leads to the silo that the host names', async () => {
    expect(await to('/login', 'other.sys.example.com')).toBe('/login/other/local')
    expect(await to('/login', 'OTHER.sys.example.com:8443')).toBe('/login/other/local')
  })

  it('leads to the first silo by name where the host names none', async () => {
    for (const host of ['127.0.0.1:12220', 'unknown.sys.example.com', 'other.example.com'])
      expect(await to('/login', host)).toBe('/login/acme/local')
  })

  it('passes the way back on', async () => {
    expect(await to('/login?redirect_uri=%2Fprojects%3Fa%3D1%26b')).toBe(
      '/login/acme/local?redirect_uri=%2Fprojects%3Fa%3D1%26b',
    )
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'projects',
    '',
    'javascript:alert(1)',
  ])('does not lead to %j', async (target) => {
    expect(await to(`/login?redirect_uri=${encodeURIComponent(target)}`)).toMatch(
      /^400 .* is not a relative URI$/,
    )
  })

  it('leads to the first identity provider by name of a silo without passwords', async () => {
    const { world } = servers
    const setMode = (identityMode: 'local_only' | 'saml_jit') =>
      world.world.engine.transaction('write', (tx) =>
        tx.updateTable('silo').set({ identityMode }).where('name', '=', 'other').execute(),
      )
    await setMode('saml_jit')
    const host = 'other.sys.example.com'
    expect(await to('/login', host)).toBe('400 no identity providers are configured for Silo')
    const person = await servers.ask('/login', { headers: { host, ...html } })
    expect([person.status, person.headers.location]).toEqual([302, '/login/other'])
    await addProvider(world, 'other', 'second')
    await addProvider(world, 'other', 'first')
    expect(await to('/login?redirect_uri=%2Fimages', host)).toBe(
      '/login/other/saml/first?redirect_uri=%2Fimages',
    )
    expect(await to('/login')).toBe('/login/acme/local')
    await setMode('local_only')
  })

  it('needs one target only', async () => {
    expect(await to('/login?redirect_uri=/a&redirect_uri=/b')).toMatch(/^400 /)
    expect(await to('/login?redirect_uri=%zz')).toMatch(/^400 /)
  })

  it('needs a host', async () => {
    expect(await servers.sendRaw('GET /login HTTP/1.0\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 [^]*request missing \\"host\\" header/,
    )
  })
})

describe('an answer of an identity provider that is refused', () => {
  const path = '/login/acme/saml/corp'
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example.org' }
  const post = (headers: Record<string, string>, body = 'SAMLResponse=nonsense') =>
    servers.ask(path, { method: 'POST', headers: { ...form, ...headers }, body })

  it('leads a person to a page, and tells a program why', async () => {
    await addProvider(servers.world, 'acme', 'corp')
    const program = await post({})
    expect(program.status).toBe(400)
    expect(JSON.parse(program.text)).toMatchObject({
      message: 'answer of the identity provider refused: it is no XML',
    })
    const { status, headers } = await post(html)
    expect(status).toBe(303)
    const to = new URL(headers.location ?? '', 'http://purlin.test')
    expect(to.pathname + to.search).toBe(
      `${path}?failed=refused&request_id=${to.searchParams.get('request_id')}`,
    )
    expect(to.searchParams.get('request_id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('may not be long', async () => {
    const long = `SAMLResponse=${'A'.repeat(70_000)}`
    expect((await post({}, long)).status).toBe(413)
    expect((await post(html, long)).headers.location).toContain('failed=refused')
  })

  it('is not found where there is no such provider', async () => {
    const { status } = await servers.ask('/login/acme/saml/nope', {
      method: 'POST',
      headers: form,
      body: 'SAMLResponse=a',
    })
    expect(status).toBe(404)
  })
})

describe('behind a proxy of ours', () => {
  it('address and scheme come from its headers, and only there', async () => {
    const proxied = await startServers({ behindProxy: true })
    const headers = { 'x-forwarded-for': '6.6.6.6, 10.1.2.3', 'x-forwarded-proto': 'https' }
    expect((await proxied.ask('/v1/ping', { headers })).headers).toHaveProperty('strict-transport-security')
    expect((await servers.ask('/v1/ping', { headers })).headers).not.toHaveProperty(
      'strict-transport-security',
    )
    await proxied.close()
  })
})

describe('the answers in a document', () => {
  const page = '/settings/ssh-keys'
  const answersIn = (text: string) => {
    const [, inside] = /<script type="application\/json" id="first-answers">(.*?)<\/script>/s.exec(text) ?? []
    return inside === undefined ? null : (JSON.parse(inside) as { url: string; body: string }[])
  }
  const documentOf = async (who: string, path = page) =>
    servers.ask(path, { headers: { cookie: await servers.signIn(who) } })

  it('are those of the user of the request, in a document that is not cached', async () => {
    for (const who of ['admin', 'viewer', 'noRole']) {
      const { text, headers } = await documentOf(who)
      const answers = answersIn(text)
      expect(answers?.map(({ url }) => url)).toEqual(['/v1/me', '/v1/me/ssh-keys'])
      expect(JSON.parse(answers?.[0]?.body ?? '')).toMatchObject({ display_name: who.toLowerCase() })
      expect(headers['cache-control']).toBe('no-store')
      expect(text).toContain('<link rel="modulepreload" crossorigin href="/assets/app-1a2b.js">')
    }
  })

  it('are what the API answers, byte for byte', async () => {
    const cookie = await servers.signIn('admin')
    const { text } = await servers.ask(page, { headers: { cookie } })
    const answers = answersIn(text) ?? []
    expect(answers).toHaveLength(2)
    for (const { url, body } of answers)
      expect(body).toBe((await servers.ask(url, { headers: { cookie } })).text)
  })

  it('are not there for those without a session, or with an ended one', async () => {
    const cookie = await servers.signIn('admin')
    await servers.ask('/v1/logout', { method: 'POST', headers: { cookie } })
    for (const headers of [{}, { cookie }, { cookie: 'session=00' }]) {
      const { status, text } = await servers.ask(page, { headers })
      expect([status, text]).toEqual([302, ''])
    }
  })

  it('have nothing that the user may not read or that does not exist', async () => {
    const { status, text } = await documentOf('noRole', '/projects/no-such-project/policy')
    expect([status, answersIn(text)]).toEqual([200, null])
  })

  it('are not guessed for an address with a query', async () => {
    expect(answersIn((await documentOf('admin', `${page}?sort=x`)).text)).toBeNull()
  })

  it('count for the length that HEAD gives', async () => {
    const cookie = await servers.signIn('admin')
    const { headers } = await servers.ask(page, { headers: { cookie } })
    const head = await servers.ask(page, { method: 'HEAD', headers: { cookie } })
    expect([head.text, head.headers['content-length']]).toEqual(['', headers['content-length']])
  })
})
