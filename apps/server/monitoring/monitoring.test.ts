import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '@purlin/contract/operations'
import { readGauges } from '@purlin/core'
import { createMetrics } from './metrics.ts'
import { createMonitoring } from './monitoring.ts'
import { startServers, type TestServers } from '../testing/test-servers.ts'

const metricsToken = 'a-token-of-the-monitoring'
let servers: TestServers
beforeAll(async () => (servers = await startServers({ metricsToken })))
afterAll(() => servers.close())

const scrape = async (headers: Record<string, string> = {}) => {
  const { status, text } = await servers.ask('/metrics', { headers })
  expect(status).toBe(200)
  return text
}
const valueOf = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.split(' ')[1]

describe('/metrics', () => {
  it('is OpenMetrics text that counts requests by operation and result', async () => {
    await servers.ask('/v1/ping')
    await servers.ask('/v1/ping')
    await servers.ask('/v1/me')
    await servers.ask('/v1/nothing-like-it')
    const { headers } = await servers.ask('/metrics')
    expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    const text = await scrape()
    expect(text.trimEnd().split('\n').at(-1)).toBe('# EOF')
    const count = (operation: string, result: string) =>
      valueOf(text, `purlin_requests_total{operation="${operation}",result="${result}"}`)
    expect(count('ping', 'ok')).toBe('2')
    expect(count('currentUserView', 'refused')).toBe('1')
    expect(count('unknown', 'refused')).toBe('1')
    expect(valueOf(text, 'purlin_request_duration_seconds_count{type="read"}')).toBe('4')
    expect(Number(valueOf(text, 'purlin_loop_rounds_total{loop="attention",result="done"}'))).toBeGreaterThan(
      0,
    )
  })

  it('has the state of the cloud as it is now', async () => {
    const cookie = await servers.signIn('admin')
    const headers = { cookie, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      servers.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect((await post('/v1/projects', { name: 'counted', description: '' })).status).toBe(201)
    const instance = {
      name: 'one',
      description: '',
      hostname: 'one',
      ncpus: 2,
      memory: 2 ** 31,
      start: false,
    }
    expect((await post('/v1/instances?project=counted', instance)).status).toBe(201)
    const text = await scrape()
    expect(valueOf(text, 'purlin_instances{state="stopped"}')).toBe('1')
    expect(text).toMatch(/^purlin_sled_up\{sled="\w+"\} 1$/m)
    expect(text).toMatch(/^purlin_sled_threads\{sled="\w+",use="usable"\} [1-9]\d*$/m)
  })

  it('is refused through a proxy and with another token, and given with the right token', async () => {
    const statusOf = async (headers: Record<string, string>) =>
      (await servers.ask('/metrics', { headers })).status
    expect(await statusOf({ 'x-forwarded-for': '203.0.113.7' })).toBe(401)
    expect(await statusOf({ forwarded: 'for=203.0.113.7' })).toBe(401)
    expect(await statusOf({ authorization: 'Bearer another-token-of-monitoring' })).toBe(401)
    expect(
      await statusOf({ authorization: `Bearer ${metricsToken}`, 'x-forwarded-for': '203.0.113.7' }),
    ).toBe(200)
    expect((await servers.ask('/metrics', { method: 'POST' })).status).toBe(405)
    expect(servers.lines.join('')).not.toContain(metricsToken)
  })

  it('is given by token only where guests have the loopback address of the server', async () => {
    const { world, server } = servers
    const metrics = createMetrics('0')
    const around = { world: world.plane.world, metrics, token: metricsToken, isOpen: () => true, server }
    const statusOf = async (isShared: boolean, headers: Record<string, string> = {}) => {
      const monitoring = createMonitoring({ ...around, isShared })
      const reply = await monitoring({ method: 'GET', url: '/metrics', remote: '127.0.0.1', headers })
      return reply?.kind === 'api' ? reply.status : undefined
    }
    expect(await statusOf(false)).toBe(200)
    expect(await statusOf(true)).toBe(401)
    expect(await statusOf(true, { authorization: `Bearer ${metricsToken}` })).toBe(200)
  })

  it('has every series that the dashboard shows', async () => {
    const dashboard = readFileSync(
      new URL('../../../docs/monitoring-dashboard.json', import.meta.url),
      'utf8',
    )
    const shown = new Set(dashboard.match(/\b(?:purlin|process|nodejs)_\w+/g))
    const text = await scrape()
    const known = new Set(
      text.split('\n').flatMap((line) => {
        const [, type, name, of] = /^# (TYPE) (\S+) (\S+)/.exec(line) ?? []
        if (type === undefined || name === undefined) return []
        if (of === 'counter') return [`${name}_total`]
        return of === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
      }),
    )
    expect(shown.size).toBeGreaterThan(10)
    expect([...shown].filter((name) => !known.has(name))).toEqual([])
  })
})

it('stays below 1 MB when every operation has had every result', async () => {
  const metrics = createMetrics('0.0.0')
  for (const [operation, { method }] of Object.entries(operations))
    for (const status of [200, 400, 500]) metrics.answered({ operation, method, status, ms: 1 })
  const { plane } = servers.world
  const text = await metrics.text({ gauges: await readGauges(plane.world), connections: 1 })
  expect(text.match(/^purlin_requests_total/gm)).toHaveLength(3 * Object.keys(operations).length)
  expect(text.length).toBeLessThan(1_000_000)
})

describe('/healthz and /readyz', () => {
  it('say that the server works', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(await servers.ask(path)).toMatchObject({ status: 200, text: 'ok\n' })
  })

  it('tell a server that is starting from one that is ready', async () => {
    const starting = await startServers({ isStarting: true })
    try {
      expect(await starting.ask('/healthz')).toMatchObject({ status: 200 })
      expect(await starting.ask('/readyz')).toMatchObject({ status: 503, text: 'the server is starting\n' })
      expect((await starting.ask('/metrics')).status).toBe(503)
    } finally {
      await starting.close()
    }
  })
})
