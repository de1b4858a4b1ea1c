import { afterEach, describe, expect, it } from 'vitest'
import { killAll } from '../testing/children.ts'
import { serveKnown } from '../testing/prepared.ts'
import { admin } from '../testing/process.ts'
import { ask } from '../testing/requests.ts'

afterEach(killAll)

const page = 'https://cloud.test'
const body = JSON.stringify({ username: admin.user, password: admin.password })
const signInWith = (url: string, headers: Record<string, string>) =>
  ask(url, `/v1/login/${admin.silo}/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: page, ...headers },
    body,
  })

describe('behind a proxy that changes Host and ends TLS', () => {
  it('pages of the public address sign in and write, with a cookie for TLS only', async () => {
    const { url } = await serveKnown({ args: ['--public-url', page] })
    const { status, headers } = await signInWith(url, { host: 'purlin.internal' })
    expect(status).toBe(204)
    const [cookie = ''] = headers['set-cookie'] ?? []
    expect(cookie).toContain('; Secure')
    const made = await ask(url, '/v1/projects', {
      method: 'POST',
      headers: { host: 'purlin.internal', origin: page, cookie: cookie.split(';')[0] ?? '' },
      body: JSON.stringify({ name: 'made', description: '' }),
    })
    expect(made.status).toBe(201)
    expect((await signInWith(url, { origin: 'http://cloud.test' })).status).toBe(403)
  })

  it('the forwarded host counts, if the proxy is trusted', async () => {
    const said = { host: 'purlin.internal', 'x-forwarded-host': 'cloud.test', 'x-forwarded-proto': 'https' }
    const trusting = await serveKnown({ args: ['--behind-proxy'] })
    expect((await signInWith(trusting.url, said)).status).toBe(204)
    expect((await signInWith(trusting.url, { ...said, 'x-forwarded-proto': 'http' })).status).toBe(403)
    const { url } = await serveKnown()
    expect((await signInWith(url, said)).status).toBe(403)
  })
})

describe('behind a proxy that adds ports to addresses', () => {
  it('a client that guesses is one client, and so are all whose address is not understood, with a warning', async () => {
    const { url, lines } = await serveKnown({ args: ['--behind-proxy'] })
    const guess = (address: string) =>
      ask(url, '/device/token', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-proto': 'https',
          'x-forwarded-for': address,
        },
        body: `grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=${'0'.repeat(40)}&client_id=00000000-0000-4000-8000-000000000000`,
      })
    for (const addressOf of [
      (i: number) => `192.0.2.1:${1024 + i}`,
      (i: number) => `[2001:db8::1]:${1024 + i}`,
      (i: number) => `odd-${i}`,
    ]) {
      const statuses: number[] = []
      for (let i = 0; i < 100; i++) statuses.push((await guess(addressOf(i))).status)
      expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(70)
      expect(statuses).toContain(429)
    }
    await expect
      .poll(() => lines().filter((line) => line.includes('header that is not understood')).length)
      .toBe(1)
  })
})

describe('plain HTTP', () => {
  it('on all addresses is warned of; on this machine, or with TLS before it, is not', async () => {
    const warningsWith = async (...args: string[]) => {
      const server = await serveKnown({ args })
      await server.stop()
      return server.lines().filter((line) => line.includes('"level":"warn"') && line.includes('plain HTTP'))
    }
    expect(await warningsWith('--host', '0.0.0.0')).toHaveLength(1)
    expect(await warningsWith()).toHaveLength(0)
    expect(await warningsWith('--host', '0.0.0.0', '--public-url', page)).toHaveLength(0)
  })
})
