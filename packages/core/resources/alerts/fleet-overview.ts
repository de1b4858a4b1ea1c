/** The problems and the work that operators look at first, as far as no list has them. */
import { expiryDays, latestOf } from '@purlin/contract/rules/credentials/certificates'
import { limits } from '@purlin/contract/rules/limits'
import { permit } from '#/auth/resolve.ts'
import { together } from '#/concurrency/together.ts'
import type { Ctx, Family } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { scarcePools } from '../addresses/pool-trends.ts'
import { alertsOf, deliveryView } from './deliveries.ts'
import { kindOf } from './targets.ts'
import { presentedCertificates } from '../silos/certificates.ts'
import { maintenanceOf } from '../hardware/maintenance/maintenance.ts'

const most = limits.overview.failures

export const fleetOverview: Family<'systemOverview'> = {
  async systemOverview(ctx) {
    permit(ctx)
    const [failedDeliveries, expiringCertificates, scarce, maintenance] = await together([
      failedIn(ctx.tx),
      expiringIn(ctx),
      scarcePools(ctx.tx, ctx.now, most),
      inMaintenance(ctx.tx),
    ])
    const pools = scarce.map(({ pool, ...rest }) => ({ ...pool, ...rest }))
    return { failedDeliveries, expiringCertificates, scarcePools: pools, maintenance }
  },
}

/** The deliveries that failed, of receivers that got nothing since. One that is attempted again has not ended. */
async function failedIn(tx: Tx) {
  const rows = await tx
    .selectFrom('alertReceiver')
    .innerJoin('alertDelivery', (join) =>
      join.on('alertDelivery.id', '=', (eb) =>
        eb
          .selectFrom('alertDelivery as one')
          .select('one.id')
          .whereRef('one.alertReceiverId', '=', 'alertReceiver.id')
          .where('one.state', '!=', 'pending')
          .orderBy('one.timeStarted', 'desc')
          .orderBy('one.id', 'desc')
          .limit(1),
      ),
    )
    .selectAll('alertDelivery')
    .select(['alertReceiver.name as receiverName', 'alertReceiver.toJson'])
    .where('alertDelivery.state', '=', 'failed')
    .orderBy('alertDelivery.timeStarted', 'desc')
    .orderBy('alertDelivery.id')
    .limit(most)
    .execute()
  const alerts = await alertsOf(tx, rows)
  return rows.map((row) => ({
    receiverName: row.receiverName,
    delivery: deliveryView(kindOf(row), row, alerts.get(row.alertId)),
  }))
}

async function expiringIn({ tx, now }: Pick<Ctx, 'tx' | 'now'>) {
  const rows = await presentedCertificates(tx)
    .where('one.notAfter', '<=', latestOf(expiryDays[0], now))
    .orderBy('one.notAfter')
    .orderBy('one.id')
    .limit(most)
    .execute()
  return rows.map(({ id, name, notAfter, silo }) => ({
    id,
    name,
    siloName: silo,
    notAfter: new Date(notAfter),
  }))
}

async function inMaintenance(tx: Tx) {
  const sleds = await tx
    .selectFrom('sled')
    .selectAll()
    .where('maintenanceSince', 'is not', null)
    .orderBy('maintenanceSince')
    .orderBy('id')
    .limit(most)
    .execute()
  const found = await maintenanceOf(tx, sleds)
  return sleds.flatMap(({ id, serial }) => {
    const maintenance = found.get(id)
    return maintenance ? [{ sledId: id, serial, maintenance }] : []
  })
}
