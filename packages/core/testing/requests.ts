/** Requests to every operation of the contract: plausible ones, and random ones made from its schemas. */
import fc from './properties.ts'
import type { OpShape } from '@purlin/contract/op'
import { operations, type OperationName } from '@purlin/contract/operations'
import { plainName, type PlainKind } from '@purlin/contract/operations/plain'
import { hasNames, kindNames, kinds, kindsWith, scopeOf } from '@purlin/contract/rules/kinds'
import { protectedKinds } from '@purlin/contract/rules/lists'
import { GiB } from '@purlin/contract/rules/limits'
import { bare, type Field, type Node, type Schema } from '@purlin/contract/schema'
import { mediaTypes } from '@purlin/contract/schemas/media-types'
import { snake } from '@purlin/contract/wire'
import { testCertificate } from './certificates.ts'
import { addOidcProvider, addProvider } from './access/providers.ts'
import { clientId, issuer, testLogout } from './access/oidc.ts'
import { acsUrl, entityId, serviceEntityId, testAnswer, testMetadata } from './access/saml.ts'
import { addGroup } from './machines.ts'
import { addInstance, addRouter, inDb } from './networks/networks.ts'
import { insertRow } from '#/db/prepared.ts'
import { addPrincipalWords } from '#/db/rows/principals.ts'
import { addProbe } from './networks/probes.ts'
import { announce, peerAt, prepareNetwork, settingsCalled } from './networks/port-settings.ts'
import { rootDocument } from './updates/fixtures.ts'
import { insertChild } from '#/resources/kind/rows.ts'
import type { RawRequest, TestWorld, Who } from './world.ts'
import { withoutRequest } from '#/context.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'
const identity = { name: 'fresh', description: '' }
const route = { destination: { type: 'ip_net', value: '10.9.0.0/16' }, target: { type: 'drop' } }
const userData = {
  text: '#cloud-config\nhostname: <<<host>>>\n',
  fields: [{ name: 'host', type: 'text' as const }],
}
const bfd = { switch: 'switch0', mode: 'single_hop', detection_threshold: 3, required_rx: 1000 }
const samlSettings = {
  idp_entity_id: entityId,
  sp_client_id: serviceEntityId,
  acs_url: acsUrl,
  slo_url: '',
  technical_contact_email: '',
}
const samlSource = { type: 'base64_encoded_xml', data: btoa(testMetadata()) }
const deviceClient = '3f1c9a52-0000-4000-8000-000000000001'
const file = 'packages/core/testing/requests.ts'

/** The id of an access token that each caller has. */
export const ownTokenId = '5d3b7c10-0000-4000-8000-000000000002'

/** Bodies that the weakest allowed caller could send, of operations whose schema does not give one: see `derivedBody`. */
const bodies: Partial<Record<OperationName, (ids: Record<string, string>) => unknown>> = {
  loginLocal: () => ({ username: 'norole', password: 'noRole-password' }),
  loginSaml: (ids) => `SAMLResponse=${encodeURIComponent(ids['samlAnswer'] ?? '')}`,
  loginOidcLogout: () =>
    `logout_token=${encodeURIComponent(testLogout({ tokenId: 'first', subject: 'unknown' }))}`,
  oidcIdentityProviderCreate: () => ({ ...identity, issuer, client_id: clientId, client_secret: 'secret' }),
  samlIdentityProviderCreate: () => ({ ...identity, ...samlSettings, idp_metadata_source: samlSource }),
  usagePricesUpdate: () => ({
    currency: 'EUR',
    cpu_hour: '0.035',
    memory_gib_hour: '0.004',
    storage_gib_hour: '0.0001',
    address_hour: null,
  }),
  authSettingsUpdate: () => ({ device_token_max_ttl_seconds: null }),
  deviceAuthRequest: () => ({ client_id: deviceClient }),
  deviceAuthConfirm: () => ({ user_code: 'BCDF-GHJK' }),
  deviceAccessToken: () => ({ grant_type: 'none', device_code: 'none', client_id: deviceClient }),
  currentUserPasswordUpdate: () => ({
    current_password: 'role-password',
    new_password: 'another password',
  }),
  currentUserSecondFactorConfirm: () => ({ name: 'fresh', proof: { type: 'totp', code: '000000' } }),
  loginSecondFactorConfirm: () => ({ name: 'fresh', proof: { type: 'totp', code: '000000' } }),
  loginSecondFactor: () => ({ type: 'totp', code: '000000' }),
  currentUserListViewsUpdate: () => ({
    views: [{ name: 'mine', search: 'find=web', hidden_columns: ['memory'] }],
  }),
  currentUserSshKeyCreate: () => ({ ...identity, public_key: key }),
  scimUserCreate: () => ({ userName: 'fresh' }),
  scimUserReplace: () => ({ userName: 'fresh' }),
  scimUserUpdate: () => ({ Operations: [{ op: 'replace', path: 'externalId', value: 'x' }] }),
  scimGroupCreate: () => ({ displayName: 'fresh' }),
  scimGroupReplace: () => ({ displayName: 'fresh' }),
  scimGroupUpdate: () => ({ Operations: [{ op: 'replace', path: 'externalId', value: 'x' }] }),
  policyUpdate: (ids) => ({
    role_assignments: [{ identity_type: 'silo_user', identity_id: ids['admin'], role_name: 'admin' }],
  }),
  siloPolicyUpdate: (ids) => ({
    role_assignments: [{ identity_type: 'silo_user', identity_id: ids['admin'], role_name: 'admin' }],
  }),
  systemPolicyUpdate: (ids) => ({
    role_assignments: [{ identity_type: 'silo_user', identity_id: ids['fleetAdmin'], role_name: 'admin' }],
  }),
  siloCreate: () => ({
    ...identity,
    discoverable: true,
    identity_mode: 'local_only',
    quotas: { cpus: 1, memory: GiB, storage: GiB },
    tls_certificates: [],
  }),
  certificateCreate: () => testCertificate('fresh'),
  siloQuotasUpdate: () => ({ cpus: 1 }),
  localIdpUserCreate: () => ({ external_id: 'fresh', password: { mode: 'login_disallowed' } }),
  localIdpUserSetPassword: () => ({ mode: 'login_disallowed' }),
  projectPolicyUpdate: (ids) => ({
    role_assignments: [
      { identity_type: 'silo_user', identity_id: ids['projectViewer'], role_name: 'viewer' },
    ],
  }),
  instanceCreate: () => ({ ...identity, ncpus: 1, memory: GiB, hostname: 'fresh', start: false }),
  machineSizeCreate: () => ({ ...identity, ncpus: 1, memory: GiB }),
  siloMachineSizeCreate: () => ({ ...identity, ncpus: 1, memory: GiB }),
  instanceUpdate: () => ({
    ncpus: 2,
    memory: GiB,
    boot_disk: null,
    auto_restart_policy: null,
    cpu_platform: null,
  }),
  diskCreate: () => ({ ...identity, size: GiB, disk_source: { type: 'blank', block_size: 512 } }),
  ...Object.fromEntries(
    kindsWith('isTagged').map((kind) => [`${kind}TagsChange`, () => ({ set: { env: 'prod' } })]),
  ),
  ...Object.fromEntries(
    protectedKinds.map((kind) => [`${kind}ProtectionUpdate`, () => ({ protected: false })]),
  ),
  diskRollBack: () => ({ snapshot: 'yesterday' }),
  diskBlocksWrite: () => '',
  diskSnapshotScheduleUpdate: () => ({ every_hours: 24, keep: 7, paused: true }),
  scheduleCreate: () => ({
    ...identity,
    action: 'stop',
    tag: 'env=test',
    rule: { type: 'daily', time: '18:30' },
    paused: true,
  }),
  userDataTemplateCreate: () => ({ ...identity, ...userData }),
  diskBulkWriteImport: () => ({ offset: 0, base64_encoded_data: btoa('x'.repeat(512)) }),
  imageCreate: (ids) => ({
    ...identity,
    os: 'debian',
    version: '13',
    source: { type: 'snapshot', id: ids['yesterday'] },
  }),
  imageImportCreate: () => ({
    ...identity,
    os: 'debian',
    version: '13',
    block_size: 512,
    source: { type: 'upload', size: 1000 },
  }),
  imageImportAppend: () => 'x',
  vpcSubnetCreate: () => ({ ...identity, ipv4_block: '10.1.0.0/24' }),
  vpcRouterRouteCreate: () => ({ ...identity, ...route }),
  vpcRouterRouteUpdate: () => route,
  internetGatewayIpPoolCreate: () => ({ ...identity, ip_pool: 'public' }),
  internetGatewayIpAddressCreate: () => ({ ...identity, address: '203.0.113.9' }),
  vpcFirewallRulesUpdate: () => ({ rules: [] }),
  vpcPreview: () => ({ change: { type: 'firewall_rules', rules: [] } }),
  vpcTrace: () => ({
    source: { type: 'instance', value: 'web' },
    destination: { type: 'ip', value: '8.8.8.8' },
    protocol: { type: 'tcp', port: 443 },
  }),
  instanceNetworkInterfaceCreate: () => ({ ...identity, vpc_name: 'default', subnet_name: 'default' }),
  ipPoolRangeAdd: () => ({ first: '10.30.0.1', last: '10.30.0.9' }),
  ipPoolRangeRemove: () => ({ first: '10.30.1.1', last: '10.30.1.9' }),
  ipPoolServiceRangeAdd: () => ({ first: '10.31.0.1', last: '10.31.0.9' }),
  ipPoolServiceRangeRemove: () => ({ first: '10.31.1.1', last: '10.31.1.9' }),
  hostJoinCodeCreate: () => ({ minutes: 30 }),
  hostJoin: () => ({
    code_id: '3f1c9a52-0000-4000-8000-000000000003',
    address: '192.0.2.7',
    port: 7400,
    public_key: 'a key',
    proof: 'a proof',
  }),
  sledAdd: () => ({ part: '410-2100317', serial: 'PRS26140029' }),
  sledMaintenanceStart: () => ({}),
  sledSetProvisionPolicy: () => ({ state: 'non_provisionable' }),
  networkingAddressLotCreate: () => ({
    ...identity,
    kind: 'infra',
    blocks: [{ first_address: '198.51.100.64', last_address: '198.51.100.95' }],
  }),
  networkingLoopbackAddressCreate: (ids) => ({
    address_lot: 'outside',
    rack_id: ids['rack'],
    switch_location: 'switch1',
    address: '198.51.100.2',
    mask: 32,
    anycast: false,
  }),
  networkingBgpConfigCreate: () => ({ ...identity, asn: 65_010, bgp_announce_set_id: 'own' }),
  networkingBgpConfigUpdate: () => ({ vrf: 'red' }),
  networkingBgpAnnounceSetUpdate: () => ({
    ...identity,
    announcement: [{ address_lot_block: 'pools', network: '203.0.113.0/24' }],
  }),
  networkingBfdEnable: () => ({ ...bfd, remote: '198.51.100.20' }),
  networkingBfdDisable: () => ({ switch: 'switch0', remote: '198.51.100.21' }),
  networkingSwitchPortSettingsCreate: () => ({
    ...identity,
    port_config: { geometry: 'qsfp28x1' },
    links: [{ link_name: 'phy0', mtu: 1500, speed: 'speed100_g', autoneg: false, lldp: { enabled: true } }],
    addresses: [{ link_name: 'phy0', addresses: [{ address_lot: 'infra', address: '198.51.100.45/30' }] }],
  }),
  networkingSwitchPortLldpConfigUpdate: (ids) => ({ id: ids['lldp'], enabled: false }),
  networkingSwitchChangePreview: (ids) => ({
    change: { type: 'clear', rack_id: ids['rack'], switch_location: 'switch0', port: 'qsfp0' },
  }),
  networkingAllowListUpdate: () => ({ allowed_ips: { allow: 'any' } }),
  networkingAllowListPreview: () => ({ allowed_ips: { allow: 'any' } }),
  networkingInboundIcmpUpdate: () => ({ enabled: true }),
  networkingSwitchPortApplySettings: () => ({ port_settings: 'uplink' }),
  floatingIpAttach: () => ({ kind: 'instance', parent: 'web' }),
  taskCreate: (ids) => ({ kind: 'instance', action: 'stop', ids: [ids['data']] }),
  taskPreview: (ids) => ({ kind: 'instance', action: 'stop', ids: [ids['web']] }),
  webhookReceiverCreate: () => ({ ...identity, endpoint: 'https://example.org/hook', secrets: ['a secret'] }),
  emailReceiverCreate: () => ({ ...identity, to: ['operators@example.org'] }),
  webhookSecretsAdd: () => ({ secret: 'another secret' }),
  alertReceiverSubscriptionAdd: () => ({ subscription: 'instance.failed' }),
  alertSilence: () => ({ until: null }),
  probeCreate: (ids) => ({ ...identity, sled: ids['sled'] }),
  supportBundleCreate: () => ({ user_comment: 'slow disks' }),
  supportBundleUpdate: () => ({ user_comment: 'slow disks on one sled' }),
  systemUpdateTrustRootCreate: () => rootDocument(),
  systemUpdateRepositoryUpload: () => '',
  systemUpdateUploadCreate: () => ({ file_name: 'update.zip', size: 1000 }),
  systemUpdateUploadAppend: () => '',
  targetReleaseUpdate: () => ({ system_version: '1.0.0' }),
  timeseriesQuery: () => ({ query: 'get virtual_machine:vcpu_usage | last 1' }),
  systemTimeseriesQuery: () => ({ query: 'get virtual_machine:vcpu_usage | last 1' }),
}

const samples = 'start_time=2026-01-01T00:00:00Z&end_time=2027-01-01T00:00:00Z'
/** Required query fields in addition to the parents. */
const queries: Partial<Record<OperationName, string>> = {
  diskBlocksWrite: 'offset=0',
  imageImportAppend: 'offset=0',
  systemUpdateRepositoryUpload: 'file_name=update.zip',
  systemUpdateUploadAppend: 'offset=0',
  systemUpdatePlan: 'system_version=1.0.0',
  siloMetric: samples,
  usageReport: samples,
  projectUsageReport: samples,
  systemUsageReport: samples,
  sledMetric: samples,
  systemMetric: samples,
  instanceSerialConsole: 'most_recent=16',
  accessExplain: 'identity={noRole}&operation=project_list',
  auditLogList: samples,
  siloAuditLogList: samples,
  auditLogExport: samples,
  siloAuditLogExport: samples,
  resourceActivity: 'resource=project:{demo}',
  eventStream: 'scope=/v1/me&follow=false',
  nameList: 'kind=disk&id={data}',
  currentUserListViewsView: 'kind=disk',
  currentUserListViewsUpdate: 'kind=disk',
  listExport: 'list=/v1/me/ssh-keys',
  networkingSwitchPortStatus: 'rack_id={rack}&switch_location=switch0',
  networkingSwitchPortApplySettings: 'rack_id={rack}&switch_location=switch0',
  networkingSwitchPortClearSettings: 'rack_id={rack}&switch_location=switch0',
  networkingSwitchPortLldpConfigView: 'rack_id={rack}&switch_location=switch0',
  networkingSwitchPortLldpConfigUpdate: 'rack_id={rack}&switch_location=switch0',
  networkingSwitchPortSettingsDelete: 'port_settings=spare',
  networkingBgpConfigDelete: 'name_or_id=spare',
  networkingBgpImportedRoutesIpv4: 'asn=65001',
  networkingBgpMessageHistory: 'asn=65001',
  accessIdentityList: 'resource=project:{demo}',
  accessWhoCan: 'operation=project_view&resource=project:{demo}',
}

/** Creates one resource of every kind in `demo`, the target of requests; adds their ids to the world's. */
export async function createFixtures(world: TestWorld): Promise<void> {
  const { ids } = world
  const now = world.clock.now()
  const query = { project: 'demo' }
  const disk = {
    name: 'data',
    description: '',
    size: GiB,
    diskSource: { type: 'blank' as const, blockSize: 512 as const },
  }
  // Its snapshots have a disk.
  const disks = [{ type: 'create' as const, ...disk, name: 'logs' }]
  ids['web'] = (await addInstance(world, 'web', { disks })).id
  ids['data'] = (await world.as('admin').diskCreate({ query, body: disk })).id
  const schedule = { everyHours: 24, keep: 7, paused: true }
  const ofData = { params: { disk: 'data' }, query }
  await world.as('admin').diskSnapshotScheduleUpdate({ ...ofData, body: schedule })
  const evening = {
    name: 'evening',
    description: '',
    action: 'stop' as const,
    tag: 'env=test',
    rule: { type: 'daily' as const, time: '18:30' },
    paused: true,
  }
  ids['schedule'] = (await world.as('admin').scheduleCreate({ query, body: evening })).id
  const template = { name: 'web-server', description: '', ...userData }
  ids['template'] = (await world.as('admin').userDataTemplateCreate({ query, body: template })).id
  const snapshot = { name: 'yesterday', description: '', disk: 'data' }
  ids['yesterday'] = (await world.as('admin').snapshotCreate({ query, body: snapshot })).id
  ids['default'] = (await world.as('admin').vpcView({ params: { vpc: 'default' }, query })).id
  const subnet = await world
    .as('admin')
    .vpcSubnetView({ params: { subnet: 'default' }, query: { ...query, vpc: 'default' } })
  ids['subnet'] = subnet.id
  ids['tls'] = (await world.as('admin').certificateCreate({ body: testCertificate('tls') })).id
  const nics = await world.as('admin').instanceNetworkInterfaceList({ query: { ...query, instance: 'web' } })
  ids['net0'] = nics.items[0]?.id ?? ''
  ids['together'] = await addGroup(world, {
    name: 'together',
    kind: 'affinity',
    policy: 'allow',
    members: ['web'],
  })
  ids['apart'] = await addGroup(world, {
    name: 'apart',
    kind: 'anti_affinity',
    policy: 'allow',
    members: ['web'],
  })
  ids['provider'] = await addProvider(world, 'acme', 'corp')
  ids['oidcProvider'] = await addOidcProvider(world, 'acme', 'openid')
  ids['signInTest'] = world.world.ids.uuid()
  ids['samlAnswer'] = testAnswer({ now: world.clock.now() })
  await findHardware(world)
  await addLot(world)
  await addPortSettings(world)
  await createAlerts(world)
  ids['probe'] = await addProbe(world, 'edge')
  ids['bundle'] = (await world.as('fleetAdmin').supportBundleCreate({ body: {} })).id
  await world.settle()
  ids['token'] = ownTokenId
  ids['task'] = world.world.ids.uuid()
  ids['team'] = world.world.ids.uuid()
  ids['base'] = world.world.ids.uuid()
  ids['shared'] = world.world.ids.uuid()
  await inDb(world, async (tx) => {
    const siloId = ids['acme'] ?? ''
    const done = { code: null, message: 'not found', inProject: null, timeCompleted: now }
    const taskId = ids['task'] ?? ''
    const item = { taskId, position: 0, itemId: taskId, name: 'gone', operation: null }
    await insertRow(tx, 'taskItem', { ...item, ...done, state: 'failed' })
    await tx
      .insertInto('siloGroup')
      .values({ id: ids['team'] ?? '', siloId, displayName: 'team', timeCreated: now, timeModified: now })
      .execute()
    await addPrincipalWords(tx, [{ id: ids['team'] ?? '', siloId, displayName: 'team' }])
    await tx
      .insertInto('groupMember')
      .values({ groupId: ids['team'] ?? '', userId: ids['noRole'] ?? '' })
      .execute()
    ids['session'] = world.world.ids.uuid()
    await insertRow(tx, 'session', {
      id: ids['session'],
      tokenHash: 'further session',
      siloUserId: ids['noRole'] ?? '',
      timeCreated: now,
      timeLastUsed: now,
      address: null,
      userAgent: null,
      providerId: null,
      providerSubject: null,
      providerSession: null,
    })
    const projectId = ids['demo'] ?? ''
    const image = {
      description: '',
      timeCreated: now,
      timeModified: now,
      os: 'debian',
      version: '13',
      size: GiB,
      blockSize: 512,
      digest: null,
      digestDueAt: null,
      isProtected: null,
      timeLastUsed: 0,
      tagsJson: null,
      layerId: null,
    }
    const made = { ...withoutRequest(tx), world: world.world }
    const base = { id: ids['base'] ?? '', name: 'base', siloId, projectId, scopeId: projectId }
    await insertChild(made, 'image', { ...image, ...base })
    const shared = { id: ids['shared'] ?? '', name: 'shared', siloId, projectId: null, scopeId: siloId }
    await insertChild(made, 'image', { ...image, ...shared })
    // So that its administrator, who asks for anything, does not delete the other silo.
    const other = ids['other'] ?? ''
    const kept = { id: world.world.ids.uuid(), name: 'kept', siloId: other, projectId: null, scopeId: other }
    await insertChild(made, 'image', { ...image, ...kept })
    await tx
      .insertInto('systemUpdateRepository')
      .values({
        id: world.world.ids.uuid(),
        systemVersion: '1.0.0',
        versionKey: '1',
        hash: '',
        fileName: '',
        fileId: '',
        size: 1,
        timeCreated: now,
        trustRootId: '',
        rootVersion: 1,
        timestamp: '',
        snapshot: '',
      })
      .execute()
  })
  await createNetworks(world)
  await waitWithDevice(world)
  for (const kind of madeByOperation) await makeTarget(world, kind)
  ids['key'] = (
    await world.as('fleetAdmin').serviceAccountKeyCreate({
      params: { serviceAccount: ids['serviceAccount'] ?? '' },
      query: { silo: 'acme' },
      body: { name: 'some-key', ttlSeconds: 60 },
    })
  ).id
}

/** A host that has joined and does not answer. */
async function addHost(world: TestWorld): Promise<string> {
  const id = world.world.ids.uuid()
  const now = world.clock.now()
  const at = { address: '192.0.2.7', port: 7400, fingerprint: 'a fingerprint', state: 'silent' as const }
  const times = { timeStateChanged: now, timeCreated: now, timeModified: now }
  await inDb(world, (tx) => insertRow(tx, 'host', { id, ...at, ...times }))
  return id
}

/** The hardware of the simulated rack, and a host that is not part of the system yet. */
async function findHardware(world: TestWorld): Promise<void> {
  const { ids } = world
  const fleet = world.as('fleetAdmin')
  const first = { query: { limit: 1 } }
  ids['rack'] = (await fleet.rackList(first)).items[0]?.id ?? ''
  ids['host'] = await addHost(world)
  ids['sled'] = (await fleet.sledList(first)).items[0]?.id ?? ''
  ids['physicalDisk'] = (await fleet.physicalDiskList(first)).items[0]?.id ?? ''
  ids['switch'] = (await fleet.switchList(first)).items[0]?.id ?? ''
}

/** An address lot with a loopback address of the first switch. */
async function addLot(world: TestWorld): Promise<void> {
  const fleet = world.as('fleetAdmin')
  const blocks = [{ firstAddress: '198.51.100.1', lastAddress: '198.51.100.31' }]
  const body = { name: 'outside', description: '', kind: 'infra' as const, blocks }
  world.ids['lot'] = (await fleet.networkingAddressLotCreate({ body })).lot.id
  const place = { rackId: world.ids['rack'] ?? '', switchLocation: 'switch0' }
  const address = { address: '198.51.100.1', mask: 32, anycast: false }
  await fleet.networkingLoopbackAddressCreate({ body: { addressLot: 'outside', ...place, ...address } })
}

/** A port with settings, a BFD session, and settings, a configuration and an announce set that nothing uses. */
async function addPortSettings(world: TestWorld): Promise<void> {
  const { ids } = world
  const fleet = world.as('fleetAdmin')
  await prepareNetwork(world)
  ids['spareSet'] = (await announce(world, 'spare', [])).id
  const config = { name: 'spare', description: '', asn: 65_009, bgpAnnounceSetId: 'own' }
  ids['spareConfig'] = (await fleet.networkingBgpConfigCreate({ body: config })).id
  await fleet.networkingSwitchPortSettingsCreate({ query: {}, body: settingsCalled('spare') })
  const peers = [peerAt('198.51.100.42')]
  const body = settingsCalled('uplink', { addresses: ['198.51.100.41/30'], peers })
  const settings = await fleet.networkingSwitchPortSettingsCreate({ query: {}, body })
  ids['uplink'] = settings.id
  ids['lldp'] = settings.links[0]?.lldpLinkConfig?.id ?? ''
  const query = { rackId: ids['rack'] ?? '', switchLocation: 'switch0' }
  const port = { params: { port: 'qsfp0' }, query }
  await fleet.networkingSwitchPortApplySettings({ ...port, body: { portSettings: 'uplink' } })
  const session = { mode: 'single_hop', detectionThreshold: 3, requiredRx: 1000 } as const
  await fleet.networkingBfdEnable({ body: { ...session, switch: 'switch0', remote: '198.51.100.21' } })
}

/** A receiver, and an alert that it subscribes to. */
async function createAlerts(world: TestWorld): Promise<void> {
  const { ids } = world
  const fleet = world.as('fleetAdmin')
  const body = { name: 'pager', description: '', endpoint: 'https://example.org/hook', secrets: ['a secret'] }
  const receiver = await fleet.webhookReceiverCreate({ body: { ...body, subscriptions: ['hardware.**'] } })
  ids['receiver'] = receiver.id
  ids['secret'] = receiver.secrets[0]?.id ?? ''
  const post = { name: 'post', description: '', to: ['operators@example.org'] }
  ids['emailReceiver'] = (await fleet.emailReceiverCreate({ body: post })).id
  ids['alert'] = world.world.ids.uuid()
  await inDb(world, (tx) =>
    insertRow(tx, 'alert', {
      id: ids['alert'] ?? '',
      class: 'hardware.link.down',
      findingId: 'a finding of before',
      severity: 'warning',
      subjectType: 'switch-port',
      subjectId: ids['rack'] ?? '',
      subjectName: 'qsfp0',
      within: null,
      text: 'The link of port qsfp0 was down.',
      advice: 'Check the cable.',
      timeStarted: 1000,
      timeEnded: world.clock.now(),
      timeAcknowledged: null,
      acknowledgedBy: null,
      silencedUntil: null,
    }),
  )
}

/** A device waits with a code that does not expire during the tests. */
const waitWithDevice = (world: TestWorld) =>
  inDb(world, (tx) =>
    tx
      .insertInto('deviceRequest')
      .values({
        id: world.world.ids.uuid(),
        deviceCodeHash: 'some code',
        userCodeHash: world.world.passwords.fingerprint('device BCDFGHJK'),
        clientId: deviceClient,
        ttl: null,
        siloUserId: null,
        timeCreated: world.clock.now() + 1e12,
      })
      .execute(),
  )

/** The further content of the VPC `default`, and the resources that it refers to. */
async function createNetworks(world: TestWorld): Promise<void> {
  const client = world.as('admin')
  const query = { project: 'demo', vpc: 'default' }
  const named = (name: string) => ({ name, description: '' })
  world.ids['custom'] = await addRouter(world, 'custom', { id: world.ids['default'] ?? '' })
  const made = await client.vpcRouterRouteCreate({
    query: { ...query, router: 'custom' },
    body: { ...named('away'), destination: { type: 'ip', value: '10.8.0.1' }, target: { type: 'drop' } },
  })
  world.ids['away'] = made.id
  const gateways = await client.internetGatewayList({ query })
  world.ids['gateway'] = gateways.items[0]?.id ?? ''
  const inGateway = { ...query, gateway: 'default' }
  const pools = await client.internetGatewayIpPoolList({ query: inGateway })
  world.ids['attachedPool'] = pools.items[0]?.id ?? ''
  const address = { ...named('fixed'), address: '203.0.113.7' }
  const attached = await client.internetGatewayIpAddressCreate({ query: inGateway, body: address })
  world.ids['fixed'] = attached.id
}

/** A caller who may do anything with the resources of a kind: an admin of the fleet or of the silo. */
export function adminOf(kind: PlainKind): Who {
  const scope: string = scopeOf(kind)
  return scope === 'fleet' || scope === 'namedSilo' ? 'fleetAdmin' : 'admin'
}

/** Makes the target of a kind, as an admin unless a cookie is given. */
async function makeTarget(world: TestWorld, kind: PlainKind, cookie?: string): Promise<void> {
  const name = createOf(kind)
  const request = plausible(world, name, 'name')
  const called = hasNames(kind) ? { name: targetNameOf(kind) } : {}
  const body = 'body' in operations[name] ? { ...(bodyOf(world, name) as object), ...called } : undefined
  const { status, text, json } = await world.raw({
    ...request,
    ...(cookie === undefined ? { who: adminOf(kind) } : { headers: { cookie } }),
    ...(body && { body: JSON.stringify(body) }),
  })
  if (status !== 201) throw new Error(`${name} with ${JSON.stringify(body)}: ${status} ${text}`)
  world.ids[kind] = (json as { id: string }).id
}

/** Makes the targets that each user has for themselves, as the user with this cookie. */
export async function createOwn(world: TestWorld, cookie: string): Promise<void> {
  for (const kind of madeByOperation) if (scopeOf(kind) === 'siloUser') await makeTarget(world, kind, cookie)
}

/** The placeholders of paths: each one's name, and the key of its id in the world's ids; without one it is named only. */
const targets: Record<string, [name: string, id: string]> = {
  project: ['demo', 'demo'],
  instance: ['web', 'web'],
  disk: ['data', 'data'],
  snapshot: ['yesterday', 'yesterday'],
  schedule: ['evening', 'schedule'],
  template: ['web-server', 'template'],
  vpc: ['default', 'default'],
  subnet: ['default', 'subnet'],
  interface: ['net0', 'net0'],
  affinity_group: ['together', 'together'],
  anti_affinity_group: ['apart', 'apart'],
  image: ['base', 'base'],
  router: ['custom', 'custom'],
  route: ['away', 'away'],
  gateway: ['default', 'gateway'],
  address: ['fixed', 'fixed'],
  pool: ['public', 'public'],
  ssh_key: ['mine', ''],
  factor: ['mine', ''],
  certificate: ['tls', 'tls'],
  token_id: ['', 'token'],
  key_id: ['', 'key'],
  user_id: ['', 'noRole'],
  session_id: ['', 'session'],
  group_id: ['', 'team'],
  resource_id: ['', 'web'],
  resource_type: ['User', ''],
  schema: ['urn:ietf:params:scim:schemas:core:2.0:User', ''],
  silo: ['acme', 'acme'],
  silo_name: ['acme', ''],
  provider: ['corp', 'provider'],
  provider_name: ['corp', ''],
  user: ['db-init', ''],
  task: ['', 'task'],
  metric_name: ['cpus_provisioned', ''],
  rack_id: ['', 'rack'],
  sled_id: ['', 'sled'],
  disk_id: ['', 'physicalDisk'],
  host_id: ['', 'host'],
  switch_id: ['', 'switch'],
  port: ['qsfp0', ''],
  address_lot: ['outside', 'lot'],
  switch_location: ['switch0', ''],
  announce_set: ['spare', 'spareSet'],
  bgp_config: ['spare', 'spareConfig'],
  subnet_mask: ['32', ''],
  system_version: ['1.0.0', ''],
  receiver: ['pager', 'receiver'],
  subscription: ['hardware.**', ''],
  bundle_id: ['', 'bundle'],
  probe: ['edge', 'probe'],
  file: ['bundle.json', ''],
  secret_id: ['', 'secret'],
  alert_id: ['', 'alert'],
  test_id: ['', 'signInTest'],
}
/** Targets of operations whose placeholder means something else there. */
const ownTargets: Partial<Record<OperationName, typeof targets>> = {
  instanceMove: { instance: ['', 'web'] },
  sledMetric: { metric_name: ['threads', ''] },
  networkingLoopbackAddressDelete: { address: ['198.51.100.1', ''] },
  networkingSwitchPortSettingsView: { port: ['uplink', 'uplink'] },
  imageDemote: { image: ['shared', 'shared'] },
  emailReceiverUpdate: { receiver: ['post', 'emailReceiver'] },
  loginOidcBegin: { provider_name: ['openid', ''] },
  loginOidc: { provider_name: ['openid', ''] },
  loginOidcLogout: { provider_name: ['openid', ''] },
  oidcIdentityProviderView: { provider: ['openid', 'oidcProvider'] },
  oidcIdentityProviderUpdate: { provider: ['openid', 'oidcProvider'] },
  oidcIdentityProviderDelete: { provider: ['openid', 'oidcProvider'] },
  internetGatewayIpPoolDelete: { pool: ['default', 'attachedPool'] },
}
const targetOf = (name: OperationName, word: string) => ownTargets[name]?.[word] ?? targets[word]

const createOf = (kind: PlainKind) => plainName(kind, 'Create') as OperationName
const targetNameOf = (kind: PlainKind) => `some-${kinds[kind].type}`

/** The kinds that have no target above. What users have is found by the name that all of them give it. */
const madeByOperation = kindNames.filter(
  (kind) =>
    !(snake(kinds[kind].field) in targets) &&
    createOf(kind) in operations &&
    (hasNames(kind) || scopeOf(kind) !== 'siloUser'),
)
for (const kind of madeByOperation)
  targets[snake(kinds[kind].field)] = [
    hasNames(kind) ? targetNameOf(kind) : '',
    scopeOf(kind) === 'siloUser' ? '' : kind,
  ]

/** The key of a target in the world's ids. Throws if `createFixtures` did not make it. */
function idOf({ ids }: TestWorld, word: string, name: OperationName): string {
  const id = ids[targetOf(name, word)?.[1] ?? '']
  if (id === undefined) throw new Error(`no fixture for {${word}} of ${name}: see createFixtures in ${file}`)
  return id
}
const fieldsOf = (schema: Schema<unknown, unknown> | undefined): readonly Field[] => {
  const node = schema && bare(schema.node)
  return node?.kind === 'object' ? node.fields : []
}
const isName = ({ node }: Field) => node.kind === 'ref' && node.name.startsWith('Name')

/** A body that makes sense. Throws if there is none for the operation. */
export const bodyOf = ({ ids }: TestWorld, name: OperationName): unknown =>
  bodies[name]?.(ids) ?? derivedBody(name)

/** The required fields; of an update the description. */
function derivedBody(name: OperationName): object {
  const fields = fieldsOf((operations[name] as OpShape).body)
  const changed = fields.find(({ wire, optional }) => wire === 'description' && optional)
  if (changed) return { description: 'changed' }
  const required = fields.filter(({ optional, fallback }) => !optional && !fallback)
  return Object.fromEntries(required.map((field) => [field.wire, plausibleValue(field, name)]))
}

function plausibleValue(field: Field, name: OperationName): unknown {
  const node = bare(field.node)
  if (field.wire === 'description') return ''
  if (isName(field)) return targets[field.wire]?.[0] ?? 'fresh'
  if (node.kind === 'string' && !node.format && !node.pattern) return 'text'
  if (node.kind === 'integer') return Math.min(Math.max(1, Number(node.min)), Number(node.max))
  if (node.kind === 'enum') return node.values[0]
  if (node.kind === 'boolean') return false
  if (node.kind === 'array') return []
  throw new Error(`no plausible ${field.wire} for ${name}: give it a body in ${file}`)
}

/** A request that makes sense, its target named or given by id. Throws if this file does not know the operation. */
export function plausible(world: TestWorld, name: OperationName, by: 'name' | 'id'): RawRequest {
  const op: OpShape = operations[name]
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const target = targetOf(name, word)
    if (!target) throw new Error(`no target for {${word}} of ${name}: give it one in ${file}`)
    const [called, id] = target
    return called === '' || (by === 'id' && id !== '') ? idOf(world, word, name) : called
  })
  const parents = fieldsOf(op.query).filter((field) => targets[field.wire] && isName(field))
  // Parents are not given with an id. A list needs its parent either way, and a parent by id has no parents.
  const [, target = ''] = /\{(\w+)\}$/.exec(op.path) ?? []
  const isById = by === 'id' || targetOf(name, target)?.[0] === ''
  const needed = isById ? parents.filter((field) => !field.optional) : parents
  const search = needed.map(
    ({ wire }) => `${wire}=${by === 'name' ? targets[wire]?.[0] : idOf(world, wire, name)}`,
  )
  const body = op.body ? bodyOf(world, name) : undefined
  const fixed = queries[name]?.replaceAll(/\{(\w+)\}/g, (_, word: string) => world.ids[word] ?? '')
  search.push(...(fixed?.split('&') ?? []))
  const url = search.length ? `${path}?${search.join('&')}` : path
  return { method: op.method, url, ...(body === undefined ? {} : { body: bodyText(op, body) }) }
}

/** The resource in the explanation of an operation's plausible request: the most specific one that it names. */
export function resourceOf(world: TestWorld, name: OperationName, by: 'name' | 'id'): string {
  const { path, allow, orSilo }: OpShape = operations[name]
  const { url } = plausible(world, name, by)
  const words = [allow].flat().map(String)
  const isInProject = !orSilo || /\{(image|resource_id)\}/.test(path) || url.includes('project=')
  if (words.some((word) => word.startsWith('project.')) && isInProject && !url.includes('identity='))
    return 'project:demo'
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word)
  if (named.includes('user_id') || url.includes('identity=')) return `silo-user:${world.ids['noRole'] ?? ''}`
  if (words.every((word) => word.startsWith('fleet.'))) return 'fleet'
  return 'silo:acme'
}

type Ids = Record<string, string>
const targetNames = Object.values(targets).flatMap(([name]) => (name === '' ? [] : [name]))
const known = [...targetNames, 'fresh', 'other', 'p-2', 'nope']
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    true,
    [],
    {},
    '\0',
    '\ud800',
    '__proto__',
    'x'.repeat(600),
    'Ü',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
const spoiled = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary }, { weight: 1, arbitrary: junk })

const integers = fc.oneof(
  fc.constantFrom(
    0,
    1,
    2,
    64,
    65,
    512,
    4096,
    GiB,
    2 * GiB,
    1023 * GiB,
    2 ** 31,
    2 ** 32,
    Number.MAX_SAFE_INTEGER,
  ),
  fc.integer({ min: -2, max: 70_000 }),
)
const octet = fc.nat(255)
const ip = fc.oneof(
  fc
    .tuple(fc.constantFrom(10, 172, 224, 127), fc.constantFrom(30, 0), octet, octet)
    .map((parts) => parts.join('.')),
  fc.ipV6(),
)
const net = fc.tuple(ip, fc.nat(128)).map(([base, width]) => `${base}/${width}`)
const named: Record<string, (ids: Ids) => fc.Arbitrary<unknown>> = {
  Name: () => fc.oneof(fc.constantFrom(...known), fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/)),
  NameOrId: (ids) => fc.constantFrom(...known, ...Object.values(ids)),
  Hostname: () => fc.oneof(fc.constantFrom('web', 'a.b.c'), fc.domain()),
  IpNet: () => net,
  Ipv4Net: () => fc.oneof(fc.constantFrom('10.1.0.0/24', '172.30.8.0/22'), net),
  Ipv6Net: () => fc.oneof(fc.constantFrom('fd12:3456:789a::/48', 'fd12:3456:789a:1::/64'), net),
}

/** Wire values that fit a schema, mostly. */
function wireValue(node: Node, ids: Ids): fc.Arbitrary<unknown> {
  const inner = (one: Node) => wireValue(one, ids)
  switch (node.kind) {
    case 'ref':
      return named[node.name] ? spoiled(named[node.name]?.(ids) ?? junk) : inner(node.inner)
    case 'nullable':
      return fc.oneof(
        { weight: 3, arbitrary: inner(node.inner) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
    case 'string':
      if (node.format === 'uuid') return spoiled(fc.constantFrom(...Object.values(ids)))
      return spoiled(
        node.format === 'ip' ? ip : fc.oneof(fc.string(), fc.constantFrom(key, '', 'd'.repeat(513))),
      )
    case 'integer':
    case 'number':
      return spoiled(integers)
    case 'boolean':
      return spoiled(fc.boolean())
    case 'time':
      return spoiled(fc.date({ noInvalidDate: true }).map((date) => date.toISOString()))
    case 'json':
      return fc.jsonValue()
    case 'bytes':
    case 'base64':
      return spoiled(fc.base64String({ maxLength: 64 }))
    case 'enum':
      return spoiled(fc.constantFrom(...node.values))
    case 'array':
      return spoiled(fc.array(inner(node.item), { maxLength: 4 }))
    case 'record':
      return spoiled(fc.dictionary(fc.string(), inner(node.value), { maxKeys: 3 }))
    case 'object':
      return spoiled(objectOf(node.fields, ids))
    case 'union':
      return spoiled(fc.oneof(...[...node.arms.values()].map((arm) => objectOf(arm.fields, ids))))
  }
}

/** A field that selects something usually names what exists. */
function fieldValue({ wire, node }: Field, ids: Ids): fc.Arbitrary<unknown> {
  const any = wireValue(node, ids)
  const [name, id] = targets[wire] ?? []
  if (name === undefined || id === undefined || id === '') return any
  const existing = fc.constantFrom(...(name === '' ? [] : [name, name]), ids[id] ?? '')
  return fc.oneof({ weight: 5, arbitrary: existing }, { weight: 2, arbitrary: any })
}

function objectOf(fields: readonly Field[], ids: Ids): fc.Arbitrary<unknown> {
  const loose = fields.filter((field) => field.optional || field.fallback)
  const shape = Object.fromEntries(fields.map((field) => [field.wire, fieldValue(field, ids)]))
  const strict = fields.filter((field) => !loose.includes(field)).map((field) => field.wire)
  const whole = fc.record(shape, { requiredKeys: strict })
  return fc.oneof(
    { weight: 15, arbitrary: whole },
    { weight: 1, arbitrary: fc.record(shape, { requiredKeys: [] }) },
  )
}

/** A body as it is sent. */
const bodyText = ({ bodyType }: OpShape, body: unknown): string =>
  bodyType === mediaTypes.bytes
    ? String(body)
    : bodyType === mediaTypes.form && typeof body === 'object' && body !== null
      ? Object.entries(body)
          .map(([field, value]) => `${field}=${escaped(value)}`)
          .join('&')
      : JSON.stringify(body)

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const escaped = (value: unknown): string => encodeURIComponent(asText(value).toWellFormed())

/** Any request to an operation: parameters, query and body from its schemas, sometimes invalid. */
export function anyRequest(name: OperationName, ids: Ids): fc.Arbitrary<RawRequest> {
  const op: OpShape = operations[name]
  const part = (schema: Schema<unknown, unknown> | undefined) =>
    objectOf(fieldsOf(schema), ids) as fc.Arbitrary<Record<string, unknown>>
  const body = op.body ? wireValue(op.body.node, ids).map((value) => bodyText(op, value)) : fc.constant('')
  const cut = fc
    .tuple(body, fc.nat(40), fc.nat(3), fc.string({ maxLength: 3 }))
    .map(([text, at, gone, put]) => text.slice(0, at) + put + text.slice(at + gone))
  const extra = fc.constantFrom(
    '',
    '',
    '',
    '',
    '&page_token=abc',
    '&limit=0',
    '&project=demo',
    '&%zz',
    '&=',
    '&x=%00',
  )
  return fc
    .record({
      params: part(op.params),
      query: part(op.query),
      text: fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: cut }),
      extra,
    })
    .map(({ params, query, text, extra: more }) => {
      const path = op.path.replaceAll(/\{(\w+)\}/g, (_, word: string) => escaped(params[word] || 'x'))
      const search = Object.entries(query).map(([wire, value]) => `${wire}=${escaped(value)}`)
      return {
        method: op.method,
        url: `${path}?${search.join('&')}${more}`,
        ...(text === '' ? {} : { body: text }),
      }
    })
}
