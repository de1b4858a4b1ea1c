/** One of each kind that people keep: with tags and, of most, protection. Each is named after its type. */
import { kinds } from '@purlin/contract/rules/kinds'
import { GiB } from '@purlin/contract/rules/limits'
import type { Tags } from '@purlin/contract/rules/tags'
import { addInstance } from '#/testing/networks/networks.ts'
import { setFleetRole } from '#/testing/networks/probes.ts'
import { storageOf } from '#/testing/storage.ts'
import type { TestWorld } from '#/testing/world.ts'

const query = { project: 'demo' }
const ofWhole = { ...query, instance: 'whole' }
const described = (name: string) => ({ name, description: '' })

export async function makeKept(w: TestWorld): Promise<void> {
  const me = () => w.as('projectCollaborator')
  const storage = storageOf(w)
  await storage.make('disk', { type: 'blank', blockSize: 512 })
  const snapshot = await me().snapshotCreate({
    query,
    body: { name: 'snapshot', description: '', disk: 'disk' },
  })
  const source = { type: 'snapshot' as const, id: snapshot.id }
  const image = { name: 'image', description: '', os: 'debian', version: '13', source }
  await me().imageCreate({ query, body: image })
  await me().floatingIpCreate({ query, body: { name: 'floating-ip', description: '' } })
  await me().vpcCreate({ query, body: { name: 'vpc', description: '', dnsName: 'vpc' } })
  await me().vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc: 'vpc' } })
  await addInstance(w, 'instance')
  await addInstance(w, 'whole')
  await storage.make('root', { type: 'blank', blockSize: 512 })
  await me().instanceDiskAttach({ params: { instance: 'whole' }, query, body: { disk: 'root' } })
  await me().instanceSnapshotCreate({ query: ofWhole, body: described('instance-snapshot') })
  const template = { ...described('template'), text: '#cloud-config' }
  await me().userDataTemplateCreate({ query, body: template })
  await w.as('admin').projectCreate({ body: { name: 'project', description: '' } })
}

export interface TagChanges {
  set?: Tags
  remove?: string[]
}
interface Seen {
  id: string
  name: string
  protected?: boolean | undefined
  tags?: Tags | undefined
}
/** Acts of people on a resource with tags, by its operations. Some cannot be updated otherwise. */
export interface TagActs {
  create: (name: string, kept?: { tags?: Tags }) => Promise<Seen>
  change: (changes: TagChanges) => Promise<{ tags: Tags }>
  set?: (body: { tags?: Tags | null; description?: string }) => Promise<Seen>
  view: () => Promise<Seen>
  list: (filter: string[]) => Promise<{ items: Seen[] }>
}
/** The same on one that can be protected. */
export interface Acts extends TagActs {
  create: (name: string, kept?: { tags?: Tags; protected?: boolean }) => Promise<Seen>
  protect: (body: { protected: boolean }) => Promise<{ protected: boolean }>
  set: (body: { protected?: boolean; tags?: Tags | null; description?: string }) => Promise<Seen>
  remove: () => Promise<unknown>
}

const oneWhole = { params: { instanceSnapshot: 'instance-snapshot' }, query: ofWhole }
const oneTemplate = { params: { template: 'template' }, query }

/** Each kind by its own operations. */
export function keptActs(world: () => TestWorld) {
  const me = () => world().as('projectCollaborator')
  const admin = () => world().as('admin')
  return {
    project: {
      change: (body) => admin().projectTagsChange({ params: { project: 'project' }, body }),
      protect: (body) => admin().projectProtectionUpdate({ params: { project: 'project' }, body }),
      create: (name, kept) => admin().projectCreate({ body: { ...described(name), ...kept } }),
      set: (body) => admin().projectUpdate({ params: { project: 'project' }, body }),
      view: () => admin().projectView({ params: { project: 'project' } }),
      list: (filter) => admin().projectList({ query: { filter } }),
      remove: () => admin().projectDelete({ params: { project: 'project' } }),
    },
    instance: {
      change: (body) => me().instanceTagsChange({ params: { instance: 'instance' }, query, body }),
      protect: (body) => me().instanceProtectionUpdate({ params: { instance: 'instance' }, query, body }),
      create: (name, kept) =>
        me().instanceCreate({
          query,
          body: { ...described(name), ncpus: 1, memory: GiB, hostname: name, start: false, ...kept },
        }),
      set: async (body) => {
        const { ncpus, memory } = await me().instanceView({ params: { instance: 'instance' }, query })
        const kept = { ncpus, memory, bootDisk: null, autoRestartPolicy: null, cpuPlatform: null }
        return me().instanceUpdate({ params: { instance: 'instance' }, query, body: { ...kept, ...body } })
      },
      view: () => me().instanceView({ params: { instance: 'instance' }, query }),
      list: (filter) => me().instanceList({ query: { ...query, filter } }),
      remove: () => me().instanceDelete({ params: { instance: 'instance' }, query }),
    },
    disk: {
      change: (body) => me().diskTagsChange({ params: { disk: 'disk' }, query, body }),
      protect: (body) => me().diskProtectionUpdate({ params: { disk: 'disk' }, query, body }),
      create: (name, kept) =>
        me().diskCreate({
          query,
          body: { ...described(name), size: GiB, diskSource: { type: 'blank', blockSize: 512 }, ...kept },
        }),
      set: (body) => me().diskUpdate({ params: { disk: 'disk' }, query, body }),
      view: () => me().diskView({ params: { disk: 'disk' }, query }),
      list: (filter) => me().diskList({ query: { ...query, filter } }),
      remove: () => me().diskDelete({ params: { disk: 'disk' }, query }),
    },
    snapshot: {
      change: (body) => me().snapshotTagsChange({ params: { snapshot: 'snapshot' }, query, body }),
      protect: (body) => me().snapshotProtectionUpdate({ params: { snapshot: 'snapshot' }, query, body }),
      create: (name, kept) =>
        me().snapshotCreate({ query, body: { ...described(name), disk: 'disk', ...kept } }),
      set: (body) => me().snapshotUpdate({ params: { snapshot: 'snapshot' }, query, body }),
      view: () => me().snapshotView({ params: { snapshot: 'snapshot' }, query }),
      list: (filter) => me().snapshotList({ query: { ...query, filter } }),
      remove: () => me().snapshotDelete({ params: { snapshot: 'snapshot' }, query }),
    },
    instanceSnapshot: {
      change: (body) => me().instanceSnapshotTagsChange({ ...oneWhole, body }),
      protect: (body) => me().instanceSnapshotProtectionUpdate({ ...oneWhole, body }),
      create: (name, kept) =>
        me().instanceSnapshotCreate({ query: ofWhole, body: { ...described(name), ...kept } }),
      set: (body) => me().instanceSnapshotUpdate({ ...oneWhole, body }),
      view: () => me().instanceSnapshotView(oneWhole),
      list: (filter) => me().instanceSnapshotList({ query: { ...ofWhole, filter } }),
      remove: () => me().instanceSnapshotDelete(oneWhole),
    },
    userDataTemplate: {
      change: (body) => me().userDataTemplateTagsChange({ ...oneTemplate, body }),
      protect: (body) => me().userDataTemplateProtectionUpdate({ ...oneTemplate, body }),
      create: (name, kept) =>
        me().userDataTemplateCreate({ query, body: { ...described(name), text: '#cloud-config', ...kept } }),
      set: (body) => me().userDataTemplateUpdate({ ...oneTemplate, body }),
      view: () => me().userDataTemplateView(oneTemplate),
      list: (filter) => me().userDataTemplateList({ query: { ...query, filter } }),
      remove: () => me().userDataTemplateDelete(oneTemplate),
    },
    image: {
      change: (body) => me().imageTagsChange({ params: { image: 'image' }, query, body }),
      protect: (body) => me().imageProtectionUpdate({ params: { image: 'image' }, query, body }),
      create: async (name, kept) => {
        const { id } = await me().snapshotView({ params: { snapshot: 'snapshot' }, query })
        return me().imageCreate({
          query,
          body: {
            ...described(name),
            os: 'debian',
            version: '13',
            source: { type: 'snapshot', id },
            ...kept,
          },
        })
      },
      set: (body) => me().imageUpdate({ params: { image: 'image' }, query, body }),
      view: () => me().imageView({ params: { image: 'image' }, query }),
      list: (filter) => me().imageList({ query: { ...query, filter } }),
      remove: () => me().imageDelete({ params: { image: 'image' }, query }),
    },
    floatingIp: {
      change: (body) => me().floatingIpTagsChange({ params: { floatingIp: 'floating-ip' }, query, body }),
      protect: (body) =>
        me().floatingIpProtectionUpdate({ params: { floatingIp: 'floating-ip' }, query, body }),
      create: (name, kept) => me().floatingIpCreate({ query, body: { ...described(name), ...kept } }),
      set: (body) => me().floatingIpUpdate({ params: { floatingIp: 'floating-ip' }, query, body }),
      view: () => me().floatingIpView({ params: { floatingIp: 'floating-ip' }, query }),
      list: (filter) => me().floatingIpList({ query: { ...query, filter } }),
      remove: () => me().floatingIpDelete({ params: { floatingIp: 'floating-ip' }, query }),
    },
    vpc: {
      change: (body) => me().vpcTagsChange({ params: { vpc: 'vpc' }, query, body }),
      protect: (body) => me().vpcProtectionUpdate({ params: { vpc: 'vpc' }, query, body }),
      create: (name, kept) => me().vpcCreate({ query, body: { ...described(name), dnsName: name, ...kept } }),
      set: (body) => me().vpcUpdate({ params: { vpc: 'vpc' }, query, body }),
      view: () => me().vpcView({ params: { vpc: 'vpc' }, query }),
      list: (filter) => me().vpcList({ query: { ...query, filter } }),
      remove: () => me().vpcDelete({ params: { vpc: 'vpc' }, query }),
    },
  } satisfies Record<string, Acts>
}

const inVpc = { ...query, vpc: 'network' }
const oneSubnet = { params: { subnet: 'vpc-subnet' }, query: inVpc }
const oneRouter = { params: { router: 'vpc-router' }, query: inVpc }
const oneGateway = { params: { gateway: 'internet-gateway' }, query: inVpc }
const oneGroup = { params: { affinityGroup: 'affinity-group' }, query }
const oneAntiGroup = { params: { antiAffinityGroup: 'anti-affinity-group' }, query }
const oneSchedule = { params: { schedule: 'schedule' }, query }
const oneProbe = { params: { probe: 'probe' }, query }
const placement = { policy: 'allow', failureDomain: 'sled' } as const
const evening = {
  action: 'stop',
  tag: 'env=test',
  rule: { type: 'daily', time: '18:30' },
  paused: true,
} as const

/** The kinds with tags alone, in a world with a sled. */
export async function makeTagged(w: TestWorld): Promise<void> {
  await setFleetRole(w, 'collaborator', 'admin')
  await w
    .as('projectCollaborator')
    .vpcCreate({ query, body: { ...described('network'), dnsName: 'network' } })
  for (const [kind, { create }] of Object.entries<TagActs>(tagActs(() => w)))
    await create(kinds[kind as TaggedAlone].type)
}
type TaggedAlone = keyof ReturnType<typeof tagActs>

/** The kinds with tags alone, by their own operations. */
export function tagActs(world: () => TestWorld) {
  const me = () => world().as('projectCollaborator')
  const operator = () => world().as('collaborator')
  return {
    vpcSubnet: {
      change: (body) => me().vpcSubnetTagsChange({ ...oneSubnet, body }),
      create: async (name, kept) => {
        const { items } = await me().vpcSubnetList({ query: inVpc })
        const ipv4Block = `10.${items.length}.0.0/24`
        return me().vpcSubnetCreate({ query: inVpc, body: { ...described(name), ipv4Block, ...kept } })
      },
      set: (body) => me().vpcSubnetUpdate({ ...oneSubnet, body }),
      view: () => me().vpcSubnetView(oneSubnet),
      list: (filter) => me().vpcSubnetList({ query: { ...inVpc, filter } }),
    },
    vpcRouter: {
      change: (body) => me().vpcRouterTagsChange({ ...oneRouter, body }),
      create: (name, kept) => me().vpcRouterCreate({ query: inVpc, body: { ...described(name), ...kept } }),
      set: (body) => me().vpcRouterUpdate({ ...oneRouter, body }),
      view: () => me().vpcRouterView(oneRouter),
      list: (filter) => me().vpcRouterList({ query: { ...inVpc, filter } }),
    },
    internetGateway: {
      change: (body) => me().internetGatewayTagsChange({ ...oneGateway, body }),
      create: (name, kept) =>
        me().internetGatewayCreate({ query: inVpc, body: { ...described(name), ...kept } }),
      view: () => me().internetGatewayView(oneGateway),
      list: (filter) => me().internetGatewayList({ query: { ...inVpc, filter } }),
    },
    affinityGroup: {
      change: (body) => me().affinityGroupTagsChange({ ...oneGroup, body }),
      create: (name, kept) =>
        me().affinityGroupCreate({ query, body: { ...described(name), ...placement, ...kept } }),
      set: (body) => me().affinityGroupUpdate({ ...oneGroup, body }),
      view: () => me().affinityGroupView(oneGroup),
      list: (filter) => me().affinityGroupList({ query: { ...query, filter } }),
    },
    antiAffinityGroup: {
      change: (body) => me().antiAffinityGroupTagsChange({ ...oneAntiGroup, body }),
      create: (name, kept) =>
        me().antiAffinityGroupCreate({ query, body: { ...described(name), ...placement, ...kept } }),
      set: (body) => me().antiAffinityGroupUpdate({ ...oneAntiGroup, body }),
      view: () => me().antiAffinityGroupView(oneAntiGroup),
      list: (filter) => me().antiAffinityGroupList({ query: { ...query, filter } }),
    },
    schedule: {
      change: (body) => me().scheduleTagsChange({ ...oneSchedule, body }),
      create: (name, kept) =>
        me().scheduleCreate({ query, body: { ...described(name), ...evening, ...kept } }),
      set: (body) => me().scheduleUpdate({ ...oneSchedule, body }),
      view: () => me().scheduleView(oneSchedule),
      list: (filter) => me().scheduleList({ query: { ...query, filter } }),
    },
    probe: {
      change: (body) => operator().probeTagsChange({ ...oneProbe, body }),
      create: async (name, kept) => {
        const { items } = await operator().sledList({ query: {} })
        const sled = items[0]?.id ?? ''
        return operator().probeCreate({ query, body: { ...described(name), sled, ...kept } })
      },
      view: () => operator().probeView(oneProbe),
      list: (filter) => operator().probeList({ query: { ...query, filter } }),
    },
  } satisfies Record<string, TagActs>
}
