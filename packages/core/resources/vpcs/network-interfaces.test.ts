import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { answers, projectRead } from '#/testing/roles.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const query = { project: 'demo' }
const me = () => world.as('projectCollaborator')
const nics = async (instance: string) =>
  (await me().instanceNetworkInterfaceList({ query: { ...query, instance } })).items
interface NewNic {
  name: string
  subnetName: string
  vpcName?: string
  ip?: string
  transitIps?: string[]
}
const create = (instance: string, list: NewNic[]) => {
  const params = list.map((one) => ({ description: '', vpcName: 'default', ...one }))
  return addInstance(world, instance, { networkInterfaces: { type: 'create', params } })
}
const addSubnet = (name: string, ipv4Block: string, vpc = 'default') =>
  me().vpcSubnetCreate({ query: { ...query, vpc }, body: { name, description: '', ipv4Block } })
const remove = (instance: string) => me().instanceDelete({ params: { instance }, query })

describe('by default', () => {
  it('an instance has one interface, primary, in the default subnet of the default VPC', async () => {
    const instance = await addInstance(world, 'vm')
    const subnet = await me().vpcSubnetView({
      params: { subnet: 'default' },
      query: { ...query, vpc: 'default' },
    })
    const [nic, ...more] = await nics('vm')
    expect(more).toEqual([])
    expect(nic).toMatchObject({
      name: 'net0',
      description: 'default primary interface for vm',
      instanceId: instance.id,
      vpcId: subnet.vpcId,
      subnetId: subnet.id,
      ip: '172.30.0.5',
      primary: true,
      transitIps: [],
    })
    expect(nic?.mac).toMatch(/^A8:40:25:F[0-9A-E]:[0-9A-F]{2}:[0-9A-F]{2}$/)
  })

  it('an instance is refused where there is no default subnet or VPC', async () => {
    await me().vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc: 'default' } })
    await expect(addInstance(world, 'vm')).rejects.toMatchObject({
      status: 404,
      message: 'not found: vpc-subnet with name "default"',
    })
    await me().vpcDelete({ params: { vpc: 'default' }, query })
    await expect(addInstance(world, 'vm')).rejects.toMatchObject({
      status: 404,
      message: 'not found: vpc with name "default"',
    })
    await addInstance(world, 'vm', { networkInterfaces: { type: 'none' } })
  })
})

it('`none` makes no interface', async () => {
  await addInstance(world, 'vm', { networkInterfaces: { type: 'none' } })
  expect(await nics('vm')).toEqual([])
})

describe('a list of interfaces', () => {
  it('keeps its order: the first is primary and slots count up', async () => {
    await addSubnet('web', '10.0.0.0/24')
    await create('vm', [
      { name: 'z', subnetName: 'web' },
      { name: 'a', subnetName: 'default' },
    ])
    expect(await nics('vm')).toMatchObject([
      { name: 'a', primary: false, ip: '172.30.0.5' },
      { name: 'z', primary: true, ip: '10.0.0.5' },
    ])
    const slots = await inDb(world, (tx) =>
      tx.selectFrom('networkInterface').select(['name', 'slot']).orderBy('slot').execute(),
    )
    expect(slots).toEqual([
      { name: 'z', slot: 0 },
      { name: 'a', slot: 1 },
    ])
  })

  it('has at most 8', async () => {
    const list = Array.from({ length: 9 }, (_, i) => ({ name: `n${i}`, subnetName: `s${i}` }))
    for (const [i, { subnetName }] of list.entries()) await addSubnet(subnetName, `10.${i}.0.0/24`)
    await expect(create('vm', list)).rejects.toMatchObject({
      status: 400,
      message: 'An instance may not have more than 8 network interfaces',
    })
    await create('vm', list.slice(1))
    expect(await nics('vm')).toHaveLength(8)
  })

  it('is in one VPC, and not empty', async () => {
    await me().vpcCreate({ query, body: { name: 'other', description: '', dnsName: 'other' } })
    const message = { status: 400, message: 'All interfaces must be in the same VPC' }
    const two = [
      { name: 'a', subnetName: 'default' },
      { name: 'b', subnetName: 'default', vpcName: 'other' },
    ]
    await expect(create('vm', two)).rejects.toMatchObject(message)
    await expect(create('vm', [])).rejects.toMatchObject(message)
  })

  it('is in distinct subnets', async () => {
    const attempt = create('vm', [
      { name: 'a', subnetName: 'default' },
      { name: 'b', subnetName: 'default' },
    ])
    await expect(attempt).rejects.toMatchObject({
      status: 400,
      message: 'Each interface must be in a distinct VPC Subnet',
    })
  })

  it('has unique names', async () => {
    await addSubnet('web', '10.0.0.0/24')
    const attempt = create('vm', [
      { name: 'a', subnetName: 'default' },
      { name: 'a', subnetName: 'web' },
    ])
    await expect(attempt).rejects.toMatchObject({
      status: 400,
      code: 'ObjectAlreadyExists',
      message: 'already exists: instance-network-interface "a"',
    })
  })

  it.each([
    [{ vpcName: 'none', subnetName: 'default' }, 'not found: vpc with name "none"'],
    [{ vpcName: 'default', subnetName: 'none' }, 'not found: vpc-subnet with name "none"'],
  ])('needs a subnet that exists: %j', async (place, message) => {
    await expect(create('vm', [{ name: 'a', ...place }])).rejects.toMatchObject({ status: 404, message })
  })

  it('refuses bad transit IPs and shows good ones', async () => {
    const nic = { name: 'a', subnetName: 'default' }
    await expect(create('vm', [{ ...nic, transitIps: ['10.0.0.1/24'] }])).rejects.toMatchObject({
      status: 400,
      code: 'InvalidRequest',
    })
    await create('vm', [{ ...nic, transitIps: ['10.0.0.0/24', 'fd00:0::/64'] }])
    expect(await nics('vm')).toMatchObject([{ transitIps: ['10.0.0.0/24', 'fd00::/64'] }])
  })
})

describe('a private address', () => {
  const at = (ip: string) => [{ name: 'a', subnetName: 'default', ip }]

  it('can be requested, IPv4 or IPv6', async () => {
    await create('v4', at('172.30.1.9'))
    expect(await nics('v4')).toMatchObject([{ ip: '172.30.1.9' }])
    const { ipv6Block } = await me().vpcSubnetView({
      params: { subnet: 'default' },
      query: { ...query, vpc: 'default' },
    })
    const ip = ipv6Block.replace('::/64', '::abcd')
    await create('v6', at(ip))
    expect(await nics('v6')).toMatchObject([{ ip }])
    await remove('v6')
  })

  it.each([
    ['172.30.4.0', '172.30.4.0 is outside subnet 172.30.0.0/22'],
    ['172.30.0.4', 'The first 5 addresses of a subnet are reserved'],
    ['172.30.3.255', 'Cannot request a broadcast address'],
  ])('%s is refused', async (ip, message) => {
    await expect(create('vm', at(ip))).rejects.toMatchObject({ status: 400, message })
  })

  it('in use is refused until its instance is gone', async () => {
    await create('first', at('172.30.0.5'))
    await expect(create('second', at('172.30.0.5'))).rejects.toMatchObject({
      status: 400,
      message: "The IP address '172.30.0.5' is not available",
    })
    await remove('first')
    await create('second', at('172.30.0.5'))
  })

  it('is the lowest free one, also after instances went', async () => {
    for (const name of ['a', 'b', 'c']) await addInstance(world, name)
    for (const name of ['b', 'a']) await remove(name)
    for (const name of ['d', 'e', 'f']) await addInstance(world, name)
    const ips = await Promise.all(['c', 'd', 'e', 'f'].map(async (name) => (await nics(name))[0]?.ip))
    expect(ips).toEqual(['172.30.0.7', '172.30.0.5', '172.30.0.6', '172.30.0.8'])
  })
})

it('concurrently created instances get different addresses', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  await Promise.all(names.map((name) => addInstance(world, name)))
  const rows = await inDb(world, (tx) => tx.selectFrom('networkInterface').select(['ipKey', 'mac']).execute())
  expect(new Set(rows.map((row) => row.ipKey)).size).toBe(names.length)
  expect(new Set(rows.map((row) => row.mac)).size).toBe(names.length)
})

describe('view', () => {
  it('is by name with an instance, or only by id', async () => {
    await addInstance(world, 'vm')
    const [nic] = await nics('vm')
    const view = (name: string, more: object) =>
      me().instanceNetworkInterfaceView({ params: { interface: name }, query: more })
    expect(await view('net0', { ...query, instance: 'vm' })).toEqual(nic)
    expect(await view(nic?.id ?? '', {})).toEqual(nic)
    await expect(view('net1', { ...query, instance: 'vm' })).rejects.toMatchObject({
      status: 404,
      message: 'not found: instance-network-interface with name "net1"',
    })
    await expect(view('net0', query)).rejects.toMatchObject({
      status: 400,
      message: 'interface should either be UUID or instance should be specified',
    })
    const both = view(nic?.id ?? '', { ...query, instance: 'vm' })
    await expect(both).rejects.toMatchObject({
      status: 400,
      message: 'when providing interface as an ID instance and project should not be specified',
    })
  })
})

it('the list pages by name', async () => {
  await addSubnet('web', '10.0.0.0/24')
  await create('vm', [
    { name: 'z', subnetName: 'web' },
    { name: 'a', subnetName: 'default' },
  ])
  const list = (more: object) =>
    me().instanceNetworkInterfaceList({ query: { ...query, instance: 'vm', limit: 1, ...more } })
  const first = await list({})
  expect(first.items).toMatchObject([{ name: 'a' }])
  expect(await list({ pageToken: first.nextPage })).toMatchObject({ items: [{ name: 'z' }], nextPage: null })
})

describe('the list of a subnet', () => {
  const params = { subnet: 'default' }
  const at = { ...query, vpc: 'default' }
  type More = Partial<Parameters<ReturnType<typeof me>['vpcSubnetListNetworkInterfaces']>[0]['query']>
  const list = (more: More = {}) => me().vpcSubnetListNetworkInterfaces({ params, query: { ...at, ...more } })
  /** The whole list, one interface a page. */
  async function walk(more: More) {
    const items: Awaited<ReturnType<typeof list>>['items'] = []
    let pageToken: string | null | undefined
    do {
      const page = await list({ ...more, limit: 1, ...(pageToken ? { pageToken } : {}) })
      items.push(...page.items)
      pageToken = page.nextPage
    } while (pageToken)
    return items
  }

  it('has the interfaces of all its instances, and of no other subnet', async () => {
    await addSubnet('web', '10.0.0.0/24')
    await create('front', [
      { name: 'inner', subnetName: 'default' },
      { name: 'outer', subnetName: 'web' },
    ])
    await addInstance(world, 'back')
    const [inner] = await nics('front')
    expect((await list()).items).toEqual([inner, ...(await nics('back'))])
    const { subnetId: subnet = '' } = inner ?? {}
    expect(await me().vpcSubnetListNetworkInterfaces({ params: { subnet }, query: {} })).toEqual(await list())
    await remove('front')
    await remove('back')
    expect(await list()).toEqual({ items: [], nextPage: null })
  })

  it('omits none that share a name, in any order and page size', async () => {
    for (const name of ['a', 'b', 'c']) await addInstance(world, name)
    await create('d', [{ name: 'aux', subnetName: 'default' }])
    const { items } = await list()
    expect(items.map(({ name }) => name)).toEqual(['aux', 'net0', 'net0', 'net0'])
    const ids = items.slice(1).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(await walk({})).toEqual(items)
    expect(await walk({ sortBy: 'name_ascending' })).toEqual(items)
    expect(await walk({ sortBy: 'name_descending' })).toEqual(items.toReversed())
    expect(await walk({ sortBy: 'id_ascending' })).toEqual(items.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  })

  it('takes no token of a list that is ordered otherwise', async () => {
    for (const name of ['a', 'b']) await addInstance(world, name)
    const { nextPage: byId } = await list({ limit: 1, sortBy: 'id_ascending' })
    const read = (token: string): object => JSON.parse(Buffer.from(token, 'base64url').toString()) as object
    const { page_start: start } = read(byId ?? '') as { page_start: { query: object; last: string } }
    const mixed = { v: 'v1', page_start: { ...start, query: { ...start.query, sort_by: 'name_ascending' } } }
    const pageToken = Buffer.from(JSON.stringify(mixed)).toString('base64')
    await expect(list({ pageToken })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('corrupted token') as string,
    })
  })

  it('is there for viewers of the project', async () => {
    const read = await answers(world, (c) => c.vpcSubnetListNetworkInterfaces({ params, query: at }))
    expect(read).toEqual(projectRead)
  })

  it('needs a subnet that exists', async () => {
    const attempt = me().vpcSubnetListNetworkInterfaces({ params: { subnet: 'none' }, query: at })
    await expect(attempt).rejects.toMatchObject({
      status: 404,
      message: 'not found: vpc-subnet with name "none"',
    })
  })
})

it('viewers of the project may list and view', async () => {
  await addInstance(world, 'vm')
  const [nic] = await nics('vm')
  const at = { ...query, instance: 'vm' }
  expect(await answers(world, (c) => c.instanceNetworkInterfaceList({ query: at }))).toEqual(projectRead)
  expect(
    await answers(world, (c) => c.instanceNetworkInterfaceView({ params: { interface: 'net0' }, query: at })),
  ).toEqual(projectRead)
  expect(
    await answers(world, (c) =>
      c.instanceNetworkInterfaceView({ params: { interface: nic?.id ?? '' }, query: {} }),
    ),
  ).toEqual(projectRead)
})
