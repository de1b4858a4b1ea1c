import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServers, type TestServers } from '../testing/test-servers.ts'
import type { Ask } from '../testing/requests.ts'

let servers: TestServers
beforeAll(async () => (servers = await startServers({ behindProxy: true })))
afterAll(() => servers.close())

const from = '203.0.113.7'
type Line = Record<string, unknown>
/** The line of the log about one request. */
async function lineOf(path: string, how: Ask = {}): Promise<Line> {
  const before = servers.lines.length
  await servers.ask(path, { ...how, headers: { 'x-forwarded-for': from, ...how.headers } })
  return JSON.parse(servers.lines[before] ?? '{}') as Line
}
const signIn = (username: string, password: string, silo = 'acme') =>
  lineOf(`/v1/login/${silo}/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

it('each line names the client’s address and, with a session, the user and the silo', async () => {
  const cookie = await servers.signIn('viewer')
  const whose = { remote: from, userId: servers.world.ids['viewer'], siloId: servers.world.ids['acme'] }
  expect(await lineOf('/v1/me', { headers: { cookie } })).toMatchObject({ ...whose, status: 200 })
  expect(await lineOf('/v1/me', { headers: { cookie } })).toMatchObject({ ...whose, status: 200 })
  expect(await lineOf('/v1/projects/nope', { headers: { cookie } })).toMatchObject({ ...whose, status: 404 })
  expect(await lineOf('/projects', { headers: { cookie } })).toMatchObject({ ...whose, status: 200 })
  const anonymous = await lineOf('/v1/me')
  expect(anonymous).toMatchObject({ remote: from, status: 401 })
  expect(anonymous).not.toHaveProperty('userId')
})

it('the line of a sign-in names the account that was tried, known or not', async () => {
  expect(await signIn('admin', 'nope')).toMatchObject({ account: 'acme/admin', status: 401, remote: from })
  expect(await signIn('unknown', 'nope')).toMatchObject({ account: 'acme/unknown', status: 401 })
  expect(await signIn('admin', 'nope', 'none')).toMatchObject({ account: 'none/admin', status: 404 })
  expect(await signIn('viewer', 'viewer-password')).toMatchObject({
    account: 'acme/viewer',
    status: 204,
    userId: servers.world.ids['viewer'],
  })
  for (let i = 0; i < 6; i++) await signIn('tried-often', 'nope')
  expect(await signIn('tried-often', 'nope')).toMatchObject({ account: 'acme/tried-often', status: 429 })
})

it('a text that cannot be a username is not logged: it may be a password', async () => {
  for (const username of ['', 'Hunter2 is my password', 'a'.repeat(64), 'line\nbreak', '"}{"level":"error"'])
    expect(await signIn(username, 'nope')).toMatchObject({ account: 'acme/(no possible name)' })
})

it('no line ever has a password, a token, a mark of a browser, or a body', async () => {
  const secrets = ['viewer-password', 'correct horse battery staple']
  const body = (password: string) => JSON.stringify({ username: 'viewer', password })
  const headers = { 'content-type': 'application/json' }
  const sent: Ask[] = []
  const answer = await servers.ask('/v1/login/acme/local', {
    method: 'POST',
    headers,
    body: body('viewer-password'),
  })
  for (const set of answer.headers['set-cookie'] ?? []) {
    const cookie = set.split(';')[0] ?? ''
    secrets.push(...cookie.split('=').slice(1))
    sent.push({ headers: { cookie } }, { headers: { cookie, authorization: `Bearer ${cookie}` } })
    sent.push({ method: 'POST', headers: { ...headers, cookie }, body: body('correct horse battery staple') })
    sent.push({ method: 'POST', headers: { ...headers, cookie }, body: `${body('viewer-password')}}` })
    sent.push({ method: 'PUT', headers: { ...headers, cookie, 'if-match': cookie }, body: body('x') })
  }
  const paths = [
    '/v1/me',
    '/v1/login/acme/local',
    '/v1/policy',
    '/login?redirect_uri=//viewer-password',
    '/projects',
    '/no/such/file',
  ]
  for (const path of paths) for (const how of sent) await servers.ask(path, how)
  await servers.ask('/v1/logout', {
    method: 'POST',
    headers: { cookie: String(sent[0]?.headers?.['cookie']) },
  })
  const log = [...servers.lines, ...servers.world.errors].join('\n')
  expect(secrets.map((secret) => [secret.length > 10, log.includes(secret)])).toEqual(
    secrets.map(() => [true, false]),
  )
  expect(log).not.toContain('plain:')
})
