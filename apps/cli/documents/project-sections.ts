/** The parts of a project in a document. */
import { documentPart, innerKeys, nameKey } from '@purlin/contract/commands/documents'
import type { OperationName } from '@purlin/contract/operations'
import type { Api, Row } from '../http/api.ts'
import { policyOf } from './policies.ts'
import { plain, type At, type Section, type Setting, type Source } from './section.ts'

const isCustom = ({ kind }: Row): boolean => kind === 'custom'

const poolName = (source: Source, id: unknown) => source.nameOf('projectIpPoolView', 'pool', id)
const diskName = (source: Source, id: unknown) => source.nameOf('diskView', 'disk', id)

const routes = plain('vpcRouterRoute', { isKept: isCustom })

const routers = plain('vpcRouter', { isKept: isCustom, parts: [routes] })

const subnets = plain('vpcSubnet', {
  read: async (row, source) => ({
    custom_router: await source.nameOf('vpcRouterView', 'router', row['custom_router_id']),
  }),
})

/** Pools and addresses of a gateway are replaced rather than changed. */
const gateways = plain('internetGateway', {
  parts: [
    plain('internetGatewayIpPool', {
      noun: 'pool of a gateway',
      read: async (row, source) => ({ ip_pool: await poolName(source, row['ip_pool_id']) }),
    }),
    plain('internetGatewayIpAddress', { noun: 'address of a gateway' }),
  ],
})

const ruleFields = ['name', 'description', 'status', 'direction', 'targets', 'filters', 'action', 'priority']
const firewallRules: Setting = {
  key: innerKeys.firewallRules,
  noun: 'firewall rules',
  async read({ api }, at) {
    const { rules } = await api.call('vpcFirewallRulesView', { query: at })
    return (rules as Row[]).map((rule) => Object.fromEntries(ruleFields.map((key) => [key, rule[key]])))
  },
  write: (api, at, rules) => api.call('vpcFirewallRulesUpdate', { query: at, body: { rules } }),
}

const vpcs = plain('vpc', { parts: [routers, subnets, gateways, firewallRules] })

/** The bytes of a disk are no part of a document: one that was imported is described as a blank one. */
const disks = plain('disk', {
  read: ({ snapshot_id, image_id, block_size }) => ({
    disk_source: image_id
      ? { type: 'image', image_id }
      : snapshot_id
        ? { type: 'snapshot', snapshot_id }
        : { type: 'blank', block_size },
  }),
})

const floatingIps = plain('floatingIp')

type GroupKind = 'affinityGroup' | 'antiAffinityGroup'
const groups = (kind: GroupKind): Section => plain(kind, { parts: [membersOf(kind)] })

/** The instances in a group. */
function membersOf(kind: GroupKind): Section {
  const parentKey = nameKey(kind)
  const call = (verb: string) => `${kind}Member${verb}` as OperationName
  const split = ({ [parentKey]: group = '', ...query }: At) => ({ params: { [parentKey]: group }, query })
  const one = (at: At, { name }: Row) => {
    const { params, query } = split(at)
    return { params: { ...params, instance: name }, query }
  }
  return {
    key: innerKeys.members,
    noun: 'member',
    parentKey: 'member',
    fields: ['name'],
    changeable: [],
    list: async ({ api }, at) =>
      (await api.all(call('List'), split(at))).map(({ value }) => ({ name: (value as Row)['name'] })),
    create: (api, at, body) => api.call(call('InstanceAdd'), one(at, body)),
    update: () => Promise.resolve(),
    remove: (api, at, body) => api.call(call('InstanceDelete'), one(at, body)),
    parts: [],
  }
}

const isOff = (state: unknown): boolean =>
  ['stopped', 'stopping', 'failed', 'creating'].includes(String(state))

/** The update needs all fields, and names the boot disk alone. */
const plainInstances = plain('instance', {
  read: instanceBody,
  bodyOf: ({ boot_disk: disk, ...body }) => ({
    ...Object.fromEntries(documentPart('instance').changeable.map((key) => [key, body[key] ?? null])),
    boot_disk: (disk as Row | undefined)?.['name'] ?? null,
  }),
})

/**
 * Nothing of an instance shows its user data or its SSH keys, so a document has none unless they are written into it.
 * Instances are created stopped, because running ones cannot be added to groups.
 */
const instances: Section = {
  ...plainInstances,
  create: (api, at, body) => plainInstances.create(api, at, { ...body, start: false }),
}

/** Starts the instances that shall run. None is stopped. */
const starts: Section = {
  key: plainInstances.key,
  noun: 'start of instance',
  parentKey: 'instance',
  fields: ['name', 'start'],
  changeable: ['start'],
  again: (bodies) => bodies.filter(({ start }) => start !== false).map(({ name }) => ({ name, start: true })),
  list: async ({ api }, at) =>
    (await api.all('instanceList', { query: at })).map(({ name, run_state }) => ({
      name,
      start: !isOff(run_state),
    })),
  create: startInstance,
  update: startInstance,
  remove: () => Promise.resolve(),
  parts: [],
}

async function startInstance(api: Api, at: At, { name }: Row): Promise<void> {
  const one = { params: { instance: name }, query: at }
  while ((await api.call('instanceView', one))['run_state'] === 'creating') await api.pause()
  await api.call('instanceStart', one)
}

async function instanceBody(row: Row, source: Source): Promise<Row> {
  const { api } = source
  const instance = String(row['id'])
  const boot = await diskName(source, row['boot_disk_id'])
  const attached = await api.all('instanceDiskList', { params: { instance } })
  const nics = await api.all('instanceNetworkInterfaceList', { query: { instance } })
  const { items: addresses } = await api.call('instanceExternalIpList', { params: { instance } })
  const others = attached.map(({ name }) => String(name)).filter((name) => name !== boot)
  return {
    boot_disk: boot === null ? null : { type: 'attach', name: boot },
    disks: others.toSorted().map((name) => ({ type: 'attach', name })),
    network_interfaces:
      nics.length === 0 ? { type: 'none' } : { type: 'create', params: await nicBodies(nics, source) },
    external_ips: await addressBodies(addresses as Row[], source),
    start: !isOff(row['run_state']),
  }
}

async function nicBodies(nics: readonly Row[], source: Source): Promise<Row[]> {
  const bodies: Row[] = []
  // The first one is the primary one.
  for (const nic of nics.toSorted((a, b) => Number(b['primary']) - Number(a['primary']))) {
    const vpc_name = await source.nameOf('vpcView', 'vpc', nic['vpc_id'])
    const subnet_name = await source.nameOf('vpcSubnetView', 'subnet', nic['subnet_id'])
    const { name, description, ip, transit_ips = [] } = nic
    bodies.push({ name, description, vpc_name, subnet_name, ip, transit_ips })
  }
  return bodies
}

async function addressBodies(addresses: readonly Row[], source: Source): Promise<Row[]> {
  const bodies: Row[] = []
  for (const { kind, name, ip_pool_id } of addresses) {
    if (kind === 'ephemeral') bodies.push({ type: 'ephemeral', pool: await poolName(source, ip_pool_id) })
    if (kind === 'floating') bodies.push({ type: 'floating', floating_ip: name })
  }
  return bodies
}

export const projects = plain('project', {
  parts: [
    vpcs,
    disks,
    floatingIps,
    instances,
    groups('affinityGroup'),
    groups('antiAffinityGroup'),
    starts,
    policyOf({
      ops: 'projectPolicy',
      key: 'project',
      resource: ({ project = '' }) => `project:${project}`,
    }),
  ],
})
