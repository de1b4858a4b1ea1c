/** The pools that the control plane attaches to internet gateways itself: the default one of a silo, to those named `default`. */
import type { Ctx } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import { countMade } from '#/db/rows/tallies.ts'
import type { InternetGatewayIpPoolTable, IpPoolTable } from '#/db/tables.ts'
import { newIdentity } from '#/resources/kind/rows.ts'

/** The name of the gateway that every VPC begins with. */
export const defaultGateway = 'default'
/** The name of its attachment of the default pool. */
export const defaultAttachment = 'default'
/** The name of an attachment in a gateway where `default` is taken. */
const otherAttachment = (pool: Pick<IpPoolTable, 'id'>) => `pool-${pool.id}`

const description = 'Default internet gateway IP pool'
const atOnce = 500

interface Link {
  pool: Pick<IpPoolTable, 'id'>
  siloId: string
}

/** A row that attaches a silo's default pool to a gateway. */
export const attachmentOf = (
  ctx: Pick<Ctx, 'world' | 'now'>,
  gateway: { id: string; projectId: string },
  { poolId, name = defaultAttachment }: { poolId: string; name?: string },
): InternetGatewayIpPoolTable => ({
  ...newIdentity(ctx, { name, description }),
  projectId: gateway.projectId,
  internetGatewayId: gateway.id,
  ipPoolId: poolId,
})

/** Attaches a pool to the gateways named `default` of a silo that do not have it. */
export async function attachAsDefault(ctx: Ctx, { pool, siloId }: Link): Promise<void> {
  const gateways = await gatewaysOf(ctx, siloId)
    .select(['internetGateway.id', 'internetGateway.projectId'])
    .where('internetGateway.name', '=', defaultGateway)
    .execute()
  for (const some of batches(gateways, atOnce)) {
    const present = await attachedTo(
      ctx,
      some.map(({ id }) => id),
    )
    const rows = some.flatMap((gateway) => {
      const own = present.filter(({ internetGatewayId }) => internetGatewayId === gateway.id)
      if (own.some(({ ipPoolId }) => ipPoolId === pool.id)) return []
      const name = [defaultAttachment, otherAttachment(pool)].find((one) =>
        own.every((other) => other.name !== one),
      )
      return name === undefined ? [] : [attachmentOf(ctx, gateway, { poolId: pool.id, name })]
    })
    if (rows.length === 0) continue
    await ctx.tx.insertInto('internetGatewayIpPool').values(rows).execute()
    await count(ctx, rows, 1)
  }
  ctx.wake(`networks ${siloId}`)
}

const attachedTo = (ctx: Ctx, gatewayIds: readonly string[]) =>
  ctx.tx
    .selectFrom('internetGatewayIpPool')
    .select(['internetGatewayId', 'ipPoolId', 'name'])
    .where('internetGatewayId', 'in', gatewayIds)
    .execute()

/**
 * Detaches a pool that is no longer the default of a silo from the gateways named `default`, where it was attached as
 * the default one. It stays where an instance has an address of it, which would otherwise lose its way out.
 */
export async function detachAsDefault(ctx: Ctx, { pool, siloId }: Link): Promise<void> {
  const rows = await gatewaysOf(ctx, siloId)
    .innerJoin('internetGatewayIpPool', 'internetGatewayIpPool.internetGatewayId', 'internetGateway.id')
    .selectAll('internetGatewayIpPool')
    .where('internetGateway.name', '=', defaultGateway)
    .where('internetGatewayIpPool.ipPoolId', '=', pool.id)
    .where('internetGatewayIpPool.name', 'in', [defaultAttachment, otherAttachment(pool)])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('networkInterface')
            .innerJoin('externalIp', 'externalIp.instanceId', 'networkInterface.instanceId')
            .select('externalIp.id')
            .whereRef('networkInterface.vpcId', '=', 'internetGateway.vpcId')
            // Said for the index that begins with it.
            .whereRef('externalIp.projectId', '=', 'internetGateway.projectId')
            .where('externalIp.ipPoolId', '=', pool.id),
        ),
      ),
    )
    .execute()
  await detach(ctx, rows)
  ctx.wake(`networks ${siloId}`)
}

/** Detaches a pool from all gateways of a silo. */
export async function detachFromSilo(ctx: Ctx, { pool, siloId }: Link): Promise<void> {
  const rows = await gatewaysOf(ctx, siloId)
    .innerJoin('internetGatewayIpPool', 'internetGatewayIpPool.internetGatewayId', 'internetGateway.id')
    .selectAll('internetGatewayIpPool')
    .where('internetGatewayIpPool.ipPoolId', '=', pool.id)
    .execute()
  await detach(ctx, rows)
  ctx.wake(`networks ${siloId}`)
}

/** Detaches a pool from all gateways of the silos that it is linked to. */
export async function detachEverywhere(ctx: Ctx, pool: IpPoolTable): Promise<void> {
  const silos = ctx.tx.selectFrom('ipPoolSilo').select('siloId').where('ipPoolId', '=', pool.id)
  for (const { siloId } of await silos.execute()) await detachFromSilo(ctx, { pool, siloId })
}

const gatewaysOf = ({ tx }: Ctx, siloId: string) =>
  tx
    .selectFrom('project')
    .innerJoin('vpc', 'vpc.projectId', 'project.id')
    .innerJoin('internetGateway', 'internetGateway.vpcId', 'vpc.id')
    .where('project.siloId', '=', siloId)

async function detach(ctx: Ctx, rows: readonly InternetGatewayIpPoolTable[]): Promise<void> {
  for (const some of batches(rows, atOnce)) {
    const ids = some.map(({ id }) => id)
    await ctx.tx.deleteFrom('internetGatewayIpPool').where('id', 'in', ids).execute()
    await count(ctx, some, -1)
  }
}

const count = ({ tx }: Ctx, rows: readonly InternetGatewayIpPoolTable[], by: 1 | -1) =>
  countMade(
    tx,
    rows.map((row) => ['internetGatewayIpPool', row] as const),
    by,
  )
