import type { Packet } from '#/network/packet.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SledUnreachable } from '#/ports.ts'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { pushNetworks } from './networks.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const second = 1000
const query = { project: 'demo' }
const inVpc = { ...query, vpc: 'default' }
const me = () => w.as('collaborator')
const named = (name: string) => ({ name, description: '' })
const at = (instance: string) => ({ params: { instance }, query })
async function run(...names: string[]) {
  for (const name of names) await addInstance(w, name, { start: true })
  await w.advance(10 * second)
}
async function nicOf(instance: string) {
  const { items } = await me().instanceNetworkInterfaceList({ query: { ...query, instance } })
  const [nic] = items
  if (!nic) throw new Error(`no interface of ${instance}`)
  return nic
}
const tcp = (port: number): Packet['protocol'] => ({ type: 'tcp', port })
/** True if a packet from one instance reaches another, or an address. */
async function reaches(from: string, to: string, more: Partial<Packet> = {}) {
  await w.settle()
  const source = await nicOf(from)
  const destination = to.includes('.') ? to : (await nicOf(to)).ip
  return w.sleds.carries(source.id, { source: source.ip, destination, protocol: tcp(80), ...more })
}
async function admits(instance: string, port: number) {
  await w.settle()
  const { id, ip } = await nicOf(instance)
  return w.sleds.admits(id, { source: '198.51.100.1', destination: ip, protocol: tcp(port) })
}
const allow = (name: string, value: string) => ({
  ...named(name),
  status: 'enabled' as const,
  direction: 'inbound' as const,
  action: 'allow' as const,
  priority: 10,
  targets: [],
  filters: { hosts: [{ type: 'instance' as const, value }] },
})
const rules = (...list: ReturnType<typeof allow>[]) =>
  me().vpcFirewallRulesUpdate({ query: inVpc, body: { rules: list } })
const versions = () => inDb(w, (tx) => tx.selectFrom('vpcNetwork').select(['vpcId', 'version']).execute())
/** The networks of all sleds, one entry for each sled and VPC. */
async function held() {
  const sleds = (await w.sleds.hardware()).sleds
  return (await Promise.all(sleds.map(({ id }) => w.sleds.networks(id)))).flat()
}

describe('changes that are pushed immediately', () => {
  it('instances that start reach each other and the outside, and are gone when they stop', async () => {
    await run('a', 'b')
    expect(await reaches('a', 'b')).toBe(true)
    expect(await reaches('a', '8.8.8.8')).toBe(true)
    await me().instanceStop(at('b'))
    await w.advance(10 * second)
    expect(await reaches('a', 'b')).toBe(false)
    await me().instanceStop(at('a'))
    await w.advance(10 * second)
    expect(await held()).toEqual([])
  })

  it('firewall rules', async () => {
    await run('a')
    expect([await admits('a', 22), await admits('a', 23)]).toEqual([true, false])
    await rules()
    expect(await admits('a', 22)).toBe(false)
  })

  it('the DNS name of a VPC', async () => {
    const set = vi.spyOn(w.sleds, 'setNetwork')
    await run('a')
    const zone = () => set.mock.lastCall?.[1].zone
    expect(zone()).toBe('default.internal')
    await me().vpcUpdate({ params: { vpc: 'default' }, query, body: { dnsName: 'shop' } })
    await w.settle()
    expect(zone()).toBe('shop.internal')
  })

  it('a name in a rule whose resource is created and deleted', async () => {
    await run('a', 'b')
    await rules(allow('from-c', 'c'))
    const { ip } = await nicOf('a')
    const fromC = async () => {
      await w.settle()
      const { id, ip: own } = await nicOf('b')
      return w.sleds.admits(id, { source: '172.30.0.7', destination: own, protocol: tcp(80) })
    }
    expect(ip).toBe('172.30.0.5')
    expect(await fromC()).toBe(false)
    await addInstance(w, 'c')
    expect((await nicOf('c')).ip).toBe('172.30.0.7')
    expect(await fromC()).toBe(true)
    await me().instanceDelete(at('c'))
    expect(await fromC()).toBe(false)
  })

  it('routes, custom routers, and their deletion', async () => {
    await run('a')
    await me().vpcRouterCreate({ query: inVpc, body: named('edge') })
    const inEdge = { ...inVpc, router: 'edge' }
    const destination = { type: 'ip_net' as const, value: '8.0.0.0/8' }
    await me().vpcRouterRouteCreate({
      query: inEdge,
      body: { ...named('no'), destination, target: { type: 'drop' } },
    })
    expect(await reaches('a', '8.8.8.8')).toBe(true)
    const params = { subnet: 'default' }
    await me().vpcSubnetUpdate({ params, query: inVpc, body: { customRouter: 'edge' } })
    expect(await reaches('a', '8.8.8.8')).toBe(false)
    await me().vpcRouterRouteUpdate({
      params: { route: 'no' },
      query: inEdge,
      body: { destination: { ...destination, value: '9.0.0.0/8' }, target: { type: 'drop' } },
    })
    expect([await reaches('a', '8.8.8.8'), await reaches('a', '9.9.9.9')]).toEqual([true, false])
    await me().vpcRouterRouteDelete({ params: { route: 'no' }, query: inEdge })
    expect(await reaches('a', '9.9.9.9')).toBe(true)
    await me().vpcRouterRouteCreate({
      query: inEdge,
      body: { ...named('no'), destination, target: { type: 'drop' } },
    })
    expect(await reaches('a', '8.8.8.8')).toBe(false)
    await me().vpcRouterDelete({ params: { router: 'edge' }, query: inVpc })
    expect(await reaches('a', '8.8.8.8')).toBe(true)
  })

  it('attachments of gateways', async () => {
    await run('a')
    const atGateway = { ...inVpc, gateway: 'default' }
    await me().internetGatewayIpPoolDelete({
      params: { pool: 'default' },
      query: { ...atGateway, cascade: true },
    })
    expect(await reaches('a', '8.8.8.8')).toBe(false)
    await me().internetGatewayIpPoolCreate({
      query: atGateway,
      body: { ...named('again'), ipPool: 'public' },
    })
    expect(await reaches('a', '8.8.8.8')).toBe(true)
    await me().internetGatewayDelete({
      params: { gateway: 'default' },
      query: { ...inVpc, cascade: true },
    })
    expect(await reaches('a', '8.8.8.8')).toBe(false)
  })

  it('external addresses', async () => {
    await run('a')
    const [before] = await versions()
    await me().instanceEphemeralIpAttach({ ...at('a'), body: {} })
    await w.settle()
    const [after] = await versions()
    expect(after?.version).toBeGreaterThan(before?.version ?? 0)
  })
})

describe('versions', () => {
  it('stay the same without changes', async () => {
    await run('a')
    const before = await versions()
    await w.advance(600 * second)
    expect(await versions()).toEqual(before)
    expect(await held()).toEqual(before)
  })

  it('are checked without writing while nothing changes', async () => {
    await run('a')
    const { engine } = w.world
    const modes: string[] = []
    const transaction: typeof engine.transaction = (mode, work, reads) => {
      modes.push(mode)
      return engine.transaction(mode, work, reads)
    }
    const watched = pushNetworks({ ...w.world, engine: { ...engine, transaction } })
    await watched.round()
    expect(modes).toEqual(['read', 'read', 'read', 'read'])
    await inDb(w, (tx) => tx.deleteFrom('vpcFirewallRule').execute())
    const [vpc] = await versions()
    watched.changed(vpc?.vpcId ?? '')
    await watched.round()
    expect(modes.slice(4)).toEqual(['read', 'read', 'write'])
    const [after] = await versions()
    expect(after?.version).toBeGreaterThan(vpc?.version ?? 0)
  })

  it('of VPCs without a machine on a sled are not computed', async () => {
    await addInstance(w, 'a', { start: false })
    await w.advance(60 * second)
    expect(await versions()).toEqual([])
  })

  it('are forgotten with their VPC', async () => {
    const vpc = await me().vpcCreate({ query, body: { ...named('net'), dnsName: 'net' } })
    const params = [{ ...named('net0'), vpcName: 'net', subnetName: 'default' }]
    await addInstance(w, 'a', { networkInterfaces: { type: 'create', params }, start: true })
    await w.advance(10 * second)
    expect((await versions()).map(({ vpcId }) => vpcId)).toContain(vpc.id)
    await me().instanceStop(at('a'))
    await w.advance(10 * second)
    await me().instanceDelete(at('a'))
    await me().vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc: 'net' } })
    await me().vpcDelete({ params: { vpc: 'net' }, query })
    await w.advance(60 * second)
    expect((await versions()).map(({ vpcId }) => vpcId)).not.toContain(vpc.id)
  })
})

describe('missed changes arrive later', () => {
  it('after a sled lost its networks', async () => {
    await run('a')
    const before = await held()
    for (const { id } of (await w.sleds.hardware()).sleds) w.sleds.restartNetworks(id)
    expect(await reaches('a', '8.8.8.8')).toBe(false)
    await w.advance(31 * second)
    expect(await reaches('a', '8.8.8.8')).toBe(true)
    expect(await held()).toEqual(before)
  })

  it('with the ways to other sleds that have guests of the VPC or lead their addresses, as sleds say where they are', async () => {
    const apart = { ...named('apart'), policy: 'fail' as const, failureDomain: 'sled' as const }
    await me().antiAffinityGroupCreate({ query, body: apart })
    for (const name of ['a', 'b', 'c'])
      await addInstance(w, name, { start: true, antiAffinityGroups: ['apart'] })
    await w.advance(10 * second)
    const placed = await inDb(w, (tx) => tx.selectFrom('instance').select('sledId').distinct().execute())
    const [one = '', other = ''] = placed.map(({ sledId }) => sledId ?? '')
    const report = await w.sleds.hardware()
    const addresses = new Map([
      [one, '192.0.2.1'],
      [other, '2001:DB8:0::7'],
    ])
    const free = report.sleds.find(({ id }) => !placed.some(({ sledId }) => sledId === id))?.id ?? ''
    const say = (more: ReadonlyMap<string, string>) =>
      vi.spyOn(w.sleds, 'hardware').mockResolvedValue({
        ...report,
        sleds: report.sleds.map((sled) => {
          const tunnelAddress = more.get(sled.id)
          const external = sled.id === free ? { external: ['0.0.0.0/0', 'no block'] } : {}
          return { ...sled, ...external, ...(tunnelAddress === undefined ? {} : { tunnelAddress }) }
        }),
      })
    const set = vi.spyOn(w.sleds, 'setNetwork')
    say(new Map([...addresses, [free, '192.0.2.3']]))
    await w.advance(600 * second)
    const pushed = (sledId: string) => set.mock.calls.findLast(([id]) => id === sledId)?.[1]
    expect(pushed(one)?.tunnels).toEqual([{ sledId: other, address: '2001:db8::7' }])
    expect(pushed(other)?.tunnels).toEqual([{ sledId: one, address: '192.0.2.1' }])
    expect((await w.as('fleetAdmin').sledView({ params: { sledId: free } })).host).toMatchObject({
      tunnelAddress: '192.0.2.3',
      external: ['0.0.0.0/0', 'no block'],
    })
    // It has none of the guests, and leads their addresses.
    const [first] = pushed(one)?.away ?? []
    expect(first).toEqual({ ip: expect.any(String) as string, address: '192.0.2.3' })
    expect(pushed(free)).toMatchObject({ interfaces: [], rules: [], peers: [] })
    expect(pushed(free)?.led).toContainEqual({ ip: first?.ip, isShared: true, address: '192.0.2.1' })
    // A host is not to keep others from their networks.
    say(new Map([...addresses, [other, '192.0.2.1; reboot']]))
    await w.advance(600 * second)
    expect(pushed(one)).not.toHaveProperty('tunnels')
  })

  it('to a sled that did not answer', async () => {
    await run('a')
    const { sledId } = await inDb(w, (tx) =>
      tx.selectFrom('instance').select('sledId').where('name', '=', 'a').executeTakeFirstOrThrow(),
    )
    w.sleds.loseSled(sledId ?? '')
    await rules()
    expect(await admits('a', 22)).toBe(true)
    w.sleds.restoreSled(sledId ?? '')
    await w.advance(6 * second)
    expect(await admits('a', 22)).toBe(false)
  })

  it('to the other VPCs of a sled that does not take one', async () => {
    await me().vpcCreate({ query, body: { ...named('net'), dnsName: 'net' } })
    for (const { id } of (await w.sleds.hardware()).sleds.slice(1))
      await w.as('fleetAdmin').sledSetProvisionPolicy({
        params: { sledId: id },
        body: { state: 'non_provisionable' },
      })
    const params = [{ ...named('net'), vpcName: 'net', subnetName: 'default' }]
    await addInstance(w, 'b', { networkInterfaces: { type: 'create', params }, start: true })
    await run('a')
    const set = w.sleds.setNetwork.bind(w.sleds)
    const vpcs = (await held()).map(({ vpcId }) => vpcId)
    expect(vpcs).toHaveLength(2)
    const loop = pushNetworks(w.world)
    await loop.round()
    type Held = Awaited<ReturnType<typeof held>>
    const hasNewer = (after: Held, { vpcId, version }: Held[number]) =>
      after.some((one) => one.vpcId === vpcId && one.version > version)
    // Whichever comes first in a round.
    for (const [i, bad] of vpcs.entries()) {
      const before = await held()
      const taken = async () => {
        const after = await held()
        return before.flatMap((one) => (hasNewer(after, one) ? [one.vpcId] : []))
      }
      const refusing = vi.spyOn(w.sleds, 'setNetwork').mockImplementation(async (sledId, network) => {
        if (network.vpcId === bad) throw new SledUnreachable('the kernel refuses it')
        return set(sledId, network)
      })
      await inDb(w, (tx) =>
        tx
          .updateTable('vpcFirewallRule')
          .set({ priority: 7 + i })
          .execute(),
      )
      for (const vpcId of vpcs) loop.changed(vpcId)
      await loop.round()
      await loop.round()
      expect(await taken()).toEqual(vpcs.filter((vpcId) => vpcId !== bad))
      refusing.mockRestore()
      await loop.round()
      expect(await taken()).toEqual(vpcs)
    }
  })

  it('after a change without a wake-up', async () => {
    await run('a')
    await inDb(w, (tx) => tx.deleteFrom('vpcFirewallRule').execute())
    await w.advance(31 * second)
    expect(await admits('a', 22)).toBe(false)
  })
})
