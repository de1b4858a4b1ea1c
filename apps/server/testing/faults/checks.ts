/** Checks of a site after its faults: all that must be true of what was raised, sent and stored. */
import { retryAfterMs } from '@purlin/contract/rules/alerts/classes'
import type { Tx } from '@purlin/core/ports'
import { startFailed } from './load.ts'
import { readNow, until, type Site } from './site.ts'
import { subscribesTo, type Receiver } from './receivers.ts'

/** Waits until no instance changes: each runs or is stopped, as was requested last. */
export const untilSettled = (site: Site): Promise<void> =>
  until('every instance runs or is stopped', async () => {
    await startFailed(site)
    const rows = await readNow(site, (tx) =>
      tx.selectFrom('instance').select(['runState', 'desired']).execute(),
    )
    return rows.every(({ runState, desired }) => runState === desired)
  })

/** The running instances whose machines do not run. A stopped machine has no console. */
export async function missingMachines(site: Site): Promise<string[]> {
  const rows = await readNow(site, (tx) =>
    tx.selectFrom('instance').select(['id', 'name']).where('runState', '=', 'running').execute(),
  )
  const missing: string[] = []
  for (const { id, name } of rows)
    await site.apis.first
      .instanceSerialConsole({ params: { instance: id }, query: { mostRecent: 1 } })
      .catch((error: unknown) => missing.push(`${name} runs without a machine: ${String(error)}`))
  return missing
}

/** Waits until each alert that was raised has ended, and each of their deliveries was made or has failed. */
export const untilDelivered = (site: Site): Promise<void> =>
  until('no alert is active and no delivery is pending', () =>
    readNow(site, async (tx) => {
      const active = tx.selectFrom('alert').select('id').where('timeEnded', 'is', null)
      const pending = tx.selectFrom('alertDelivery').select('id').where('state', '=', 'pending')
      return [await active.limit(1).execute(), await pending.limit(1).execute()].flat().length === 0
    }),
  )

/** The alerts that receivers should have got and have not, and those that they should not have got, one line each. */
export async function wrongDeliveries(tx: Tx, receivers: readonly Receiver[]): Promise<string[]> {
  const alerts = await tx.selectFrom('alert').selectAll().execute()
  const deliveries = await tx.selectFrom('alertDelivery').selectAll().execute()
  const of = Map.groupBy(deliveries, (one) => `${one.alertId} ${one.alertReceiverId}`)
  const times = Map.groupBy(alerts, (one) => `${one.findingId} of ${one.timeStarted}`)
  const twice = [...times].flatMap(([one, all]) =>
    all.length > 1 ? [`${all.length} alerts about ${one}`] : [],
  )
  const wrong = [...twice, ...receivers.flatMap((one) => one.wrong)]
  for (const receiver of receivers) {
    const { id, name, accepted, sent } = receiver
    for (const alert of alerts) {
      const number = of.get(`${alert.id} ${id}`)?.length ?? 0
      if (number !== Number(subscribesTo(receiver, alert.class)))
        wrong.push(`${number} deliveries of ${alert.class} to ${name}`)
    }
    const its = deliveries.filter((one) => one.alertReceiverId === id)
    const known = new Set(its.map((one) => one.id))
    for (const one of sent) if (!known.has(one)) wrong.push(`${name} got ${one}, which is not for it`)
    for (const one of its) {
      const attempts = (JSON.parse(one.attemptsJson) as { result: string }[]).length
      if (one.state === 'delivered' && !accepted.has(one.id)) wrong.push(`${name} never accepted ${one.id}`)
      if (one.state === 'pending') wrong.push(`${one.id} to ${name} is pending`)
      if (one.state === 'failed' && attempts !== retryAfterMs.length + 1)
        wrong.push(`${one.id} to ${name} has failed after ${attempts} attempts`)
    }
  }
  return wrong
}
