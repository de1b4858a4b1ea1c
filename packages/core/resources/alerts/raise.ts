/** Makes alerts of conditions that begin, and marks them when these end. */
import { classOf, matchesClass } from '@purlin/contract/rules/alerts/classes'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import type { World } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import { newRowId } from '#/db/row-id.ts'
import type { AlertDeliveryTable, AlertTable, AttentionTable, Tx } from '#/db/tables.ts'

/** The transaction that changes alerts. */
export interface At {
  tx: Tx
  world: Pick<World, 'engine' | 'ids' | 'clock'>
  now: number
}

/** Makes the alert of a condition that begins, and the deliveries to the receivers that subscribe to its class. */
export async function raiseAlert(at: At, { id, kind, since, ...finding }: AttentionTable): Promise<void> {
  const { tx, world, now } = at
  const alertClass = classOf(kind)
  const before = await tx
    .selectFrom('alert')
    .select('silencedUntil')
    .where('findingId', '=', id)
    .orderBy('timeStarted', 'desc')
    .limit(1)
    .executeTakeFirst()
  const silencedUntil = before?.silencedUntil ?? null
  const alert: AlertTable = {
    ...finding,
    id: newRowId(world),
    class: alertClass,
    findingId: id,
    timeStarted: since,
    timeEnded: null,
    timeAcknowledged: null,
    acknowledgedBy: null,
    silencedUntil,
  }
  await insertRow(tx, 'alert', alert)
  if (silencedUntil !== null && silencedUntil > now) return
  const subscriptions = await tx.selectFrom('alertSubscription').selectAll().execute()
  const receivers = subscriptions.filter(({ subscription }) => matchesClass(subscription, alertClass))
  for (const receiverId of new Set(receivers.map((one) => one.alertReceiverId)))
    await addDelivery(at, { alert, receiverId, trigger: 'alert' })
}

/** Marks the alert of a condition that has ended. */
export const endAlert = ({ tx, now }: At, findingId: string): Promise<unknown> =>
  tx
    .updateTable('alert')
    .set({ timeEnded: now })
    .where('findingId', '=', findingId)
    .where('timeEnded', 'is', null)
    .execute()

interface New {
  alert: { id: string; class: string }
  receiverId: string
  trigger: 'alert' | 'resend'
}

/** Adds a delivery that is due at once. */
export async function addDelivery(
  { tx, world, now }: At,
  { alert, receiverId, trigger }: New,
): Promise<AlertDeliveryTable> {
  const row: AlertDeliveryTable = {
    id: newRowId(world),
    alertReceiverId: receiverId,
    alertId: alert.id,
    alertClass: alert.class,
    state: 'pending',
    trigger,
    timeStarted: now,
    dueAt: now,
    attemptsJson: '[]',
  }
  await insertRow(tx, 'alertDelivery', row)
  return row
}

const dayMs = 86_400_000
const atOnce = 500

/** Deletes some alerts that ended long ago or are too many, with their deliveries. True if there may be more. */
export async function dropOldAlerts(tx: Tx, now: number): Promise<boolean> {
  const { kept, days } = alertLimits
  const ended = tx.selectFrom('alert').select(['id', 'timeStarted']).where('timeEnded', 'is not', null)
  const newest = ended.orderBy('timeStarted', 'desc').orderBy('id', 'desc')
  const [last] = await newest.offset(kept).limit(1).execute()
  const until = Math.max(now - days * dayMs, last?.timeStarted ?? 0)
  const old = await ended.where('timeStarted', '<=', until).orderBy('timeStarted').limit(atOnce).execute()
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return false
  await tx.deleteFrom('alertDelivery').where('alertId', 'in', ids).execute()
  await tx.deleteFrom('alert').where('id', 'in', ids).execute()
  return ids.length === atOnce
}
