import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createAuthenticator } from '#/testing/access/authenticator.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type RawResponse, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})
beforeEach(async () => {
  await w.jump(60 * 60_000)
  for (const table of ['secondFactor', 'recoveryCode', 'signInChallenge', 'tally'] as const)
    await inDb(w, (tx) => tx.deleteFrom(table).execute())
})

const host = 'purlin.test'
const origin = `http://${host}`
const local = '/v1/login/acme/local'
const step = `${local}/second-factor`
const confirmation = '/v1/me/second-factor/confirm'
interface Question {
  challenge: string
  host: string
  credential_ids: string[]
}
const cookieIn = ({ cookies }: RawResponse, name: string) =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? ''
const post = (url: string, body: object, cookie = '', at: Record<string, string> = {}) =>
  w.raw({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', cookie, ...at },
    body: JSON.stringify(body),
  })
const signIn = () => post(local, { username: 'viewer', password: 'viewer-password' })
const begin = async (cookie: string, at: Record<string, string> = {}) =>
  (await post('/v1/me/second-factor/begin', { type: 'passkey' }, cookie, at)).json as Question
/** The viewer has a passkey. */
async function addPasskey(name = 'key', authenticator = createAuthenticator(), session?: string) {
  const cookie = session ?? cookieIn(await signIn(), 'session')
  const proof = authenticator.register({ ...(await begin(cookie)), origin })
  const added = await post(confirmation, { name, proof }, cookie)
  expect(added).toMatchObject({ status: 201, json: { factor: { name, type: 'passkey' } } })
  return { authenticator, session: cookie, codes: (added.json as { codes: string[] }).codes }
}
/** The question of a sign-in whose password was right. */
async function asked(at: Record<string, string> = {}) {
  const cookie = cookieIn(await signIn(), 'second-factor')
  const { json } = await w.raw({ url: step, headers: { cookie, ...at } })
  return { cookie, ...(json as { types: string[]; passkey?: Question }) }
}
const pageOf = ({ passkey }: { passkey?: Question }) => ({
  challenge: passkey?.challenge ?? '',
  host: passkey?.host ?? '',
  origin,
})

it('a passkey signs in, as often as it likes, with a new challenge each time', async () => {
  const { authenticator, codes } = await addPasskey()
  expect(codes).toHaveLength(10)
  const challenges: string[] = []
  for (let i = 0; i < 2; i++) {
    const question = await asked()
    expect(question).toMatchObject({
      types: ['passkey'],
      passkey: { host, credential_ids: [authenticator.credentialId] },
    })
    challenges.push(pageOf(question).challenge)
    const done = await post(step, authenticator.prove(pageOf(question)), question.cookie)
    expect(done.status).toBe(204)
    const me = await w.raw({ url: '/v1/me', headers: { cookie: cookieIn(done, 'session') } })
    expect(me.json).toMatchObject({ display_name: 'viewer' })
  }
  expect(new Set(challenges).size).toBe(2)
})

it('an answer to another challenge, of another page or of another host is refused', async () => {
  const { authenticator } = await addPasskey()
  const question = await asked()
  const page = pageOf(question)
  for (const wrong of [
    { ...page, challenge: pageOf(await asked()).challenge },
    { ...page, origin: 'https://purlin.example' },
    { ...page, origin: 'http://purlin.test:8080' },
    { ...page, host: 'purlin.example' },
  ])
    expect((await post(step, authenticator.prove(wrong), question.cookie)).status).toBe(401)
  const own = createAuthenticator().prove(page)
  const forged = { ...own, credential_id: authenticator.credentialId }
  await w.jump(60_000)
  expect((await post(step, forged, (await asked()).cookie)).status).toBe(401)
})

it('an answer signs in once', async () => {
  const { authenticator } = await addPasskey()
  const question = await asked()
  const proof = authenticator.prove(pageOf(question))
  expect((await post(step, proof, question.cookie)).status).toBe(204)
  expect((await post(step, proof, question.cookie)).status).toBe(400)
  expect((await post(step, proof, (await asked()).cookie)).status).toBe(401)
})

it('a copy of an authenticator, which counts less than it, is refused', async () => {
  const { authenticator } = await addPasskey()
  const first = await asked()
  expect((await post(step, authenticator.prove(pageOf(first), 7), first.cookie)).status).toBe(204)
  const second = await asked()
  expect((await post(step, authenticator.prove(pageOf(second), 7), second.cookie)).status).toBe(401)
})

it('a passkey is for the host that it was made on, and other factors are asked for elsewhere', async () => {
  const { authenticator, codes } = await addPasskey()
  const elsewhere = { host: 'other.test' }
  const question = await asked(elsewhere)
  expect(question).toMatchObject({ types: [] })
  expect(question.passkey).toBeUndefined()
  const page = { challenge: 'x', host: 'other.test', origin: 'http://other.test' }
  expect((await post(step, authenticator.prove(page), question.cookie, elsewhere)).status).toBe(401)
  const code = { type: 'recovery_code', code: codes[0] }
  expect((await post(step, code, question.cookie, elsewhere)).status).toBe(204)
})

it('hosts without a name have none', async () => {
  const cookie = cookieIn(await signIn(), 'session')
  for (const address of ['192.0.2.1', '192.0.2.1:8443', '[2001:db8::1]:8443'])
    expect(
      await post('/v1/me/second-factor/begin', { type: 'passkey' }, cookie, { host: address }),
    ).toMatchObject({
      status: 400,
      json: { error_code: 'InvalidValue' },
    })
})

it('a registration is for the page and the challenge that it began with', async () => {
  const cookie = cookieIn(await signIn(), 'session')
  const question = await begin(cookie)
  const confirm = (page: object) =>
    post(
      confirmation,
      { name: 'key', proof: createAuthenticator().register({ ...question, origin, ...page }) },
      cookie,
    )
  for (const wrong of [{ challenge: 'AAAA' }, { origin: 'https://evil.example' }, { host: 'evil.example' }])
    expect(await confirm(wrong)).toMatchObject({ status: 400, json: { error_code: 'InvalidValue' } })
  const nonsense = { type: 'passkey', credential_id: '%', client_data: '{', attestation: 'AAAA' }
  expect((await post(confirmation, { name: 'key', proof: nonsense }, cookie)).status).toBe(400)
  const code = { type: 'totp', code: '123456' }
  expect((await post(confirmation, { name: 'key', proof: code }, cookie)).status).toBe(400)
  expect((await confirm({})).status).toBe(201)
})

it('a passkey is added once, and browsers are asked for another one', async () => {
  const { authenticator, session } = await addPasskey()
  const question = await begin(session)
  expect(question.credential_ids).toEqual([authenticator.credentialId])
  const again = authenticator.register({ ...question, origin })
  expect((await post(confirmation, { name: 'again', proof: again }, session)).status).toBe(400)
  await addPasskey('spare', createAuthenticator(), session)
  expect((await asked()).passkey?.credential_ids).toHaveLength(2)
})

it('lists show no key of a passkey', async () => {
  const { authenticator, session } = await addPasskey()
  const { text } = await w.raw({ url: '/v1/me/second-factors', headers: { cookie: session } })
  expect(text).toContain('"type":"passkey"')
  expect(text).not.toContain(authenticator.credentialId)
})
