/**
 * Delivers alerts to their receivers. Servers share the receivers by leases, so that one receiver gets its deliveries one
 * after another, in the order of time. Decision 0065.
 */
import type { World } from '#/context.ts'
import type { AlertDeliveryTable, Tx } from '#/db/tables.ts'
import { dropOldAlerts } from '#/resources/alerts/raise.ts'
import { attempt, recordAttempt } from '#/resources/alerts/send.ts'
import { problemOf, sendable, targetOf } from '#/resources/alerts/targets.ts'
import { SendInterrupted } from '#/ports.ts'
import { claim, setLease } from '#/db/rows/leases.ts'
import type { Loop } from './loop.ts'

const receiversAtOnce = 8
/** Longer than an attempt takes. */
const leaseMs = 60_000
const lookEveryMs = 60_000
const tidyEveryMs = 3_600_000
/** Deliveries to a receiver in a round, so that others do not wait for long. */
const mostInRound = 500

/** The loop. A failed attempt ends the turn of its receiver, whose other deliveries follow in the next round. */
export function deliverAlerts(world: World): Loop {
  const { engine, clock, webhooks, mail } = world
  let isStopped = false
  let tidyAt = 0

  /** Sends what is due to a receiver. False if an attempt failed or more is due. */
  async function serve(receiverId: string): Promise<boolean> {
    const lease = `alerts ${receiverId}`
    let until = clock.now() + leaseMs
    const held = await engine.transaction('write', (tx) => claim(tx, lease, { now: clock.now(), until }))
    if (held !== null) return true
    try {
      for (let sent = 0; sent < mostInRound && !isStopped; sent++) {
        const due = await engine.transaction('read', (tx) => nextDue(tx, world, receiverId))
        if (!due) return true
        if (clock.now() > until - leaseMs / 2) {
          until = clock.now() + leaseMs
          await engine.transaction('write', (tx) => setLease(tx, lease, { until }))
        }
        const made = await attempt(world, due.target, { ...due.delivery, alert: due.alert })
        await engine.transaction('write', (tx) => recordAttempt(tx, due.delivery, made))
        if (made.result !== 'succeeded') return false
      }
      return false
    } catch (error) {
      if (error instanceof SendInterrupted) return true
      throw error
    } finally {
      await engine.transaction('write', (tx) => tx.deleteFrom('lease').where('name', '=', lease).execute())
    }
  }

  return {
    name: 'alerts',
    async round() {
      if (clock.now() >= tidyAt) {
        const hasMore = await engine.transaction('write', (tx) => dropOldAlerts(tx, clock.now()))
        if (!hasMore) tidyAt = clock.now() + tidyEveryMs
      }
      const waiting = await engine.transaction('read', (tx) => receiversDue(tx, world))
      let isDone = true
      const work = async () => {
        for (let id = waiting.shift(); id !== undefined && !isStopped; id = waiting.shift())
          if (!(await serve(id))) isDone = false
      }
      await Promise.all(Array.from({ length: Math.min(receiversAtOnce, waiting.length) }, work))
      if (!isDone) return clock.now()
      const next = await engine.transaction('read', (tx) => nextTime(tx, world))
      return Math.min(next, clock.now() + lookEveryMs, tidyAt)
    },
    stop() {
      isStopped = true
      webhooks?.stop()
      mail?.sender.stop()
    },
  }
}

/** The receivers with a delivery that is due. */
async function receiversDue(tx: Tx, world: World): Promise<string[]> {
  const rows = await sendable(tx, world)
    .select('one.alertReceiverId as id')
    .distinct()
    .where('one.dueAt', '<=', world.clock.now())
    .execute()
  return rows.map(({ id }) => id)
}

/** When the first delivery is due that is not yet; Infinity without one. */
async function nextTime(tx: Tx, world: World): Promise<number> {
  const row = await sendable(tx, world)
    .select((eb) => eb.fn.min('one.dueAt').as('at'))
    .where('one.dueAt', '>', world.clock.now())
    .executeTakeFirst()
  return row?.at == null ? Infinity : row.at
}

/** The first delivery to a receiver that is due, and what to send. */
async function nextDue(tx: Tx, world: World, receiverId: string) {
  const delivery: AlertDeliveryTable | undefined = await tx
    .selectFrom('alertDelivery')
    .selectAll()
    .where('alertReceiverId', '=', receiverId)
    .where('dueAt', '<=', world.clock.now())
    .orderBy('timeStarted')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!delivery) return undefined
  const alert = await tx.selectFrom('alert').selectAll().where('id', '=', delivery.alertId).executeTakeFirst()
  const target = await targetOf(tx, receiverId)
  return alert && target && problemOf(world, target) === null ? { delivery, target, alert } : undefined
}
