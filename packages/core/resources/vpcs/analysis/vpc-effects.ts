/** The effects of rules, routes and changes of a VPC, from the same model as the networks of sleds. */
import { resolve } from '#/auth/resolve.ts'
import { runInSlices } from '#/concurrency/checkpoints.ts'
import type { Family } from '#/context.ts'
import { dependentsOn } from '#/network/dependents.ts'
import { effectsOf } from '#/network/effects.ts'
import { networkInSlices } from '#/network/model.ts'
import { trafficBetween } from '#/network/traffic-changes.ts'
import { lossesBetween, lossText, reachabilityOf, unreachable } from '#/network/reachability.ts'
import { pathBy } from '#/network/route-path.ts'
import { addressesLedTo } from '#/resources/hardware/sled-rows.ts'
import { inQueue } from '#/resources/metrics/query-queues.ts'
import { changedRows, namesChangedBy, networkRows } from '../vpc-changes.ts'

/** Instances, and rules and routes, that a preview names. */
const mostNamed = 100

export const vpcEffects: Family<'vpcEffects' | 'vpcPreview' | 'instanceReachability'> = {
  vpcEffects: {
    withoutTransaction: (request, { params, query }) =>
      inQueue(request, async () => {
        const rows = await request.transaction('read', async (ctx) => {
          const { id } = await resolve(ctx, 'vpc', { ...params, ...query })
          return networkRows(ctx, id)
        })
        return runInSlices(effectsOf(rows, await networkInSlices(rows)))
      }),
  },

  vpcPreview: {
    withoutTransaction: (request, { params, query, body }) =>
      inQueue(request, async () => {
        const [before, after] = await request.transaction('read', async (ctx) => {
          const { id } = await resolve(ctx, 'vpc', { ...params, ...query })
          const rows = await networkRows(ctx, id)
          return [rows, changedRows(ctx, rows, body.change)]
        })
        const is = { rows: after, network: await networkInSlices(after) }
        const was = { rows: before, network: await networkInSlices(before) }
        const losing = await lossesBetween(was, is)
        const names = new Map(before.nics.map((nic) => [nic.instanceId, nic.instanceName]))
        const named = losing
          .map(({ nic: { instanceId }, losses }) => {
            const name = names.get(instanceId) ?? instanceId
            return { instanceId, name, losses, text: lossText(losses) }
          })
          .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        const effects = await runInSlices(effectsOf(after, is.network))
        const changed = namesChangedBy(before, body.change)
        const isRenamed = body.change.type === 'rename_vpc' || body.change.type === 'rename_subnet'
        const references = dependentsOn(changed, after, isRenamed ? undefined : effects)
        return {
          instances: named.slice(0, mostNamed),
          totalInstances: named.length,
          references: references.slice(0, mostNamed),
          totalReferences: references.length,
          effects,
          ...(body.change.type === 'set_route' ? { path: await pathBy(after, after.routes.at(-1)) } : {}),
          ...(body.traffic ? { traffic: await runInSlices(trafficBetween(was, is)) } : {}),
        }
      }),
  },

  instanceReachability: {
    withoutTransaction: (request, { params, query }) =>
      inQueue(request, async () => {
        const { running, of, isLed } = await request.transaction('read', async (ctx) => {
          const { id, sledId } = await resolve(ctx, 'instance', { ...params, ...query })
          const primary = await ctx.tx
            .selectFrom('networkInterface')
            .select(['id', 'vpcId'])
            .where('instanceId', '=', id)
            .where('isPrimary', '=', 1)
            .executeTakeFirst()
          const of = primary && { nicId: primary.id, rows: await networkRows(ctx, primary.vpcId) }
          return { running: sledId !== null, of, isLed: await addressesLedTo(ctx.tx, sledId) }
        })
        if (!of) return { running, ...unreachable }
        const network = await networkInSlices(of.rows, { assumeRunning: true })
        const nic = network.interfaces.find((one) => one.id === of.nicId)
        const found = nic ? await runInSlices(reachabilityOf({ ...of, network, isLed }, nic)) : unreachable
        return { running, ...found }
      }),
  },
}
