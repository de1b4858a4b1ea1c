/** Query plans on SQLite: no request or loop scans a table that grows with the cloud. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { afterEach, expect, it, vi } from 'vitest'
import { taggedIn } from './lists/tag-filter.ts'
import { migrate } from './migrate.ts'
import { addFloatingIp, addInstance, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

/** They have a row or more for each instance of the cloud. */
const large = [
  'instance',
  'networkInterface',
  'externalIp',
  'disk',
  'snapshot',
  'snapshotSchedule',
  'tally',
  'auditEntry',
  'searchText',
  'tag',
  'usagePeriod',
  'usageTag',
]

type Prepare = (this: DatabaseSync, sql: string) => StatementSync
const prepare = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, 'prepare')?.value as Prepare

/** Explains each statement before it is prepared; returns the plans so far. */
function recordPlans(): Map<string, string[]> {
  const plans = new Map<string, string[]>()
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
    if (/^(select|update|delete|insert)/.test(sql) && !plans.has(sql)) {
      const steps = prepare.call(this, `explain query plan ${sql}`).all()
      plans.set(
        sql,
        steps.map(({ detail }) => String(detail)),
      )
    }
    return prepare.call(this, sql)
  })
  return plans
}

const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const page = { ...query, limit: 10, total: true }

async function useNetworks(w: TestWorld): Promise<void> {
  const me = w.as('collaborator')
  for (const name of ['a', 'b']) await addInstance(w, name, { start: name === 'a' })
  await addFloatingIp(w, 'f')
  await w.advance(60_000)
  await me.instanceReachability({ params: { instance: 'a' }, query })
  await me.vpcEffects({ params: { vpc: 'default' }, query })
  await me.vpcTopology({ params: { vpc: 'default' }, query })
  await me.vpcFirewallRulesUpdate({ query: inVpc, body: { rules: [] } })
  await me.internetGatewayList({ query: { ...inVpc, limit: 10 } })
  await me.vpcSubnetList({ query: { ...inVpc, limit: 10 } })
  await me.instanceNetworkInterfaceList({ query: { ...query, instance: 'a' } })
  await me.floatingIpList({ query: page })
  await me.instanceExternalIpList({ params: { instance: 'a' }, query })
}

async function useMachines(w: TestWorld): Promise<void> {
  const me = w.as('collaborator')
  await me.instanceList({ query: page })
  await me.instanceList({ query: { ...page, externalIps: true } })
  await me.diskList({ query: page })
  await me.diskList({ query: { ...page, filter: ['tag:env=prod', 'tag:env=test', 'tag:team'] } })
  await me.imageList({ query: { ...page, totalDisks: true } })
  await me.imageList({ query: { limit: 10, totalDisks: true } })
  await me.snapshotList({ query: page })
  await me.instanceView({ params: { instance: 'a' }, query })
  await me.instanceDiskList({ params: { instance: 'a' }, query })
  await me.instanceStop({ params: { instance: 'a' }, query })
  await w.advance(120_000)
  await me.instanceDelete({ params: { instance: 'a' }, query })
  await w.advance(60_000)
}

async function usePools(w: TestWorld): Promise<void> {
  const me = w.as('fleetAdmin')
  await me.ipPoolCreate({ body: { name: 'office', description: '' } })
  await me.ipPoolSiloLink({ params: { pool: 'office' }, body: { silo: 'acme', isDefault: false } })
  for (const pool of ['office', 'public'])
    await me.ipPoolSiloUpdate({ params: { pool, silo: 'acme' }, body: { isDefault: true } })
  await me.ipPoolUtilizationView({ params: { pool: 'public' } })
}

afterEach(() => vi.restoreAllMocks())

it('no statement reads a table that grows with the cloud from end to end', async () => {
  const engine = openSqlite(':memory:')
  await migrate(engine, 0)
  const plans = recordPlans()
  const w = await openWorld({ engine })
  await useNetworks(w)
  await usePools(w)
  await useMachines(w)
  expect(w.errors).toEqual([])
  await w.close()
  const scan = new RegExp(`^SCAN (${large.join('|')})( |$)`)
  const scans = [...plans].filter(([, steps]) => steps.some((step) => scan.test(step)))
  expect(plans.size).toBeGreaterThan(100)
  expect(scans).toEqual([])
})

it('users are read in the order of their sign-ins by its index, each page', async () => {
  const plans = recordPlans()
  const w = await openWorld()
  const order = { sortBy: 'last_sign_in_descending', limit: 2 } as const
  const { nextPage } = await w.as('admin').userList({ query: order })
  await w.as('admin').userList({ query: { ...order, pageToken: nextPage ?? '' } })
  // With the columns of roles, which its totals need.
  await w.as('admin').userList({ query: { ...order, total: true } })
  await w.close()
  const read = [...plans].filter(([sql]) => /timeLastSignedIn" desc/.test(sql))
  expect(read).toHaveLength(3)
  for (const [, steps] of read)
    expect(steps.join()).toMatch(/INDEX siloUser_siloId_timeLastSignedIn_id \(siloId=\?/)
  for (const [, steps] of read) expect(steps.join()).not.toContain('TEMP B-TREE')
})

it.each([
  [
    'disk',
    'demo',
    /SEARCH tag USING COVERING INDEX tag_holderId_kind_key_value_resourceId \(holderId=\? AND kind=\?/,
  ],
  ['affinityGroup', 'demo', /INDEX tag_holderId_kind_key_value_resourceId \(holderId=\? AND kind=\?/],
  [
    'vpcSubnet',
    'default',
    /SEARCH tag USING PRIMARY KEY \(resourceId=\? AND key=\?\).*SEARCH vpcSubnet USING/,
  ],
])('the rows of %s with a tag are looked up by an index', async (table, holder, expected) => {
  const plans = recordPlans()
  const w = await openWorld()
  const tags = new Map([['env', ['prod', 'test']]])
  await inDb(w, (tx) => taggedIn(tx, { table, holder }, { tags, most: 10 }))
  await w.close()
  const [steps = []] = [...plans].flatMap(([sql, plan]) => (/from "tag".*"kind" in/.test(sql) ? [plan] : []))
  expect(steps.join()).toMatch(expected)
  expect(steps.join()).not.toContain('SCAN')
})

it('the instances of projects are counted by state, and their last changes found, by indexes alone', async () => {
  const plans = recordPlans()
  const w = await openWorld()
  await w.as('admin').projectList({ query: { utilization: true } })
  await w.close()
  const stepsOf = (pattern: RegExp) =>
    [...plans].flatMap(([sql, steps]) => (pattern.test(sql) ? [steps.join()] : []))
  const [counts] = stepsOf(/count\(\*\).*group by "projectId", "runState"/)
  expect(counts).toMatch(/COVERING INDEX instance_projectId_runState \(projectId=\?\)/)
  expect(counts).not.toContain('TEMP B-TREE')
  const [changes] = stepsOf(/from "auditKey" where "key" = \?.*limit/)
  expect(changes).toMatch(/SEARCH auditKey USING PRIMARY KEY \(key=\?\)/)
  expect(changes).toMatch(/SEARCH auditEntry USING/)
})
