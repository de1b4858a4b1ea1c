import { readCounts } from '@purlin/contract/rules/counts'
import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, describe, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { blocks, importedDisk, storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const inGateway = { ...inVpc, gateway: 'default' }
const named = (name: string) => ({ name, description: '' })

let w: TestWorld
const open = async (limits: string) => void (w = await openWorld({ counts: readCounts(limits) }))
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const client = () => w.as('admin')
const addVpc = (name: string, project = 'demo') =>
  client().vpcCreate({ query: { project }, body: { ...named(name), dnsName: name } })
const removeVpc = async (vpc: string) => {
  await client().vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc } })
  await client().vpcDelete({ params: { vpc }, query })
}
const tooMany = (text: string) => ({
  status: 507,
  code: 'InsufficientCapacity',
  message: expect.stringContaining(text) as string,
})
const subnet = (i: number) =>
  client().vpcSubnetCreate({
    query: { ...query, vpc: 'default' },
    body: { ...named(`s-${i}`), ipv4Block: `10.${i}.0.0/24` },
  })
const disk = (name: string) =>
  client().diskCreate({
    query,
    body: { ...named(name), size: GiB, diskSource: { type: 'blank', blockSize: 512 } },
  })
const key = (name: string) =>
  client().currentUserSshKeyCreate({
    body: {
      ...named(name),
      publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBBdVfAGGGcRfMzmqCMPCBmGhxvzCyLSSqMNvJjwKkwE a',
    },
  })

/** Makes one more of a kind than the limit of two allows. */
const third: Record<string, (i: number) => Promise<unknown>> = {
  project: (i) => client().projectCreate({ body: named(`p-${i}`) }),
  instance: (i) => addInstance(w, `vm-${i}`),
  disk: (i) => disk(`d-${i}`),
  vpc: (i) => addVpc(`n-${i}`),
  vpcSubnet: subnet,
  floatingIp: (i) => client().floatingIpCreate({ query, body: named(`f-${i}`) }),
  affinityGroup: (i) =>
    client().affinityGroupCreate({
      query,
      body: { ...named(`a-${i}`), policy: 'allow', failureDomain: 'sled' },
    }),
  antiAffinityGroup: (i) =>
    client().antiAffinityGroupCreate({
      query,
      body: { ...named(`b-${i}`), policy: 'allow', failureDomain: 'sled' },
    }),
  vpcRouter: (i) => client().vpcRouterCreate({ query: inVpc, body: named(`r-${i}`) }),
  vpcRouterRoute: async (i) => {
    // The first one makes it.
    await client()
      .vpcRouterCreate({ query: inVpc, body: named('custom') })
      .catch(() => undefined)
    const destination = { type: 'ip' as const, value: `10.0.0.${i}` }
    const body = { ...named(`to-${i}`), destination, target: { type: 'drop' as const } }
    return client().vpcRouterRouteCreate({ query: { ...inVpc, router: 'custom' }, body })
  },
  internetGateway: (i) => client().internetGatewayCreate({ query: inVpc, body: named(`g-${i}`) }),
  internetGatewayIpPool: (i) =>
    client().internetGatewayIpPoolCreate({
      query: inGateway,
      body: { ...named(`pool-${i}`), ipPool: 'public' },
    }),
  internetGatewayIpAddress: (i) =>
    client().internetGatewayIpAddressCreate({
      query: inGateway,
      body: { ...named(`ip-${i}`), address: `10.9.0.${i}` },
    }),
  sshKey: (i) => key(`k-${i}`),
}

describe.each([
  ['project', 'project-per-silo', 'Project Limit Exceeded: the silo has 2 of 2', 1],
  ['instance', 'instance-per-project', 'Instance Limit Exceeded: the project has 2 of 2', 0],
  ['instance', 'instance-per-silo', 'Instance Limit Exceeded: the silo has 2 of 2', 0],
  ['disk', 'disk-per-project', 'Disk Limit Exceeded: the project', 0],
  ['vpc', 'vpc-per-project', 'VPC Limit Exceeded: the project', 1],
  ['vpc', 'vpc-per-silo', 'VPC Limit Exceeded: the silo', 1],
  ['vpcSubnet', 'vpc-subnet-per-vpc', 'Subnet Limit Exceeded: the VPC', 1],
  ['vpcRouter', 'vpc-router-per-vpc', 'Router Limit Exceeded: the VPC has 2 of 2', 1],
  ['vpcRouterRoute', 'vpc-router-route-per-vpc-router', 'Route Limit Exceeded: the router has 2 of 2', 0],
  ['internetGateway', 'internet-gateway-per-vpc', 'Internet gateway Limit Exceeded: the VPC', 1],
  [
    'internetGatewayIpPool',
    'internet-gateway-ip-pool-per-internet-gateway',
    'Internet gateway IP pool Limit Exceeded: the internet gateway',
    1,
  ],
  [
    'internetGatewayIpAddress',
    'internet-gateway-ip-address-per-internet-gateway',
    'Internet gateway IP address Limit Exceeded: the internet gateway',
    0,
  ],
  ['floatingIp', 'floating-ip-per-silo', 'Floating IP Limit Exceeded: the silo', 0],
  ['affinityGroup', 'affinity-group-per-project', 'Affinity group Limit Exceeded: the project', 0],
  ['antiAffinityGroup', 'anti-affinity-group-per-project', 'Anti-affinity group Limit Exceeded', 0],
  ['sshKey', 'ssh-key-per-user', 'SSH key Limit Exceeded: the user has 2 of 2', 0],
])('one %s more than %s', (kind, limit, message, present) => {
  it('is refused with 507, also among many at the same time', async () => {
    await open(`${limit}=2`)
    const make = third[kind] ?? (() => Promise.reject(new Error(kind)))
    const all = await Promise.allSettled(Array.from({ length: 5 }, (_, i) => make(i + 1)))
    const refused = all.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(5 - (2 - present))
    for (const { reason } of refused) expect(reason).toMatchObject(tooMany(message))
  })
})

describe('a limit of the silo', () => {
  const projects = ['a', 'b', 'c', 'd']
  const make = (project: string, i: number) =>
    addInstance(w, `vm-${i}`, { networkInterfaces: { type: 'none' } }, project)
  const addProjects = async () => {
    for (const name of projects) await client().projectCreate({ body: named(name) })
  }
  /** Makes `each` instances in every project at the same time, and returns how many were made. */
  async function makeAtOnce(each: number): Promise<number> {
    const all = projects.flatMap((project) => Array.from({ length: each }, (_, i) => make(project, i)))
    const outcomes = await Promise.allSettled(all)
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    for (const reason of refused) expect(reason).toMatchObject(tooMany('the silo has'))
    return outcomes.length - refused.length
  }

  it('is exact over all projects, also after deletes', async () => {
    await open('instance-per-silo=7')
    await addProjects()
    expect(await makeAtOnce(4)).toBe(7)
    const { items } = await client().instanceList({ query: { project: 'a' } })
    for (const { name } of items)
      await client().instanceDelete({ params: { instance: name }, query: { project: 'a' } })
    let made = 0
    for (let i = 0; i < 8; i++)
      await make('d', 10 + i).then(
        () => made++,
        () => undefined,
      )
    expect(made).toBe(items.length)
  })

  it('is exact although projects reserve more than they use', async () => {
    await open('instance-per-silo=3000')
    await addProjects()
    const others = 2_990
    const addOthers = (by: number) =>
      inDb(w, (tx) =>
        tx
          .insertInto('tally')
          .values({ holderId: w.ids['acme'] ?? '', kind: 'instance', count: by, reserved: 0 })
          .onConflict((on) =>
            on.columns(['holderId', 'kind']).doUpdateSet((eb) => ({ count: eb('tally.count', '+', by) })),
          )
          .execute(),
      )
    await addOthers(others)
    for (const project of projects) await make(project, 10)
    expect(await makeAtOnce(4)).toBe(6)
    await addOthers(-others)
  })

  it('gets back what a deleted project had reserved', async () => {
    await open('instance-per-silo=3000')
    await addProjects()
    await make('a', 0)
    await client().instanceDelete({ params: { instance: 'vm-0' }, query: { project: 'a' } })
    await client().vpcSubnetDelete({ params: { subnet: 'default' }, query: { project: 'a', vpc: 'default' } })
    await client().vpcDelete({ params: { vpc: 'default' }, query: { project: 'a' } })
    const reserved = () =>
      inDb(w, (tx) =>
        tx
          .selectFrom('tally')
          .select('count')
          .where('holderId', '=', w.ids['acme'] ?? '')
          .where('kind', '=', 'instance')
          .executeTakeFirst(),
      )
    expect(await reserved()).toEqual({ count: 3 })
    await client().projectDelete({ params: { project: 'a' } })
    expect(await reserved()).toEqual({ count: 0 })
  })
})

describe('the counts', () => {
  it('is what there is: deleting makes room', async () => {
    await open('vpc-per-project=2,instance-per-silo=1')
    for (let i = 0; i < 3; i++) {
      await addVpc('net')
      await expect(addVpc('other')).rejects.toMatchObject(tooMany('VPC'))
      await removeVpc('net')
      await addInstance(w, 'vm')
      await client().instanceDelete({ params: { instance: 'vm' }, query })
    }
  })

  it('follows an image that is promoted and demoted', async () => {
    await open('image-per-project=1')
    await importedDisk(w, 'disk', blocks(1))
    const of = storageOf(w, 'admin')
    const { id } = await of.snapshot('snap', 'disk')
    await of.image('one', id)
    await expect(of.image('two', id)).rejects.toMatchObject(tooMany('Image'))
    await client().imagePromote({ params: { image: 'one' }, query })
    await of.image('two', id)
    const { items } = await client().imageList({ query: {} })
    const demote = client().imageDemote({ params: { image: items[0]?.id ?? '' }, query })
    await expect(demote).rejects.toMatchObject(tooMany('Image'))
    await client().imageDelete({ params: { image: 'two' }, query })
    await client().imageDemote({ params: { image: items[0]?.id ?? '' }, query })
    await of.removeSnapshot('snap')
    await of.remove('disk')
  })

  it('may be more than a limit that is lowered, which only prevents more', async () => {
    await open('')
    await addVpc('net')
    w.world.counts = readCounts('vpc-per-project=1')
    await expect(addVpc('more')).rejects.toMatchObject(tooMany('the project has 2 of 1'))
    await removeVpc('net')
  })

  it('cannot pass a limit that is lowered by what projects have reserved before', async () => {
    await open('instance-per-silo=3000')
    await addInstance(w, 'vm')
    // The settings, which the next start reads again.
    Object.assign(w.world.counts ?? {}, readCounts('instance-per-silo=2'))
    await w.restart()
    await addInstance(w, 'second')
    await expect(addInstance(w, 'third')).rejects.toMatchObject(tooMany('the silo has 2 of 2'))
    for (const instance of ['vm', 'second']) await client().instanceDelete({ params: { instance }, query })
  })

  it('is forgotten with what held it', async () => {
    await open('')
    await client().projectCreate({ body: named('web') })
    await client().projectDelete({ params: { project: 'web' } })
    const rows = await inDb(w, (tx) => tx.selectFrom('tally').select('holderId').execute())
    const holders = new Set(rows.map((one) => one.holderId))
    const projects = await inDb(w, (tx) => tx.selectFrom('project').select('id').execute())
    const vpcs = await inDb(w, (tx) => tx.selectFrom('vpc').select('id').execute())
    const routers = await inDb(w, (tx) => tx.selectFrom('vpcRouter').select('id').execute())
    const gateways = await inDb(w, (tx) => tx.selectFrom('internetGateway').select('id').execute())
    const known = [...projects, ...vpcs, ...routers, ...gateways].map(({ id }) => id)
    expect([...holders].filter((id) => !known.includes(id))).toEqual([w.ids['acme']])
  })
})

describe('sessions', () => {
  it('beyond fifty of a user end the one that was not used for the longest time', async () => {
    await open('')
    const params = { siloName: 'acme' }
    const body = { username: 'viewer', password: 'viewer-password' }
    const view = () => w.as('viewer').currentUserView({ query: {} })
    for (let i = 0; i < 49; i++) await w.anonymous.loginLocal({ params, body })
    await view()
    await w.advance(1000)
    await w.anonymous.loginLocal({ params, body })
    const rows = await inDb(w, (tx) =>
      tx
        .selectFrom('session')
        .select('id')
        .where('siloUserId', '=', w.ids['viewer'] ?? '')
        .execute(),
    )
    expect(rows).toHaveLength(50)
  })
})
