import { limits } from '@purlin/contract/rules/limits'
import { keyOf } from '@purlin/contract/rules/network/ip'
import fc from '#/testing/properties.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { usageOf } from './pool-ranges.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

const operator = () => world.as('fleetAdmin')
const of = (pool: string) => ({ params: { pool } })
const range = (first: string, last = first) => ({ first, last })
const add = (pool: string, first: string, last?: string) =>
  operator().ipPoolRangeAdd({ ...of(pool), body: range(first, last) })
const remove = (pool: string, first: string, last?: string) =>
  operator().ipPoolRangeRemove({ ...of(pool), body: range(first, last) })
const ranges = async (pool: string) => {
  const { items } = await operator().ipPoolRangeList({ ...of(pool), query: {} })
  return items.map((item) => `${item.range.first}-${item.range.last}`)
}
const usage = (pool: string) => operator().ipPoolUtilizationView(of(pool))
const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const inDemo = { project: 'demo' }
const floating = (name: string, ip?: string) =>
  world
    .as('collaborator')
    .floatingIpCreate({ query: inDemo, body: { name, description: '', ...(ip === undefined ? {} : { ip }) } })
const giveBack = (floatingIp: string) =>
  world.as('collaborator').floatingIpDelete({ params: { floatingIp }, query: inDemo })

describe('ranges', () => {
  it('are listed by their first address, page by page', async () => {
    const { id, ipPoolId, timeCreated } = await add('public', '10.40.1.5', '10.40.1.7')
    await add('public', '10.9.0.1')
    expect({ ipPoolId, timeCreated }).toEqual({
      ipPoolId: world.ids['public'],
      timeCreated: new Date(world.clock.now()),
    })
    expect(await ranges('public')).toEqual([
      '10.9.0.1-10.9.0.1',
      '10.20.0.10-10.20.0.250',
      '10.40.1.5-10.40.1.7',
    ])
    const first = await operator().ipPoolRangeList({ ...of('public'), query: { limit: 2 } })
    const rest = { limit: 2, pageToken: first.nextPage ?? '' }
    const second = await operator().ipPoolRangeList({ ...of('public'), query: rest })
    expect(second.items.map((item) => item.id)).toEqual([id])
    expect(second.nextPage).toBeNull()
  })

  it.each([
    ['10.40.0.9', '10.40.0.1', 'IP address ranges must be non-decreasing'],
    ['10.40.0.9', 'fd00::9', 'IP address ranges cannot mix IPv4 and IPv6'],
    ['fd00::1', 'fd00::9', 'IPv6 ranges are not allowed yet'],
    ['10.20.0.250', '10.20.1.1', overlap('10.20.0.250-10.20.1.1')],
    ['10.20.0.1', '10.20.0.10', overlap('10.20.0.1-10.20.0.10')],
    ['10.20.0.50', '10.20.0.60', overlap('10.20.0.50-10.20.0.60')],
    ['10.0.0.0', '10.255.255.255', overlap('10.0.0.0-10.255.255.255')],
    ['127.0.0.1', '127.0.0.1', special('127.0.0.1-127.0.0.1', 'loopback')],
    ['224.0.0.1', '224.0.0.1', special('224.0.0.1-224.0.0.1', 'multicast')],
    ['223.255.255.0', '224.0.0.0', special('223.255.255.0-224.0.0.0', 'multicast')],
    ['0.0.0.0', '0.0.0.3', special('0.0.0.0-0.0.0.3', 'source-only')],
    ['169.254.0.1', '169.254.0.1', special('169.254.0.1-169.254.0.1', 'link-local')],
    ['255.255.255.255', '255.255.255.255', special('255.255.255.255-255.255.255.255', 'broadcast')],
  ])('from %s to %s are refused', async (first, last, message) => {
    await operator().ipPoolCreate({ body: { name: 'office', description: '' } })
    await expect(add('office', first, last)).rejects.toMatchObject(refused(message))
    expect(await ranges('office')).toEqual([])
  })

  it('next to others are accepted', async () => {
    await add('public', '10.20.0.9')
    await add('public', '10.20.0.251', '10.20.0.255')
    expect(await ranges('public')).toHaveLength(3)
  })

  it('overlap with none of the control plane, nor the other way round', async () => {
    await operator().ipPoolServiceRangeAdd({ body: range('10.50.0.1', '10.50.0.9') })
    await expect(add('public', '10.50.0.9')).rejects.toMatchObject(refused(overlap('10.50.0.9-10.50.0.9')))
    await expect(operator().ipPoolServiceRangeAdd({ body: range('10.20.0.250') })).rejects.toMatchObject(
      refused(overlap('10.20.0.250-10.20.0.250')),
    )
  })

  it('are of the version of their pool', async () => {
    const id = world.ids['public'] ?? ''
    await inDb(world, (tx) =>
      tx.updateTable('ipPool').set({ ipVersion: 'v6' }).where('id', '=', id).execute(),
    )
    await expect(add('public', '10.40.0.1')).rejects.toMatchObject(
      refused(`Cannot add IPv4 address range to IPv6 pool with ID "${id}"`),
    )
  })

  it('are limited in number', async () => {
    const most = limits.ipPool.ranges
    const ipPoolId = world.ids['public'] ?? ''
    const keyAt = (i: number) => keyOf({ family: 4, value: BigInt(0x0a_50_00_00 + i) })
    const rows = Array.from({ length: most - 1 }, (_, i) => ({
      id: world.world.ids.uuid(),
      ipPoolId,
      firstKey: keyAt(i),
      lastKey: keyAt(i),
      nextKey: keyAt(i),
      timeCreated: 0,
    }))
    await inDb(world, (tx) => tx.insertInto('ipPoolRange').values(rows).execute())
    await expect(add('public', '10.90.0.1')).rejects.toMatchObject(
      refused(`An IP pool may not have more than ${most} ranges`),
    )
  })
})

describe('a removed range', () => {
  it('is named exactly', async () => {
    const message = (text: string) => refused(`The provided range ${text} does not exist`)
    await expect(remove('public', '10.20.0.10', '10.20.0.249')).rejects.toMatchObject(
      message('10.20.0.10-10.20.0.249'),
    )
    await expect(remove('public', '10.1.0.1')).rejects.toMatchObject(message('10.1.0.1-10.1.0.1'))
    await operator().ipPoolCreate({ body: { name: 'office', description: '' } })
    await expect(remove('office', '10.20.0.10', '10.20.0.250')).rejects.toMatchObject(
      message('10.20.0.10-10.20.0.250'),
    )
    await remove('public', '10.20.0.10', '10.20.0.250')
    expect(await ranges('public')).toEqual([])
  })

  it.each(['a floating IP', 'source NAT'])('has no address in use, such as of %s', async (what) => {
    if (what === 'source NAT') await addInstance(world, 'web')
    else await floating('web', '10.20.0.99')
    await expect(remove('public', '10.20.0.10', '10.20.0.250')).rejects.toMatchObject(
      refused('IP pool ranges cannot be deleted while external IP addresses are allocated from them'),
    )
  })

  it('gives out no address any more, not even one that was given back', async () => {
    await floating('one')
    await floating('two')
    await giveBack('one')
    await giveBack('two')
    await remove('public', '10.20.0.10', '10.20.0.250')
    await expect(floating('three')).rejects.toMatchObject({ status: 507 })
    expect(await usage('public')).toEqual({ capacity: 0, remaining: 0 })
    await add('public', '10.20.0.11', '10.20.0.12')
    expect((await floating('three')).ip).toBe('10.20.0.11')
    expect(await usage('public')).toEqual({ capacity: 2, remaining: 1 })
  })

  it('and a request for an address do not both succeed', async () => {
    for (let i = 0; i < 8; i++) {
      await operator().ipPoolCreate({ body: { name: `p-${i}`, description: '' } })
      await add(`p-${i}`, `10.70.${i}.1`)
      const link = { silo: 'acme', isDefault: false }
      await operator().ipPoolSiloLink({ ...of(`p-${i}`), body: link })
      const body = { name: `f-${i}`, description: '', pool: `p-${i}` }
      const both = await Promise.allSettled([
        world.as('collaborator').floatingIpCreate({ query: inDemo, body }),
        remove(`p-${i}`, `10.70.${i}.1`),
      ])
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const isTaken = both[0].status === 'fulfilled'
      expect(await ranges(`p-${i}`)).toHaveLength(isTaken ? 1 : 0)
    }
  })
})

describe('utilization', () => {
  it('counts shared addresses once', async () => {
    expect(await usage('public')).toEqual({ capacity: 241, remaining: 241 })
    for (const name of ['a', 'b']) await addInstance(world, name)
    expect(await usage('public')).toEqual({ capacity: 241, remaining: 240 })
    await floating('far', '10.20.0.200')
    await floating('near')
    expect(await usage('public')).toEqual({ capacity: 241, remaining: 238 })
    await giveBack('near')
    await giveBack('far')
    expect(await usage('public')).toEqual({ capacity: 241, remaining: 240 })
  })

  it('equals the count of every address after any changes', async () => {
    const pool = world.ids['public'] ?? ''
    await add('public', '10.9.0.1', '10.9.0.3')
    const used = () =>
      inDb(world, async (tx) => {
        const rows = tx.selectFrom('externalIp').select('ipKey').distinct().where('ipPoolId', '=', pool)
        return (await rows.execute()).length
      })
    let made = 0
    const held: string[] = []
    const step = fc.oneof(
      fc.constant({ take: '' }),
      fc.integer({ min: 10, max: 30 }).map((n) => ({ take: `10.20.0.${n}` })),
      fc.nat().map((release) => ({ release })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (all) => {
        for (const one of all) {
          if ('release' in one) {
            const [name] = held.splice(one.release % Math.max(1, held.length), 1)
            if (name !== undefined) await giveBack(name)
            continue
          }
          const name = `f-${made++}`
          const taken = await floating(name, one.take || undefined).catch(() => undefined)
          if (taken) held.push(name)
        }
        const usage = await inDb(world, (tx) => usageOf(tx, pool))
        expect(usage).toEqual({ capacity: 244n, used: BigInt(await used()) })
      }),
      { numRuns: 8 },
    )
    expect(made).toBeGreaterThan(0)
  })
})

function special(range: string, noun: string) {
  return `The provided IP range ${range} overlaps with a ${noun} network`
}
function overlap(text: string): string {
  return `The provided IP range ${text} overlaps with an existing range`
}
