/** Changes that are rolled back unless they are confirmed in time: what counted before them, and until when. */
import { ownRecord } from '#/audit/own-records.ts'
import type { Ctx, Touched, World } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import { fault } from '#/faults.ts'
import type { Tx, UnconfirmedTable } from '#/db/tables.ts'

/** The subject of such a change. */
type Subject = UnconfirmedTable['id']

const words: Record<Subject, { noun: string; rollBack: string }> = {
  allowList: { noun: 'allow list', rollBack: 'networking_allow_list_roll_back' },
  switches: { noun: 'change of switches', rollBack: 'networking_switch_change_roll_back' },
}

/** The change that waits to be confirmed. */
export const unconfirmedIn = (tx: Tx, id: Subject): Promise<UnconfirmedTable | undefined> =>
  tx.selectFrom('unconfirmed').selectAll().where('id', '=', id).executeTakeFirst()

/** The change that was made last stays. */
export const keep = (tx: Tx, id: Subject): Promise<unknown> =>
  tx.deleteFrom('unconfirmed').where('id', '=', id).execute()

/**
 * Is called before each change. With a number of seconds, the state of before counts again after that time; of several
 * such changes, the state before the first one does. Without, the change and those before it stay.
 */
export async function beforeChange(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  id: Subject,
  { confirmWithin, former }: { confirmWithin: number | undefined; former: () => Promise<unknown> },
): Promise<void> {
  if (confirmWithin === undefined) {
    await keep(tx, id)
    return
  }
  const timeRollBack = now + confirmWithin * 1000
  if (await unconfirmedIn(tx, id))
    await tx.updateTable('unconfirmed').set({ timeRollBack }).where('id', '=', id).execute()
  else {
    const row = { id, formerJson: JSON.stringify(await former()), timeRollBack }
    await tx.insertInto('unconfirmed').values(row).execute()
  }
}

/** Makes the state of before a change count again, which is passed as it was stored. */
type Restore = (tx: Tx, formerJson: string, now: number) => Promise<unknown>

/** Throws 400 if no change waits. */
export async function confirmChange(ctx: Pick<Ctx, 'tx' | 'now'>, id: Subject): Promise<void> {
  await waitingFor(ctx, id, 'confirm')
  await keep(ctx.tx, id)
}

/** Stores the state of before again at once. Throws 400 if no change waits. */
export async function rollBackChange(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  id: Subject,
  restore: Restore,
): Promise<void> {
  const { formerJson } = await waitingFor(ctx, id, 'roll back')
  await restore(ctx.tx, formerJson, ctx.now)
  await keep(ctx.tx, id)
}

async function waitingFor(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  id: Subject,
  verb: string,
): Promise<UnconfirmedTable> {
  const waiting = await unconfirmedIn(tx, id)
  if (!waiting || waiting.timeRollBack <= now)
    throw fault.invalid(`there is no ${words[id].noun} to ${verb}: it was confirmed or rolled back before`)
  return waiting
}

/**
 * Stores the state of before again once the time to confirm has passed. `changed` finds the resources that the audit log
 * names, before that. Returns when that is to be looked at again.
 */
export async function rollBackInTime(
  world: World,
  id: Subject,
  { restore, changed }: { restore: Restore; changed?: (tx: Tx, formerJson: string) => Promise<Touched[]> },
): Promise<number> {
  const { engine, clock, log } = world
  const waiting = await engine.transaction('read', (tx) => unconfirmedIn(tx, id))
  if (!waiting) return Infinity
  if (waiting.timeRollBack > clock.now()) return waiting.timeRollBack
  const isRolledBack = await engine.transaction('write', async (tx) => {
    const still = await unconfirmedIn(tx, id)
    // Another server may have done it.
    if (!still || still.timeRollBack > clock.now()) return false
    const touched = (await changed?.(tx, still.formerJson)) ?? []
    await restore(tx, still.formerJson, clock.now())
    await keep(tx, id)
    const deed = { operation: words[id].rollBack, by: 'not confirmed in time', touched }
    await insertRow(tx, 'auditPending', ownRecord(world, deed))
    return true
  })
  if (isRolledBack)
    log.warn({}, `the ${words[id].noun} was not confirmed in time: the state of before counts again`)
  return isRolledBack ? Infinity : clock.now()
}
