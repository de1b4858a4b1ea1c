/**
 * A control group for each machine, which bounds its memory, processes and processors: below the group of this process, where the
 * host lets it make some. Both versions are known.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VmSpec } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'

const MiB = 1024 ** 2
/** QEMU itself, with the code that it translates where it emulates guests. */
const overhead = 1536 * MiB
/** The threads for disks are 64 at most. */
const moreThreads = 256
/** Devices take one more than the guest has. */
const moreProcessors = 1
const periodUs = 100_000

const controllers = ['memory', 'pids', 'cpu'] as const
type Controller = (typeof controllers)[number]
export type GroupedSpec = Pick<VmSpec, 'ncpus' | 'memory'>

/** The files of the limits in version 1 and 2. */
const limits: Record<
  Controller,
  (spec: GroupedSpec) => readonly (readonly [file: string, value: string])[][]
> = {
  memory: ({ memory }) => [
    [['memory.limit_in_bytes', String(memory + overhead)]],
    [['memory.max', String(memory + overhead)]],
  ],
  pids: ({ ncpus }) => [
    [['pids.max', String(ncpus + moreThreads)]],
    [['pids.max', String(ncpus + moreThreads)]],
  ],
  cpu: ({ ncpus }) => [
    [
      ['cpu.cfs_period_us', String(periodUs)],
      ['cpu.cfs_quota_us', String((ncpus + moreProcessors) * periodUs)],
    ],
    [['cpu.max', `${(ncpus + moreProcessors) * periodUs} ${periodUs}`]],
  ],
}

/** A group that has those of machines, for some of the controllers. */
interface Base {
  path: string
  version: 1 | 2
  of: readonly Controller[]
}

export interface ControlGroups {
  /** The controllers that bound machines. */
  readonly bounded: readonly Controller[]
  /** Why some do not, for operators. */
  readonly problem?: string
  /** Puts the process of a machine into its group. Throws if a limit cannot be set. */
  join(id: string, pid: number, spec: GroupedSpec): Promise<void>
  /** Removes the group of a machine that has ended. */
  remove(id: string): Promise<void>
  /** Removes those of machines that the host does not have any more. */
  removeOthers(ids: readonly string[]): Promise<void>
  /** Removes the group of all machines, unless one is in it. */
  close(): Promise<void>
}

/** Finds the groups for the machines in a folder. Where none can be made, `join` does nothing. */
export async function openControlGroups(folder: string): Promise<ControlGroups> {
  const name = `purlin-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`
  const bases: Base[] = []
  const problems: string[] = []
  for (const { path, version, of } of await ownGroups()) {
    const base = { path: join(path, name), version, of }
    const problem = await open(base)
    if (problem === undefined) bases.push(base)
    else problems.push(`${of.join(', ')}: ${problem}`)
  }
  const bounded = bases.flatMap(({ of }) => of)
  const missing = controllers.filter((one) => !bounded.includes(one))
  const problem = problems.length > 0 ? problems.join('; ') : `no group has ${missing.join(', ')}`
  const remove = async (id: string) => {
    for (const { path } of bases) await rmdir(join(path, id)).catch(() => undefined)
  }
  return {
    bounded,
    ...(missing.length > 0 ? { problem } : {}),
    remove,
    async close() {
      for (const { path } of bases) await rmdir(path).catch(() => undefined)
    },
    async join(id, pid, spec) {
      for (const base of bases) await enter(base, { id, pid, spec })
    },
    async removeOthers(ids) {
      const found = await Promise.all(bases.map(({ path }) => readdir(path, { withFileTypes: true })))
      const others = found.flat().filter((one) => one.isDirectory() && !ids.includes(one.name))
      for (const one of others) await remove(one.name)
    },
  }
}

async function enter(
  { path, version, of }: Base,
  { id, pid, spec }: { id: string; pid: number; spec: GroupedSpec },
): Promise<void> {
  const own = join(path, id)
  await mkdir(own, { recursive: true })
  for (const controller of of)
    for (const [file, value] of limits[controller](spec)[version - 1] ?? [])
      await writeFile(join(own, file), value)
  await writeFile(join(own, 'cgroup.procs'), String(pid))
}

/** Makes the group. Returns why it cannot. */
async function open({ path, version, of }: Base): Promise<string | undefined> {
  try {
    await mkdir(path, { recursive: true })
    if (version === 2) {
      const on = of.map((one) => `+${one}`).join(' ')
      // Fails for a group that has processes itself.
      await writeFile(join(path, '..', 'cgroup.subtree_control'), on)
      await writeFile(join(path, 'cgroup.subtree_control'), on)
    }
    return undefined
  } catch (error) {
    await rmdir(path).catch(() => undefined)
    return messageOf(error)
  }
}

/** The groups in which this process is and below which there may be others, with their controllers. */
async function ownGroups(): Promise<Base[]> {
  const text = (path: string) => readFile(path, 'utf8').catch(() => '')
  const own = (await text('/proc/self/cgroup')).trim().split('\n')
  const mounts = (await text('/proc/self/mountinfo')).split('\n').map((line) => line.split(' '))
  const found: Base[] = []
  for (const line of own) {
    const [, names = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    const version = names === '' ? 2 : 1
    const isIts = (words: string[]) => {
      const [type, , options = ''] = words.slice(words.indexOf('-') + 1)
      return version === 2
        ? type === 'cgroup2'
        : type === 'cgroup' && options.split(',').includes(names.split(',')[0] ?? '')
    }
    const mount = mounts.find(isIts)
    const at = mount && groupAt({ root: mount[3] ?? '/', point: mount[4] ?? '' }, path)
    if (at === undefined) continue
    const has =
      version === 1 ? names.split(',') : (await text(join(at, 'cgroup.controllers'))).trim().split(' ')
    const of = controllers.filter((one) => has.includes(one))
    if (of.length > 0) found.push({ path: version === 2 ? await aboveOwn(at) : at, version, of })
  }
  return found
}

/** A process in a part of its service makes others next to that: `DelegateSubgroup` of systemd. Groups of units are systemd's. */
async function aboveOwn(at: string): Promise<string> {
  if (/\.(?:service|scope|slice)$/.test(at)) return at
  const above = join(at, '..')
  const inIt = await readFile(join(above, 'cgroup.procs'), 'utf8').catch(() => undefined)
  return inIt?.trim() === '' ? above : at
}

/** The path of a group; undefined if it is not below what is mounted. */
function groupAt({ root, point }: { root: string; point: string }, path: string): string | undefined {
  if (root === '/') return join(point, path)
  return path === root || path.startsWith(`${root}/`) ? join(point, path.slice(root.length)) : undefined
}
