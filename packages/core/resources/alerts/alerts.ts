/** Classes of alerts, and the alerts now and before. */
import { alertClasses, matchesClass } from '@purlin/contract/rules/alerts/classes'
import { permit, resolveInFleet } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { mapPage, pageByKey, pageByStart } from '#/db/lists/pages.ts'
import type { AlertTable } from '#/db/tables.ts'
import { updateUnnamed } from '../kind/rows.ts'

const kind = 'alert'
const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms))

/** The subject of an alert as clients see it. */
export const subjectOf = (row: AlertTable) => ({
  type: row.subjectType,
  id: row.subjectId,
  name: row.subjectName,
  within: row.within,
})

const view = (row: AlertTable) => ({
  id: row.id,
  class: row.class,
  severity: row.severity,
  subject: subjectOf(row),
  text: row.text,
  advice: row.advice,
  timeStarted: new Date(row.timeStarted),
  timeEnded: timeOf(row.timeEnded),
  timeAcknowledged: timeOf(row.timeAcknowledged),
  acknowledgedBy: row.acknowledgedBy,
  silencedUntil: timeOf(row.silencedUntil),
})

export const alerts: Family<'alertClassList' | `alert${'List' | 'View' | 'Acknowledge' | 'Silence'}`> = {
  alertClassList(ctx, { query: { filter, ...query } }) {
    permit(ctx)
    const items = alertClasses.filter(({ name }) => filter === undefined || matchesClass(filter, name))
    return Promise.resolve(pageByKey(ctx, query, { items, keyOf: ({ name }) => name }))
  },

  async alertList(ctx, { query: { state, ...query } }) {
    permit(ctx)
    const all = ctx.tx.selectFrom(kind)
    const rows =
      state === undefined ? all : all.where('timeEnded', state === 'active' ? 'is' : 'is not', null)
    const sortBy = 'time_and_id_descending'
    return mapPage(await pageByStart(ctx, { ...query, sortBy }, { rows, table: kind, holder: '' }), view)
  },

  async alertView(ctx, { params }) {
    return view(await resolveInFleet(ctx, kind, params.alertId))
  },

  async alertAcknowledge(ctx, { params }) {
    const row = await resolveInFleet(ctx, kind, params.alertId)
    if (row.timeAcknowledged !== null) return view(row)
    const changes = { timeAcknowledged: ctx.now, acknowledgedBy: ctx.actor.userId }
    return view(await updateUnnamed(ctx, [kind, row], changes))
  },

  async alertSilence(ctx, { params, body: { until } }) {
    const row = await resolveInFleet(ctx, kind, params.alertId)
    const silencedUntil = until === null ? null : until.getTime()
    return view(await updateUnnamed(ctx, [kind, row], { silencedUntil }))
  },
}
