/** Details of internet gateways in lists: their attachments, and the number of routes to them. */
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { together } from '#/concurrency/together.ts'
import type { Ctx } from '#/context.ts'
import type { Page } from '#/db/lists/pages.ts'
import type { Tx } from '#/db/tables.ts'
import { storedWay } from './router-routes.ts'

interface Gateway {
  id: string
  name: string
  vpcId: string
}

/** The gateways of a page with their attachments. */
export async function withAttached<V extends Gateway>({ tx }: Pick<Ctx, 'tx'>, page: Page<V>) {
  if (page.items.length === 0) return { ...page, items: [] }
  const ids = page.items.map(({ id }) => id)
  const [pools, addresses, routes] = await together([
    firstOf(tx, ['internetGatewayIpPool', 'ipPoolId'], ids),
    firstOf(tx, ['internetGatewayIpAddress', 'ipKey'], ids),
    routesTo(tx, page.items),
  ])
  const items = page.items.map((one) => {
    const [pool, address] = [pools.get(one.id), addresses.get(one.id)]
    const attached = {
      ipPoolId: pool?.value ?? null,
      totalIpPools: pool?.total ?? 0,
      address: address ? formatIp(fromKey(address.value)) : null,
      totalIpAddresses: address?.total ?? 0,
      totalRoutes: routes.get(targetOf(one)) ?? 0,
    }
    return { ...one, attached }
  })
  return { ...page, items }
}

/** By gateway: a value of its first attachment by name, and how many it has. */
async function firstOf(
  tx: Tx,
  [table, column]: ['internetGatewayIpPool', 'ipPoolId'] | ['internetGatewayIpAddress', 'ipKey'],
  ids: readonly string[],
): Promise<Map<string, { value: string; total: number }>> {
  // The builder cannot know the columns of a table in a variable.
  const from = table as 'internetGatewayIpPool'
  const counted = tx
    .selectFrom(from)
    .select(['internetGatewayId', ({ fn }) => fn.countAll<number>().as('total')])
    .select(({ fn }) => fn.min('name').as('name'))
    .where('internetGatewayId', 'in', ids)
    .groupBy('internetGatewayId')
    .as('counted')
  const rows = await tx
    .selectFrom(from)
    .innerJoin(counted, (join) =>
      join
        .onRef('counted.internetGatewayId', '=', `${from}.internetGatewayId`)
        .onRef('counted.name', '=', `${from}.name`),
    )
    .select([`${from}.internetGatewayId`, 'counted.total', `${from}.${column as 'ipPoolId'} as value`])
    .execute()
  return new Map(rows.map(({ internetGatewayId, value, total }) => [internetGatewayId, { value, total }]))
}

const targetOf = ({ name }: Gateway): string => storedWay({ type: 'internet_gateway', value: name })

/** By target, how many routes the routers of the gateways' VPC have to it. */
async function routesTo(tx: Tx, gateways: readonly Gateway[]): Promise<Map<string, number>> {
  const vpcIds = [...new Set(gateways.map(({ vpcId }) => vpcId))]
  const rows = await tx
    .selectFrom('routerRoute')
    .select(['targetJson', ({ fn }) => fn.countAll<number>().as('total')])
    .where('vpcRouterId', 'in', tx.selectFrom('vpcRouter').select('id').where('vpcId', 'in', vpcIds))
    .where('targetJson', 'in', gateways.map(targetOf))
    .groupBy('targetJson')
    .execute()
  return new Map(rows.map(({ targetJson, total }) => [targetJson, total]))
}
