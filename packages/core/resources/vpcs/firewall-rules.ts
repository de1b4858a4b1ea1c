/** Firewall rules of a VPC, which are read and replaced as a whole. */
import { keysOf } from '@purlin/contract/rules/keys'
import type {
  VpcFirewallRule,
  VpcFirewallRuleUpdate,
} from '@purlin/contract/operations/vpcs/vpc-firewall-rules'
import { byPrecedence } from '@purlin/contract/rules/network/firewall'
import type { Out } from '@purlin/contract/schema'
import { listChanges, entriesChanged } from '#/audit/field-texts.ts'
import { noteChanges } from '#/audit/touched.ts'
import { resolve } from '#/auth/resolve.ts'
import type { Ctx, Family, FieldChange } from '#/context.ts'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import { batches } from '#/db/batches.ts'
import type { Page } from '#/db/lists/pages.ts'
import type { VpcFirewallRuleTable, VpcTable } from '#/db/tables.ts'
import { checkRules } from './firewall-checks.ts'
import { filtersIn, type Filters, type Reference } from '#/network/references.ts'
import { storedJson } from '#/db/stored-json.ts'
import { identityView, newIdentity } from '../kind/rows.ts'

type Rule = Out<typeof VpcFirewallRuleUpdate>

const rowsAtOnce = 256

export const firewallRules: Family<'vpcFirewallRulesView' | 'vpcFirewallRulesUpdate'> = {
  async vpcFirewallRulesView(ctx, { query }) {
    const vpc = await resolve(ctx, 'vpc', query)
    const rows = await (query.first === undefined ? rowsByName(ctx, vpc) : firstRows(ctx, vpc, query.first))
    return { rules: rows.map(view) }
  },

  async vpcFirewallRulesUpdate(ctx, { query, body }) {
    const vpc = await resolve(ctx, 'vpc', query)
    const before = new Map((await rowsByName(ctx, vpc)).map((row) => [row.name, row]))
    const rows = ruleRows(ctx, vpc, body.rules).map((row) => keepIdentity(before.get(row.name), row))
    await ctx.tx.deleteFrom('vpcFirewallRule').where('vpcId', '=', vpc.id).execute()
    // A statement has a limited number of parameters, and large rules take milliseconds to write.
    for (const some of batches(rows, rowsAtOnce)) {
      if (rows.length > rowsAtOnce) await yieldToEventLoop()
      await ctx.tx.insertInto('vpcFirewallRule').values(some).execute()
    }
    noteChanges(ctx.unit, ['vpc', vpc], ruleChanges(before, rows))
    ctx.wake(`networks ${vpc.id}`)
    return { rules: rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(view) }
  },
}

/** The rules that were added, removed and changed, as an entry of the audit log shows them. */
function ruleChanges(
  before: ReadonlyMap<string, VpcFirewallRuleTable>,
  rows: readonly VpcFirewallRuleTable[],
): FieldChange[] {
  const names = rows.map(({ name }) => name)
  const changed = rows.filter((row) => {
    const was = before.get(row.name)
    return was && keysOf(row).some((key) => key !== 'timeModified' && row[key] !== was[key])
  })
  return [
    ...listChanges('rules', [...before.keys()], names),
    ...entriesChanged(
      'rules',
      changed.map(({ name }) => name),
    ),
  ]
}

/** A rule that keeps its name keeps its id and when it was created; one that is the same in all, when it was modified. */
function keepIdentity(
  was: VpcFirewallRuleTable | undefined,
  row: VpcFirewallRuleTable,
): VpcFirewallRuleTable {
  if (!was) return row
  const { id, timeCreated, timeModified } = was
  const same = { ...row, id, timeCreated, timeModified }
  const isSame = keysOf(same).every((key) => same[key] === was[key])
  return isSame ? same : { ...row, id, timeCreated }
}

/** The rows of a set of rules that is to replace those of a VPC. Throws 400. */
export function ruleRows(
  ctx: Pick<Ctx, 'world' | 'now'>,
  vpc: VpcTable,
  rules: readonly Rule[],
): VpcFirewallRuleTable[] {
  checkRules(vpc.name, rules)
  return rules.map((rule) => rowOf(ctx, vpc, rule))
}

const rowsByName = ({ tx }: Pick<Ctx, 'tx'>, { id }: VpcTable): Promise<VpcFirewallRuleTable[]> =>
  tx.selectFrom('vpcFirewallRule').selectAll().where('vpcId', '=', id).orderBy('name').execute()

/** The first rules in the order of evaluation. Of the others only what orders them is read. */
async function firstRows(
  { tx }: Pick<Ctx, 'tx'>,
  { id }: VpcTable,
  count: number,
): Promise<VpcFirewallRuleTable[]> {
  const all = await tx
    .selectFrom('vpcFirewallRule')
    .select(['id', 'name', 'priority', 'action'])
    .where('vpcId', '=', id)
    .execute()
  const first = all.toSorted(byPrecedence).slice(0, count)
  const ids = first.map((one) => one.id)
  const rows =
    ids.length === 0
      ? []
      : await tx.selectFrom('vpcFirewallRule').selectAll().where('id', 'in', ids).execute()
  return rows.toSorted(byPrecedence)
}

const view = (row: VpcFirewallRuleTable): Out<typeof VpcFirewallRule> => ({
  ...identityView(row),
  vpcId: row.vpcId,
  status: row.status,
  direction: row.direction,
  targets: storedJson(row.targetsJson),
  filters: isAsOnTheWire(row.filtersJson) ? storedJson(row.filtersJson) : filtersOf(filtersIn(row)),
  action: row.action,
  priority: row.priority,
})

/** Nearly all filters are stored as clients get them. ICMP types have another name on the wire. */
const isAsOnTheWire = (filtersJson: string): boolean =>
  filtersJson.startsWith('{"hosts":') && !filtersJson.includes('"icmpType"') && !filtersJson.includes('[]')

const rowOf = (ctx: Pick<Ctx, 'world' | 'now'>, vpc: VpcTable, rule: Rule): VpcFirewallRuleTable => ({
  ...newIdentity(ctx, rule),
  projectId: vpc.projectId,
  vpcId: vpc.id,
  status: rule.status,
  direction: rule.direction,
  action: rule.action,
  priority: rule.priority,
  targetsJson: JSON.stringify(rule.targets),
  filtersJson: JSON.stringify(filtersOf(rule.filters)),
})

/** An empty list has no restriction, as null. */
const orNull = <T>(list: T[] | null | undefined): T[] | null => (list && list.length > 0 ? list : null)
const filtersOf = ({ hosts, ports, protocols }: Rule['filters']): Filters => ({
  hosts: orNull(hosts),
  ports: orNull(ports),
  protocols: orNull(protocols),
})

/** The names of the rules that every VPC begins with. */
export const defaultRules = ['allow-internal-inbound', 'allow-ssh', 'allow-icmp'] as const

/** Writes the three rules that every VPC begins with. */
export async function createDefaultRules(
  ctx: Pick<Ctx, 'world' | 'now' | 'tx'>,
  vpc: VpcTable,
): Promise<void> {
  const self: Reference[] = [{ type: 'vpc', value: vpc.name }]
  const rule = (
    name: (typeof defaultRules)[number],
    description: string,
    filters: Rule['filters'],
  ): VpcFirewallRuleTable =>
    rowOf(ctx, vpc, {
      name,
      description,
      status: 'enabled',
      direction: 'inbound',
      action: 'allow',
      priority: 65_534,
      targets: self,
      filters,
    })
  const rules = [
    rule(
      'allow-internal-inbound',
      'Allow inbound traffic to all instances within the VPC if originated within the VPC',
      { hosts: self },
    ),
    rule('allow-ssh', 'Allow inbound TCP connections on port 22 from anywhere', {
      protocols: [{ type: 'tcp' }],
      ports: ['22'],
    }),
    rule('allow-icmp', 'Allow inbound ICMP traffic from anywhere', {
      protocols: [{ type: 'icmp', value: null }],
    }),
  ]
  await ctx.tx.insertInto('vpcFirewallRule').values(rules).execute()
}

/** The VPCs of a page with the number of firewall rules of each. */
export async function withRuleCounts<V extends { id: string }>({ tx }: Pick<Ctx, 'tx'>, page: Page<V>) {
  const ids = page.items.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await tx
          .selectFrom('vpcFirewallRule')
          .select(['vpcId', ({ fn }) => fn.countAll<number>().as('total')])
          .where('vpcId', 'in', ids)
          .groupBy('vpcId')
          .execute()
  const totals = new Map(rows.map(({ vpcId, total }) => [vpcId, total]))
  return {
    ...page,
    items: page.items.map((one) => ({ ...one, totalFirewallRules: totals.get(one.id) ?? 0 })),
  }
}
