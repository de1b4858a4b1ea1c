import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announce, peerAt, prepareNetwork, settingsCalled } from '#/testing/networks/port-settings.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
  await prepareNetwork(world)
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const fleet = (who: Who = 'fleetAdmin') => world.as(who)
const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const conflict = (message: string) => ({ status: 409, code: 'Conflict', message })
const missing = (message: string) => ({ status: 404, code: 'ObjectNotFound', message })

const configure = (name: string, asn: number, more: { set?: string; vrf?: string | null } = {}) =>
  fleet().networkingBgpConfigCreate({
    body: { name, description: '', asn, bgpAnnounceSetId: more.set ?? 'own', vrf: more.vrf ?? null },
  })
const networksOf = async (announceSet: string) => {
  const rows = await fleet().networkingBgpAnnouncementList({ params: { announceSet } })
  return rows.map(({ network }) => network)
}

describe('a BGP configuration', () => {
  it('is the only one of its autonomous system, and may be sent again', async () => {
    const made = await configure('edge', 65_002, { vrf: 'red' })
    expect(made).toMatchObject({ name: 'edge', asn: 65_002, vrf: 'red' })
    expect(await configure('edge', 65_002, { vrf: 'red' })).toEqual(made)
    await expect(configure('other', 65_002)).rejects.toMatchObject(
      conflict('cannot have more than one configuration per ASN'),
    )
    for (const asn of [65_002, 65_003])
      await expect(configure('edge', asn)).rejects.toMatchObject({ status: 400, code: 'ObjectAlreadyExists' })
    await expect(configure('none', 0)).rejects.toMatchObject(refused('asn: 0 is no autonomous system'))
    await expect(configure('lost', 65_009, { set: 'no-set' })).rejects.toMatchObject(
      missing('not found: bgp-announce-set with name "no-set"'),
    )
    const { items } = await fleet().networkingBgpConfigList({
      query: { limit: 1, sortBy: 'name_descending' },
    })
    expect(items.map(({ name }) => name)).toEqual(['rack'])
  })

  it('is updated in part, and the switches that use it announce what it says', async () => {
    const update = (body: object, query: { confirmWithin?: number } = {}) =>
      fleet().networkingBgpConfigUpdate({ params: { bgpConfig: 'rack' }, query, body })
    await announce(world, 'more', ['203.0.113.128/26'])
    await configure('edge', 65_002)
    for (const [body, refusal] of [
      [{ asn: 65_002 }, conflict('cannot have more than one configuration per ASN')],
      [{ asn: 0 }, refused('asn: 0 is no autonomous system')],
      [{ name: 'edge' }, { status: 400, code: 'ObjectAlreadyExists' }],
      [{ bgpAnnounceSetId: 'none' }, missing('not found: bgp-announce-set with name "none"')],
    ] as const)
      await expect(update(body)).rejects.toMatchObject(refusal)
    const body = { vrf: 'red', bgpAnnounceSetId: 'more' }
    for (const [who, status] of [
      ['admin', 403],
      ['fleetAdmin', 404],
    ] as const)
      await expect(
        fleet(who).networkingBgpConfigUpdate({ params: { bgpConfig: 'none' }, query: {}, body }),
      ).rejects.toMatchObject({ status })

    await fleet().networkingSwitchPortSettingsCreate({
      query: {},
      body: settingsCalled('uplink', { peers: [peerAt('198.51.100.34')] }),
    })
    const rackId = (await fleet().rackList({ query: {} })).items[0]?.id ?? ''
    await fleet().networkingSwitchPortApplySettings({
      params: { port: 'qsfp0' },
      query: { rackId, switchLocation: 'switch0' },
      body: { portSettings: 'uplink' },
    })
    const change = { type: 'bgp_config' as const, bgpConfig: 'rack', update: { ...body, asn: 65_003 } }
    const { switches } = await fleet().networkingSwitchChangePreview({ body: { change } })
    expect(switches).toMatchObject([
      {
        switchLocation: 'switch0',
        added: ['AS 65003', 'announces 203.0.113.128/26'],
        removed: ['AS 65001', 'announces 203.0.113.0/25'],
      },
    ])
    expect(await update({ ...body, name: 'outer' }, { confirmWithin: 10 })).toMatchObject({
      name: 'outer',
      asn: 65_001,
      vrf: 'red',
    })
    await fleet().networkingSwitchChangeRollBack({})
    expect(await update({})).toMatchObject({ name: 'rack', vrf: null })
    expect(await update({ ...body, asn: 65_001 })).toMatchObject({ vrf: 'red' })
    expect(await update({ vrf: null })).toMatchObject({ name: 'rack', asn: 65_001, vrf: null })
  })

  it('is deleted by name or id once no settings use it, and then its announce set', async () => {
    const { id } = await configure('edge', 65_002)
    await fleet().networkingSwitchPortSettingsCreate({
      query: {},
      body: settingsCalled('uplink', { peers: [peerAt('198.51.100.2')] }),
    })
    const remove = (nameOrId: string) => fleet().networkingBgpConfigDelete({ query: { nameOrId } })
    const removeSet = () => fleet().networkingBgpAnnounceSetDelete({ params: { announceSet: 'own' } })
    await expect(remove('rack')).rejects.toMatchObject(conflict('BGP Config is in use and cannot be deleted'))
    await remove(id)
    await expect(removeSet()).rejects.toMatchObject(conflict('announce set in use'))
    await fleet().networkingSwitchPortSettingsDelete({ query: { portSettings: 'uplink' } })
    await remove('rack')
    await removeSet()
    await expect(networksOf('own')).rejects.toMatchObject(
      missing('not found: bgp-announce-set with name "own"'),
    )
    await expect(remove('rack')).rejects.toMatchObject(missing('not found: bgp-config with name "rack"'))
  })
})

describe('a BGP announce set', () => {
  it('is replaced as a whole under its name', async () => {
    const made = await announce(world, 'more', ['203.0.113.128/26', '203.0.113.0/26'])
    expect(await networksOf('more')).toEqual(['203.0.113.0/26', '203.0.113.128/26'])
    await world.advance(1000)
    const again = await announce(world, 'more', ['203.0.113.64/26'])
    expect(again).toEqual({ ...made, timeModified: new Date(world.clock.now()) })
    expect(await networksOf(made.id)).toEqual(['203.0.113.64/26'])
    expect((await fleet().networkingBgpAnnounceSetList({ query: {} })).map(({ name }) => name)).toEqual([
      'more',
      'own',
    ])
  })

  it('announces networks of address lots only', async () => {
    for (const [networks, message] of [
      [['203.0.113.9/24'], "IP address range '203.0.113.9/24' has a non-zero host identifier"],
      [['203.0.113.0/25', '203.0.113.0/25'], 'the network 203.0.113.0/25 is announced twice'],
      [['203.0.112.0/23'], 'the network 203.0.112.0/23 is not within the address lot block pools'],
      [['2001:db8::/32'], 'the network 2001:db8::/32 is not within the address lot block pools'],
    ] as const)
      await expect(announce(world, 'own', networks)).rejects.toMatchObject(refused(message))
    expect(await networksOf('own')).toEqual(['203.0.113.0/25'])
    const { blocks } = await fleet().networkingAddressLotView({ params: { addressLot: 'pools' } })
    const addressLotBlock = blocks[0]?.id ?? ''
    const update = (block: string) =>
      fleet().networkingBgpAnnounceSetUpdate({
        query: {},
        body: {
          name: 'own',
          description: '',
          announcement: [{ addressLotBlock: block, network: '203.0.113.0/24' }],
        },
      })
    await update(addressLotBlock)
    expect(await networksOf('own')).toEqual(['203.0.113.0/24'])
    for (const block of ['no-lot', '00000000-0000-4000-8000-000000000000'])
      await expect(update(block)).rejects.toMatchObject({ status: 404 })
    await expect(
      fleet().networkingAddressLotDelete({ params: { addressLot: 'pools' } }),
    ).rejects.toMatchObject(refused('lot is in use'))
  })

  it('is one of a limited number', async () => {
    const most = limits.bgp.announceSets
    for (let i = 1; i < most; i++) await announce(world, `set-${i}`, [])
    await expect(announce(world, 'too-many', [])).rejects.toMatchObject(
      refused(`There may be no more than ${most} announce sets`),
    )
    expect(await fleet().networkingBgpAnnounceSetList({ query: {} })).toHaveLength(most)
  })
})

describe('a BFD session', () => {
  const enable = (remote: string, more: object = {}) =>
    fleet().networkingBfdEnable({
      body: {
        switch: 'switch0',
        remote,
        mode: 'single_hop',
        detectionThreshold: 3,
        requiredRx: 1000,
        ...more,
      },
    })
  const disable = (remote: string) => fleet().networkingBfdDisable({ body: { switch: 'switch0', remote } })

  it('is the only one of a switch with a peer, until it is ended', async () => {
    await enable('2001:db8::1')
    await expect(enable('2001:0db8::1')).rejects.toMatchObject(
      conflict('switch0 has a BFD session with 2001:0db8::1 already'),
    )
    await enable('2001:db8::1', { switch: 'switch1' })
    await disable('2001:db8:0::1')
    await expect(disable('2001:db8::1')).rejects.toMatchObject(
      missing('not found: bfd-session with name "2001:db8::1"'),
    )
    await enable('2001:db8::1', { local: '2001:db8::2' })
  })

  it('is refused if it cannot be', async () => {
    for (const [more, message] of [
      [{ switch: 'switch2' }, 'Switch location must be switch0 or switch1'],
      [{ local: '2001:db8::2' }, 'local and remote must be in the same address family'],
      [{ detectionThreshold: 0 }, 'detection_threshold: at least one packet must be missed'],
      [{ requiredRx: 0 }, 'required_rx: it must be from 1 to 60000000 µs'],
    ] as const)
      await expect(enable('198.51.100.2', more)).rejects.toMatchObject(refused(message))
    await expect(disable('198.51.100.2')).rejects.toMatchObject({ status: 404 })
  })
})
