/** What rules, routes and changes of a VPC amount to, from the model that sleds are given. */
import { resolve } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { effectsOf } from '#/network/effects.ts'
import { networkOf } from '#/network/model.ts'
import { lossesBetween, lossText, reachabilityOf, unreachable } from '#/network/reachability.ts'
import { changedRows, networkRows } from './vpc-changes.ts'

/** Instances that a preview names. */
const mostNamed = 100

export const vpcEffects: Family<'vpcEffects' | 'vpcPreview' | 'instanceReachability'> = {
  async vpcEffects(ctx, { params, query }) {
    const { id } = await resolve(ctx, 'vpc', { ...params, ...query })
    const rows = await networkRows(ctx, id)
    return effectsOf(rows, networkOf(rows))
  },

  vpcPreview: {
    async withoutTransaction(request, { params, query, body }) {
      const [before, after] = await request.transaction('read', async (ctx) => {
        const { id } = await resolve(ctx, 'vpc', { ...params, ...query })
        const rows = await networkRows(ctx, id)
        return [rows, changedRows(ctx, rows, body.change)]
      })
      const is = { rows: after, network: networkOf(after) }
      const losing = await lossesBetween({ rows: before, network: networkOf(before) }, is)
      const names = new Map(before.nics.map((nic) => [nic.instanceId, nic.instanceName]))
      const named = losing
        .map(({ nic: { instanceId }, losses }) => {
          const name = names.get(instanceId) ?? instanceId
          return { instanceId, name, losses, text: lossText(losses) }
        })
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return {
        instances: named.slice(0, mostNamed),
        totalInstances: named.length,
        effects: effectsOf(after, is.network),
      }
    },
  },

  async instanceReachability(ctx, { params, query }) {
    const { id, sledId } = await resolve(ctx, 'instance', { ...params, ...query })
    const primary = await ctx.tx
      .selectFrom('networkInterface')
      .select(['id', 'vpcId'])
      .where('instanceId', '=', id)
      .where('isPrimary', '=', 1)
      .executeTakeFirst()
    const running = sledId !== null
    if (!primary) return { running, ...unreachable }
    const rows = await networkRows(ctx, primary.vpcId)
    const network = networkOf(rows, { assumeRunning: true })
    const nic = network.interfaces.find((one) => one.id === primary.id)
    return { running, ...(nic ? reachabilityOf(rows, network, nic) : unreachable) }
  },
}
