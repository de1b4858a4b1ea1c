import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let world: TestWorld
let rackId: string
beforeEach(async () => {
  world = await openWorld()
  rackId = (await fleet().rackList({ query: {} })).items[0]?.id ?? ''
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const fleet = (who: Who = 'fleetAdmin') => world.as(who)
const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const missing = (message: string) => ({ status: 404, code: 'ObjectNotFound', message })

type Range = readonly [first: string, last: string]
const create = (name: string, ranges: readonly Range[], kind: 'infra' | 'pool' = 'infra', who?: Who) =>
  fleet(who).networkingAddressLotCreate({
    body: {
      name,
      description: `the lot ${name}`,
      kind,
      blocks: ranges.map(([firstAddress, lastAddress]) => ({ firstAddress, lastAddress })),
    },
  })
const remove = (addressLot: string) => fleet().networkingAddressLotDelete({ params: { addressLot } })
const blocks = async (addressLot: string) => {
  const { items } = await fleet().networkingAddressLotBlockList({ params: { addressLot }, query: {} })
  return items.map((one) => `${one.firstAddress}-${one.lastAddress}`).toSorted()
}
interface Loopback {
  address: string
  lot?: string
  at?: string
  mask?: number
  anycast?: boolean
  rack?: string
}
const reserve = ({
  address,
  lot = 'a',
  at = 'switch0',
  mask = 32,
  anycast = false,
  rack = rackId,
}: Loopback) =>
  fleet().networkingLoopbackAddressCreate({
    body: { addressLot: lot, rackId: rack, switchLocation: at, address, mask, anycast },
  })
const release = (address: string, switchLocation = 'switch0', subnetMask = 32) =>
  fleet().networkingLoopbackAddressDelete({ params: { rackId, switchLocation, address, subnetMask } })
const loopbacks = async () => {
  const { items } = await fleet().networkingLoopbackAddressList({ query: {} })
  return items.map((one) => `${one.address} ${one.switchLocation}`).toSorted()
}

describe('an address lot', () => {
  it('has blocks of both families, is found by name and id, and is listed by name', async () => {
    const made = await create('b', [
      ['198.51.100.9', '198.51.100.20'],
      ['2001:0DB8::', '2001:db8::ff'],
    ])
    await create('a', [])
    expect(made.lot).toMatchObject({ name: 'b', description: 'the lot b', kind: 'infra' })
    for (const addressLot of ['b', made.lot.id])
      expect(await fleet().networkingAddressLotView({ params: { addressLot } })).toEqual(made)
    expect(await blocks('b')).toEqual(['198.51.100.9-198.51.100.20', '2001:db8::-2001:db8::ff'])
    const first = await fleet().networkingAddressLotList({ query: { limit: 1 } })
    const second = await fleet().networkingAddressLotList({
      query: { limit: 1, pageToken: first.nextPage ?? '' },
    })
    expect([...first.items, ...second.items].map((lot) => lot.name)).toEqual(['a', 'b'])
  })

  it('that exists gets the blocks that it lacks and keeps its kind and description', async () => {
    const { lot } = await create('a', [['198.51.100.1', '198.51.100.3']])
    const again = await fleet().networkingAddressLotCreate({
      body: {
        name: 'a',
        description: 'other',
        kind: 'pool',
        blocks: [
          { firstAddress: '198.51.100.1', lastAddress: '198.51.100.3' },
          { firstAddress: '198.51.100.8', lastAddress: '198.51.100.9' },
        ],
      },
    })
    expect(again.lot).toEqual(lot)
    expect(await blocks('a')).toEqual(['198.51.100.1-198.51.100.3', '198.51.100.8-198.51.100.9'])
  })

  it('with a block that is none, or that overlaps, is refused as a whole', async () => {
    await create('a', [['198.51.100.1', '198.51.100.3']])
    const ofLot = 'overlaps with a block of the address lot "a"'
    for (const [first, last, message] of [
      ['198.51.100.9', '2001:db8::1', 'Block bounds must be in same address family'],
      ['198.51.100.9', '198.51.100.8', 'Invalid range, first must be <= last'],
      ['198.51.100.3', '198.51.100.9', `The block 198.51.100.3-198.51.100.9 ${ofLot}`],
      ['10.20.0.250', '10.20.1.1', 'The block 10.20.0.250-10.20.1.1 overlaps with a range of an IP pool'],
    ] as const) {
      const bad = [
        ['203.0.113.1', '203.0.113.1'],
        [first, last],
      ] as const
      for (const name of ['a', 'b']) await expect(create(name, bad)).rejects.toMatchObject(refused(message))
    }
    expect(await blocks('a')).toEqual(['198.51.100.1-198.51.100.3'])
    await expect(blocks('b')).rejects.toMatchObject(missing('not found: address-lot with name "b"'))
  })

  it('has a limited number of blocks', async () => {
    const single = (i: number) => [`198.18.${i >> 8}.${i & 255}`, `198.18.${i >> 8}.${i & 255}`] as const
    const most = limits.addressLot.blocks
    await create(
      'a',
      Array.from({ length: most }, (_, i) => single(i)),
    )
    await expect(create('a', [single(most)])).rejects.toMatchObject(
      refused(`An address lot may not have more than ${most} blocks`),
    )
  })

  it('of pools may have their addresses, and no pool gets addresses of the infrastructure', async () => {
    await create('announced', [['10.20.0.0', '10.20.0.255']], 'pool')
    await create('a', [['198.51.100.1', '198.51.100.3']])
    await create('c', [['192.0.2.1', '192.0.2.9']], 'pool')
    await reserve({ lot: 'c', address: '192.0.2.4' })
    for (const [first, last] of [
      ['198.51.100.3', '198.51.100.4'],
      ['192.0.2.3', '192.0.2.5'],
    ] as const)
      await expect(
        fleet().ipPoolRangeAdd({ params: { pool: 'public' }, body: { first, last } }),
      ).rejects.toMatchObject(
        refused(`The provided IP range ${first}-${last} overlaps with addresses of the infrastructure`),
      )
  })

  it('is deleted once none of its addresses is in use', async () => {
    await create('a', [['198.51.100.1', '198.51.100.3']])
    await reserve({ address: '198.51.100.2' })
    await expect(remove('a')).rejects.toMatchObject(refused('lot is in use'))
    await release('198.51.100.2')
    await remove('a')
    await expect(remove('a')).rejects.toMatchObject(missing('not found: address-lot with name "a"'))
    await create('other', [['198.51.100.1', '198.51.100.3']])
  })

  it('is made by an admin of the fleet only, and hidden from all who may not see the fleet', async () => {
    await create('a', [])
    await expect(create('b', [], 'infra', 'admin')).rejects.toMatchObject({ status: 403 })
    const params = { addressLot: 'a' }
    await expect(fleet('admin').networkingAddressLotView({ params })).rejects.toMatchObject({ status: 404 })
    await expect(fleet('admin').networkingAddressLotList({ query: {} })).rejects.toMatchObject({
      status: 403,
    })
  })
})

describe('a loopback address', () => {
  beforeEach(async () => {
    await create('a', [
      ['198.51.100.1', '198.51.100.3'],
      ['2001:db8::1', '2001:db8::9'],
    ])
  })

  it('is on one switch, or on both if it is anycast', async () => {
    const made = await reserve({ address: '198.51.100.1' })
    expect(made).toMatchObject({ rackId, switchLocation: 'switch0', address: '198.51.100.1/32' })
    for (const at of ['switch0', 'switch1'])
      for (const anycast of [true, false])
        await expect(reserve({ address: '198.51.100.1', at, anycast })).rejects.toMatchObject(
          refused('address unavailable'),
        )
    for (const at of ['switch0', 'switch1'])
      await reserve({ address: '2001:0db8::1', at, mask: 128, anycast: true })
    await expect(reserve({ address: '2001:db8::1', anycast: true, mask: 64 })).rejects.toMatchObject(
      refused('address unavailable'),
    )
    expect(await loopbacks()).toEqual([
      '198.51.100.1/32 switch0',
      '2001:db8::1/128 switch0',
      '2001:db8::1/128 switch1',
    ])
    await release('2001:db8:0::1', 'switch1', 128)
    expect(await loopbacks()).toEqual(['198.51.100.1/32 switch0', '2001:db8::1/128 switch0'])
  })

  it('is refused if it does not fit', async () => {
    const cases: [Loopback, object][] = [
      [{ address: '198.51.100.4' }, refused('address not in lot')],
      [{ address: '198.51.100.1', at: 'switch2' }, refused('Switch location must be switch0 or switch1')],
      [{ address: '198.51.100.1', mask: 33 }, refused('invalid address: the mask of IPv4 is at most 32')],
      [{ address: '198.51.100.1', lot: 'b' }, missing('not found: address-lot with name "b"')],
      [
        { address: '198.51.100.1', rack: '00000000-0000-4000-8000-000000000000' },
        missing('not found: rack with id "00000000-0000-4000-8000-000000000000"'),
      ],
    ]
    for (const [body, reason] of cases) await expect(reserve(body)).rejects.toMatchObject(reason)
    expect(await loopbacks()).toEqual([])
  })

  it('of a pool is not given to a switch', async () => {
    await create('pools', [['10.20.0.0', '10.20.0.255']], 'pool')
    await expect(reserve({ lot: 'pools', address: '10.20.0.10' })).rejects.toMatchObject(
      refused('address unavailable'),
    )
    await reserve({ lot: 'pools', address: '10.20.0.1' })
  })

  it('is deleted by its exact place', async () => {
    await reserve({ address: '198.51.100.1' })
    for (const [at, mask] of [
      ['switch1', 32],
      ['switch0', 31],
    ] as const)
      await expect(release('198.51.100.1', at, mask)).rejects.toMatchObject(
        missing(`not found: loopback-address with name "198.51.100.1/${mask}"`),
      )
    await release('198.51.100.1')
    expect(await loopbacks()).toEqual([])
  })
})
