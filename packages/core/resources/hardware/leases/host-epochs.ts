/**
 * Announces to hosts who drives them. A host refuses older epochs than it has seen, also those of a database that was restored from
 * a backup: the server that drives the host by that database goes above the epoch that the host knows.
 */
import type { World } from '#/context.ts'
import { setLease } from '#/db/rows/leases.ts'
import type { LeaseTable, Tx } from '#/db/tables.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { DrivenElsewhere, SledUnreachable } from '#/ports.ts'

const prefix = 'sled '
/** The name of the lease of a sled. */
export const leaseOf = (sledId: string): string => `${prefix}${sledId}`
/** The sled of a lease, if it is one of a sled. */
export const sledOf = (name: string): string[] => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])

/** Epochs are times, or a little more: the clock of no server was further ahead. */
const aheadMs = 24 * 3_600_000
/** The pause after the first attempt to go above a host, which doubles with each one that it refuses. */
const firstPauseMs = 1_000
const longestPauseMs = 600_000

export interface HostEpochs {
  /** Does not wait for hosts: one that does not answer gets the epoch with the next call. */
  announce(sledId: string, epoch: number): void
  /** The sleds that had refused this server, and that have accepted a newer epoch since the last call. */
  regained(): string[]
  /** The sleds of this server that have answered none of its announcements for that long. */
  silent(ms: number, isHeld: (sledId: string) => boolean): string[]
}

/** A sled that refuses this server, or did so less than the longest pause ago. */
interface Dispute {
  /** When it refused last. */
  at: number
  /** 0 before the first attempt. */
  pauseMs: number
  /** When the pause ends. */
  until: number
  /** The new epoch, until the sled accepts it. */
  raised?: number
  hasFailed: boolean
  hasWarned: boolean
}

type MayRaise = (lease: LeaseTable | undefined) => boolean

/** The dispute with a sled that refuses this server now. */
function refusedNow(disputes: Map<string, Dispute>, sledId: string, now: number): Dispute {
  const before = disputes.get(sledId)
  const dispute = before ?? { at: now, pauseMs: 0, until: now, hasFailed: false, hasWarned: false }
  disputes.set(sledId, dispute)
  dispute.at = now
  return dispute
}

/**
 * `mayRaise` says by the row of the lease whether this server drives the sled: a former holder that was frozen must not. A newer
 * epoch is stored and then given to `onRaised`, to be announced in the next round.
 */
export function hostEpochs(
  world: World,
  mayRaise: MayRaise,
  onRaised: (sledId: string, epoch: number) => void,
): HostEpochs {
  const { sleds, log, engine, clock } = world
  const regained = new Set<string>()
  const underWay = new Set<string>()
  const disputes = new Map<string, Dispute>()
  const silences = silencesOf(world)
  const disputeOf = (sledId: string) => refusedNow(disputes, sledId, clock.now())

  const announce = (sledId: string, epoch: number): void => {
    const refused = (error: unknown) => {
      if (isSilence(error)) return silences.note(sledId)
      silences.end(sledId)
      if (error instanceof DrivenElsewhere) return goAbove(sledId, { announced: epoch, known: error.epoch })
      failed(sledId, error)
    }
    void sleds.hold(sledId, epoch).then(() => accepted(sledId, epoch), refused)
  }

  function accepted(sledId: string, epoch: number): void {
    silences.end(sledId)
    const dispute = disputes.get(sledId)
    if (!dispute) return
    if (dispute.raised !== undefined && epoch >= dispute.raised) {
      regained.add(sledId)
      delete dispute.raised
    }
    // One that accepts and refuses by turns gains nothing.
    if (clock.now() >= dispute.at + longestPauseMs) disputes.delete(sledId)
  }

  const failed = (sled: string, error: unknown) => complain(log, disputeOf(sled), { sled, error })

  async function goAbove(
    sledId: string,
    { announced, known }: { announced: number; known: number | undefined },
  ): Promise<void> {
    if (known === undefined || underWay.has(sledId)) return
    const dispute = disputeOf(sledId)
    const now = clock.now()
    if (now < dispute.until) return
    if (known <= announced || known > now + aheadMs)
      return failed(sledId, `it refuses ${announced} and says that it knows the epoch ${known}`)
    dispute.pauseMs = Math.min(dispute.pauseMs * 2 || firstPauseMs, longestPauseMs)
    dispute.until = now + dispute.pauseMs
    underWay.add(sledId)
    try {
      const epoch = await evenWhileFull(() =>
        engine.transaction('write', (tx) => raised(tx, { sledId, known }, mayRaise)),
      )
      if (epoch === null) return
      if (!dispute.hasWarned)
        log.warn(
          { sled: sledId, known, epoch },
          'a host knew a newer server than the database: it was restored, or moved',
        )
      dispute.hasWarned = true
      dispute.raised = epoch
      onRaised(sledId, epoch)
    } catch (error) {
      failed(sledId, error)
    } finally {
      underWay.delete(sledId)
    }
  }

  return {
    announce,
    regained: () => {
      const ids = [...regained]
      regained.clear()
      return ids
    },
    silent: silences.long,
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof SledUnreachable && !(error instanceof DrivenElsewhere)

/** Logs the first failure of a dispute. */
function complain(log: World['log'], dispute: Dispute, { sled, error }: { sled: string; error: unknown }) {
  if (!dispute.hasFailed)
    log.error({ sled, error: String(error) }, 'a host does not know which server drives it')
  dispute.hasFailed = true
}

/** Since when sleds do not answer. */
function silencesOf({ clock }: Pick<World, 'clock'>) {
  const since = new Map<string, number>()
  return {
    note: (sledId: string) => void since.set(sledId, since.get(sledId) ?? clock.now()),
    end: (sledId: string) => void since.delete(sledId),
    /** Those of at least that long. A sled that is left to others is not asked: its next silence begins with its next lease. */
    long: (ms: number, isHeld: (sledId: string) => boolean): string[] => {
      for (const id of since.keys()) if (!isHeld(id)) since.delete(id)
      return [...since].flatMap(([id, from]) => (clock.now() >= from + ms ? id : []))
    },
  }
}

/** The new epoch; null if another server drives the sled, or this one already in a newer epoch than that which was refused. */
async function raised(
  tx: Tx,
  { sledId, known }: { sledId: string; known: number },
  mayRaise: MayRaise,
): Promise<number | null> {
  const name = leaseOf(sledId)
  const lease = await tx.selectFrom('lease').selectAll().where('name', '=', name).executeTakeFirst()
  if (!mayRaise(lease) || (lease?.epoch ?? 0) >= known) return null
  const epoch = known + 1
  await setLease(tx, name, { until: lease?.until ?? 0, epoch })
  return epoch
}
