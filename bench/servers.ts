/** Servers under test: the real process, started as an operator would, on a database of its own. */
import { fileURLToPath } from 'node:url'
import { createClient, type Client, type Transport } from '@purlin/contract/client'
import { operations, type Operations } from '@purlin/contract/operations'
import { cpuSeconds, newFolder, residentBytes, startChild } from './children.ts'

export type Api = Client<Operations>

/** Where a server keeps its data: a folder, or a PostgreSQL address. */
export type Place = { folder: string } | { url: string }

export interface Server {
  origin: string
  /** bytes, undefined where they cannot be read */
  memory: () => number | undefined
  /** seconds of a processor that it has used, undefined where they cannot be read */
  cpu: () => number | undefined
  stop: () => Promise<void>
}

const main = fileURLToPath(import.meta.resolve('@purlin/server/main'))
export const admin = { silo: 'bench', user: 'bench', password: 'a-long-measured-plank' }

/** Starts a server and waits until it answers. */
export async function startServer(place: Place, flags: readonly string[] = []): Promise<Server> {
  const where = 'folder' in place ? ['--data-dir', place.folder] : ['--database-url', place.url]
  const first = ['--admin-silo', admin.silo, '--admin-user', admin.user]
  const child = startChild(main, {
    args: ['--port', '0', '--log-level', 'silent', ...where, ...first, ...flags],
    env: { PURLIN_ADMIN_PASSWORD: admin.password, ...profiling() },
  })
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const url = /ready at (\S+)/.exec(said)?.[1]
      if (url) resolve(url)
    })
    child.process.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
  })
  const { pid } = child.process
  return { origin, memory: () => residentBytes(pid), cpu: () => cpuSeconds(pid), stop: child.stop }
}

// PURLIN_BENCH_PROFILE=<folder> writes a CPU profile of every server there.
function profiling(): Record<string, string> {
  const folder = process.env['PURLIN_BENCH_PROFILE']
  return folder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` } : {}
}

/** A server on a new embedded database, which goes with it. */
export async function startOnSqlite(flags?: readonly string[]): Promise<Server> {
  const folder = newFolder()
  const server = await startServer({ folder: folder.path }, flags)
  return { ...server, stop: () => server.stop().then(folder.remove) }
}

/** Signs in and returns the session's cookie and a client that sends it. */
export async function signIn(origin: string, as = admin): Promise<{ cookie: string; api: Api }> {
  let cookie = ''
  const transport: Transport = async ({ method, url, headers, body }) => {
    const response = await fetch(origin + url, {
      method,
      headers: { ...headers, cookie },
      ...(body ? { body } : {}),
    })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      text: () => response.text(),
    }
  }
  const api = createClient(operations, transport)
  const { silo, user, password } = as
  await api.loginLocal({ params: { siloName: silo }, body: { username: user, password } })
  return { cookie, api }
}
