/** Receivers of alerts, and what they subscribe to. */
import { subscriptionProblem } from '@purlin/contract/rules/alerts/classes'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { noteChanged, noteDeleted } from '#/audit/touched.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import type { AlertReceiverTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '../kind/rows.ts'
import { addSecret, secretsOf, secretView } from './secrets.ts'

const kind = 'alertReceiver'
const { receivers: mostReceivers, subscriptions: mostSubscriptions } = alertLimits

export const alertReceivers: Family<
  | `alertReceiver${'List' | 'View' | 'Delete' | 'SubscriptionAdd' | 'SubscriptionRemove'}`
  | `webhookReceiver${'Create' | 'Update'}`
> = {
  async alertReceiverList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom(kind)
    const page = await pageByName(ctx, query, { rows, table: kind, holder: '' })
    const views = await viewsOf(ctx.tx, page.items)
    return mapPage({ ...page, items: views }, asReceiver)
  },

  async alertReceiverView(ctx, { params }) {
    const row = await resolveInFleet(ctx, kind, params.receiver)
    return asReceiver(await viewOf(ctx.tx, row))
  },

  async webhookReceiverCreate(ctx, { body }) {
    permit(ctx)
    const { tx } = ctx
    const has = (await tx.selectFrom(kind).select('id').execute()).length
    if (has >= mostReceivers)
      throw fault.tooMany({ noun: 'alert receiver', holder: 'rack', has, most: mostReceivers })
    const subscriptions = new Set(body.subscriptions)
    for (const subscription of subscriptions) checkSubscription(subscription)
    const row = await insertNamed(ctx, kind, { ...newIdentity(ctx, body), endpoint: body.endpoint })
    for (const secret of body.secrets) await addSecret(ctx, row, secret)
    for (const subscription of subscriptions)
      await tx.insertInto('alertSubscription').values({ alertReceiverId: row.id, subscription }).execute()
    return viewOf(tx, row)
  },

  async webhookReceiverUpdate(ctx, { params, body }) {
    const row = await resolveInFleet(ctx, kind, params.receiver)
    const endpoint = body.endpoint == null ? {} : { endpoint: body.endpoint }
    await updateNamed(ctx, [kind, row], { ...identityChanges(ctx, body), ...endpoint })
  },

  async alertReceiverDelete(ctx, { params }) {
    const { tx, unit } = ctx
    const row = await resolveInFleet(ctx, kind, params.receiver)
    for (const secret of await secretsOf(tx, [row.id])) noteDeleted(unit, 'webhookSecret', secret)
    for (const table of ['webhookSecret', 'alertSubscription', 'alertDelivery'] as const)
      await tx.deleteFrom(table).where('alertReceiverId', '=', row.id).execute()
    await deleteRow(kind)(ctx, row)
  },

  async alertReceiverSubscriptionAdd(ctx, { params, body: { subscription } }) {
    const { tx, unit } = ctx
    const row = await resolveInFleet(ctx, kind, params.receiver)
    checkSubscription(subscription)
    const present = await subscriptionsOf(tx, [row.id])
    if (present.some((one) => one.subscription === subscription)) return { subscription }
    if (present.length >= mostSubscriptions)
      throw fault.tooMany({
        noun: 'subscription',
        holder: 'receiver',
        has: present.length,
        most: mostSubscriptions,
      })
    await tx.insertInto('alertSubscription').values({ alertReceiverId: row.id, subscription }).execute()
    noteChanged(unit, [kind, row], row.name)
    return { subscription }
  },

  async alertReceiverSubscriptionRemove(ctx, { params: { receiver, subscription } }) {
    const { tx, unit } = ctx
    const row = await resolveInFleet(ctx, kind, receiver)
    const present = await subscriptionsOf(tx, [row.id])
    if (!present.some((one) => one.subscription === subscription)) throw fault.notSubscribed()
    await tx
      .deleteFrom('alertSubscription')
      .where('alertReceiverId', '=', row.id)
      .where('subscription', '=', subscription)
      .execute()
    noteChanged(unit, [kind, row], row.name)
  },
}

function checkSubscription(subscription: string): void {
  const problem = subscriptionProblem(subscription)
  if (problem !== undefined) throw fault.invalidValue('alert_class', problem)
}

/** The subscriptions of receivers, in the order of their texts. */
export const subscriptionsOf = (tx: Tx, receiverIds: readonly string[]) =>
  tx
    .selectFrom('alertSubscription')
    .selectAll()
    .where('alertReceiverId', 'in', receiverIds)
    .orderBy('subscription')
    .execute()

type WebhookView = Awaited<ReturnType<typeof viewsOf>>[number]

async function viewsOf(tx: Tx, rows: readonly AlertReceiverTable[]) {
  const ids = rows.map(({ id }) => id)
  const secrets = ids.length > 0 ? await secretsOf(tx, ids) : []
  const subscriptions = ids.length > 0 ? await subscriptionsOf(tx, ids) : []
  return rows.map((row) => ({
    ...identityView(row),
    endpoint: row.endpoint,
    secrets: secrets.filter((one) => one.alertReceiverId === row.id).map(secretView),
    subscriptions: subscriptions
      .filter((one) => one.alertReceiverId === row.id)
      .map(({ subscription }) => subscription),
  }))
}

async function viewOf(tx: Tx, row: AlertReceiverTable): Promise<WebhookView> {
  const [view] = await viewsOf(tx, [row])
  if (!view) throw new Error('a receiver has a view')
  return view
}

const asReceiver = ({ endpoint, secrets, ...view }: WebhookView) => ({
  ...view,
  kind: { kind: 'webhook' as const, endpoint, secrets },
})
