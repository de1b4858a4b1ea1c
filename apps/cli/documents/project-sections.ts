/** The parts of a project in a document. */
import { innerKeys, nameKey } from '@purlin/contract/commands/documents'
import type { OperationName } from '@purlin/contract/operations'
import type { Row } from '../http/api.ts'
import { poolName } from './attachments.ts'
import { instances, starts } from './instance-sections.ts'
import { schedules } from './schedule-section.ts'
import { policyOf } from './policies.ts'
import { plain, type At, type Section, type Setting } from './section.ts'

const isCustom = ({ kind }: Row): boolean => kind === 'custom'

const routes = plain('vpcRouterRoute', { isKept: isCustom })

const routers = plain('vpcRouter', { isKept: isCustom, parts: [routes] })

const subnets = plain('vpcSubnet', {
  read: async (row, source) => ({
    custom_router: await source.nameOf('vpcRouterView', 'router', row['custom_router_id']),
  }),
})

/** Only the tags of a gateway can be changed. Its pools and addresses are replaced. */
const gateways: Section = {
  ...plain('internetGateway', {
    parts: [
      plain('internetGatewayIpPool', {
        noun: 'pool of a gateway',
        read: async (row, source) => ({ ip_pool: await poolName(source, row['ip_pool_id']) }),
      }),
      plain('internetGatewayIpAddress', { noun: 'address of a gateway' }),
    ],
  }),
  async update(api, query, { name, tags }) {
    const one = { params: { gateway: name }, query }
    const { tags: present } = await api.call('internetGatewayView', one)
    const set = (tags ?? {}) as Row
    const remove = Object.keys((present ?? {}) as Row).filter((key) => !(key in set))
    return api.call('internetGatewayTagsChange', { ...one, body: { set, remove } })
  },
}

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

/** Lists have neither text nor fields. */
const templates = plain('userDataTemplate', {
  read: async ({ name }, { api }, query) => {
    const { text, fields } = await api.call('userDataTemplateView', { params: { template: name }, query })
    return { text, fields }
  },
})

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

export const projects = plain('project', {
  parts: [
    vpcs,
    disks,
    floatingIps,
    templates,
    instances,
    schedules,
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
