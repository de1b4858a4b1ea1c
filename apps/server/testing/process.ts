/** The real server in a separate process, started as an operator would: for tests, attacks and benchmarks. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { cpuSeconds, newFolder, production, residentBytes, startChild } from './children.ts'

/** One run of the server's program, which may also end immediately. */
export interface Program {
  pid: number
  /** its output on stdout so far */
  said: () => string
  /** the lines of its stderr so far, the newest of very many: the log */
  lines: () => readonly string[]
  /** resolves to its exit code, or to the signal that ended it, once all that it said has arrived */
  ended: Promise<number | string>
  /** bytes, as the system sees them; undefined where they cannot be read */
  memory: () => { now: number; peak: number } | undefined
  /** seconds of a processor that it has used; undefined where they cannot be read */
  cpu: () => number | undefined
  /** Sends a signal, such as SIGTERM, SIGKILL, SIGSTOP, SIGCONT. */
  signal: (name: NodeJS.Signals) => void
  /** Asks it to end and waits until it has. */
  stop: () => Promise<void>
}

/** A server that answers. */
export interface ServerProcess extends Program {
  /** without a slash at the end */
  url: string
}

interface Run {
  args?: readonly string[]
  /** in addition to `ours`, the only variables that it gets */
  env?: Record<string, string>
  /** Sends its stderr to ours in place of keeping the lines. */
  showsLog?: boolean
  /** Passwords cost what they cost users; otherwise next to nothing. */
  realPasswords?: boolean
}

/** How to start a server. Its data go to a new folder, which is removed when it stops, unless another is given. */
export interface HowToServe extends Run {
  folder?: string
  /** address of a PostgreSQL database in place of the embedded one */
  databaseUrl?: string | undefined
}

const main = fileURLToPath(new URL('../process/main.ts', import.meta.url))
/** Flags of Node for a server whose passwords cost next to nothing. */
const swiftPasswords = ['--import', new URL('swift-passwords.ts', import.meta.url).href]

/** The first administrator of every server that is started here. */
export const admin = { silo: 'main', user: 'admin', password: 'a-long-measured-plank' }

/** The variables that say where the programs and the compiled files of this run are. */
const { PATH, NODE_COMPILE_CACHE } = process.env
const ours = { PATH, NODE_COMPILE_CACHE }

/** Runs the server's program. `killAll` ends it at the latest. */
export function runProgram({
  args = [],
  env = {},
  showsLog = false,
  realPasswords = false,
}: Run = {}): Program {
  const child = startChild(main, {
    args,
    flags: realPasswords ? [] : swiftPasswords,
    // Wherever KVM can be used, the default would be real guests.
    env: { ...ours, ...production, PURLIN_MACHINES: 'simulated', ...env },
    stderr: showsLog ? 'inherit' : 'pipe',
  })
  const { pid = 0, stdout, stderr } = child.process
  let said = ''
  stdout?.setEncoding('utf8').on('data', (text: string) => (said += text))
  return {
    pid,
    said: () => said,
    lines: stderr ? linesOf(stderr) : () => [],
    ended: once(child.process, 'close').then(([code, signal]) => (code ?? signal) as number | string),
    memory: () => residentBytes(pid),
    cpu: () => cpuSeconds(pid),
    signal: (name) => void child.process.kill(name),
    stop: child.stop,
  }
}

const keptLines = 50_000

function linesOf(stream: Readable): () => readonly string[] {
  const lines: string[] = []
  createInterface({ input: stream }).on('line', (line) => {
    if (lines.push(line) > 2 * keptLines) lines.splice(0, keptLines)
  })
  return () => lines
}

/** Starts a server on a free port of 127.0.0.1 and waits until it answers. Throws its output if it does not start. */
export async function serve(how: HowToServe = {}): Promise<ServerProcess> {
  const { args = [], env = {}, folder, databaseUrl, ...rest } = how
  const own = folder === undefined ? newFolder() : undefined
  const place = ['--port', '0', '--data-dir', folder ?? own?.path ?? '']
  const database = databaseUrl === undefined ? [] : ['--database-url', databaseUrl]
  const program = runProgram({
    ...rest,
    args: [...place, ...database, ...args],
    env: { PURLIN_ADMIN_PASSWORD: admin.password, ...env },
  })
  const stop = () => program.stop().then(own?.remove)
  return { ...program, url: await readyAt(program), stop }
}

/** The address that a server prints once it answers. */
async function readyAt(program: Program): Promise<string> {
  const state = { hasEnded: false }
  void program.ended.then(() => (state.hasEnded = true))
  for (;;) {
    const url = /ready at (\S+)\n/.exec(program.said())?.[1]
    if (url !== undefined) return url
    if (state.hasEnded) throw new Error(`the server ended immediately: ${program.lines().join('\n')}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
