/** Entries show what was added to lists and removed from them, and the values of routes, schedules and policies. */
import { limits } from '@purlin/contract/rules/limits'
import { listChanges, namesText } from '#/audit/field-texts.ts'
import { instancesOf, swift } from '#/testing/machines.ts'
import { addRouter } from '#/testing/networks/networks.ts'
import { announce, peerAt, prepareNetwork, settingsCalled } from '#/testing/networks/port-settings.ts'
import { deedOfLast, lastEntry } from '#/testing/audit/last-entry.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const me = () => w.as('projectCollaborator')
const fleet = () => w.as('fleetAdmin')
const last = () => lastEntry(w)
const sentence = () => deedOfLast(w)

const rule = (name: string, priority = 100) => ({
  name,
  description: '',
  status: 'enabled' as const,
  direction: 'inbound' as const,
  action: 'allow' as const,
  priority,
  targets: [{ type: 'vpc' as const, value: 'default' }],
  filters: {},
})
const setRules = (...rules: ReturnType<typeof rule>[]) =>
  me().vpcFirewallRulesUpdate({ query: inVpc, body: { rules } })

it('an entry of firewall rules names those that were added, removed and changed', async () => {
  await setRules(rule('ssh-all'), rule('db'))
  expect(await sentence()).toBe(
    'edited VPC default (added rules ssh-all, db, removed rules allow-icmp, allow-internal-inbound, allow-ssh)',
  )
  await setRules(rule('db'), rule('allow-web'), rule('ssh-all', 200))
  expect(await sentence()).toBe('edited VPC default (added rule allow-web, changed rule ssh-all)')
  await setRules(rule('db'), rule('allow-web'))
  expect(await sentence()).toBe('removed rule ssh-all from VPC default')
  await setRules(rule('allow-web'), rule('db'))
  expect(await sentence()).toContain('edited VPC firewall rules')
})

it('an entry of a route shows its target and destination before and after', async () => {
  await addRouter(w, 'edge', await me().vpcView({ params: { vpc: 'default' }, query }))
  const at = { ...inVpc, router: 'edge' }
  const way = { destination: { type: 'ip_net', value: '10.1.0.0/16' }, target: { type: 'drop' } } as const
  await me().vpcRouterRouteCreate({ query: at, body: { name: 'out', description: '', ...way } })
  const update = (body: object) =>
    me().vpcRouterRouteUpdate({ params: { route: 'out' }, query: at, body: { ...way, ...body } })
  await update({ target: { type: 'instance', value: 'gw' } })
  expect(await sentence()).toBe('changed the target of route out from drop to instance gw')
  await update({ destination: { type: 'subnet', value: 'web' } })
  expect(await sentence()).toBe(
    'edited route out (changed the destination from 10.1.0.0/16 to subnet web, changed the target from instance gw to drop)',
  )
  const subnet = (customRouter: string | null) =>
    me().vpcSubnetUpdate({ params: { subnet: 'default' }, query: inVpc, body: { customRouter } })
  await subnet('edge')
  expect(await sentence()).toBe('changed the custom router of subnet default from none to edge')
})

it('an entry of a schedule shows its action, times, retention and resources', async () => {
  await instancesOf(w).create('web-01')
  await me().scheduleCreate({
    query,
    body: {
      name: 'nightly',
      description: '',
      action: 'snapshot',
      tag: 'env=prod',
      rule: { type: 'daily', time: '18:30' },
      keep: { daily: 7 },
    },
  })
  type Body = Parameters<ReturnType<typeof me>['scheduleUpdate']>[0]['body']
  const update = (body: Body) => me().scheduleUpdate({ params: { schedule: 'nightly' }, query, body })
  await update({ rule: { type: 'weekly', days: ['monday', 'friday'], time: '02:00' } })
  expect(await sentence()).toBe(
    'changed the time of schedule nightly from every day at 18:30 UTC to monday, friday at 02:00 UTC',
  )
  await update({ keep: { hourly: 24, daily: 14 } })
  expect(await sentence()).toBe(
    'changed the retention of schedule nightly from 7 daily to 24 hourly, 14 daily',
  )
  await update({ instances: ['web-01'] })
  expect(await sentence()).toBe(
    'changed the resources of schedule nightly from instances with the tag env=prod to web-01',
  )
  await update({ paused: true })
  expect(await sentence()).toBe('paused schedule nightly')
  await update({ paused: false })
  expect(await sentence()).toBe('resumed schedule nightly')
  await update({ action: 'stop', rule: { type: 'hours', hours: 6 } })
  expect(await sentence()).toBe(
    'edited schedule nightly (changed the action from snapshot to stop, changed the time from monday, friday at 02:00 UTC to every 6 hours UTC, changed the retention from 24 hourly, 14 daily to none)',
  )
})

it('an entry of a policy says who got which role, and from whom one was taken', async () => {
  const params = { project: 'demo' }
  const assign = (id: string, roleName: 'viewer' | 'admin', timeExpires?: Date) => ({
    identityType: 'silo_user' as const,
    identityId: id,
    roleName,
    ...(timeExpires ? { timeExpires } : {}),
  })
  const { projectPolicyView, projectPolicyUpdate } = w.as('admin')
  const { roleAssignments } = await projectPolicyView({ params })
  const viewer = w.ids.viewer ?? ''
  await projectPolicyUpdate({
    params,
    body: {
      roleAssignments: [...roleAssignments, assign(viewer, 'admin', new Date('2026-12-01T00:00:00Z'))],
    },
  })
  expect(await sentence()).toBe('gave role admin until 2026-12-01T00:00:00Z to viewer on project demo')
  await projectPolicyUpdate({
    params,
    body: { roleAssignments: [...roleAssignments, assign(viewer, 'viewer')] },
  })
  expect(await sentence()).toBe(
    'edited project demo (gave role viewer to viewer, took role admin from viewer)',
  )
  await projectPolicyUpdate({ params, body: { roleAssignments } })
  expect(await sentence()).toBe('took role viewer from viewer on project demo')

  const silo = await w.as('admin').policyView()
  await w.as('admin').policyUpdate({
    body: { roleAssignments: silo.roleAssignments.filter(({ identityId }) => identityId !== viewer) },
  })
  expect(await sentence()).toBe('took role viewer from viewer on silo acme')

  const system = await fleet().systemPolicyView()
  await fleet().systemPolicyUpdate({
    body: { roleAssignments: [...system.roleAssignments, assign(viewer, 'viewer')] },
  })
  expect(await sentence()).toBe('gave role viewer on the fleet to user viewer')
  // It is about the fleet, not about the silo of the user.
  const { items } = await w.as('admin').siloAuditLogList({
    query: { startTime: new Date('2026-01-01T00:00:00Z'), operation: 'system_policy_update' },
  })
  expect(items).toEqual([])
})

it('entries of pools name ranges and silos', async () => {
  const body = { name: 'more', description: '', ipVersion: 'v4' as const }
  await fleet().ipPoolCreate({ body })
  const params = { pool: 'more' }
  const range = { first: '198.51.200.1', last: '198.51.200.9' }
  await fleet().ipPoolRangeAdd({ params, body: range })
  expect(await sentence()).toBe('added range 198.51.200.1-198.51.200.9 to IP pool more')
  await fleet().ipPoolSiloLink({ params, body: { silo: 'acme', isDefault: false } })
  expect(await sentence()).toBe('linked IP pool more to silo acme')
  const ofSilo = { params: { pool: 'more', silo: 'acme' } }
  await fleet().ipPoolSiloUpdate({ ...ofSilo, body: { isDefault: true } })
  expect(await sentence()).toBe('made IP pool more the default of silo acme')
  await fleet().ipPoolSiloUpdate({ ...ofSilo, body: { isDefault: false } })
  expect(await sentence()).toBe('unset IP pool more as the default of silo acme')
  await fleet().ipPoolSiloUnlink(ofSilo)
  expect(await sentence()).toBe('unlinked IP pool more from silo acme')
  await fleet().ipPoolRangeRemove({ params, body: range })
  expect(await sentence()).toBe('removed range 198.51.200.1-198.51.200.9 from IP pool more')
})

it('entries of receivers name subscriptions and recipients, but no address of a webhook', async () => {
  await fleet().webhookReceiverCreate({
    body: { name: 'hook', description: '', endpoint: 'https://example.org/first-token', secrets: ['s3cret'] },
  })
  const params = { receiver: 'hook' }
  await fleet().alertReceiverSubscriptionAdd({ params, body: { subscription: 'hardware.**' } })
  expect(await sentence()).toBe('added subscription hardware.** to alert receiver hook')
  await fleet().alertReceiverSubscriptionRemove({ params: { ...params, subscription: 'hardware.**' } })
  expect(await sentence()).toBe('removed subscription hardware.** from alert receiver hook')
  await fleet().webhookReceiverUpdate({ params, body: { endpoint: 'https://example.org/second-token' } })
  expect(await sentence()).toBe('changed the endpoint of alert receiver hook')
  expect(JSON.stringify(await last())).not.toMatch(/token/)
  await fleet().emailReceiverCreate({
    body: { name: 'mail', description: '', to: ['a@example.org'], subscriptions: [] },
  })
  await fleet().emailReceiverUpdate({ params: { receiver: 'mail' }, body: { to: ['b@example.org'] } })
  expect(await sentence()).toBe(
    'edited alert receiver mail (added recipient b@example.org, removed recipient a@example.org)',
  )
})

it('entries of groups name their members, and those of sleds the provision policy', async () => {
  await instancesOf(w).create('web-01')
  const group = { name: 'apart', description: '', policy: 'allow' as const, failureDomain: 'sled' as const }
  await me().antiAffinityGroupCreate({ query, body: group })
  const member = { params: { antiAffinityGroup: 'apart', instance: 'web-01' }, query }
  await me().antiAffinityGroupMemberInstanceAdd(member)
  expect(await sentence()).toBe('added instance web-01 to anti-affinity group apart')
  await me().antiAffinityGroupMemberInstanceDelete(member)
  expect(await sentence()).toBe('removed instance web-01 from anti-affinity group apart')

  const { id: groupId } = await w
    .as('admin')
    .localIdpGroupCreate({ query: { silo: 'acme' }, body: { displayName: 'ops' } })
  const add = () =>
    w.as('admin').localIdpGroupMembersAdd({
      params: { groupId },
      query: { silo: 'acme' },
      body: { userIds: [w.ids.viewer ?? ''] },
    })
  await add()
  expect(await sentence()).toBe('added user viewer to group ops')
  await add()
  expect((await last())?.objects?.some(({ changes }) => changes)).toBe(false)

  const [sled] = (await fleet().sledList({ query: {} })).items
  await fleet().sledSetProvisionPolicy({
    params: { sledId: sled?.id ?? '' },
    body: { state: 'non_provisionable' },
  })
  expect(await sentence()).toContain('from provisionable to non-provisionable')
})

it('entries of interfaces, service accounts, templates and sign-in settings show what changed', async () => {
  await instancesOf(w).create('web-01')
  const [nic] = (await me().instanceNetworkInterfaceList({ query: { ...query, instance: 'web-01' } })).items
  await me().instanceNetworkInterfaceUpdate({
    params: { interface: nic?.name ?? '' },
    query: { ...query, instance: 'web-01' },
    body: { transitIps: ['10.9.0.0/16'] },
  })
  expect(await sentence()).toBe(`added transit IP 10.9.0.0/16 to network interface ${nic?.name}`)
  const ofSilo = { query: { silo: 'acme' } }
  await w.as('admin').serviceAccountCreate({ ...ofSilo, body: { name: 'ci', description: '' } })
  await w.as('admin').serviceAccountUpdate({
    ...ofSilo,
    params: { serviceAccount: 'ci' },
    body: { disabled: true },
  })
  expect(await sentence()).toBe('disabled service account ci')
  await me().userDataTemplateCreate({ query, body: { name: 'base', description: '', text: 'first-key' } })
  await me().userDataTemplateUpdate({ params: { template: 'base' }, query, body: { text: 'second-key' } })
  expect(await sentence()).toBe('changed the text of user data template base')
  expect(JSON.stringify(await last())).not.toMatch(/-key/)
  await w.as('admin').authSettingsUpdate({
    body: { deviceTokenMaxTtlSeconds: 7 * 86_400, secondFactorRequired: false },
  })
  expect(await sentence()).toBe('changed the longest token lifetime of silo acme from none to 7 days')
})

it('entries of switches name networks, addresses and peers, and those of BGP show what changed', async () => {
  await prepareNetwork(w)
  await announce(w, 'own', ['203.0.113.0/25', '203.0.113.128/25'])
  expect(await sentence()).toBe('added network 203.0.113.128/25 to BGP announce set own')
  await announce(w, 'more', ['203.0.113.0/26'])
  await fleet().networkingBgpConfigUpdate({
    params: { bgpConfig: 'rack' },
    query: {},
    body: { asn: 65_002, vrf: 'red', bgpAnnounceSetId: 'more' },
  })
  expect(await sentence()).toBe(
    'edited BGP configuration rack (changed the ASN from 65001 to 65002, changed the VRF from none to red, changed the announce set from own to more)',
  )
  const store = (more: Parameters<typeof settingsCalled>[1]) =>
    fleet().networkingSwitchPortSettingsCreate({ query: {}, body: settingsCalled('uplink', more) })
  const peers = [peerAt('198.51.100.2')]
  await store({ addresses: ['198.51.100.33/30'], peers })
  await store({ addresses: ['198.51.100.34/30'], peers: [...peers, peerAt('198.51.100.3')] })
  expect(await sentence()).toBe(
    'edited settings of switch ports uplink (added address 198.51.100.34/30, removed address 198.51.100.33/30, added BGP peer 198.51.100.3)',
  )
  const md5AuthKey = 'the-key'
  await store({ addresses: ['198.51.100.34/30'], peers: [peerAt('198.51.100.2', { md5AuthKey })] })
  expect(await sentence()).toBe(
    'edited settings of switch ports uplink (removed BGP peer 198.51.100.3, changed BGP peer 198.51.100.2)',
  )
  expect(JSON.stringify(await last())).not.toContain(md5AuthKey)
})

it('long lists are cut at a whole name, with the number of the others', () => {
  const names = Array.from({ length: 200 }, (_, i) => `rule-${i}`)
  const text = namesText(names)
  expect(text.length).toBeLessThanOrEqual(limits.audit.value)
  expect(text).toMatch(/rule-\d+ and 1\d\d more$/)
  expect(listChanges('rules', names, names)).toEqual([])
})
