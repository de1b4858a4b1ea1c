/** Firewall rules of a VPC. They refer to VPCs, subnets and instances by name; a rename updates these names. */
import type { Ctx } from '#/context.ts'
import type { VpcFirewallRuleTable, VpcTable } from '#/db/tables.ts'
import { newIdentity } from './rows.ts'

interface Reference {
  type: 'vpc' | 'subnet' | 'instance' | 'ip' | 'ip_net'
  value: string
}
interface Filters {
  hosts: Reference[] | null
  ports: string[] | null
  protocols:
    | ({ type: 'tcp' | 'udp' } | { type: 'icmp'; value: { icmpType: number; code: string | null } | null })[]
    | null
}
const open: Filters = { hosts: null, ports: null, protocols: null }

const allowInternal = 'allow-internal-inbound'
const allowSsh = 'allow-ssh'
const allowIcmp = 'allow-icmp'
/** The names of the rules that every VPC begins with. */
export const defaultRules = [allowInternal, allowSsh, allowIcmp]

/** Writes the three rules that every VPC begins with. */
export async function createDefaultRules(
  ctx: Pick<Ctx, 'world' | 'now' | 'tx'>,
  vpc: VpcTable,
): Promise<void> {
  const self: Reference[] = [{ type: 'vpc', value: vpc.name }]
  const rule = (name: string, description: string, filters: Filters): VpcFirewallRuleTable => ({
    ...newIdentity(ctx, { name, description }),
    projectId: vpc.projectId,
    vpcId: vpc.id,
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 65_534,
    targetsJson: JSON.stringify(self),
    filtersJson: JSON.stringify(filters),
  })
  const rules = [
    rule(
      allowInternal,
      'Allow inbound traffic to all instances within the VPC if originated within the VPC',
      { ...open, hosts: self },
    ),
    rule(allowSsh, 'Allow inbound TCP connections on port 22 from anywhere', {
      ...open,
      protocols: [{ type: 'tcp' }],
      ports: ['22'],
    }),
    rule(allowIcmp, 'Allow inbound ICMP traffic from anywhere', {
      ...open,
      protocols: [{ type: 'icmp', value: null }],
    }),
  ]
  await ctx.tx.insertInto('vpcFirewallRule').values(rules).execute()
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
