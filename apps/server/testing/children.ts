/** Child processes and folders of tests and benchmarks, all of which are gone when this process ends, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const children = new Set<ChildProcess>()
const folders = new Set<string>()
const lastingFolders = new Set<string>()

// The last resort, for failures and signals: it cannot wait for anything.
process.once('exit', () => {
  killAll()
  for (const folder of lastingFolders) remove(folder)
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    // Vitest does not let its workers exit.
    killAll()
    process.exit(code)
  })

/** Ends every child immediately and removes every folder that is not lasting; for `afterEach`. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) remove(folder)
  folders.clear()
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

export interface Child {
  process: ChildProcess
  /** Asks it to end and waits until it has; calling it twice is harmless. */
  stop: () => Promise<void>
}

interface How {
  args?: readonly string[]
  /** flags of Node itself */
  flags?: readonly string[]
  /** all of its environment; by default ours, as for users rather than developers */
  env?: Record<string, string | undefined>
  /** a channel for messages; else its stdout is piped */
  ipc?: boolean
  /** where its stderr goes; by default to ours */
  stderr?: 'pipe' | 'inherit'
}

/** Runs a TypeScript file with this Node. */
export function startChild(file: string, how: How = {}): Child {
  const { args = [], flags = [], env = { ...process.env, ...production } } = how
  const { ipc = false, stderr = 'inherit' } = how
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ['ignore', ipc ? 'inherit' : 'pipe', stderr, ...(ipc ? (['ipc'] as const) : [])],
    env,
  })
  children.add(child)
  const ended = once(child, 'exit').then(() => children.delete(child))
  const stop = async () => {
    if (!children.has(child)) return
    child.kill('SIGTERM')
    const impatient = setTimeout(() => child.kill('SIGKILL'), 120_000)
    await ended
    clearTimeout(impatient)
  }
  return { process: child, stop }
}

/** How a command has ended, and its output. */
export interface ToolRun {
  code: number | string
  said: string
}
export interface StartedTool {
  kill: () => void
  ended: Promise<ToolRun>
}

/** Runs a command of this repository. */
export function startTool(command: 'backup' | 'restore', args: readonly string[]): StartedTool {
  const file = fileURLToPath(new URL(`../../../tools/${command}.ts`, import.meta.url))
  const child = startChild(file, { args, stderr: 'pipe' }).process
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const { promise: ended, resolve } = Promise.withResolvers<ToolRun>()
  child.once('close', (code, signal) => resolve({ code: code ?? String(signal), said }))
  return { kill: () => void child.kill('SIGKILL'), ended }
}

/** The environment of a program as users run it. */
export const production = { NODE_ENV: 'production' }

/** A new folder for one server's data. A lasting one stays until this process ends. */
export function newFolder({ isLasting = false } = {}): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'purlin-child-'))
  const all = isLasting ? lastingFolders : folders
  all.add(path)
  return {
    path,
    remove: () => {
      remove(path)
      all.delete(path)
    },
  }
}

/** Time that a process has kept a processor busy. Linux only; undefined elsewhere. */
export function cpuSeconds(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined
  // The name in the second field may contain anything; the 14th and 15th count hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Memory of a process in bytes: now, and its maximum so far. Linux only; undefined elsewhere. */
export function residentBytes(pid: number | undefined): { now: number; peak: number } | undefined {
  if (process.platform !== 'linux') return undefined
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytesOf = (field: string) =>
    Number(new RegExp(String.raw`^${field}:\s+(\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  return { now: bytesOf('VmRSS'), peak: bytesOf('VmHWM') }
}
