/** The files that a server adds to a support bundle, of what only it knows. Never a secret. */
import { arch, cpus, freemem, loadavg, platform, release, totalmem } from 'node:os'
import { promisify } from 'node:util'
import { readGauges, type World } from '@purlin/core'
import type { MadeFile } from '@purlin/core/ports'
import type { HttpServer } from '../http/http.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { shownSettings, type Config } from '../process/config.ts'
import type { ServerLog } from '../process/log.ts'
import { version } from '../process/version.ts'

export interface AroundServer {
  config: Config
  log: Pick<ServerLog, 'newest'>
  metrics: Metrics
  engine: World['engine']
  /** Undefined while the server starts. */
  http: () => HttpServer | undefined
}

/** Makes the files. */
export async function* serverFiles({
  config,
  log,
  metrics,
  engine,
  http,
}: AroundServer): AsyncGenerator<MadeFile> {
  yield json('settings.json', () => shownSettings(config))
  yield json('versions.json', () => ({
    purlin: version(),
    ...process.versions,
    system: [platform(), release(), arch()],
  }))
  yield json('health.json', () => ({
    isOpen: http()?.isOpen() ?? false,
    database: engine.trouble?.() ?? 'as far as is known, it can be used',
    uptimeSeconds: Math.round(process.uptime()),
    memory: process.memoryUsage(),
    resources: process.resourceUsage(),
    machine: { cpus: cpus().length, load: loadavg(), memory: totalmem(), freeMemory: freemem() },
  }))
  yield json('loops.json', () => metrics.latestRounds())
  yield { path: 'server/metrics.txt', content: metricsText({ metrics, engine, http }) }
  yield { path: 'server/log.txt', content: pieces(log.newest()) }
}

const json = (name: string, read: () => object): MadeFile => ({
  path: `server/${name}`,
  content: jsonOf(read),
})

async function* jsonOf(read: () => object): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(`${JSON.stringify(read(), null, 2)}\n`))
}

async function* metricsText({
  metrics,
  engine,
  http,
}: Pick<AroundServer, 'metrics' | 'engine' | 'http'>): AsyncGenerator<Uint8Array> {
  const gauges = await readGauges({ engine })
  const server = http()?.server
  // Before it listens, there are none.
  const connections = server ? await promisify(server.getConnections.bind(server))() : 0
  yield Buffer.from(await metrics.text({ gauges, connections }))
}

async function* pieces(all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const one of all) yield await Promise.resolve(one)
}
