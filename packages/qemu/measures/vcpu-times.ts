/** How the threads of vCPUs spend their time, as the host counts it. */
import { readdir, readFile } from 'node:fs/promises'
import type { QemuAccelerator } from '../machine/arguments.ts'

const nsPerTick = 1e7

/** Nanoseconds since the counters began. They add up to the time that has passed. */
export interface VcpuTimes {
  run: number
  emulation: number
  waiting: number
  idle: number
}

/** The times of a thread since it began, in ns: `emulation` is a part of `run`. */
export interface ThreadTimes {
  run: number
  emulation: number
  waiting: number
}

/** The threads of a process as the host numbers them. In a box they have other numbers, which QEMU says. */
export async function hostThreads(pid: number, own: readonly number[]): Promise<number[]> {
  const numbers = new Map<number, number>()
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8').catch(() => '')
    const inBox = /^NSpid:.*?(\d+)$/m.exec(status)?.[1]
    if (inBox !== undefined) numbers.set(Number(inBox), Number(thread))
  }
  return own.map((number) => numbers.get(number) ?? number)
}

/**
 * The times of a thread; undefined if it has ended. With KVM, the time that it does not give to the guest emulates devices. Without, one program
 * runs the code of the guest and devices, and all is that of the guest.
 */
export async function threadTimes(
  pid: number,
  thread: number,
  accelerator: QemuAccelerator,
): Promise<ThreadTimes | undefined> {
  const read = (name: string) => readFile(`/proc/${pid}/task/${thread}/${name}`, 'utf8').catch(() => '')
  const [run, waiting] = (await read('schedstat')).trim().split(' ').map(Number)
  if (run === undefined || waiting === undefined) return undefined
  if (accelerator === 'tcg') return { run, emulation: 0, waiting }
  const stat = await read('stat')
  // From the third field on: the name of the program, in parentheses, may have spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [inUser = 0, inGuest = 0] = [fields[11], fields[40]]
  return { run, emulation: Math.max(0, inUser - inGuest) * nsPerTick, waiting }
}

/** How a span was spent. The clocks differ a little: the states always add up to the span. */
export function spent(
  before: ThreadTimes | undefined,
  now: ThreadTimes | undefined,
  span: number,
): VcpuTimes {
  if (!before || !now) return { run: 0, emulation: 0, waiting: 0, idle: span }
  const more = (state: keyof ThreadTimes) => Math.max(0, now[state] - before[state])
  const busy = Math.min(span, more('run'))
  const waiting = Math.min(span - busy, more('waiting'))
  const emulation = Math.min(busy, more('emulation'))
  return { run: busy - emulation, emulation, waiting, idle: span - busy - waiting }
}

export const addTimes = (before: VcpuTimes | undefined, more: VcpuTimes): VcpuTimes => ({
  run: (before?.run ?? 0) + more.run,
  emulation: (before?.emulation ?? 0) + more.emulation,
  waiting: (before?.waiting ?? 0) + more.waiting,
  idle: (before?.idle ?? 0) + more.idle,
})
