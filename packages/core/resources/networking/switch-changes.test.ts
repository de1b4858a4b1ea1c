import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { announce, peerAt, prepareNetwork, settingsCalled } from '#/testing/networks/port-settings.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let world: TestWorld
let rackId: string
const router = '198.51.100.34'
beforeEach(async () => {
  world = await openWorld()
  await prepareNetwork(world)
  rackId = (await fleet().rackList({ query: {} })).items[0]?.id ?? ''
  await store()
  await apply()
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const fleet = (who: Who = 'fleetAdmin') => world.as(who)
type Settings = Parameters<typeof settingsCalled>[1]
const usual: Settings = {
  addresses: ['198.51.100.33/30'],
  peers: [peerAt(router, { md5AuthKey: 'key one' })],
}
const settings = (more: Settings = {}) => settingsCalled('uplink', { ...usual, ...more })
const store = (more?: Settings, query: { confirmWithin?: number } = {}) =>
  fleet().networkingSwitchPortSettingsCreate({ query, body: settings(more) })
const at = (query: { confirmWithin?: number } = {}) => ({
  params: { port: 'qsfp0' },
  query: { rackId, switchLocation: 'switch0', ...query },
})
const apply = (query?: { confirmWithin?: number }) =>
  fleet().networkingSwitchPortApplySettings({ ...at(query), body: { portSettings: 'uplink' } })
const clear = (query?: { confirmWithin?: number }) => fleet().networkingSwitchPortClearSettings(at(query))
const confirm = () => fleet().networkingSwitchChangeConfirm({})
const rollBackAt = async () => (await fleet().networkingSwitchChangeView({})).timeRollBack
const addresses = async () => {
  const { addresses: all } = await fleet().networkingSwitchPortSettingsView({ params: { port: 'uplink' } })
  return all.map(({ address }) => address)
}
const states = async () => (await fleet().networkingBgpStatus({})).map(({ state }) => state)
const nothing = { status: 400, code: 'InvalidRequest' }

describe('a change of the settings of switches', () => {
  it('is rolled back with all that came after it unless it is confirmed in time', async () => {
    await world.advance(1000)
    const before = await fleet().networkingSwitchPortSettingsView({ params: { port: 'uplink' } })
    await store({ addresses: ['198.51.100.37/30'] }, { confirmWithin: 60 })
    await announce(world, 'other', [], { confirmWithin: 60 })
    await clear({ confirmWithin: 30 })
    expect(await rollBackAt()).toEqual(new Date(world.clock.now() + 30_000))
    await world.advance(29_000)
    expect([await addresses(), await states()]).toEqual([['198.51.100.37/30'], []])
    await world.advance(1000)
    expect(await fleet().networkingSwitchPortSettingsView({ params: { port: 'uplink' } })).toEqual(before)
    expect(await rollBackAt()).toBeNull()
    await expect(
      fleet().networkingBgpAnnouncementList({ params: { announceSet: 'other' } }),
    ).rejects.toMatchObject({ status: 404 })
    await world.advance(1000)
    expect(await states()).toEqual(['established'])
    await expect(confirm()).rejects.toMatchObject(nothing)
  })

  it('stays once it is confirmed', async () => {
    await expect(confirm()).rejects.toMatchObject(nothing)
    await clear({ confirmWithin: 10 })
    await confirm()
    await expect(confirm()).rejects.toMatchObject(nothing)
    await world.advance(60_000)
    expect([await states(), await rollBackAt()]).toEqual([[], null])
  })

  it('is rolled back at once where an admin of the fleet wants it', async () => {
    const rollBack = (who?: Who) => fleet(who).networkingSwitchChangeRollBack({})
    await expect(rollBack()).rejects.toMatchObject(nothing)
    await store({ addresses: ['198.51.100.37/30'] }, { confirmWithin: 60 })
    await clear({ confirmWithin: 60 })
    await expect(rollBack('admin')).rejects.toMatchObject({ status: 403 })
    await rollBack()
    expect([await addresses(), await rollBackAt()]).toEqual([['198.51.100.33/30'], null])
    await world.settle()
    await world.advance(1000)
    expect(await states()).toEqual(['established'])
    for (const again of [rollBack, confirm]) await expect(again()).rejects.toMatchObject(nothing)
  })

  it('is in the audit log with the switches whose settings it has changed, however it ends', async () => {
    const objects = async (operation: string, startTime: Date) => {
      const { items } = await fleet().auditLogList({ query: { startTime, operation } })
      return items.map((one) => one.objects?.map(({ nameAfter }) => nameAfter))
    }
    for (const [operation, end] of [
      ['networking_switch_change_confirm', confirm],
      ['networking_switch_change_roll_back', () => fleet().networkingSwitchChangeRollBack({})],
      ['networking_switch_change_roll_back', () => world.advance(10_000)],
    ] as const) {
      const startTime = new Date(world.clock.now())
      await store({ addresses: ['198.51.100.37/30'] }, { confirmWithin: 10 })
      await end()
      await world.settle()
      expect(await objects(operation, startTime)).toEqual([['switch0']])
      await store()
      await world.advance(1000)
    }
  })

  it('stays, with those before it, if it has no time to confirm it', async () => {
    await store({ addresses: ['198.51.100.37/30'] }, { confirmWithin: 10 })
    await clear()
    await world.advance(60_000)
    expect([await addresses(), await rollBackAt()]).toEqual([['198.51.100.37/30'], null])
  })

  it('is rolled back after a restart too', async () => {
    await store({ addresses: ['198.51.100.37/30'] }, { confirmWithin: 60 })
    await world.restart()
    expect(await addresses()).toEqual(['198.51.100.37/30'])
    await world.clock.jump(61_000)
    await world.settle()
    expect(await addresses()).toEqual(['198.51.100.33/30'])
    await world.advance(1000)
    expect(await states()).toEqual(['established'])
  })

  it('keeps what a roll-back needs: addresses and lots', async () => {
    await fleet().networkingSwitchPortSettingsCreate({
      query: { confirmWithin: 30 },
      body: settingsCalled('uplink'),
    })
    const lot = { params: { addressLot: 'infra' } }
    await expect(fleet().networkingAddressLotDelete(lot)).rejects.toMatchObject({ message: 'lot is in use' })
    const body = { addressLot: 'infra', rackId, switchLocation: 'switch0', mask: 32, anycast: true }
    const reserve = () =>
      fleet().networkingLoopbackAddressCreate({ body: { ...body, address: '198.51.100.33' } })
    await expect(reserve()).rejects.toMatchObject({ message: 'address unavailable' })
    await confirm()
    await reserve()
  })

  it('has from ten seconds to an hour', async () => {
    for (const confirmWithin of [9, 3601])
      await expect(clear({ confirmWithin })).rejects.toMatchObject({ status: 400 })
    expect(await rollBackAt()).toBeNull()
  })
})

describe('the preview of a change', () => {
  const preview = async (
    change: Parameters<ReturnType<typeof fleet>['networkingSwitchChangePreview']>[0]['body']['change'],
  ) => {
    const { switches } = await fleet().networkingSwitchChangePreview({ body: { change } })
    return switches.map(({ switchLocation, added, removed }) => ({ switchLocation, added, removed }))
  }
  const port = () => ({ rackId, switchLocation: 'switch0', port: 'qsfp0' })

  it('names the settings that each switch would get and lose, and changes nothing', async () => {
    const peer =
      'qsfp0 phy0: BGP peer 198.51.100.34, hold time 6 s, keepalive 2 s, idle hold time 3 s, connect retry 3 s, ' +
      'delay open 0 s, accepts all networks, sends all networks, with a key'
    const change = (more: Settings) => preview({ type: 'port_settings', settings: settings(more) })
    expect(await change({})).toEqual([])
    expect(
      await change({
        addresses: ['198.51.100.37/30'],
        routes: [{ linkName: 'phy0', routes: [{ dst: '10.0.0.0/8', gw: '198.51.100.38' }] }],
      }),
    ).toEqual([
      {
        switchLocation: 'switch0',
        added: ['qsfp0 phy0: address 198.51.100.37/30', 'qsfp0 phy0: route 10.0.0.0/8 by 198.51.100.38'],
        removed: ['qsfp0 phy0: address 198.51.100.33/30'],
      },
    ])
    expect(await change({ peers: [peerAt(router, { md5AuthKey: 'key two' })] })).toEqual([
      { switchLocation: 'switch0', added: [`${peer} (another key)`], removed: [`${peer} (another key)`] },
    ])
    expect(await preview({ type: 'clear', ...port() })).toMatchObject([
      { added: [], removed: expect.arrayContaining(['AS 65001', 'announces 203.0.113.0/25', peer]) },
    ])
    expect(
      await preview({
        type: 'announce_set',
        announceSet: {
          name: 'own',
          description: '',
          announcement: [{ addressLotBlock: 'pools', network: '203.0.113.0/24' }],
        },
      }),
    ).toEqual([
      {
        switchLocation: 'switch0',
        added: ['announces 203.0.113.0/24'],
        removed: ['announces 203.0.113.0/25'],
      },
    ])
    await world.advance(1000)
    expect([await addresses(), await states(), await rollBackAt()]).toEqual([
      ['198.51.100.33/30'],
      ['established'],
      null,
    ])
  })

  it('is refused as the change would be, and for those who may not make it', async () => {
    const other = { ...port(), type: 'apply' as const, portSettings: 'none' }
    await expect(preview(other)).rejects.toMatchObject({ message: 'port settings not found: "none"' })
    await expect(
      fleet('admin').networkingSwitchChangePreview({ body: { change: { type: 'clear', ...port() } } }),
    ).rejects.toMatchObject({ status: 403 })
  })
})
