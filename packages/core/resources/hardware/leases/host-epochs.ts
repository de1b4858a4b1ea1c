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

/** No host gets as far by takeovers. */
const mostEpoch = 2 ** 48

export interface HostEpochs {
  /** Does not wait for hosts: one that does not answer gets the epoch with the next call. */
  announce(sledId: string, epoch: number): void
  /** The sleds that refused this server since the last call, and that it drives by a newer epoch now. */
  regained(): string[]
}

/**
 * `mayRaise` says by the row of the lease whether this server drives the sled: a former holder that was frozen must not. A newer
 * epoch is stored and then given to `onRaised`.
 */
export function hostEpochs(
  world: World,
  mayRaise: (lease: LeaseTable | undefined) => boolean,
  onRaised: (sledId: string, epoch: number) => void,
): HostEpochs {
  const { sleds, log, engine } = world
  let regained: string[] = []
  const underWay = new Set<string>()

  const announce = (sledId: string, epoch: number): void => {
    sleds.hold(sledId, epoch).catch((error: unknown) => {
      if (error instanceof DrivenElsewhere) return goAbove(sledId, error.epoch)
      if (!(error instanceof SledUnreachable)) failed(sledId, error)
    })
  }

  const failed = (sled: string, error: unknown) =>
    log.error({ sled, error: String(error) }, 'a host does not know which server drives it')

  async function goAbove(sledId: string, known: number | undefined): Promise<void> {
    if (known === undefined || underWay.has(sledId)) return
    if (known >= mostEpoch) return failed(sledId, `it knows the epoch ${known}`)
    underWay.add(sledId)
    try {
      const epoch = await evenWhileFull(() => engine.transaction('write', (tx) => raised(tx, sledId, known)))
      if (epoch === null) return
      log.warn(
        { sled: sledId, known, epoch },
        'a host knew a newer server than the database: it was restored, or moved',
      )
      onRaised(sledId, epoch)
      regained.push(sledId)
      announce(sledId, epoch)
    } catch (error) {
      failed(sledId, error)
    } finally {
      underWay.delete(sledId)
    }
  }

  /** The new epoch; null if another server drives the sled, or this one already in a newer epoch than that which was refused. */
  async function raised(tx: Tx, sledId: string, known: number): Promise<number | null> {
    const name = leaseOf(sledId)
    const lease = await tx.selectFrom('lease').selectAll().where('name', '=', name).executeTakeFirst()
    if (!mayRaise(lease) || (lease?.epoch ?? 0) >= known) return null
    const epoch = known + 1
    await setLease(tx, name, { until: lease?.until ?? 0, epoch })
    return epoch
  }

  return {
    announce,
    regained: () => {
      const ids = regained
      regained = []
      return ids
    },
  }
}
