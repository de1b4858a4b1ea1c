import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance, addRouter, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
let vpc: { id: string; projectId: string; systemRouterId: string }
beforeEach(async () => {
  world = await openWorld()
  const body = { name: 'net', description: '', dnsName: 'net', ipv6Prefix: 'fd00:1::/48' }
  vpc = await me().vpcCreate({ query: { project: 'demo' }, body })
})
afterEach(() => world.close())

const query = { project: 'demo', vpc: 'net' }
const me = () => world.as('projectCollaborator')
type More = Partial<Parameters<ReturnType<typeof me>['vpcSubnetCreate']>[0]['body']>
const create = (name: string, ipv4Block: string, more: More = {}) =>
  me().vpcSubnetCreate({ query, body: { name, description: '', ipv4Block, ...more } })
const update = (subnet: string, body: Parameters<ReturnType<typeof me>['vpcSubnetUpdate']>[0]['body']) =>
  me().vpcSubnetUpdate({ params: { subnet }, query, body })
const remove = (subnet: string) => me().vpcSubnetDelete({ params: { subnet }, query })
const routes = () =>
  inDb(world, (tx) =>
    tx
      .selectFrom('routerRoute')
      .selectAll()
      .where('vpcRouterId', '=', vpc.systemRouterId)
      .where('kind', '=', 'vpc_subnet')
      .orderBy('name')
      .execute(),
  )
const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })

describe('create', () => {
  it('has the requested values, and no router by default', async () => {
    const subnet = await create('web', '10.1.0.0/16', { description: 'a test', ipv6Block: 'FD00:1:0:5::/64' })
    expect(subnet).toMatchObject({
      name: 'web',
      description: 'a test',
      vpcId: vpc.id,
      ipv4Block: '10.1.0.0/16',
      ipv6Block: 'fd00:1:0:5::/64',
    })
    expect(subnet).not.toHaveProperty('customRouterId')
    expect(await me().vpcSubnetView({ params: { subnet: subnet.id }, query: {} })).toEqual(subnet)
  })

  it('picks a random free /64 of the prefix when none is given', async () => {
    const blocks = [
      (await create('a', '10.1.0.0/24')).ipv6Block,
      (await create('b', '10.2.0.0/24', { ipv6Block: null })).ipv6Block,
    ]
    for (const block of blocks) expect(block).toMatch(/^fd00:1:0:[0-9a-f]+::\/64$/)
    expect(blocks[0]).not.toBe(blocks[1])
  })

  it('answers 507 when no /64 is found', async () => {
    world.world.ids.bytes = (n) => new Uint8Array(n)
    await expect(create('a', '10.1.0.0/24')).rejects.toMatchObject({
      status: 507,
      code: 'InsufficientCapacity',
    })
  })

  it.each(['11.0.0.0/16', '8.0.0.0/7', '192.168.0.0/13', '172.32.0.0/16', '172.16.0.0/11', '100.64.0.0/16'])(
    'refuses %s: not wholly private',
    async (block) => {
      await expect(create('web', block)).rejects.toMatchObject(
        refused('VPC Subnet IPv4 address ranges must be from a private range'),
      )
    },
  )

  it.each(['10.0.0.0/27', '192.168.0.0/32'])('refuses %s: too small', async (block) => {
    const message = 'VPC Subnet IPv4 address ranges must have prefix length between 8 and 26, inclusive'
    await expect(create('web', block)).rejects.toMatchObject(refused(message))
  })

  it.each(['10.0.0.0/8', '10.0.0.64/26', '172.16.0.0/13', '192.168.0.0/16'])('accepts %s', async (block) => {
    expect(await create('web', block)).toMatchObject({ ipv4Block: block })
  })

  it('refuses blocks with host bits', async () => {
    await expect(create('web', '10.0.0.1/24')).rejects.toMatchObject(
      refused("IP address range '10.0.0.1/24' has a non-zero host identifier"),
    )
    const attempt = create('web', '10.0.0.0/24', { ipv6Block: 'fd00:1:0:9::1/64' })
    await expect(attempt).rejects.toMatchObject(
      refused("IP address range 'fd00:1:0:9::1/64' has a non-zero host identifier"),
    )
  })

  it.each(['fd00:1:0:9::/65', 'fd00:1::/48', 'fd00:2:0:9::/64'])(
    'refuses %s: no /64 of the prefix',
    async (ipv6Block) => {
      const message = `VPC Subnet IPv6 address range '${ipv6Block}' is not valid for VPC with IPv6 prefix 'fd00:1::/48'`
      await expect(create('web', '10.0.0.0/24', { ipv6Block })).rejects.toMatchObject(refused(message))
    },
  )

  it.each(['172.30.0.0/22', '172.30.3.0/24', '172.16.0.0/12'])(
    'refuses %s: overlaps with `default`',
    async (block) => {
      await expect(create('web', block)).rejects.toMatchObject(
        refused(`IP address range '${block}' conflicts with an existing subnet`),
      )
    },
  )

  it('refuses an IPv6 block that is in use', async () => {
    const attempt = create('web', '10.0.0.0/24', { ipv6Block: 'fd00:1::/64' })
    await expect(attempt).rejects.toMatchObject(
      refused("IP address range 'fd00:1::/64' conflicts with an existing subnet"),
    )
  })

  it('blocks and names may repeat in another VPC', async () => {
    await create('web', '10.0.0.0/24')
    const body = { name: 'web', description: '', ipv4Block: '10.0.0.0/24' }
    await me().vpcSubnetCreate({ query: { project: 'demo', vpc: 'default' }, body })
    await expect(create('web', '10.0.1.0/24')).rejects.toMatchObject({
      status: 400,
      code: 'ObjectAlreadyExists',
      message: 'already exists: vpc-subnet "web"',
    })
  })

  it('adds a route of its name to the system router', async () => {
    const { id } = await create('web', '10.0.0.0/24')
    const value = JSON.stringify({ type: 'subnet', value: 'web' })
    expect(await routes()).toMatchObject([
      { name: 'default' },
      { name: 'web', subnetId: id, destinationJson: value, targetJson: value },
    ])
  })

  it.each(['default-v4', 'default-v6'])(
    'names the route of a subnet `%s` so that it cannot clash',
    async (name) => {
      await create(name, '10.0.0.0/24')
      const [route] = await routes()
      expect(route?.name).toBe(`conflict-${name}-${route?.id}`)
      expect(route?.targetJson).toBe(JSON.stringify({ type: 'subnet', value: name }))
    },
  )
})

describe('a custom router', () => {
  it('is given by name or id, at create and update', async () => {
    const id = await addRouter(world, 'custom', vpc)
    expect(await create('a', '10.0.0.0/24', { customRouter: 'custom' })).toMatchObject({ customRouterId: id })
    expect(await create('b', '10.0.1.0/24', { customRouter: id })).toMatchObject({ customRouterId: id })
    await create('c', '10.0.2.0/24')
    expect(await update('c', { customRouter: 'custom' })).toMatchObject({ customRouterId: id })
  })

  it.each([{}, { customRouter: null }])('is detached by an update with %j', async (body) => {
    await addRouter(world, 'custom', vpc)
    await create('a', '10.0.0.0/24', { customRouter: 'custom' })
    expect(await update('a', body)).not.toHaveProperty('customRouterId')
    expect(await me().vpcSubnetView({ params: { subnet: 'a' }, query })).not.toHaveProperty('customRouterId')
  })

  it('must exist, and be of the same VPC', async () => {
    await expect(create('a', '10.0.0.0/24', { customRouter: 'none' })).rejects.toMatchObject({
      status: 404,
      message: 'not found: vpc-router with name "none"',
    })
    const other = await me().vpcView({ params: { vpc: 'default' }, query: { project: 'demo' } })
    const message = 'a router can only be attached to a subnet when both belong to the same VPC'
    for (const customRouter of [await addRouter(world, 'foreign', other), other.systemRouterId])
      await expect(create('a', '10.0.0.0/24', { customRouter })).rejects.toMatchObject(refused(message))
  })

  it('of another silo is not found', async () => {
    await world.as('stranger').projectCreate({ body: { name: 'theirs', description: '' } })
    const theirs = await world
      .as('stranger')
      .vpcView({ params: { vpc: 'default' }, query: { project: 'theirs' } })
    await expect(create('a', '10.0.0.0/24', { customRouter: theirs.systemRouterId })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('is never the system router', async () => {
    for (const customRouter of ['system', vpc.systemRouterId])
      await expect(create('a', '10.0.0.0/24', { customRouter })).rejects.toMatchObject(
        refused('cannot attach a system router to a VPC subnet'),
      )
  })
})

describe('update', () => {
  it('keeps name and description that are absent or null', async () => {
    const before = await create('web', '10.0.0.0/24', { description: 'old' })
    expect(await update('web', { name: null })).toMatchObject({
      name: 'web',
      description: 'old',
      ipv6Block: before.ipv6Block,
    })
    expect(await update('web', { description: 'new' })).toMatchObject({ name: 'web', description: 'new' })
  })

  it('renames the system route, also to and from the name of a default route', async () => {
    await create('web', '10.0.0.0/24')
    for (const [from, to] of [
      ['web', 'default-v4'],
      ['default-v4', 'api'],
    ] as const) {
      await update(from, { name: to })
      const route = (await routes()).find(
        (one) => one.targetJson === JSON.stringify({ type: 'subnet', value: to }),
      )
      expect(route?.name).toBe(to === 'api' ? 'api' : `conflict-default-v4-${route?.id}`)
    }
  })

  it('renames its references in firewall rules', async () => {
    await create('web', '10.0.0.0/24')
    const ruleId = await inDb(world, async (tx) => {
      const rule = await tx
        .selectFrom('vpcFirewallRule')
        .select('id')
        .where('vpcId', '=', vpc.id)
        .where('name', '=', 'allow-ssh')
        .executeTakeFirstOrThrow()
      const targetsJson = JSON.stringify([
        { type: 'subnet', value: 'web' },
        { type: 'vpc', value: 'web' },
      ])
      await tx.updateTable('vpcFirewallRule').set({ targetsJson }).where('id', '=', rule.id).execute()
      return rule.id
    })
    await update('web', { name: 'api' })
    const rule = await inDb(world, (tx) =>
      tx.selectFrom('vpcFirewallRule').selectAll().where('id', '=', ruleId).executeTakeFirstOrThrow(),
    )
    expect(JSON.parse(rule.targetsJson)).toEqual([
      { type: 'subnet', value: 'api' },
      { type: 'vpc', value: 'web' },
    ])
  })
})

describe('delete', () => {
  it('removes the subnet and its route, and frees name and block', async () => {
    await create('web', '10.0.0.0/24')
    await remove('web')
    expect((await routes()).map((route) => route.name)).toEqual(['default'])
    await create('web', '10.0.0.0/24')
  })

  it('is refused while an interface is in it, also of a stopped instance', async () => {
    await create('web', '10.0.0.0/24')
    const params = [{ name: 'n', description: '', vpcName: 'net', subnetName: 'web' }]
    await addInstance(world, 'vm', { networkInterfaces: { type: 'create', params } })
    await expect(remove('web')).rejects.toMatchObject(
      refused('VPC Subnet cannot be deleted while network interfaces in the subnet exist'),
    )
    await me().instanceDelete({ params: { instance: 'vm' }, query: { project: 'demo' } })
    await remove('web')
  })
})

it('a VPC that is named by id needs no project', async () => {
  const { id } = await create('web', '10.0.0.0/24')
  const byVpc = { vpc: vpc.id }
  expect(await me().vpcSubnetView({ params: { subnet: 'web' }, query: byVpc })).toMatchObject({ id })
  expect(await me().vpcSubnetList({ query: { ...byVpc, limit: 9 } })).toMatchObject({
    items: [{ name: 'default' }, { name: 'web' }],
    nextPage: null,
  })
})
