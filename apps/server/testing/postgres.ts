/** A PostgreSQL server of our own, for tests and benchmarks. */
import { systemCodeOf } from '@purlin/databases/error-codes'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { accessSync, chownSync, constants, globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { signalAll } from './postgres-processes.ts'

/** A PostgreSQL server of our own. `stop` ends it and deletes its data; calling it twice is harmless. */
export interface Postgres {
  url: string
  /** Its first process, the parent of all others. */
  pid: () => number
  /** Starts it again with the same data and address, after any end. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

const PREFIX = 'purlin-postgres-'
const START_TIMEOUT = 300_000

/** Why tests with a PostgreSQL are skipped; false if they are not. */
export const whyNoPostgres = (): string | false => !findPostgres() && 'install postgresql'

/** The folder of PostgreSQL's server programs (the newest of Debian's, else PATH's), or undefined. */
export function findPostgres(): string | undefined {
  const major = (path: string) => Number(path.split('/').at(-2))
  const debian = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => major(b) - major(a))
  return [...debian, ...(process.env['PATH'] ?? '').split(delimiter)].find(
    (folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')),
  )
}

/**
 * Starts PostgreSQL on a free port of 127.0.0.1 with an empty database `postgres` that trusts loopback, in a separate
 * temporary folder. As root it runs as another user, because PostgreSQL refuses root. `durable` keeps fsync on, for
 * benchmarks; `connections` is the maximum; `parent` is the folder around its own. Throws if it is not installed.
 */
export async function startPostgres({
  durable = false,
  connections = 100,
  parent = tmpdir(),
} = {}): Promise<Postgres> {
  const programs = findPostgres()
  if (!programs) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  removeLeftovers()
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  const wrap = asPlainUser(folder)
  try {
    const init = ['-D', folder, '-U', 'postgres', '--locale=C', '-E', 'UTF8', '--auth=trust', '--no-sync']
    run(wrap([join(programs, 'initdb'), ...init]), folder)
    return await launch(folder, (port) =>
      wrap([join(programs, 'postgres'), '-D', folder, ...settings(port, { durable, connections })]),
    )
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Runs SQL as an operator would. Returns its rows, the columns of each separated by `|`. */
export async function psql(url: string, sql: string): Promise<string[]> {
  const program = join(findPostgres() ?? '', 'psql')
  const { stdout } = await promisify(execFile)(program, [url, '-XAtqc', sql], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

/**
 * Creates a database in the same cluster with the present content of this one, as from a backup. Returns its address.
 */
export async function copyDatabase(url: string, name: string): Promise<string> {
  const copy = url.replace(/[^/]*$/, name)
  await psql(url, `create database ${name}`)
  const folder = mkdtempSync(join(tmpdir(), 'purlin-dump-'))
  try {
    const file = join(folder, 'dump')
    await promisify(execFile)(join(findPostgres() ?? '', 'pg_dump'), ['-Fc', '-f', file, url])
    await promisify(execFile)(join(findPostgres() ?? '', 'pg_restore'), ['-d', copy, file])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return copy
}

function settings(
  port: number,
  { durable, connections }: { durable: boolean; connections: number },
): string[] {
  const fast = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']
  const place = ['-h', '127.0.0.1', '-p', String(port), '-c', 'unix_socket_directories=']
  return [...place, '-c', `max_connections=${connections}`, ...(durable ? [] : fast)]
}

/** A port can be taken between finding it and using it: then another one. */
async function launch(folder: string, command: (port: number) => string[]): Promise<Postgres> {
  for (let tries = 3; ; tries--) {
    const port = await freePort()
    const first = start(command(port), folder)
    const failure = await readiness(first)
    if (failure === undefined) {
      const cluster = { child: first, folder }
      return {
        url: `postgres://postgres@127.0.0.1:${port}/postgres`,
        pid: () => cluster.child.pid ?? 0,
        startAgain: async () => {
          await ended(cluster.child)
          cluster.child = await startAgain(() => start(command(port), folder))
        },
        stop: stopper(cluster),
      }
    }
    if (tries === 1) throw new Error(`PostgreSQL did not start:\n${failure}`)
  }
}

/** undefined once the server answers, else its message */
function readiness(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT)
    const done = (result: string | undefined) => {
      clearTimeout(timer)
      resolve(result)
    }
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      // Read on for ever, or the pipe fills up; remember only the start.
      if (said.length < 20_000) said += text
      if (text.includes('ready to accept connections')) done(undefined)
    })
    child.once('error', (error) => done(error.message))
    child.once('exit', () => done(said))
  })
}

/** After a crash the memory that its processes share may be in use for another moment. */
async function startAgain(run: () => ChildProcess): Promise<ChildProcess> {
  for (let tries = 20; ; tries--) {
    const child = run()
    const said = await readiness(child)
    release(child)
    if (said === undefined) return child
    if (tries === 1) throw new Error(`PostgreSQL did not start again:\n${said}`)
    await sleep(100)
  }
}

interface Cluster {
  child: ChildProcess
  folder: string
}

function stopper(cluster: Cluster): () => Promise<void> {
  const { folder } = cluster
  // A frozen process does not end before it continues.
  const end = (signal: NodeJS.Signals) => {
    cluster.child.kill(signal)
    if (process.platform === 'linux') signalAll(cluster.child.pid ?? 0, 'SIGCONT')
  }
  const atExit = () => {
    end('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', atExit)
  release(cluster.child)
  const stop = async () => {
    process.off('exit', atExit)
    end('SIGINT')
    await ended(cluster.child)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())
}

/** A server that is still running must not keep this process alive. */
function release(child: ChildProcess): void {
  child.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
}

// Polled, because nothing else keeps the event loop awake.
async function ended(child: ChildProcess): Promise<void> {
  for (let ms = 0; child.exitCode === null && child.signalCode === null; ms += 20) {
    if (ms === 10_000) child.kill('SIGQUIT')
    await sleep(20)
  }
}

function start([program, ...args]: string[], cwd: string): ChildProcess {
  return spawn(program!, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
}

function run([program, ...args]: string[], cwd: string): void {
  execFileSync(program!, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
}

/**
 * Wraps commands so that they run as the user `postgres` when we are root. On Linux the command also
 * ends when this process dies, however it dies.
 */
export function asPlainUser(folder: string): (command: string[]) => string[] {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(isProgram)
  const dieWithUs = setpriv ? [setpriv, '--pdeathsig', 'SIGINT'] : []
  if (process.getuid?.() !== 0) return (command) => [...dieWithUs, ...command]
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  chownSync(folder, id('-u'), id('-g'))
  if (!setpriv) return (command) => ['runuser', '-u', 'postgres', '--', ...command]
  const user = ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', '--']
  return (command) => [...dieWithUs, ...user, ...command]
}

/** Folders of processes that were killed before they could delete them. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split('-')[0])
    try {
      if (!isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // Another user's: theirs to remove.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCodeOf(error) === 'EPERM'
  }
}

// Below the ports that Linux gives to connections: no other program may take it while the database is away.
const ports = { first: 20_000, count: 12_000 }

/** A free TCP port of loopback. */
export function freePort(): Promise<number> {
  const port = ports.first + Math.floor(Math.random() * ports.count)
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}

/** True if there is an executable file. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
