/** For tests: a provider of OpenID Connect that answers as a test says, and forges tokens. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { portOf } from '@purlin/server/http/listening'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

export interface ForgedProvider {
  issuer: string
  /** Its metadata; a test may change it. */
  metadata: Record<string, unknown>
  /** The answer of the token endpoint, and whether it answers at all. */
  tokens: Record<string, unknown>
  userInfo: Record<string, unknown>
  isDown: boolean
  /** The bodies and Authorization headers that the token endpoint has received. */
  received: { body: URLSearchParams; authorization: string }[]
  /** Signs with a new key from now on, and publishes that one alone. */
  rotate(): Promise<void>
  sign(claims: JWTPayload, how?: Signing): Promise<string>
  close(): Promise<void>
}

/** `hmac` uses the public key as a shared secret, `other` a key that is not published. */
type Signing = 'published' | 'former' | 'other' | 'none' | 'hmac'

/** Starts one on this machine. */
export async function startForgedProvider(): Promise<ForgedProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${portOf(server)}`
  const other = await generateKeyPair('RS256')
  let keys = await generateKeyPair('RS256')
  let former: Keys = keys
  const forged: ForgedProvider = {
    issuer,
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/me`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    },
    tokens: {},
    userInfo: {},
    isDown: false,
    received: [],
    async rotate() {
      former = keys
      keys = await generateKeyPair('RS256')
    },
    async sign(claims, how = 'published') {
      if (how === 'none') return new UnsecuredJWT(claims).encode()
      if (how === 'hmac') {
        const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey))
        return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
      }
      const { privateKey } = { published: keys, former, other }[how]
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const pages: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => forged.metadata,
    '/keys': async () => ({ keys: [{ ...(await exportJWK(keys.publicKey)), use: 'sig', alg: 'RS256' }] }),
    '/token': () => forged.tokens,
    '/me': () => forged.userInfo,
  }
  const answer = async (path: string, response: ServerResponse) => {
    const page = pages[path]
    if (!page || forged.isDown) return response.writeHead(forged.isDown ? 503 : 404).end()
    const body = (await page()) as { error?: string }
    const status = body.error === undefined ? 200 : 400
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  server.on('request', (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => void (body += piece))
    request.on('end', () => {
      const { url: path = '', headers } = request
      if (path === '/token')
        forged.received.push({
          body: new URLSearchParams(body),
          authorization: headers.authorization ?? '',
        })
      void answer(path, response)
    })
  })
  return forged
}
