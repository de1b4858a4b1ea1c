/**
 * The uploads of this browser: how much of each was sent, so that it can be resumed after its page was closed, and
 * which are running now. The control plane knows neither.
 */

/** The bytes that were sent to a disk. */
export interface Sent {
  /** All bytes of the file before this offset were written. */
  bytes: number
  /** checksum over those bytes */
  sum: number
  /** Nothing was sent for this offset or beyond, so the disk still holds zeros there. */
  reach: number
}

const key = 'purlin-uploads'
// Records of disks that were removed elsewhere must not accumulate.
const maxRecords = 20

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
/** Records without a reach, from earlier versions, are useless: the reach decides which zeros must be sent. */
const isSent = (value: unknown): value is Sent =>
  typeof value === 'object' &&
  value !== null &&
  (['bytes', 'sum', 'reach'] as const).every((name) => isCount((value as Partial<Sent>)[name]))

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Records by disk. The store is opened for each access, because a browser may deny it. */
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
  // Without records an interrupted upload starts over. Outdated records would corrupt the image.
  function forgetAll(): void {
    try {
      store().removeItem(key)
    } catch {
      // A store that cannot be written cannot be read either.
    }
  }
  return {
    /** The disks with a record, the latest last. */
    disks: (): string[] => readAll().map(([id]) => id),
    read: (diskId: string): Sent | undefined => readAll().find(([id]) => id === diskId)?.[1],
    /** Stores the record of a disk; undefined removes it. */
    keep(diskId: string, sent: Sent | undefined): void {
      const others = readAll().filter(([id]) => id !== diskId)
      writeAll(sent ? [...others.slice(1 - maxRecords), [diskId, sent]] : others)
    },
  }
}
export type Records = ReturnType<typeof createRecords>
export const records: Records = createRecords(() => localStorage)

const prefix = 'purlin-upload:'
const isLocking = (): boolean => 'locks' in navigator

/**
 * Takes the lock of a disk, which an upload to it holds, and gives the function that releases it; undefined if the
 * lock is taken. The browser releases it when the page is closed. Pages without TLS have no locks; there it always
 * succeeds.
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

/** The disks that any tab of this browser is uploading to. */
export async function lockedDisks(): Promise<ReadonlySet<string>> {
  const { held = [] }: LockManagerSnapshot = isLocking()
    ? await navigator.locks.query().catch(() => ({}))
    : {}
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(prefix))
  return new Set(names.map((name) => name.slice(prefix.length)))
}
