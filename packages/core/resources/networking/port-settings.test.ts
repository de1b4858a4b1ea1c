import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linkCalled, peerAt, prepareNetwork, settingsCalled } from '#/testing/networks/port-settings.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let world: TestWorld
let rackId: string
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
const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const conflict = (message: string) => ({ status: 409, code: 'Conflict', message })

type Settings = Parameters<typeof settingsCalled>[1]
const create = (name: string, more: Settings = {}) =>
  fleet().networkingSwitchPortSettingsCreate({ query: {}, body: settingsCalled(name, more) })
const view = (port: string) => fleet().networkingSwitchPortSettingsView({ params: { port } })
const remove = (query: { portSettings?: string }) => fleet().networkingSwitchPortSettingsDelete({ query })
const at = (port: string, switchLocation = 'switch0') => ({
  params: { port },
  query: { rackId, switchLocation },
})
const apply = (portSettings: string, port = 'qsfp0', location?: string) =>
  fleet().networkingSwitchPortApplySettings({ ...at(port, location), body: { portSettings } })
const clear = (port = 'qsfp0') => fleet().networkingSwitchPortClearSettings(at(port))
const keyOf = async (addr: string) => {
  const rows = await world.world.engine.transaction('read', (tx) =>
    tx.selectFrom('switchPortPeer').select(['peerJson', 'md5AuthKey']).execute(),
  )
  return rows.find(({ peerJson }) => peerJson.includes(`"${addr}"`))?.md5AuthKey
}

const uplink: Settings = {
  addresses: ['198.51.100.33/30'],
  peers: [peerAt('198.51.100.34', { md5AuthKey: 'a shared key', remoteAsn: 64_500 })],
  interfaces: [
    { linkName: 'phy0', v6Enabled: true, kind: { type: 'primary' } },
    { linkName: 'phy0', v6Enabled: false, kind: { type: 'vlan', vid: 300 } },
  ],
  routes: [{ linkName: 'phy0', routes: [{ dst: '10.0.0.9/8', gw: '198.51.100.34', ribPriority: 9 }] }],
}

describe('settings of switch ports', () => {
  it('are shown as they were sent, with ids, and without keys', async () => {
    const made = await create('uplink', uplink)
    const of = { portSettingsId: made.id }
    const { id: lot, blocks } = await fleet()
      .networkingAddressLotView({ params: { addressLot: 'infra' } })
      .then((one) => ({ ...one.lot, blocks: one.blocks }))
    expect(made).toMatchObject({
      name: 'uplink',
      port: { ...of, geometry: 'qsfp28x1' },
      links: [{ ...of, linkName: 'phy0', mtu: 1500, speed: 'speed100_g', lldpLinkConfig: { enabled: true } }],
      addresses: [
        {
          ...of,
          address: '198.51.100.33/30',
          addressLotId: lot,
          addressLotName: 'infra',
          addressLotBlockId: blocks[0]?.id,
          interfaceName: 'phy0',
        },
      ],
      interfaces: [
        { ...of, kind: 'primary' },
        { ...of, kind: 'vlan' },
      ],
      vlanInterfaces: [{ interfaceConfigId: made.interfaces[1]?.id, vlanId: 300 }],
      routes: [{ ...of, dst: '10.0.0.0/8', gw: '198.51.100.34', ribPriority: 9, vlanId: null }],
      bgpPeers: [{ addr: '198.51.100.34', remoteAsn: 64_500, hasMd5AuthKey: true }],
      groups: [],
    })
    expect(await view('uplink')).toEqual(made)
    expect(await view(made.id)).toEqual(made)
    expect(JSON.stringify(made)).not.toContain('a shared key')
    const { text } = await world.raw({
      url: `/v1/system/networking/switch-port-settings/uplink`,
      who: 'fleetAdmin',
    })
    expect(text).not.toContain('"md5_auth_key"')
  })

  it('are listed by name, or only those that are asked for', async () => {
    const { id } = await create('b')
    await create('a')
    const names = async (query: { portSettings?: string; limit?: number }) =>
      (await fleet().networkingSwitchPortSettingsList({ query })).items.map(({ name }) => name)
    expect([await names({}), await names({ limit: 1 })]).toEqual([['a', 'b'], ['a']])
    expect([
      await names({ portSettings: id }),
      await names({ portSettings: 'a' }),
      await names({ portSettings: 'c' }),
    ]).toEqual([['b'], ['a'], []])
  })

  it('replace those of the same name, whose links keep the ids of their LLDP', async () => {
    const before = await create('uplink', uplink)
    const after = await create('uplink', {
      portConfig: { geometry: 'qsfp28x2' },
      links: [linkCalled('phy1'), linkCalled('phy0')],
      addresses: ['198.51.100.37/30', '198.51.100.33/30'],
    })
    expect(after.id).toBe(before.id)
    expect(after.links[1]?.lldpLinkConfig?.id).toBe(before.links[0]?.lldpLinkConfig?.id)
    expect(after.addresses.map(({ address }) => address)).toEqual(['198.51.100.33/30', '198.51.100.37/30'])
    expect([after.bgpPeers, after.routes, after.interfaces]).toEqual([[], [], []])
  })

  it('keep the key of a peer that is sent without one, until another or none is sent', async () => {
    const send = (key?: { md5AuthKey: string | null }) =>
      create('uplink', { peers: [peerAt('198.51.100.34', key)] })
    await send({ md5AuthKey: 'the first' })
    await send()
    expect(await keyOf('198.51.100.34')).toBe('the first')
    await send({ md5AuthKey: 'the second' })
    expect(await keyOf('198.51.100.34')).toBe('the second')
    expect((await send({ md5AuthKey: null })).bgpPeers[0]?.hasMd5AuthKey).toBe(false)
    expect(await keyOf('198.51.100.34')).toBeNull()
    for (const md5AuthKey of ['', 'ключ', 'x'.repeat(limits.bgp.key + 1), 'a\tb'])
      await expect(send({ md5AuthKey })).rejects.toMatchObject({ status: 400, code: 'InvalidValue' })
  })

  it('are refused with parts that cannot be, and then change nothing', async () => {
    const before = await create('uplink', uplink)
    const onSwitch = { rackId, switchLocation: 'switch0', mask: 32, anycast: false }
    await fleet().networkingLoopbackAddressCreate({
      body: { ...onSwitch, addressLot: 'infra', address: '198.51.100.41' },
    })
    await create('other', { addresses: ['198.51.100.45/30'] })
    const link = linkCalled('phy0')
    const on = { linkName: 'phy1' }
    const peer = (more: Parameters<typeof peerAt>[1]) => ({ peers: [peerAt('198.51.100.34', more)] })
    const route = (dst: string, gw: string) => ({ routes: [{ linkName: 'phy0', routes: [{ dst, gw }] }] })
    const cases: [Settings, string][] = [
      [{ links: [link, linkCalled('phy1')] }, 'a port with the geometry qsfp28x1 has at most 1 link'],
      [{ portConfig: { geometry: 'sfp28x4' }, links: [link, link] }, 'link phy0 is given twice'],
      [{ routes: [{ ...on, routes: [] }] }, 'link "phy1" is not among the links of these settings'],
      [peer({ interfaceName: 'phy1' }), 'link "phy1" is not among the links of these settings'],
      [
        route('10.0.0.0/8', '2001:db8::1'),
        'the gateway 2001:db8::1 and 10.0.0.0/8 must be in the same address family',
      ],
      [{ addresses: ['198.51.100.64/30'] }, 'address not in lot'],
      [{ addresses: ['198.51.100.41/30'] }, 'address unavailable'],
      [{ addresses: ['198.51.100.45/32'] }, 'address unavailable'],
      [{ addresses: ['198.51.100.33/30', '198.51.100.33/32'] }, 'address 198.51.100.33 is given twice'],
      [peer({ bgpConfig: 'none' }), 'BGP config not found'],
      [{ peers: [peerAt('2001:db8::1'), peerAt('2001:0db8::1')] }, 'BGP peer 2001:db8::1 is given twice'],
      [
        peer({ holdTime: 2 }),
        'hold_time of the BGP peer 198.51.100.34: it must be 0 or from 3 to 65535 seconds',
      ],
      [
        peer({ keepalive: 6 }),
        'keepalive of the BGP peer 198.51.100.34: it must be shorter than its hold_time, and not 0',
      ],
      [
        peer({ connectRetry: 0 }),
        'connect_retry of the BGP peer 198.51.100.34: it must be at least a second',
      ],
      [peer({ remoteAsn: 0 }), 'remote_asn of the BGP peer 198.51.100.34: 0 is no autonomous system'],
      [{ groups: ['all'] }, 'port settings group not found: "all"'],
    ]
    for (const [more, message] of cases) {
      await expect(create('uplink', more)).rejects.toMatchObject(refused(message))
      await expect(create('new', more)).rejects.toMatchObject(refused(message))
    }
    await expect(
      fleet().networkingSwitchPortSettingsCreate({
        query: {},
        body: {
          ...settingsCalled('new'),
          addresses: [{ linkName: 'phy0', addresses: [{ addressLot: 'none', address: '198.51.100.33/30' }] }],
        },
      }),
    ).rejects.toMatchObject(refused('AddressLot not found'))
    expect(await view('uplink')).toEqual(before)
    await expect(view('new')).rejects.toMatchObject({
      status: 404,
      message: 'not found: switch-port-settings with name "new"',
    })
  })

  it('hold their addresses and lots while they have them', async () => {
    await create('uplink', uplink)
    const lot = { params: { addressLot: 'infra' } }
    await expect(fleet().networkingAddressLotDelete(lot)).rejects.toMatchObject(refused('lot is in use'))
    const body = { addressLot: 'infra', rackId, switchLocation: 'switch0', mask: 32, anycast: true }
    await expect(
      fleet().networkingLoopbackAddressCreate({ body: { ...body, address: '198.51.100.33' } }),
    ).rejects.toMatchObject(refused('address unavailable'))
    await remove({ portSettings: 'uplink' })
    await fleet().networkingAddressLotDelete(lot)
  })

  it('are deleted by name or id once no port has them', async () => {
    const { id } = await create('uplink', uplink)
    await apply('uplink')
    await expect(remove({})).rejects.toMatchObject(refused('name or id required'))
    await expect(remove({ portSettings: 'none' })).rejects.toMatchObject(
      refused('port settings not found: "none"'),
    )
    await expect(remove({ portSettings: id })).rejects.toMatchObject(
      conflict('port settings are in use: clear those of port qsfp0 of switch0 first'),
    )
    await clear()
    await remove({ portSettings: id })
    await expect(view(id)).rejects.toMatchObject({ status: 404 })
  })

  it('are of admins of the fleet, and hidden from all who may not see the fleet', async () => {
    await create('uplink')
    await expect(
      fleet('admin').networkingSwitchPortSettingsCreate({ query: {}, body: settingsCalled('mine') }),
    ).rejects.toMatchObject({ status: 403 })
    await expect(
      fleet('admin').networkingSwitchPortSettingsView({ params: { port: 'uplink' } }),
    ).rejects.toMatchObject({ status: 404 })
  })
})

describe('a switch port', () => {
  const settingsOf = async (port = 'qsfp0') => {
    const { items } = await fleet().networkingSwitchPortList({ query: {} })
    return items.find((one) => one.portName === port && one.switchLocation === 'switch0')?.portSettingsId
  }

  it('has the settings that are applied to it until they are cleared, also when the hardware is reported again', async () => {
    const { id } = await create('uplink', uplink)
    await apply('uplink')
    await world.advance(600_000)
    expect(await settingsOf()).toBe(id)
    await clear()
    await clear()
    expect(await settingsOf()).toBeNull()
    await apply(id)
    expect(await settingsOf()).toBe(id)
    await expect(apply('none')).rejects.toMatchObject(refused('port settings not found: "none"'))
  })

  it('has addresses that no other port has', async () => {
    await create('uplink', uplink)
    await create('plain')
    await apply('uplink')
    await apply('uplink')
    await expect(apply('uplink', 'qsfp1')).rejects.toMatchObject(
      refused(
        'address unavailable: port qsfp0 of switch0 has these settings, and an address is on one port only',
      ),
    )
    for (const port of ['qsfp0', 'qsfp1']) await apply('plain', port)
  })

  it('is in the autonomous system of its switch', async () => {
    const body = { name: 'edge', description: '', asn: 65_002, bgpAnnounceSetId: 'own' }
    await fleet().networkingBgpConfigCreate({ body })
    const edge = { peers: [peerAt('198.51.100.38', { bgpConfig: 'edge' })] }
    await create('uplink', uplink)
    await create('edge', edge)
    await apply('uplink')
    const otherAsn = conflict('a different asn is already configured on this switch')
    await expect(apply('edge', 'qsfp1')).rejects.toMatchObject(otherAsn)
    expect(await settingsOf('qsfp1')).toBeNull()
    await apply('edge', 'qsfp0', 'switch1')
    await create('plain')
    await apply('plain', 'qsfp1')
    await expect(create('plain', edge)).rejects.toMatchObject(otherAsn)
    await apply('edge')
  })

  it('is discovered as its settings say', async () => {
    const read = () => fleet().networkingSwitchPortLldpConfigView(at('qsfp0'))
    const unset = { status: 400, code: 'InvalidValue' }
    await expect(read()).rejects.toMatchObject(unset)
    await create('uplink', uplink)
    await apply('uplink')
    const before = await read()
    const change = (more: object) =>
      fleet().networkingSwitchPortLldpConfigUpdate({ ...at('qsfp0'), body: { ...before, ...more } })
    const other = '00000000-0000-4000-8000-000000000000'
    await expect(change({ id: other })).rejects.toMatchObject(
      refused(`id (${before.id}) doesn't match provided config (${other})`),
    )
    await change({ enabled: false, systemName: 'rack 7', managementIp: '198.51.100.33' })
    expect(await read()).toMatchObject({ id: before.id, enabled: false, systemName: 'rack 7' })
    expect((await view('uplink')).links[0]?.lldpLinkConfig).toEqual(await read())
    await clear()
    await expect(change({})).rejects.toMatchObject(unset)
  })
})
