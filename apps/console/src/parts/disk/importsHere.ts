/**
 * What this browser knows of the uploads that it sends into disks: how far each has got, for when its page is
 * gone, and which are going on right now. The control plane can say neither, because writes of an import leave
 * no trace but the bytes themselves.
 */

/** What was sent into a disk. */
export interface Sent {
  /** Everything of the file before this is on the disk. */
  bytes: number
  /** checksum over that */
  sum: number
  /** Nothing was ever sent to here or beyond, so what a disk was made with is still there: zeros. */
  reach: number
}

const key = 'purlin-uploads'
// Those of disks that somebody else has removed would otherwise stay forever.
const most = 20

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
/** Earlier versions kept no reach. Without it nobody knows which zeros must be sent, so such a record is none. */
const isSent = (value: unknown): value is Sent =>
  typeof value === 'object' &&
  value !== null &&
  (['bytes', 'sum', 'reach'] as const).every((name) => isCount((value as Partial<Sent>)[name]))

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Records by disk. The store is asked for each time, because a browser may refuse to give it. */
export function createRecords(store: () => Store) {
  function readAll(): [disk: string, sent: Sent][] {
    try {
      const kept: unknown = JSON.parse(store().getItem(key) ?? '{}')
      return Object.entries(kept ?? {}).filter((entry): entry is [string, Sent] => isSent(entry[1]))
    } catch {
      return []
    }
  }
  function writeAll(records: [string, Sent][]): void {
    try {
      store().setItem(key, JSON.stringify(Object.fromEntries(records)))
    } catch {
      forgetAll()
    }
  }
  // Without a store an interrupted upload begins anew, nothing worse. Records that lag behind would be worse.
  function forgetAll(): void {
    try {
      store().removeItem(key)
    } catch {
      // Then none can be read either.
    }
  }
  return {
    read: (diskId: string): Sent | undefined => readAll().find(([id]) => id === diskId)?.[1],
    /** Keeps the record of a disk; undefined forgets it. */
    keep(diskId: string, sent: Sent | undefined): void {
      const others = readAll().filter(([id]) => id !== diskId)
      writeAll(sent ? [...others.slice(1 - most), [diskId, sent]] : others)
    },
  }
}
export type Records = ReturnType<typeof createRecords>
export const records: Records = createRecords(() => localStorage)

const prefix = 'purlin-upload:'
const isLocking = (): boolean => 'locks' in navigator

/**
 * Takes the lock of a disk, which whoever uploads into it holds, and says how to release it: undefined while it
 * is taken. The browser releases it when the page goes. Pages that came unencrypted have no locks, so to them
 * nothing is taken.
 */
export function takeLock(disk: string): Promise<(() => void) | undefined> {
  const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>()
  const hold = (lock: Lock | null) =>
    lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined)
  const without = () => resolve(() => undefined)
  if (isLocking()) void navigator.locks.request(prefix + disk, { ifAvailable: true }, hold).catch(without)
  else without()
  return promise
}

/** The disks that uploads in any tab of this browser are going into. */
export async function lockedDisks(): Promise<ReadonlySet<string>> {
  const { held = [] }: LockManagerSnapshot = isLocking()
    ? await navigator.locks.query().catch(() => ({}))
    : {}
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
  return new Set(names.map((name) => name.slice(prefix.length)))
}
