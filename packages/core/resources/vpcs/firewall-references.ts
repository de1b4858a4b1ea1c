/** The references of firewall rules by name. A rename updates them. */
import type { Ctx } from '#/context.ts'
import { filtersIn, targetsIn, type Reference } from '#/network/references.ts'

/** Makes the rules of a VPC follow a VPC, subnet or instance that was renamed. */
export async function renameInRules(
  ctx: Pick<Ctx, 'now' | 'tx'>,
  vpcId: string,
  renamed: { type: 'vpc' | 'subnet' | 'instance'; from: string; to: string },
): Promise<void> {
  const follow = (one: Reference): Reference =>
    one.type === renamed.type && one.value === renamed.from ? { ...one, value: renamed.to } : one
  const rules = await ctx.tx
    .selectFrom('vpcFirewallRule')
    .select(['id', 'targetsJson', 'filtersJson'])
    .where('vpcId', '=', vpcId)
    .execute()
  for (const { id, ...was } of rules) {
    const filters = filtersIn(was)
    const hosts = filters.hosts?.map(follow) ?? null
    const now = {
      targetsJson: JSON.stringify(targetsIn(was).map(follow)),
      filtersJson: JSON.stringify({ ...filters, hosts }),
    }
    if (now.targetsJson === was.targetsJson && now.filtersJson === was.filtersJson) continue
    await ctx.tx
      .updateTable('vpcFirewallRule')
      .set({ ...now, timeModified: ctx.now })
      .where('id', '=', id)
      .execute()
  }
}
