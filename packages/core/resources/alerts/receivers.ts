/** Receivers of alerts, and what they subscribe to. */
import { subscriptionProblem } from '@purlin/contract/rules/alerts/classes'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { listChanges } from '#/audit/field-texts.ts'
import { noteChanges, noteDeleted } from '#/audit/touched.ts'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import type { AlertReceiverTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { checkRoom } from '../kind/room.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '../kind/rows.ts'
import { addSecret, secretsOf, secretView } from './secrets.ts'
import { addressesOf, kindOf, mailProblem, resolveReceiver } from './targets.ts'

const kind = 'alertReceiver'

export const alertReceivers: Family<
  | `alertReceiver${'List' | 'View' | 'Delete' | 'SubscriptionAdd' | 'SubscriptionRemove'}`
  | `receiver${'List' | 'View'}`
  | `${'webhook' | 'email'}Receiver${'Create' | 'Update'}`
> = {
  async receiverList(ctx, { query }) {
    permit(ctx)
    const page = await pageByName(ctx, query, { rows: ctx.tx.selectFrom(kind), table: kind, holder: '' })
    const parts = await partsOf(ctx.tx, page.items)
    return mapPage(page, (row) => receiverView(ctx, row, parts))
  },

  async receiverView(ctx, { params }) {
    const row = await resolveInFleet(ctx, kind, params.receiver)
    return receiverView(ctx, row, await partsOf(ctx.tx, [row]))
  },

  async alertReceiverList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom(kind).where('toJson', 'is', null)
    const page = await pageByName(ctx, query, { rows, table: kind, holder: '' })
    const parts = await partsOf(ctx.tx, page.items)
    return mapPage(page, (row) => hookView(row, parts))
  },

  async alertReceiverView(ctx, { params }) {
    const row = await resolveInFleet(ctx, kind, params.receiver)
    // Its clients know only webhooks.
    if (kindOf(row) !== 'webhook') throw fault.notFound('alert-receiver', params.receiver)
    return hookView(row, await partsOf(ctx.tx, [row]))
  },

  async webhookReceiverCreate(ctx, { body }) {
    const row = await addReceiver(ctx, body, { endpoint: body.endpoint, toJson: null })
    for (const secret of body.secrets) await addSecret(ctx, row, secret)
    const parts = await partsOf(ctx.tx, [row])
    return { ...baseView(row, parts), ...hookOf(row, parts) }
  },

  async webhookReceiverUpdate(ctx, { params, body }) {
    const row = await resolveReceiver(ctx, 'webhook', params.receiver)
    const endpoint = body.endpoint == null ? {} : { endpoint: body.endpoint }
    await updateNamed(ctx, [kind, row], { ...identityChanges(ctx, body), ...endpoint })
  },

  async emailReceiverCreate(ctx, { body }) {
    const row = await addReceiver(ctx, body, { endpoint: '', toJson: toJsonOf(body.to) })
    return emailView(ctx, row)
  },

  async emailReceiverUpdate(ctx, { params, body }) {
    const row = await resolveReceiver(ctx, 'email', params.receiver)
    const to = body.to == null ? {} : { toJson: toJsonOf(body.to) }
    return emailView(ctx, await updateNamed(ctx, [kind, row], { ...identityChanges(ctx, body), ...to }))
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
    const row = await resolveInFleet(ctx, kind, params.receiver)
    checkSubscription(subscription)
    const present = await subscriptionsOf(ctx.tx, [row.id])
    if (present.some((one) => one.subscription === subscription)) return { subscription }
    const { subscriptions: most } = alertLimits
    checkRoom(present.length, { noun: 'subscription', holder: 'receiver', most })
    await subscribe(ctx, row, subscription)
    noteChanges(ctx.unit, [kind, row], listChanges('subscriptions', [], [subscription]))
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
    noteChanges(unit, [kind, row], listChanges('subscriptions', [subscription], []))
  },
}

/** Adds a receiver with its subscriptions. Throws 400 for those that are none, 507 for one receiver too many. */
async function addReceiver(
  ctx: Ctx,
  body: { name: string; description: string; subscriptions: readonly string[] },
  columns: Pick<AlertReceiverTable, 'endpoint' | 'toJson'>,
): Promise<AlertReceiverTable> {
  permit(ctx)
  const has = (await ctx.tx.selectFrom(kind).select('id').execute()).length
  checkRoom(has, { noun: 'alert receiver', holder: 'rack', most: alertLimits.receivers })
  const subscriptions = new Set(body.subscriptions)
  for (const subscription of subscriptions) checkSubscription(subscription)
  const row = await insertNamed(ctx, kind, { ...newIdentity(ctx, body), ...columns })
  for (const subscription of subscriptions) await subscribe(ctx, row, subscription)
  return row
}

const subscribe = ({ tx }: Pick<Ctx, 'tx'>, { id }: AlertReceiverTable, subscription: string) =>
  tx.insertInto('alertSubscription').values({ alertReceiverId: id, subscription }).execute()

function checkSubscription(subscription: string): void {
  const problem = subscriptionProblem(subscription)
  if (problem !== undefined) throw fault.invalidValue('alert_class', problem)
}

/** Addresses as a row has them. Throws 400 for none. */
function toJsonOf(to: readonly string[]): string {
  if (to.length === 0) throw fault.invalidValue('to', 'expected at least one address')
  return JSON.stringify([...new Set(to)])
}

/** The subscriptions of receivers, in the order of their texts. */
export const subscriptionsOf = (tx: Tx, receiverIds: readonly string[]) =>
  tx
    .selectFrom('alertSubscription')
    .selectAll()
    .where('alertReceiverId', 'in', receiverIds)
    .orderBy('subscription')
    .execute()

type Parts = Awaited<ReturnType<typeof partsOf>>

/** The secrets and subscriptions of receivers. */
async function partsOf(tx: Tx, rows: readonly AlertReceiverTable[]) {
  const ids = rows.map(({ id }) => id)
  return {
    secrets: ids.length > 0 ? await secretsOf(tx, ids) : [],
    subscriptions: ids.length > 0 ? await subscriptionsOf(tx, ids) : [],
  }
}

const baseView = (row: AlertReceiverTable, { subscriptions }: Parts) => ({
  ...identityView(row),
  subscriptions: subscriptions
    .filter((one) => one.alertReceiverId === row.id)
    .map(({ subscription }) => subscription),
})
const hookOf = ({ id, endpoint }: AlertReceiverTable, { secrets }: Parts) => ({
  endpoint,
  secrets: secrets.filter((one) => one.alertReceiverId === id).map(secretView),
})
const emailOf = ({ world }: Pick<Ctx, 'world'>, row: AlertReceiverTable) => ({
  to: addressesOf(row),
  problem: mailProblem(world),
})

const emailView = async (ctx: Ctx, row: AlertReceiverTable) => ({
  ...baseView(row, await partsOf(ctx.tx, [row])),
  ...emailOf(ctx, row),
})
const hookView = (row: AlertReceiverTable, parts: Parts) => ({
  ...baseView(row, parts),
  kind: { kind: 'webhook' as const, ...hookOf(row, parts) },
})
const receiverView = (ctx: Pick<Ctx, 'world'>, row: AlertReceiverTable, parts: Parts) =>
  kindOf(row) === 'webhook'
    ? hookView(row, parts)
    : { ...baseView(row, parts), kind: { kind: 'email' as const, ...emailOf(ctx, row) } }
