import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OidcMetadata } from '@purlin/core/ports'
import { type ForgedProvider, startForgedProvider } from '../testing/openid/forged.ts'
import { createOidc } from './oidc.ts'

const loopback = { refused: [], allowed: ['127.0.0.0/8'] }
const oidc = createOidc(loopback)
const now = Date.parse('2026-03-04T05:06:07Z')
const seconds = now / 1000
const redirectUrl = 'https://purlin.example.org/login/acme/oidc/corp/callback'
const request = { state: 'the state', nonce: 'the nonce', verifier: 'v'.repeat(64), now, wanted: ['sub'] }

let provider: ForgedProvider
let metadata: OidcMetadata
let original: ForgedProvider['metadata']
beforeAll(async () => {
  provider = await startForgedProvider()
  original = provider.metadata
  metadata = await oidc.discover(provider.issuer)
})
beforeEach(() => {
  provider.metadata = { ...original }
  provider.isDown = false
  provider.received = []
})
afterAll(() => provider.close())

const client = () => ({ metadata, clientId: 'purlin', clientSecret: 'a secret', redirectUrl })
const refused = (message: string | RegExp) => ({
  name: 'OidcRefused',
  message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
})
const unreachable = (message: string) => ({ name: 'OidcUnreachable', message })

describe('the metadata of a provider', () => {
  it('has its addresses, and the algorithms that need its keys', () => {
    const { issuer } = provider
    expect(metadata).toEqual({
      issuer,
      signOnUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      keysUrl: `${issuer}/keys`,
      userInfoUrl: `${issuer}/me`,
      algorithms: ['RS256'],
      secretIn: 'header',
      namesItself: false,
    })
  })

  it.each<[string, Record<string, unknown>, string | RegExp]>([
    ['of another issuer', { issuer: 'https://evil.example.org' }, /issuer/],
    [
      'without a token endpoint',
      { token_endpoint: undefined },
      'its token_endpoint is no address with https',
    ],
    [
      'with keys on a page of another kind',
      { jwks_uri: 'file:///etc/passwd' },
      'its jwks_uri is no address with https',
    ],
    [
      'that only signs with shared secrets',
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      'it signs its tokens with no algorithm that is supported',
    ],
    [
      'that wants other proof than a secret',
      { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      'it accepts no client secret',
    ],
    ['without PKCE', { code_challenge_methods_supported: ['plain'] }, 'it does not support PKCE with S256'],
  ])('%s is refused', async (_, changes, message) => {
    provider.metadata = { ...original, ...changes }
    await expect(oidc.discover(provider.issuer)).rejects.toMatchObject(refused(message))
  })

  it('of an issuer that is not there, not allowed or without TLS is refused', async () => {
    await expect(oidc.discover(`${provider.issuer}/nope`)).rejects.toMatchObject(refused(/status/))
    for (const issuer of ['nonsense', 'ftp://example.org'])
      await expect(oidc.discover(issuer)).rejects.toMatchObject(refused('it is no address of the web'))
    await expect(oidc.discover('http://id.example.org')).rejects.toMatchObject(
      refused(/only requests to HTTPS/),
    )
    provider.isDown = true
    await expect(oidc.discover(provider.issuer)).rejects.toMatchObject(
      unreachable('it answers with status 503'),
    )
    const guarded = createOidc({ refused: [], allowed: [] })
    await expect(guarded.discover(provider.issuer)).rejects.toMatchObject({
      name: 'OidcUnreachable',
      message: expect.stringContaining('not allowed') as string,
    })
    const host = '169.254.169.254'
    await expect(guarded.discover(`https://${host}`)).rejects.toMatchObject({ name: 'OidcUnreachable' })
  })
})

it('a request has a challenge instead of the verifier', async () => {
  const { state, nonce, verifier } = request
  const url = new URL(
    await oidc.requestUrl(client(), { state, nonce, verifier, scopes: ['openid', 'email'] }),
  )
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'purlin',
    redirect_uri: redirectUrl,
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    code_challenge_method: 'S256',
  })
  expect(url.href).not.toContain(verifier)
})

const idToken = (changes: Record<string, unknown> = {}) => ({
  iss: provider.issuer,
  aud: 'purlin',
  sub: 'ann',
  nonce: request.nonce,
  iat: seconds,
  exp: seconds + 60,
  ...changes,
})
type How = Parameters<ForgedProvider['sign']>[1]
const bring = async (changes?: Record<string, unknown>, how?: How) =>
  void (provider.tokens = {
    access_token: 'at',
    token_type: 'Bearer',
    id_token: await provider.sign(idToken(changes), how),
  })
const redeem = (answer: Record<string, string> = {}, wanted = ['sub']) =>
  oidc.redeem(client(), { code: 'a code', state: request.state, ...answer }, { ...request, wanted })

describe('an answer', () => {
  it('is exchanged for claims with the secret and the verifier', async () => {
    await bring({ sid: 's1', email: 'ann@example.org' })
    expect(await redeem()).toMatchObject({ sub: 'ann', sid: 's1', email: 'ann@example.org' })
    const [{ body, authorization } = { body: new URLSearchParams(), authorization: '' }] = provider.received
    expect(Object.fromEntries(body)).toMatchObject({
      grant_type: 'authorization_code',
      code: 'a code',
      redirect_uri: redirectUrl,
      code_verifier: request.verifier,
    })
    expect(authorization).toBe(`Basic ${btoa('purlin:a+secret')}`)
  })

  it('gets missing claims from the user info endpoint, of the same user alone', async () => {
    await bring()
    provider.userInfo = { sub: 'ann', groups: ['ops'] }
    expect(await redeem({}, ['sub', 'groups'])).toMatchObject({ sub: 'ann', groups: ['ops'] })
    expect(await redeem()).not.toHaveProperty('groups')
    provider.userInfo = { sub: 'eve', groups: ['admins'] }
    await expect(redeem({}, ['groups'])).rejects.toMatchObject(refused(/"sub"/))
  })

  it.each<[string, Record<string, unknown>, How, RegExp]>([
    ['for another audience', { aud: 'other' }, 'published', /"aud"/],
    ['for several audiences without being the party', { aud: ['purlin', 'other'] }, 'published', /"aud"/],
    ['of another issuer', { iss: 'https://evil.example.org' }, 'published', /"iss"/],
    ['of another request', { nonce: 'other' }, 'published', /"nonce"/],
    ['without a nonce', { nonce: undefined }, 'published', /"nonce"/],
    ['that has expired', { iat: seconds - 600, exp: seconds - 181 }, 'published', /"exp"/],
    ['without an end', { exp: undefined }, 'published', /"exp"/],
    ['without a subject', { sub: undefined }, 'published', /"sub"/],
    ['that is not signed', {}, 'none', /alg/],
    ['that is signed with the public key as a secret', {}, 'hmac', /alg/],
    ['that is signed by another', {}, 'other', /signature/],
  ])('with a token %s is refused', async (_, changes, how, message) => {
    await bring(changes, how)
    await expect(redeem()).rejects.toMatchObject(refused(message))
  })

  it('of a provider whose key has changed is checked with the new one', async () => {
    await provider.rotate()
    await bring()
    expect(await redeem()).toMatchObject({ sub: 'ann' })
    await bring({}, 'former')
    await expect(redeem()).rejects.toMatchObject(refused(/signature/))
  })

  it('with another state, an error or no token is refused', async () => {
    await bring()
    await expect(redeem({ state: 'other' })).rejects.toMatchObject(refused(/"state"/))
    await expect(redeem({ error: 'access_denied', error_description: 'not\n you' })).rejects.toMatchObject(
      refused('the provider says access_denied: not you'),
    )
    provider.tokens = { error: 'invalid_grant' }
    await expect(redeem()).rejects.toMatchObject(refused('the provider says invalid_grant'))
    provider.tokens = { access_token: 'at', token_type: 'Bearer' }
    await expect(redeem()).rejects.toMatchObject(refused(/id_token/))
  })

  it('of a provider that names itself must name it', async () => {
    await bring()
    metadata = { ...metadata, namesItself: true }
    await expect(redeem()).rejects.toMatchObject(refused(/"iss"/))
    await expect(redeem({ iss: 'https://evil.example.org' })).rejects.toMatchObject(refused(/"iss"/))
    expect(await redeem({ iss: provider.issuer })).toMatchObject({ sub: 'ann' })
    metadata = { ...metadata, namesItself: false }
  })

  it('waits for a provider that is down or too slow', async () => {
    provider.isDown = true
    await expect(redeem()).rejects.toMatchObject(unreachable('it answers with status 503'))
    const guarded = createOidc({ refused: ['127.0.0.0/8'], allowed: [] })
    const answer = { code: 'a code', state: request.state }
    await expect(guarded.redeem(client(), answer, request)).rejects.toMatchObject({ name: 'OidcUnreachable' })
  })
})

describe('a logout token', () => {
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const logout = (changes: Record<string, unknown> = {}) => ({
    iss: provider.issuer,
    aud: 'purlin',
    sub: 'ann',
    sid: 's1',
    jti: 'j1',
    iat: seconds,
    exp: seconds + 120,
    events: event,
    ...changes,
  })
  const read = async (changes?: Record<string, unknown>, how?: How) =>
    oidc.readLogout(client(), await provider.sign(logout(changes), how), now)

  it('names a user, a session or both', async () => {
    expect(await read()).toEqual({ tokenId: 'j1', subject: 'ann', session: 's1' })
    expect(await read({ sid: undefined })).toEqual({ tokenId: 'j1', subject: 'ann', session: undefined })
    expect(await read({ sub: undefined })).toEqual({ tokenId: 'j1', subject: undefined, session: 's1' })
  })

  it.each<[string, Record<string, unknown>, How, RegExp]>([
    ['that is an ID token', { events: undefined, nonce: 'n' }, 'published', /no logout token/],
    ['with a nonce', { nonce: 'n' }, 'published', /no nonce/],
    ['without an id', { jti: undefined }, 'published', /no id/],
    ['that names nothing', { sub: undefined, sid: undefined }, 'published', /neither/],
    ['for another audience', { aud: 'other' }, 'published', /"aud"/],
    ['of another issuer', { iss: 'https://evil.example.org' }, 'published', /"iss"/],
    ['that is old', { iat: seconds - 301 }, 'published', /"iat"/],
    ['that has expired', { exp: seconds - 181 }, 'published', /"exp"/],
    ['without a time', { iat: undefined }, 'published', /"iat"/],
    ['that is not signed', {}, 'none', /Unsecured|alg/i],
    ['that is signed with the public key as a secret', {}, 'hmac', /alg/],
    ['that is signed by another', {}, 'other', /signature/],
  ])('%s is refused', async (_, changes, how, message) => {
    await expect(read(changes, how)).rejects.toMatchObject(refused(message))
  })

  it('waits for a provider that is down, and is no nonsense', async () => {
    await expect(oidc.readLogout(client(), 'nonsense', now)).rejects.toMatchObject({ name: 'OidcRefused' })
    provider.isDown = true
    await expect(read()).rejects.toMatchObject(unreachable('it answers with status 503'))
  })
})
