/** Child processes and folders, all of which are gone when the benchmark ends, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const children = new Set<ChildProcess>()
const folders = new Set<string>()

// The last resort, for failures and signals: at this point nothing can be waited for.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

export interface Child {
  process: ChildProcess
  /** Asks it to end and waits until it has; asking twice is asking once. */
  stop: () => Promise<void>
}

interface How {
  args?: readonly string[]
  env?: Record<string, string>
  /** a channel for messages; else its stdout is piped */
  ipc?: boolean
}

/** Runs a TypeScript file with this Node. */
export function startChild(file: string, { args = [], env = {}, ipc = false }: How = {}): Child {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', ipc ? 'inherit' : 'pipe', 'inherit', ...(ipc ? (['ipc'] as const) : [])],
    // A benchmark of what users run: no mode for developers.
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  children.add(child)
  const ended = once(child, 'exit').then(() => children.delete(child))
  const stop = async () => {
    if (!children.has(child)) return
    child.kill('SIGTERM')
    const impatient = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(impatient)
  }
  return { process: child, stop }
}

/** A new folder for one server's data. */
export function newFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'purlin-bench-'))
  folders.add(path)
  const remove = () => {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    folders.delete(path)
  }
  return { path, remove }
}

/** Time that a process has kept a processor busy. Linux only; undefined elsewhere. */
export function cpuSeconds(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined
  // The name in the second field may hold anything; the 14th and 15th count hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Memory that a process holds, in bytes. Linux only; undefined elsewhere. */
export function residentBytes(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined
  const kiB = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kiB === undefined ? undefined : Number(kiB) * 1024
}
