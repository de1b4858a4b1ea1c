/** The addresses for monitoring: `/metrics`, `/healthz` and `/readyz`. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP, type Server } from 'node:net'
import { promisify } from 'node:util'
import type { ApiRequest } from '@purlin/contract/http'
import { readGauges, type World } from '@purlin/core'
import { envelope, type Reply } from '../http/reply.ts'
import type { Metrics } from './metrics.ts'

export interface MonitoringWorld {
  world: Pick<World, 'engine'>
  metrics: Metrics
  /** With it, the metrics are read from any address. */
  token: string | undefined
  /** Guests share the loopback address: no one is let in for it. */
  isShared?: boolean
  /** True once the server lets requests in. */
  isOpen: () => boolean
  server: Pick<Server, 'getConnections'>
}

/** Answers a request for monitoring; undefined for any other. Never throws. */
export type Monitoring = (request: ApiRequest) => Promise<Reply> | undefined

/** Makes the handler. These addresses are answered even before the server lets other requests in. */
export function createMonitoring(at: MonitoringWorld): Monitoring {
  const pages: Record<string, (request: ApiRequest) => Promise<Reply>> = {
    '/healthz': () => Promise.resolve(plain(200, 'ok')),
    '/readyz': () => readiness(at),
    '/metrics': (request) => metricsFor(at, request),
  }
  return (request) => {
    const page = pages[request.url.split('?', 1)[0] ?? '']
    if (!page) return undefined
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return Promise.resolve({ ...plain(405, 'only GET and HEAD'), headers: { ...text, allow: 'GET, HEAD' } })
    return page(request)
  }
}

const text = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
const plain = (status: number, body: string): Reply => ({
  kind: 'api',
  status,
  headers: text,
  body: `${body}\n`,
})

async function readiness({ isOpen, world: { engine } }: MonitoringWorld): Promise<Reply> {
  if (!isOpen()) return plain(503, 'the server is starting')
  try {
    await engine.transaction('read', (tx) => tx.selectFrom('rack').select('id').limit(1).execute())
    return plain(200, 'ok')
  } catch {
    return plain(503, 'the database does not answer')
  }
}

async function metricsFor(at: MonitoringWorld, request: ApiRequest): Promise<Reply> {
  if (!mayRead(at, request))
    return {
      ...envelope(
        401,
        at.isShared
          ? onlyWithToken
          : 'metrics are read from this machine, or with the token of --metrics-token',
      ),
      headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
    }
  if (!at.isOpen()) return plain(503, 'the server is starting')
  try {
    const gauges = await readGauges(at.world)
    const connections = await promisify(at.server.getConnections.bind(at.server))()
    const body = await at.metrics.text({ gauges, connections })
    return { kind: 'api', status: 200, headers: { 'content-type': at.metrics.contentType }, body }
  } catch {
    return plain(503, 'the database does not answer')
  }
}

const onlyWithToken =
  'metrics are read with the token of --metrics-token, because guests reach this machine by its loopback address'

// Set by a proxy: then the address of the connection is the proxy's.
const proxied = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'] as const

/** By token, or from this machine itself: not through a proxy or from a guest on it. */
function mayRead(
  { token, isShared = false }: Pick<MonitoringWorld, 'token' | 'isShared'>,
  { headers, remote = '' }: ApiRequest,
): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
  if (given !== undefined) return token !== undefined && isSame(given, token)
  return !isShared && isLoopback(remote) && proxied.every((name) => headers[name] === undefined)
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
// An IPv4 address in IPv6 form counts as what it is.
const isLoopback = (address: string) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Compares in a time that says nothing about where they differ. */
function isSame(a: string, b: string): boolean {
  const digest = (one: string) => createHash('sha256').update(one).digest()
  return timingSafeEqual(digest(a), digest(b))
}
