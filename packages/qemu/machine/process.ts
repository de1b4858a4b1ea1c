/** Processes of QEMU. They outlive the server, so they are found again by their arguments. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, readFile, stat, truncate, unlink, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Clock } from '@purlin/core/ports'
import { systemCodeOf } from '@purlin/databases/error-codes'
import { boxArguments, boxProgram, type BoxContents } from './box.ts'
import { systemCallFilter } from './system-calls.ts'

const lookMs = 20
/** A guest can make QEMU write errors without an end: the first ones are kept. */
const mostErrors = 64 * 1024

/** A process, also after its number was given to another one: `started` differs then. */
export interface QemuProcess {
  pid: number
  /** clock ticks since the host has started */
  started: string
}

export interface Program {
  program: string
  args: readonly string[]
  /** The box around it; undefined for none. */
  box: BoxContents | undefined
  /** Its working folder, which gets its standard error in `errors.log`. */
  folder: string
}

const errorsOf = (folder: string) => join(folder, 'errors.log')

/** Starts a process in a session that does not end with this one. Throws if it cannot be started. */
export async function startProcess({
  program,
  args,
  folder,
  box,
}: Program): Promise<QemuProcess | undefined> {
  const errors = await open(errorsOf(folder), 'a', 0o600)
  const filter = box && (await openFilter(folder, box))
  try {
    const inBox = box && [
      ...boxArguments(box, program),
      '--chdir',
      folder,
      '--info-fd',
      '3',
      ...(filter ? ['--seccomp', '4'] : []),
      '--',
      program,
    ]
    const child = spawn(inBox ? boxProgram : program, [...(inBox ?? []), ...args], {
      cwd: folder,
      detached: true,
      // QEMU gets none of the server's settings, which may be secrets.
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'ignore', errors.fd, inBox ? 'pipe' : 'ignore', filter?.fd ?? 'ignore'],
    })
    const said = inBox && text(child.stdio[3] as Readable)
    await once(child, 'spawn')
    child.unref()
    return await identify(said ? childIn(await said) : (child.pid ?? 0))
  } finally {
    await errors.close()
    await filter?.close()
  }
}

/** With devices of the host, a box has its network, where others listen by names that are no paths. */
const socketsOf = { none: 'connected', own: 'all', devices: 'listening', host: 'all' } as const

/** The filter of the system calls of a box, in a file that has no name any more. */
async function openFilter(folder: string, { network }: BoxContents): Promise<FileHandle | undefined> {
  const filter = systemCallFilter(socketsOf[network])
  if (!filter) return undefined
  const path = join(folder, 'filter')
  await writeFile(path, filter, { mode: 0o600 })
  const file = await open(path, 'r')
  await unlink(path)
  return file
}

/** The number of the process in a box; 0, which none has, if bubblewrap has ended before. */
function childIn(said: string): number {
  const pid = /"child-pid": (\d+)/.exec(said)?.[1]
  return pid === undefined ? 0 : Number(pid)
}

/** Gives back the room of all errors but the first ones. */
export async function trimErrors(folder: string): Promise<void> {
  const file = await stat(errorsOf(folder)).catch(() => undefined)
  if (file && file.size > mostErrors) await truncate(errorsOf(folder), mostErrors)
}

/** The beginning of what a process has written to its standard error. */
export async function errorsIn(folder: string): Promise<string> {
  const bytes = Buffer.alloc(16 * 1024)
  const file = await open(errorsOf(folder), 'r').catch(() => undefined)
  if (!file) return ''
  try {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * The process of this user that works in `folder` and has `word` among its arguments; undefined if there is none. Others
 * may have the same arguments, which all users see.
 */
export async function findProcess(word: string, folder: string): Promise<QemuProcess | undefined> {
  // Nothing works in a folder that is not there.
  if (!(await stat(folder).catch(() => undefined))) return undefined
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const own = await Promise.all(pids.map((pid) => isOwn(pid, folder)))
  for (const pid of pids.filter((_, i) => own[i])) {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    // The process that waits for the end of a box has the same arguments after those of the box.
    if (words[0] !== boxProgram && words.includes(word)) return identify(Number(pid))
  }
  return undefined
}

/** The process itself, if it has not ended and is that of a folder: the folder may have another path now. */
export async function recallProcess(one: QemuProcess, folder: string): Promise<QemuProcess | undefined> {
  return (await isAlive(one)) && (await isOwn(String(one.pid), folder)) ? one : undefined
}

async function isOwn(pid: string, folder: string): Promise<boolean> {
  const read = (path: string) => stat(path).catch(() => undefined)
  const [owner, works, here] = await Promise.all(
    [`/proc/${pid}`, `/proc/${pid}/cwd`, folder].map((path) => read(path)),
  )
  return (
    works !== undefined &&
    owner?.uid === process.getuid?.() &&
    works.dev === here?.dev &&
    works.ino === here.ino
  )
}

async function identify(pid: number): Promise<QemuProcess | undefined> {
  const started = await startOf(pid)
  return started === undefined ? undefined : { pid, started }
}

/** Undefined if the process has ended and its files are closed, also if its parent has not noticed yet. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the program, in parentheses, may have spaces.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // While other threads end, the files that they share are open.
  const hasClosed = state === 'Z' && fields[16] === '1'
  return state === undefined || state === '' || state === 'X' || hasClosed ? undefined : fields[18]
}

/** False also if another process has its number. */
export const isAlive = async ({ pid, started }: QemuProcess): Promise<boolean> =>
  (await startOf(pid)) === started

/** Ends a process at once. */
export async function killProcess(one: QemuProcess): Promise<void> {
  if (!(await isAlive(one))) return
  try {
    process.kill(one.pid, 'SIGKILL')
  } catch (error) {
    // It has ended since then.
    if (systemCodeOf(error) !== 'ESRCH') throw error
  }
}

/** Returns when the process has ended: then its files are free. */
export async function untilEnded(one: QemuProcess, clock: Clock): Promise<void> {
  while (await isAlive(one)) await new Promise<void>((done) => void clock.after(lookMs, done))
}
