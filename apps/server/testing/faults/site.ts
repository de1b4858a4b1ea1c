/** Two servers on one PostgreSQL, and receivers of alerts: all that can fail, in one place. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, createClient } from '@purlin/contract/client'
import { operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import type { Tx } from '@purlin/core/ports'
import { transportTo } from '@purlin/core/testing/crash'
import { openPostgres, type PostgresEngine } from '@purlin/databases/postgres'
import { newFolder } from '../children.ts'
import type { LostHosts } from './rack.ts'
import { startPostgres, type Postgres } from '../postgres.ts'
import { admin, serve, type HowToServe, type ServerProcess } from '../process.ts'
import { startReceiver, type Receiver } from './receivers.ts'
import { signIn, type Api } from '../requests.ts'

export const serverNames = ['first', 'other'] as const
export type ServerName = (typeof serverNames)[number]

export interface Site {
  database: Postgres
  engine: PostgresEngine
  /** The data folder that the servers share. */
  folder: string
  /** The servers that run now. */
  servers: Record<ServerName, ServerProcess>
  cookie: string
  /** A client of either server, wherever it is at that time. */
  apis: Record<ServerName, Api>
  receivers: Receiver[]
  /** Errors that servers have logged before they were killed. */
  errors: string[]
  /** Ends a server. It waits until it has ended. */
  end(name: ServerName, signal: NodeJS.Signals): Promise<void>
  /** Starts a server that was ended. */
  start(name: ServerName): Promise<void>
  /** Ends a server, by killing it unless another signal is given, and starts it again. */
  restart(name: ServerName, signal?: NodeJS.Signals): Promise<void>
  /** Sets which hosts are lost. */
  loseHosts(lost: LostHosts): void
  stop(): Promise<void>
}

/** The project of the instances. */
export const project = 'fleet'
const preload = new URL('rack.ts', import.meta.url).href

/** The subscriptions of each receiver; one has none, and one only those that nothing here raises. */
const subscriptions: readonly (readonly string[])[] = [
  ['**'],
  ['hardware.**'],
  ['hardware.sled.missing'],
  ['instance.failed'],
  ['*.failed', 'hardware.sled.*'],
  ['silo.**', 'instance.*'],
  ['hardware.disk.failing', 'system.update.stalled'],
  [],
]

/** Starts a site with that many instances, of which one in ten has a network, on the rack of the servers. */
export async function startSite(instances: number): Promise<Site> {
  const hosts = join(newFolder().path, 'lost.json')
  writeFileSync(hosts, '{}')
  const site = await openSite({
    args: ['--webhooks-allow', '127.0.0.0/8'],
    env: { NODE_OPTIONS: `--import=${preload}`, PURLIN_LOST_HOSTS: hosts },
  })
  site.loseHosts = (lost) => {
    writeFileSync(`${hosts}.new`, JSON.stringify(lost))
    renameSync(`${hosts}.new`, hosts)
  }
  const { first: api } = site.apis
  for (const [i, some] of subscriptions.entries())
    site.receivers.push(await startReceiver(api, `receiver-${i}`, some))
  await makeInstances(api, instances)
  return site
}

interface SiteOptions extends Pick<HowToServe, 'args' | 'env'> {
  /** The address at which a server finds the database, if it is not that of all. */
  databaseOf?: (name: ServerName, url: string) => Promise<string>
}

/** Starts both servers, without instances and receivers. */
export async function openSite({ databaseOf, ...how }: SiteOptions = {}): Promise<Site> {
  const lastWords: string[] = []
  lastWordsOfSites.add(lastWords)
  const { path: folder } = newFolder()
  const database = await startPostgres({ durable: true })
  const start = async (name: ServerName) => {
    const databaseUrl = (await databaseOf?.(name, database.url)) ?? database.url
    const server = await serve({ ...how, databaseUrl, folder })
    void server.ended.then((how) => {
      if (!killed.has(server))
        lastWords.push(`${name} ended with ${how}: ${server.lines().slice(-5).join(' ')}`)
    })
    return server
  }
  const killed = new Set<ServerProcess>()
  const servers = { first: await start('first'), other: await start('other') }
  const { cookie } = await signIn(servers.first.url)
  const apiOf = (name: ServerName) =>
    createClient(
      operations,
      transportTo(() => servers[name].url, cookie),
    )
  const site: Site = {
    database,
    engine: openPostgres(database.url, () => undefined),
    folder,
    servers,
    cookie,
    apis: { first: apiOf('first'), other: apiOf('other') },
    receivers: [],
    errors: [],
    end: async (name, signal) => {
      killed.add(servers[name])
      servers[name].signal(signal)
      await servers[name].ended
      site.errors.push(...errorsOf(servers[name]))
    },
    start: async (name) => void (servers[name] = await start(name)),
    restart: async (name, signal = 'SIGKILL') => {
      await site.end(name, signal)
      await site.start(name)
    },
    loseHosts: () => undefined,
    stop: async () => {
      lastWordsOfSites.delete(lastWords)
      await site.engine.close()
      for (const receiver of site.receivers) await receiver.close()
      await database.stop()
    },
  }
  return site
}

/** Makes instances in a project, and waits until each exists. */
export async function makeInstances(api: Api, count: number): Promise<void> {
  const quotas = { cpus: 10_000, memory: 64 * 1024 * GiB, storage: 64 * 1024 * GiB }
  await api.siloQuotasUpdate({ params: { silo: admin.silo }, body: quotas })
  await api.projectCreate({ body: { name: project, description: '' } })
  const names = Array.from({ length: count }, (_, i) => `vm-${i}`)
  const make = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const networkInterfaces = { type: name.endsWith('0') ? 'default' : 'none' } as const
      const body = { name, description: '', hostname: name, ncpus: 1, memory: GiB, networkInterfaces }
      await until(`${name} exists`, () => api.instanceCreate({ query: { project }, body }).then(yes, isThere))
    }
  }
  await Promise.all(Array.from({ length: 8 }, make))
}

const yes = () => true
/** An attempt whose answer was lost has made it. Many creates at once may be refused for a moment. */
function isThere(error: unknown): boolean {
  if (error instanceof ApiError && error.code === 'ObjectAlreadyExists') return true
  throw error
}

/** The errors that a server has logged, except the records of requests that it could not store in an outage. */
export const errorsOf = (server: Pick<ServerProcess, 'lines'>): string[] =>
  server
    .lines()
    .filter((line) => line.includes('"level":"error"') && !line.includes('"msg":"not in the audit log"'))

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
const patienceMs = 15 * 60_000
/** Of each site that is open, what servers said that have ended although no fault killed them: nothing would start them again. */
const lastWordsOfSites = new Set<string[]>()

/**
 * Waits for a condition. A check that fails, because a server or the database is away, is made again. Throws if a server
 * of an open site has ended by itself.
 */
export async function until(condition: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs
  let problem = ''
  while (performance.now() < end) {
    const lastWords = [...lastWordsOfSites].flat()
    if (lastWords.length > 0) throw new Error(lastWords.join('\n'))
    try {
      if (await isSo()) return
      problem = ''
    } catch (error) {
      problem = String(error)
    }
    await pause()
  }
  throw new Error(`waited in vain: ${condition} ${problem}`)
}

/** Reads the database, once it is there. */
export async function readNow<T>({ engine }: Site, work: (tx: Tx) => Promise<T>): Promise<T> {
  let found: { value: T } | undefined
  await until('the database answers', async () => {
    found = { value: await engine.transaction('read', work) }
    return true
  })
  if (!found) throw new Error('the database does not answer')
  return found.value
}
