/** What firewall rules refer to by name: a rename of it updates these names. */
import type { VpcFirewallRule } from '@purlin/contract/operations/vpc-firewall-rules'
import type { Out } from '@purlin/contract/schema'
import type { Ctx } from '#/context.ts'

type Rule = Out<typeof VpcFirewallRule>
/** Which interfaces a rule applies to, or which other ends. */
export type Reference = Rule['targets'][number]
/** Filters as they are stored: null is no restriction. */
export interface Filters {
  hosts: Reference[] | null
  ports: string[] | null
  protocols: NonNullable<Rule['filters']['protocols']> | null
}

/** Makes the rules of a VPC follow a VPC or subnet that was renamed. */
export async function renameInRules(
  ctx: Pick<Ctx, 'now' | 'tx'>,
  vpcId: string,
  renamed: { type: 'vpc' | 'subnet'; from: string; to: string },
): Promise<void> {
  const follow = (one: Reference): Reference =>
    one.type === renamed.type && one.value === renamed.from ? { ...one, value: renamed.to } : one
  const rules = await ctx.tx
    .selectFrom('vpcFirewallRule')
    .select(['id', 'targetsJson', 'filtersJson'])
    .where('vpcId', '=', vpcId)
    .execute()
  for (const { id, ...was } of rules) {
    const filters = JSON.parse(was.filtersJson) as Filters
    const hosts = filters.hosts?.map(follow) ?? null
    const now = {
      targetsJson: JSON.stringify((JSON.parse(was.targetsJson) as Reference[]).map(follow)),
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
