/** Claims of servers on image imports: whose end is in the row, and moves on while the server works. */
import type { World } from '#/context.ts'
import { createMutex, type Locked } from '#/concurrency/locks.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import type { ImageImportTable, Tx } from '#/db/tables.ts'
import { chargeImport, type ImportSize } from '#/resources/storage/import-charges.ts'
import type { ImportPorts } from '#/resources/storage/import-files.ts'

const kind = 'imageImport'
export type Row = ImageImportTable

const leaseMs = 10_000
const renewMs = 3_000

/** The import was cancelled, or another server has it. */
export class NotWanted extends Error {
  override name = 'NotWanted'
}

export interface Claim {
  /** As it is in the database. */
  row: Row
  readonly isLost: boolean
  /** Resolves once it is lost. */
  readonly lost: Promise<void>
  lose(): void
  /** One change at a time. */
  readonly locked: Locked
}

/** An import that this server has claimed. */
export interface Work {
  world: World
  ports: ImportPorts
  claim: Claim
  isStopped: () => boolean
}

/** The columns of a file of which there are no bytes yet. */
export const beginning = ({ ids }: Pick<World, 'ids'>) =>
  ({ state: 'receiving', fileId: ids.uuid(), received: 0, validator: null, layerId: null }) as const

function claimOf(row: Row): Claim {
  const { promise: lost, resolve } = Promise.withResolvers<void>()
  let isLost = false
  const lose = () => {
    isLost = true
    resolve()
  }
  const locked = createMutex()
  return {
    row,
    get isLost() {
      return isLost
    },
    lost,
    lose,
    locked,
  }
}

/** Claims the first import that is due, and none of those or of the silos that are given. */
export async function claimNext(
  { engine, clock }: World,
  except: { ids: readonly string[]; silos: readonly string[] },
): Promise<Claim | undefined> {
  const now = clock.now()
  const first = (tx: Tx) =>
    tx
      .selectFrom(kind)
      .selectAll()
      .where('dueAt', '<=', now)
      .$if(except.ids.length > 0, (rows) => rows.where('id', 'not in', except.ids))
      .$if(except.silos.length > 0, (rows) => rows.where('siloId', 'not in', except.silos))
      .orderBy('dueAt')
      .limit(1)
      .executeTakeFirst()
  if (!(await engine.transaction('read', first))) return undefined
  return engine.transaction('write', async (tx) => {
    const row = await first(tx)
    if (!row) return undefined
    const dueAt = now + leaseMs
    await tx.updateTable(kind).set({ dueAt }).where('id', '=', row.id).execute()
    return claimOf({ ...row, dueAt })
  })
}

/** Changes the row in a transaction. Throws NotWanted if the claim is lost. */
export async function changeIn(tx: Tx, claim: Claim, changes: Partial<Row>): Promise<Row> {
  const { numUpdatedRows } = await tx
    .updateTable(kind)
    .set({ dueAt: claim.row.dueAt, ...changes })
    .where('id', '=', claim.row.id)
    .where('dueAt', '=', claim.row.dueAt)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return { ...claim.row, ...changes }
  claim.lose()
  throw new NotWanted('the import is not wanted here any more')
}

/**
 * Changes the row, and keeps the claim unless the changes end it. They may be made in the transaction of the change.
 * Throws NotWanted if the claim is lost.
 */
export const change = (
  { engine, clock }: World,
  claim: Claim,
  changes: Partial<Row> | ((tx: Tx) => Promise<Partial<Row>>),
): Promise<void> =>
  claim.locked(async () => {
    const work = async (tx: Tx) => {
      const made = typeof changes === 'function' ? await changes(tx) : changes
      return changeIn(tx, claim, { dueAt: clock.now() + leaseMs, ...made })
    }
    claim.row = await evenWhileFull(() => engine.transaction('write', work))
  })

/** Changes the row, and charges it for this size. Throws NotWanted, and 507 without quota. */
export const changeCharged = (
  { world, claim }: Pick<Work, 'world' | 'claim'>,
  size: ImportSize,
  changes: Partial<Row>,
): Promise<void> =>
  change(world, claim, async (tx) => ({
    ...changes,
    ...(await chargeImport({ tx, now: world.clock.now() }, claim.row, size)),
  }))

/** Renews the claim until the returned function is called. */
export function holdClaim(world: World, claim: Claim): () => void {
  let cancel = () => {}
  let isReleased = false
  const later = () => {
    if (isReleased || claim.isLost) return
    // If it fails, the next change notices.
    cancel = world.clock.after(renewMs, () => void change(world, claim, {}).then(later, later))
  }
  later()
  return () => {
    isReleased = true
    cancel()
  }
}
