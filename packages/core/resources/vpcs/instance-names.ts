/** The references of rules and routes to an instance by its name. */
import type { Ctx } from '#/context.ts'
import { renameInRules } from './firewall-references.ts'
import { renameInRoutes } from './router-routes.ts'

/** Makes the firewall rules and routes of the VPCs that an instance is in follow its new name. */
export async function followInstanceName(
  ctx: Ctx,
  instanceId: string,
  renamed: { from: string; to: string },
): Promise<void> {
  const vpcs = await ctx.tx
    .selectFrom('networkInterface')
    .select('vpcId')
    .distinct()
    .where('instanceId', '=', instanceId)
    .execute()
  for (const { vpcId } of vpcs) {
    await renameInRules(ctx, vpcId, { type: 'instance', ...renamed })
    await renameInRoutes(ctx, vpcId, { type: 'instance', ...renamed })
    ctx.wake(`networks ${vpcId}`)
  }
}
