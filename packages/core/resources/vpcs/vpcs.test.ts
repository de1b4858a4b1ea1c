import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addRouter, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const query = { project: 'demo' }
const me = () => world.as('projectCollaborator')
const create = (name: string, ipv6Prefix?: string | null) =>
  me().vpcCreate({
    query,
    body: { name, description: 'a test', dnsName: name, ...(ipv6Prefix === undefined ? {} : { ipv6Prefix }) },
  })
const remove = async (vpc: string) => {
  await me().vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc } })
  await me().vpcDelete({ params: { vpc }, query })
}
const rulesOf = (vpcId: string) =>
  inDb(world, (tx) =>
    tx.selectFrom('vpcFirewallRule').selectAll().where('vpcId', '=', vpcId).orderBy('name').execute(),
  )

describe('create', () => {
  it('has the requested values', async () => {
    const vpc = await create('net', 'FD12:3456:789a::/48')
    expect(vpc).toMatchObject({
      name: 'net',
      description: 'a test',
      dnsName: 'net',
      projectId: world.ids['demo'],
      ipv6Prefix: 'fd12:3456:789a::/48',
    })
    expect(await me().vpcView({ params: { vpc: vpc.id }, query: {} })).toEqual(vpc)
  })

  it('picks a random unique-local /48 when none is given', async () => {
    const prefixes = [(await create('a')).ipv6Prefix, (await create('b', null)).ipv6Prefix]
    for (const prefix of prefixes) expect(prefix).toMatch(/^fd[0-9a-f]{2}:[0-9a-f:]*::\/48$/)
    expect(prefixes[0]).not.toBe(prefixes[1])
  })

  it.each(['fd00::/56', 'fd00::/40', 'fc00::/48', '2001:db8::/48', 'fd00::1/48'])(
    'refuses the prefix %s',
    async (prefix) => {
      await expect(create('net', prefix)).rejects.toMatchObject({
        status: 400,
        code: 'InvalidRequest',
        message: expect.stringContaining('unique-local /48'),
      })
    },
  )

  it('refuses a prefix that is no IPv6 network', async () => {
    await expect(create('net', '10.0.0.0/8')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('ipv6_prefix'),
    })
  })

  it('answers 507 when no virtual network id is free', async () => {
    world.world.ids.bytes = (n) => new Uint8Array(n)
    await create('first')
    await expect(create('second')).rejects.toMatchObject({
      status: 507,
      message: 'Insufficient capacity: No free virtual network was found',
    })
  })

  it('gives every VPC a different network id within 24 bits', async () => {
    for (const name of ['a', 'b', 'c']) await create(name)
    const vnis = (await inDb(world, (tx) => tx.selectFrom('vpc').select('vni').execute())).map(
      (row) => row.vni,
    )
    expect(new Set(vnis).size).toBe(4)
    for (const vni of vnis) expect(vni >= 1024 && vni <= 16_777_215).toBe(true)
  })
})

describe('a new VPC', () => {
  it('has a system router with two default routes and one to its subnet', async () => {
    const vpc = await create('net')
    const routers = await inDb(world, (tx) =>
      tx.selectFrom('vpcRouter').selectAll().where('vpcId', '=', vpc.id).execute(),
    )
    expect(routers).toMatchObject([{ id: vpc.systemRouterId, name: 'system', kind: 'system' }])
    const routes = await inDb(world, (tx) =>
      tx
        .selectFrom('routerRoute')
        .selectAll()
        .where('vpcRouterId', '=', vpc.systemRouterId)
        .orderBy('name')
        .execute(),
    )
    const out = JSON.stringify({ type: 'internet_gateway', value: 'default' })
    const subnet = JSON.stringify({ type: 'subnet', value: 'default' })
    expect(routes).toMatchObject([
      { name: 'default', kind: 'vpc_subnet', destinationJson: subnet, targetJson: subnet },
      {
        name: 'default-v4',
        kind: 'default',
        destinationJson: JSON.stringify({ type: 'ip_net', value: '0.0.0.0/0' }),
        targetJson: out,
      },
      {
        name: 'default-v6',
        kind: 'default',
        destinationJson: JSON.stringify({ type: 'ip_net', value: '::/0' }),
        targetJson: out,
      },
    ])
  })

  it('has the subnet `default` with 172.30.0.0/22 and the first /64 of the prefix', async () => {
    await create('net', 'fd12:3456:789a::/48')
    const { items } = await me().vpcSubnetList({ query: { ...query, vpc: 'net' } })
    expect(items).toMatchObject([
      { name: 'default', ipv4Block: '172.30.0.0/22', ipv6Block: 'fd12:3456:789a::/64' },
    ])
    expect(items[0]).not.toHaveProperty('customRouterId')
  })

  it('admits its own traffic, SSH and ICMP', async () => {
    const rules = await rulesOf((await create('net')).id)
    const self = [{ type: 'vpc', value: 'net' }]
    for (const rule of rules) {
      expect(rule).toMatchObject({
        status: 'enabled',
        direction: 'inbound',
        action: 'allow',
        priority: 65_534,
      })
      expect(JSON.parse(rule.targetsJson)).toEqual(self)
    }
    expect(rules.map((rule) => [rule.name, JSON.parse(rule.filtersJson) as unknown])).toEqual([
      ['allow-icmp', { hosts: null, ports: null, protocols: [{ type: 'icmp', value: null }] }],
      ['allow-internal-inbound', { hosts: self, ports: null, protocols: null }],
      ['allow-ssh', { hosts: null, ports: ['22'], protocols: [{ type: 'tcp' }] }],
    ])
  })

  const gateways = (vpcId: string) =>
    inDb(world, (tx) =>
      tx
        .selectFrom('internetGateway')
        .leftJoin('internetGatewayIpPool', 'internetGatewayIpPool.internetGatewayId', 'internetGateway.id')
        .select([
          'internetGateway.name',
          'internetGatewayIpPool.name as link',
          'internetGatewayIpPool.ipPoolId',
        ])
        .where('vpcId', '=', vpcId)
        .execute(),
    )

  it('has a gateway with the default pool of the silo', async () => {
    const vpc = await create('net')
    expect(await gateways(vpc.id)).toEqual([
      { name: 'default', link: 'default', ipPoolId: world.ids['public'] },
    ])
  })

  it('has a gateway without a pool in a silo without a default pool', async () => {
    await inDb(world, (tx) => tx.updateTable('ipPoolSilo').set({ isDefault: 0 }).execute())
    const vpc = await create('net')
    expect(await gateways(vpc.id)).toEqual([{ name: 'default', link: null, ipPoolId: null }])
  })

  it('every project begins with one named `default`', async () => {
    const { items } = await me().vpcList({ query })
    expect(items).toMatchObject([{ name: 'default', dnsName: 'default' }])
  })
})

describe('update', () => {
  const update = (vpc: string, body: Parameters<ReturnType<typeof me>['vpcUpdate']>[0]['body']) =>
    me().vpcUpdate({ params: { vpc }, query, body })

  it('keeps absent or null fields', async () => {
    const vpc = await create('net')
    await world.advance(1000)
    const after = await update('net', { name: null, dnsName: null })
    expect(after).toEqual({ ...vpc, timeModified: new Date(world.clock.now()) })
  })

  it('changes name, description and dns name', async () => {
    await create('net')
    const after = await update('net', { name: 'other', description: 'new', dnsName: 'zone' })
    expect(after).toMatchObject({ name: 'other', description: 'new', dnsName: 'zone' })
    expect(await me().vpcView({ params: { vpc: 'other' }, query })).toEqual(after)
  })

  it('renames its references in firewall rules', async () => {
    const { id } = await create('net')
    const before = await rulesOf(id)
    await update('net', { name: 'other' })
    const after = await rulesOf(id)
    expect(after.map((rule) => rule.targetsJson + rule.filtersJson)).toEqual(
      before.map((rule) => (rule.targetsJson + rule.filtersJson).replaceAll('"net"', '"other"')),
    )
  })
})

describe('delete', () => {
  it('also deletes its content, including custom routers', async () => {
    const tables = [
      'vpc',
      'vpcSubnet',
      'vpcRouter',
      'routerRoute',
      'vpcFirewallRule',
      'internetGateway',
      'internetGatewayIpPool',
    ] as const
    const count = () =>
      inDb(world, (tx) =>
        Promise.all(tables.map(async (table) => (await tx.selectFrom(table).select('id').execute()).length)),
      )
    const before = await count()
    await addRouter(world, 'custom', await create('net'))
    await remove('net')
    expect(await count()).toEqual(before)
    await expect(me().vpcView({ params: { vpc: 'net' }, query })).rejects.toMatchObject({
      status: 404,
      message: 'not found: vpc with name "net"',
    })
  })

  it('frees the name, and the project once all VPCs are gone', async () => {
    await create('net')
    await remove('net')
    await create('net')
    await expect(world.as('admin').projectDelete({ params: query })).rejects.toMatchObject({
      status: 400,
      message: 'project to be deleted contains a vpc: default',
    })
    for (const vpc of ['net', 'default']) await remove(vpc)
    await world.as('admin').projectDelete({ params: query })
  })
})
