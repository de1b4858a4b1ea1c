import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  announce,
  linkCalled,
  peerAt,
  prepareNetwork,
  settingsCalled,
} from '#/testing/networks/port-settings.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let world: TestWorld
let rackId: string
const router = '198.51.100.34'
beforeEach(async () => {
  world = await openWorld()
  await prepareNetwork(world)
  rackId = (await fleet().rackList({ query: {} })).items[0]?.id ?? ''
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const fleet = (who: Who = 'fleetAdmin') => world.as(who)
const at = (port = 'qsfp0', switchLocation = 'switch0') => ({
  params: { port },
  query: { rackId, switchLocation },
})
const create = (more: Parameters<typeof settingsCalled>[1] = {}) =>
  fleet().networkingSwitchPortSettingsCreate({
    query: {},
    body: settingsCalled('uplink', { addresses: ['198.51.100.33/30'], ...more }),
  })
const apply = () => fleet().networkingSwitchPortApplySettings({ ...at(), body: { portSettings: 'uplink' } })
/** Settings with one peer are on a port, and there has been time for a session. */
async function connect(more: Parameters<typeof peerAt>[1] = {}) {
  await create({ peers: [peerAt(router, { remoteAsn: 64_500, ...more })] })
  await apply()
  await world.advance(1000)
}
const peers = () => fleet().networkingBgpStatus({})
const stateOf = async () => (await peers())[0]?.state
const routes = (asn = 65_001) => fleet().networkingBgpImportedRoutesIpv4({ query: { asn } })
const exported = async () => (await fleet().networkingBgpExported({})).exports
const switchAt = async (location = 'switch0') => {
  const { items } = await fleet().switchList({ query: {} })
  const found = items.find((one) => one.location === location)
  if (!found) throw new Error(`no ${location}`)
  return found
}
const portId = async (name = 'qsfp0') => {
  const { items } = await fleet().networkingSwitchPortList({ query: {} })
  return items.find((one) => one.portName === name && one.switchLocation === 'switch0')?.id ?? ''
}

describe('BGP sessions', () => {
  it('follow from the settings: their state, routes and messages', async () => {
    expect([await peers(), await routes(), await exported()]).toEqual([[], [], {}])
    await connect()
    expect(await peers()).toEqual([
      {
        addr: router,
        localAsn: 65_001,
        remoteAsn: 64_500,
        state: 'established',
        stateDurationMillis: expect.any(Number),
        switch: 'switch0',
        port: 'qsfp0',
        problem: null,
      },
    ])
    expect(await routes()).toEqual([{ id: 0, nexthop: router, prefix: '0.0.0.0/0', switch: 'switch0' }])
    expect([await routes(65_002), await exported()]).toEqual([[], { [router]: ['203.0.113.0/25'] }])
    const { switchHistories } = await fleet().networkingBgpMessageHistory({ query: { asn: 65_001 } })
    expect(switchHistories.map((one) => [one.switch, Object.keys(one.history)])).toEqual([
      ['switch0', [router]],
      ['switch1', []],
    ])
    expect(switchHistories[0]?.history[router]).toMatchObject([
      { direction: 'sent', type: 'open', text: 'AS 65001, hold time 6 s' },
      { direction: 'received', type: 'open', text: 'AS 64500, hold time 6 s' },
      { type: 'keepalive' },
      { type: 'keepalive' },
      { direction: 'sent', type: 'update', text: '203.0.113.0/25' },
      { direction: 'received', type: 'update', text: '0.0.0.0/0' },
    ])
    await world.advance(5000)
    const [{ stateDurationMillis } = { stateDurationMillis: 0 }] = await peers()
    expect(stateDurationMillis).toBeGreaterThanOrEqual(5000)
  })

  it('announce what the announce set has, also when it changes', async () => {
    await connect()
    await announce(world, 'own', ['203.0.113.0/25', '203.0.113.128/25'])
    await world.advance(0)
    expect(await exported()).toEqual({ [router]: ['203.0.113.0/25', '203.0.113.128/25'] })
    await connect({ allowedExport: { type: 'allow', value: ['203.0.113.128/25'] } })
    expect(await exported()).toEqual({ [router]: ['203.0.113.128/25'] })
  })

  it('end with the reason when the peer falls silent or its link is down, and begin again', async () => {
    await connect()
    world.sleds.switches.setRouter(router, { isAway: true })
    await world.advance(8000)
    expect(await peers()).toMatchObject([
      { state: 'idle', problem: 'the peer has sent nothing for 6 s', remoteAsn: 64_500 },
    ])
    expect([await routes(), await exported()]).toEqual([[], {}])
    world.sleds.switches.setRouter(router, {})
    await world.advance(10_000)
    expect(await stateOf()).toBe('established')
    world.sleds.setLink(await portId(), 'down')
    await world.advance(100)
    expect(await peers()).toMatchObject([{ problem: 'the link of qsfp0 is down' }])
    world.sleds.setLink(await portId(), 'up')
    await world.advance(10_000)
    expect(await stateOf()).toBe('established')
  })

  it('are not made with another key, and are once the keys are the same', async () => {
    world.sleds.switches.setRouter(router, { key: 'right' })
    await connect({ md5AuthKey: 'wrong' })
    await world.advance(20_000)
    expect(['connect', 'active']).toContain(await stateOf())
    await connect({ md5AuthKey: 'right' })
    expect(await stateOf()).toBe('established')
    // Sent again without a key, it keeps the one that it has.
    const { bgpPeers, ...settings } = await fleet().networkingSwitchPortSettingsView({
      params: { port: 'uplink' },
    })
    await create({ peers: bgpPeers, description: `not ${settings.description}` })
    await world.advance(1000)
    expect(await stateOf()).toBe('established')
  })

  it('end when the settings are cleared', async () => {
    await connect()
    await fleet().networkingSwitchPortClearSettings(at())
    await world.advance(0)
    expect([await peers(), await exported()]).toEqual([[], {}])
  })
})

describe('other states of switches', () => {
  it('BFD sessions come up, notice a peer that is lost, and end when they are disabled', async () => {
    const session = { switch: 'switch0', remote: router, local: null, mode: 'single_hop' } as const
    const detection = { detectionThreshold: 3, requiredRx: 100_000 }
    await connect()
    await fleet().networkingBfdEnable({ body: { ...session, ...detection } })
    await world.advance(0)
    const status = async () => fleet().networkingBfdStatus({})
    const { remote: _, ...shown } = { ...session, ...detection, peer: router }
    expect(await status()).toEqual([{ ...shown, state: 'down' }])
    await world.advance(1000)
    expect(await status()).toEqual([{ ...shown, state: 'up' }])
    world.sleds.switches.setRouter(router, { answersBfd: false })
    await world.advance(500)
    expect(await status()).toEqual([{ ...shown, state: 'down' }])
    expect(await peers()).toMatchObject([{ state: 'idle', problem: 'BFD has lost the peer' }])
    await fleet().networkingBfdDisable({ body: { switch: 'switch0', remote: router } })
    await world.advance(0)
    expect(await status()).toEqual([])
  })

  it('neighbors are listed while their link listens and is up', async () => {
    const neighbors = async (query: object = {}) =>
      fleet().networkingSwitchPortLldpNeighbors({
        params: { rackId, switchLocation: 'switch0', port: 'qsfp0' },
        query,
      })
    expect((await neighbors()).items).toEqual([])
    await connect()
    await world.advance(31_000)
    const [one] = (await neighbors()).items
    expect(one).toMatchObject({
      localPort: 'qsfp0',
      managementIp: [{ addr: { ipAddr: router }, interfaceNum: { unknown: 0 } }],
    })
    expect(one?.lastSeen.getTime()).toBe((one?.firstSeen.getTime() ?? 0) + 30_000)
    await create({
      portConfig: { geometry: 'qsfp28x2' },
      links: [linkCalled('phy1'), linkCalled('phy0')],
    })
    await world.advance(0)
    const first = await neighbors({ limit: 1 })
    const second = await neighbors({ limit: 1, pageToken: first.nextPage ?? '' })
    expect([first.items.length, second.items.length, second.nextPage]).toEqual([1, 1, null])
    const lldp = await fleet().networkingSwitchPortLldpConfigView(at())
    await fleet().networkingSwitchPortLldpConfigUpdate({ ...at(), body: { ...lldp, enabled: false } })
    await world.advance(0)
    expect((await neighbors()).items).toHaveLength(1)
    world.sleds.setLink(await portId(), 'down')
    await world.advance(0)
    expect((await neighbors()).items).toEqual([])
  })

  it('the link of a port has the speed that its settings say', async () => {
    const speed = async () =>
      (await fleet().networkingSwitchPortList({ query: { switchPortId: await portId() } })).items[0]?.link
        ?.speed
    await create({ links: [{ ...linkCalled('phy0'), speed: 'speed40_g' }] })
    await apply()
    await world.advance(0)
    expect(await speed()).toBe(40e9)
    await fleet().networkingSwitchPortClearSettings(at())
    await world.advance(0)
    expect(await speed()).toBe(100e9)
  })

  it('are shown to all who may see the fleet only', async () => {
    const { networkingBgpStatus, networkingBfdStatus } = fleet('admin')
    for (const call of [networkingBgpStatus, networkingBfdStatus])
      await expect(call({})).rejects.toMatchObject({ status: 403 })
  })
})

describe('the settings of switches', () => {
  const push = async (location?: string) => (await switchAt(location)).push

  it('are pushed again to a switch that has lost its power, and after a restart', async () => {
    await connect()
    const { id } = await switchAt()
    world.sleds.switches.restart(id)
    expect(await peers()).toEqual([])
    await world.advance(30_000)
    expect(await stateOf()).toBe('established')
    await world.restart()
    await world.advance(1000)
    expect(await stateOf()).toBe('established')
  })

  it('that a switch refuses are pushed until it takes them, and the reason is shown until then', async () => {
    const { id } = await switchAt()
    await world.settle()
    expect(await push()).toMatchObject({ failure: null, failingSince: null })
    world.sleds.switches.refuse(id, 'no room for routes')
    const failingSince = new Date(world.clock.now())
    await connect()
    await world.advance(20_000)
    expect(await push()).toMatchObject({
      failure: 'The switch refuses the settings: no room for routes',
      failingSince,
    })
    expect((await push('switch1'))?.failure).toBeNull()
    expect(await peers()).toEqual([])
    await world.advance(60_000)
    const attention = async () => (await world.as('fleetAdmin').attentionList({ query: {} })).items
    expect(await attention()).toMatchObject([
      {
        kind: 'push_failing',
        severity: 'warning',
        subject: { type: 'switch', id },
        since: failingSince,
        text: 'The switch switch0 does not have its current settings. The switch refuses the settings: no room for routes.',
      },
    ])
    world.sleds.switches.refuse(id, null)
    await world.advance(120_000)
    expect(await attention()).toEqual([])
    expect(await push()).toMatchObject({ failure: null, failingSince: null })
    expect(await stateOf()).toBe('established')
  })

  it('wait for a switch that is away, whose sessions are left out', async () => {
    await connect()
    const { id } = await switchAt()
    world.sleds.pull(id)
    await world.advance(0)
    expect(await push()).toMatchObject({ failure: 'The switch does not answer.' })
    expect(await peers()).toEqual([])
    world.sleds.plug(id)
    await world.advance(3000)
    expect(await push()).toMatchObject({ failure: null })
    expect(await stateOf()).toBe('established')
  })

  it('include whether pings are answered', async () => {
    const answers = async () => {
      await world.advance(0)
      const { items } = await fleet().switchList({ query: {} })
      return items.map(({ id }) => world.sleds.switches.answersPings(id))
    }
    expect(await answers()).toEqual([false, false])
    await fleet().networkingInboundIcmpUpdate({ body: { enabled: true } })
    expect(await answers()).toEqual([true, true])
  })
})
