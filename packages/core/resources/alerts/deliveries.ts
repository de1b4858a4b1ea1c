/** Deliveries of alerts to receivers, and those that operators start. */
import { deliveryStates, matchesClass, probeClass } from '@purlin/contract/rules/alerts/classes'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family, RequestContext, World } from '#/context.ts'
import { mapPage, pageByStart } from '#/db/lists/pages.ts'
import type { AlertDeliveryTable, AlertReceiverTable, AlertTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { SendInterrupted } from '#/ports.ts'
import { checkRoom } from '../kind/room.ts'
import { subjectOf } from './alerts.ts'
import { addDelivery } from './raise.ts'
import { subscriptionsOf } from './receivers.ts'
import { attempt, attemptViews } from './send.ts'
import { kindOf, problemOf, targetOf, type Target } from './targets.ts'

/** A delivery as clients see it, with the alert if there is still one. */
export const deliveryView = (kind: Target['kind'], row: AlertDeliveryTable, alert?: AlertTable) => ({
  id: row.id,
  alertId: row.alertId,
  alertClass: row.alertClass,
  receiverId: row.alertReceiverId,
  state: row.state,
  trigger: row.trigger,
  timeStarted: new Date(row.timeStarted),
  attempts: attemptViews(kind, row),
  alert: alert ? { subject: subjectOf(alert), text: alert.text } : null,
})

export const alertDeliveries: Family<'alertDeliveryList' | 'alertDeliveryResend' | 'alertReceiverProbe'> = {
  async alertDeliveryList(ctx, { params, query }) {
    const receiver = await resolveInFleet(ctx, 'alertReceiver', params.receiver)
    const { id } = receiver
    const { pending, failed, delivered, ...page } = query
    const wanted = { pending, failed, delivered }
    const states = deliveryStates.filter((state) => wanted[state] === true)
    const rows = ctx.tx
      .selectFrom('alertDelivery')
      .where('alertReceiverId', '=', id)
      .where('state', 'in', states.length > 0 ? states : deliveryStates)
    const found = await pageByStart(ctx, page, { rows, table: 'alertDelivery', holder: id })
    const alerts = await alertsOf(ctx.tx, found.items)
    return mapPage(found, (row) => deliveryView(kindOf(receiver), row, alerts.get(row.alertId)))
  },

  async alertDeliveryResend(ctx, { params, query }) {
    const { tx } = ctx
    const alert = await resolveInFleet(ctx, 'alert', params.alertId)
    const receiver = await resolveInFleet(ctx, 'alertReceiver', query.receiver)
    const subscriptions = await subscriptionsOf(tx, [receiver.id])
    if (!subscriptions.some(({ subscription }) => matchesClass(subscription, alert.class)))
      throw fault.invalid(
        `cannot resend alert: receiver is not subscribed to the '${alert.class}' alert class`,
      )
    const waiting = await tx
      .selectFrom('alertDelivery')
      .select('id')
      .where('alertReceiverId', '=', receiver.id)
      .where('trigger', '=', 'resend')
      .where('state', '=', 'pending')
      .limit(alertLimits.resends)
      .execute()
    checkRoom(waiting.length, { noun: 'waiting resend', holder: 'receiver', most: alertLimits.resends })
    const { id } = await addDelivery(ctx, { alert, receiverId: receiver.id, trigger: 'resend' })
    ctx.wake('alerts')
    return { deliveryId: id }
  },

  alertReceiverProbe: {
    async withoutTransaction(request, { params, query }) {
      const target = await request.transaction('read', async (ctx) =>
        targetOf(ctx.tx, (await resolveInFleet(ctx, 'alertReceiver', params.receiver)).id),
      )
      if (!target) throw fault.notFound('alert-receiver', params.receiver)
      const problem = problemOf(request.world, target)
      if (problem !== null) throw fault.invalid(problem)
      const probe = await limited(request.world, () => sendProbe(request, target))
      const resends = await request.transaction('write', async (ctx) => {
        const receiver = await resolveInFleet(ctx, 'alertReceiver', target.id)
        return query.resend === true && probe.state === 'delivered' ? resendFailed(ctx, receiver) : null
      })
      return { probe: deliveryView(target.kind, probe), resendsStarted: resends }
    },
  },
}

/** The alerts of deliveries, by their ids. */
export async function alertsOf(
  tx: Tx,
  rows: readonly AlertDeliveryTable[],
): Promise<Map<string, AlertTable>> {
  if (rows.length === 0) return new Map()
  const ids = [...new Set(rows.map(({ alertId }) => alertId))]
  const found = await tx.selectFrom('alert').selectAll().where('id', 'in', ids).execute()
  return new Map(found.map((alert) => [alert.id, alert]))
}

const probing = new WeakMap<World, number>()

/** Counts what is being sent at once for a world. Throws 429 for one too many. */
async function limited<T>(world: World, work: () => Promise<T>): Promise<T> {
  const { probes: most } = alertLimits
  const before = probing.get(world) ?? 0
  if (before >= most) throw fault.tooManyProbes(most)
  probing.set(world, before + 1)
  try {
    return await work()
  } catch (error) {
    throw error instanceof SendInterrupted ? fault.unavailable('the server is stopping') : error
  } finally {
    probing.set(world, (probing.get(world) ?? 1) - 1)
  }
}

/** Sends a probe. It is not stored: the answer to the request is all that is known about it. */
async function sendProbe({ world, now }: RequestContext, target: Target): Promise<AlertDeliveryTable> {
  const { ids } = world
  const of = { id: ids.uuid(), alertId: ids.uuid(), alertClass: probeClass, trigger: 'probe' } as const
  const made = await attempt(world, target, { ...of, alert: undefined })
  return {
    ...of,
    alertReceiverId: target.id,
    state: made.result === 'succeeded' ? 'delivered' : 'failed',
    timeStarted: now,
    dueAt: null,
    attemptsJson: JSON.stringify([made]),
  }
}

/** Delivers the alerts again of which each delivery to the receiver has failed. Returns how many there are. */
async function resendFailed(ctx: Ctx, { id: receiverId }: AlertReceiverTable): Promise<number> {
  const rows = await ctx.tx
    .selectFrom('alertDelivery as failed')
    .select(['failed.alertId as id', 'failed.alertClass as class'])
    .distinct()
    .where('failed.alertReceiverId', '=', receiverId)
    .where('failed.state', '=', 'failed')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('alertDelivery as other')
            .select('other.id')
            .whereRef('other.alertId', '=', 'failed.alertId')
            .where('other.alertReceiverId', '=', receiverId)
            .where('other.state', '!=', 'failed'),
        ),
      ),
    )
    .limit(alertLimits.resends)
    .execute()
  for (const alert of rows) await addDelivery(ctx, { alert, receiverId, trigger: 'resend' })
  if (rows.length > 0) ctx.wake('alerts')
  return rows.length
}
