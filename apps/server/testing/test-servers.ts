/** For tests: the HTTP and WebSocket servers on a free port, with core's test world and a small built console. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConsole, type World } from '@purlin/core'
import { openWorld, type TestWorld, type WorldOptions } from '@purlin/core/testing/world'
import { createBodyBudget } from '../http/body-budget.ts'
import { systemCertificates } from '../tls/certificates.ts'
import { createHttpServer, type HttpWorld } from '../http/http.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMonitoring } from '../monitoring/monitoring.ts'
import { firstLoadFile, type FirstLoad } from '../pages/document.ts'
import { logTo } from '../process/log.ts'
import type { Reach } from '../http/node-request.ts'
import { createPages } from '../pages/pages.ts'
import { createSockets, type Sockets } from '../sockets/sockets.ts'
import { openGuide } from '../pages/guide.ts'
import { openStatic } from '../pages/static.ts'
import { ask, type Answer, type Ask, sendRaw } from './requests.ts'
import { portOf } from '../http/listening.ts'

export interface TestServers {
  world: TestWorld
  port: number
  server: Server
  /** every line of the log */
  lines: string[]
  dist: string
  /** Sends a request; `body` is sent as it is. */
  ask(path: string, how?: Ask): Promise<Answer>
  /** Sends bytes as they are and reads until the server closes. */
  sendRaw(bytes: string): Promise<string>
  /** The Cookie header of a user in silo acme. */
  signIn(who: string): Promise<string>
  sockets: Sockets
  stop(graceMs: number): Promise<void>
  close(): Promise<void>
}

const firstLoads: FirstLoad[] = [
  {
    address: '/settings/ssh-keys',
    hasFrame: true,
    files: ['assets/app-1a2b.js'],
    requests: ['/v1/me', '/v1/me/ssh-keys'],
  },
  {
    address: '/projects/$project/policy',
    hasFrame: true,
    files: [],
    requests: ['/v1/projects/$project/policy'],
  },
  ...[
    '/',
    '/projects',
    '/projects-new',
    '/settings',
    '/system',
    '/system/silos',
    '/lookup/$resource',
    '/images',
    '/images/$image',
    '/instances',
    '/utilization',
    '/access',
    '/access/users',
    '/device/verify',
    '/device/success',
  ].map((address) => ({ address, hasFrame: true, files: [], requests: [] })),
  ...['/login', '/login/$silo/local', '/login/$silo/saml/$provider'].map((address) => ({
    address,
    hasFrame: false,
    files: [],
    requests: [],
  })),
]

/** Makes a folder that looks like a built console. */
export function makeDist(): string {
  const dist = mkdtempSync(join(tmpdir(), 'purlin-dist-'))
  mkdirSync(join(dist, 'assets'))
  mkdirSync(join(dist, '.vite'))
  writeFileSync(join(dist, firstLoadFile), JSON.stringify(firstLoads))
  writeFileSync(
    join(dist, 'index.html'),
    '<!doctype html><head><title>Purlin</title><script>first()</script></head><body></body>',
  )
  writeFileSync(join(dist, 'favicon.svg'), '<svg/>')
  writeFileSync(join(dist, 'assets/app-1a2b.js'), `console.log('${'purlin '.repeat(400)}')`)
  mkdirSync(join(dist, 'guide/assets'), { recursive: true })
  writeFileSync(join(dist, 'guide/index.html'), '<h1>Guide</h1>')
  writeFileSync(join(dist, 'guide/disks.html'), '<h1>Disks</h1>')
  writeFileSync(join(dist, 'guide/not-found.html'), '<h1>No such page</h1>')
  writeFileSync(join(dist, 'guide/assets/page.js'), 'page()')
  return dist
}

/** With TLS, certificates are real ones. */
interface HowToServeTls {
  tls: (world: World) => NonNullable<HttpWorld['tls']>
}
interface HowToMonitor {
  metricsToken: string
  /** Lets no requests in. */
  isStarting: boolean
}

/** Starts the servers. Close them in `afterAll`. */
export async function startServers({
  tls,
  metricsToken,
  isStarting = false,
  world: options = {},
  ...how
}: Partial<Reach> &
  Partial<HowToServeTls> &
  Partial<HowToMonitor> & { world?: WorldOptions } = {}): Promise<TestServers> {
  const reach: Reach = {
    behindProxy: false,
    bodies: createBodyBudget(),
    onMisread: () => undefined,
    ...how,
  }
  const metrics = createMetrics('0.0.0')
  const world = await openWorld({
    ...options,
    meter: metrics.loops,
    ...(tls ? { certificates: systemCertificates } : {}),
  })
  const dist = makeDist()
  const lines: string[] = []
  const log = logTo({ write: (line) => void lines.push(line) }, 'info')
  const { plane } = world
  const pages = createPages({
    world: plane.world,
    api: plane,
    files: openStatic(dist),
    guide: openGuide(join(dist, 'guide')),
  })
  const http = createHttpServer({
    api: plane,
    pages,
    log,
    reach,
    allowList: plane.allowList,
    monitoring: ({ server, isOpen }) =>
      createMonitoring({ world: plane.world, metrics, token: metricsToken, isOpen, server }),
    answered: metrics.answered,
    ...(tls ? { tls: tls(plane.world) } : {}),
  })
  const { allowList } = plane
  const sockets = createSockets({
    world: plane.world,
    api: plane,
    open: openConsole,
    reach,
    allowList,
  })
  http.server.on('upgrade', sockets.upgrade)
  if (!isStarting) http.open()
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  const port = portOf(http.server)
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  return {
    world,
    port,
    server: http.server,
    lines,
    dist,
    ask: (path, what) => ask(url, path, what),
    sockets,
    sendRaw: (bytes) => sendRaw(url, bytes),
    signIn: async (who) => {
      const body = JSON.stringify({ username: who.toLowerCase(), password: `${who}-password` })
      const headers = { 'content-type': 'application/json' }
      const answer = await ask(url, '/v1/login/acme/local', { method: 'POST', headers, body })
      return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    },
    stop: (graceMs) => http.stop(graceMs),
    close: async () => {
      await Promise.all([sockets.close(), http.stop(0)])
      await world.close()
      rmSync(dist, { recursive: true, force: true })
    },
  }
}
