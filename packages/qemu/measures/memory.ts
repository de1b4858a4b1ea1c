/** The memory that a guest uses, as it says itself, or what its machine has taken from the host. */
import { readFile } from 'node:fs/promises'
import type { Measures } from '@purlin/core/ports'
import type { Qmp } from '../qmp/qmp.ts'

/** The id of the device by which the guest says it. */
export const balloon = 'balloon'
const path = `/machine/peripheral/${balloon}`
/** Guests are asked this often. */
const askSeconds = 5
/** A guest that has not answered for so long has no driver any more. */
const validMs = 30_000

export interface MemorySample {
  time: number
  source: 'guest' | 'host'
  /** bytes */
  used: number
}

interface GuestStats {
  /** seconds since 1970; 0 before the first answer */
  'last-update': number
  stats: Partial<Record<'stat-total-memory' | 'stat-available-memory', number>>
}

/** Begins to ask the guest. */
export const askForMemory = (qmp: Qmp): Promise<unknown> =>
  qmp.run('qom-set', { path, property: 'guest-stats-polling-interval', value: askSeconds })

/** Undefined once the process has ended. A machine from before there was the device has the value of the host. */
export async function memoryAt(
  time: number,
  { qmp, pid, now }: { qmp: Qmp; pid: number; now: number },
): Promise<MemorySample | undefined> {
  const said = await qmp.run<GuestStats>('qom-get', { path, property: 'guest-stats' }).catch(() => undefined)
  const used = said && usedOf(said, now)
  if (used !== undefined) return { time, source: 'guest', used }
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  return resident === undefined ? undefined : { time, source: 'host', used: Number(resident) * 1024 }
}

/** A guest that does not know a value gives all ones. */
function usedOf({ 'last-update': at, stats }: GuestStats, now: number): number | undefined {
  const { 'stat-total-memory': total = -1, 'stat-available-memory': available = -1 } = stats
  const isKnown = total > 0 && available >= 0 && available <= total && total < 2 ** 53
  return isKnown && now - at * 1000 < validMs ? total - available : undefined
}

/** A series for each source: the guest has none before its driver runs. */
export const memoryMeasures = (id: string, samples: readonly MemorySample[]): Measures[] =>
  (['guest', 'host'] as const).map((source) => {
    const own = samples.filter((one) => one.source === source)
    return {
      kind: 'virtual_machine',
      id,
      times: own.map(({ time }) => time),
      series: [{ metric: 'memory_used', labels: { source }, values: own.map(({ used }) => used) }],
    }
  })
