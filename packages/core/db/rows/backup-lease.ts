/**
 * The lease that a backup holds from before it copies the rows until it has copied all bytes. Bytes are removed in
 * this order, so that the copied rows never name any that are missing: first the change is committed after which no
 * row names them, then `isBackupUnderWay` is asked, and only if it is false they are removed.
 */
import type { Engine } from '../engine.ts'
import type { Tx } from '../tables.ts'

const name = 'backup'
/** A process that was killed keeps the lease this long. */
const leaseMs = 60_000
const renewMs = 15_000

interface Around {
  engine: Engine
  /** One for all processes of the database. */
  clock: { now(): number; after(ms: number, then: () => void): () => void }
}

const leaseIn = (tx: Tx) =>
  tx.selectFrom('lease').select(['holder', 'until']).where('name', '=', name).executeTakeFirst()

/** True while bytes must not be removed. */
export const isBackupUnderWay = ({ engine, clock }: Around): Promise<boolean> =>
  engine.transaction('read', (tx) => isBackupHeld(tx, clock.now()))

/** True while a backup is made. */
export const isBackupHeld = async (tx: Tx, now: number): Promise<boolean> =>
  ((await leaseIn(tx))?.until ?? 0) > now

/** The backup has lost its lease, so bytes may be missing from it. */
class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * Does the work of a backup under the lease, as `holder`, of which there must be one process at a time: it takes over
 * the lease of one that was killed. Before a backup becomes whole, `requireHeld` must resolve: it throws if
 * the lease has ended since, even for a moment. Returns undefined, without the work, if another holder has the lease.
 */
export async function withBackupLease<T>(
  { engine, clock, holder }: Around & { holder: string },
  work: (requireHeld: () => Promise<void>) => Promise<T>,
): Promise<T | undefined> {
  const set = (tx: Tx, until: number) =>
    tx
      .insertInto('lease')
      .values({ name, holder, until })
      .onConflict((on) => on.column('name').doUpdateSet({ holder, until }))
      .execute()
  /** Sets the end of the lease if it is ours; with `isFirst`, also if it is free. */
  const change = (until: () => number, isFirst = false) =>
    engine.transaction('write', async (tx) => {
      const lease = await leaseIn(tx)
      const isHeld = lease !== undefined && lease.until > clock.now()
      const isOurs = lease?.holder === holder
      if (isFirst ? isHeld && !isOurs : !isHeld || !isOurs) return false
      await set(tx, until())
      return true
    })
  const later = () => clock.now() + leaseMs
  if (!(await change(later, true))) return undefined
  const requireHeld = async () => {
    if (await change(later)) return
    throw new LeaseLost('the backup took a pause of more than a minute: bytes may have been removed since')
  }
  let isDone = false
  let cancel = () => {}
  const renewLater = () => {
    // If it fails, the next call of `requireHeld` notices.
    if (!isDone) cancel = clock.after(renewMs, () => void requireHeld().then(renewLater, renewLater))
  }
  renewLater()
  try {
    return await work(requireHeld)
  } finally {
    isDone = true
    cancel()
    await change(() => 0).catch(() => false)
  }
}
