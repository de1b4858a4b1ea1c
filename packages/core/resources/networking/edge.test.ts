import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { liftAllowList } from '#/loops/allow-list.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await openWorld()
})
afterEach(async () => {
  expect(world.errors).toEqual([])
  await world.close()
})

const url = '/v1/system/networking/allow-list'
/** Sets the list as a client with an address. */
const put = (allowed: object, remote = '127.0.0.1', who: Who = 'fleetAdmin') =>
  world.raw({ method: 'PUT', url, who, remote, body: JSON.stringify({ allowed_ips: allowed }) })
const list = (...ips: string[]) => ({ allow: 'list', ips })
const stored = async () => (await world.as('fleetAdmin').networkingAllowListView({})).allowedIps
const allows = (remote: string, { allowList } = world.plane) => allowList.allows(remote)

describe('the allow list', () => {
  it('has any address at first, and then those of its networks, mapped ones too', async () => {
    expect(await stored()).toEqual({ allow: 'any' })
    expect(allows('203.0.113.9')).toBe(true)
    const { status } = await put(list('198.51.100.0/24', '2001:db8::/32', '127.0.0.1/32'))
    expect(status).toBe(200)
    await world.settle()
    const inside = ['198.51.100.7', '::ffff:198.51.100.7', '2001:db8::5', '2001:db8::5%eth0', '127.0.0.1']
    const outside = ['198.51.101.1', '::ffff:198.51.101.1', '2001:db9::1', '127.0.0.2', '', 'none']
    expect([...inside, ...outside].filter((remote) => allows(remote))).toEqual(inside)
    await put({ allow: 'any' }, '198.51.100.7')
    await world.settle()
    expect([...inside, ...outside].every((remote) => allows(remote))).toBe(true)
  })

  it('says when it was changed', async () => {
    const before = await world.as('fleetAdmin').networkingAllowListView({})
    await world.advance(1_000)
    await put(list('127.0.0.0/8'))
    const { timeCreated, timeModified } = await world.as('fleetAdmin').networkingAllowListView({})
    expect(timeCreated).toEqual(before.timeCreated)
    expect(timeModified).toEqual(new Date(world.clock.now()))
  })

  it('never lacks the address of its caller', async () => {
    for (const [allowed, remote] of [
      [list(), '127.0.0.1'],
      [list('198.51.100.0/24'), '198.51.101.1'],
      [list('198.51.100.0/24'), ''],
      [list('2001:db8::/32'), '198.51.100.1'],
    ] as const) {
      const { status, text } = await put(allowed, remote)
      expect([status, text]).toEqual([
        400,
        expect.stringContaining('would prevent access from the current client!'),
      ])
    }
    expect(await stored()).toEqual({ allow: 'any' })
    expect((await put(list('198.51.100.0/24'), '::ffff:198.51.100.3')).status).toBe(200)
  })

  it('is refused if it is too wide or too long', async () => {
    for (const [allowed, message] of [
      [list('0.0.0.0/8'), 'Source IP allowlist may not contain the unspecified address'],
      [list('::/1'), 'Source IP allowlist may not contain the unspecified address'],
      [list('127.0.0.1/0'), 'Source IP allowlist entries must not have a prefix length of 0'],
      [
        list(...Array.from({ length: limits.allowList + 1 }, () => '127.0.0.1/32')),
        'Source IP allowlist is limited to 1000 entries, found 1001',
      ],
    ] as const) {
      const { status, json } = await put(allowed)
      expect([status, json]).toEqual([400, expect.objectContaining({ message })])
    }
    expect(await stored()).toEqual({ allow: 'any' })
  })

  it('is neither changed nor seen by an admin of a silo', async () => {
    expect((await put(list('127.0.0.1/32'), '127.0.0.1', 'admin')).status).toBe(403)
    await expect(world.as('admin').networkingAllowListView({})).rejects.toMatchObject({ status: 403 })
  })

  it('is rolled back to the one confirmed last unless it is confirmed in time, also after a restart', async () => {
    const within = async (seconds: number, ...ips: string[]) => {
      const body = JSON.stringify({ allowed_ips: list('127.0.0.1/32', ...ips) })
      const asked = `${url}?confirm_within=${seconds}`
      return (await world.raw({ method: 'PUT', url: asked, who: 'fleetAdmin', body })).status
    }
    const rollBack = async () => (await world.as('fleetAdmin').networkingAllowListView({})).timeRollBack
    const confirm = () => world.as('fleetAdmin').networkingAllowListConfirm({})
    const nothing = { status: 400, code: 'InvalidRequest' }
    expect([await within(9), await within(3601)]).toEqual([400, 400])
    await expect(confirm()).rejects.toMatchObject(nothing)

    await within(10, '192.0.2.1/32')
    await world.settle()
    expect([allows('192.0.2.1'), allows('192.0.2.2')]).toEqual([true, false])
    await confirm()
    await expect(confirm()).rejects.toMatchObject(nothing)
    await world.advance(60_000)
    expect([allows('192.0.2.1'), await rollBack()]).toEqual([true, null])

    const { plane } = await world.another()
    await within(30, '192.0.2.2/32')
    await within(20, '192.0.2.3/32')
    expect(await rollBack()).toEqual(new Date(world.clock.now() + 20_000))
    await world.advance(19_000)
    expect([allows('192.0.2.1'), allows('192.0.2.3')]).toEqual([false, true])
    await world.advance(1_000)
    expect([allows('192.0.2.1'), allows('192.0.2.3')]).toEqual([true, false])
    await world.advance(60_000)
    expect([allows('192.0.2.1', plane), allows('192.0.2.3', plane)]).toEqual([true, false])
    await expect(confirm()).rejects.toMatchObject(nothing)

    await within(60, '192.0.2.4/32')
    await world.restart()
    expect(allows('192.0.2.4')).toBe(true)
    await world.advance(60_000)
    expect([allows('192.0.2.1'), allows('192.0.2.4'), await rollBack()]).toEqual([true, false, null])

    const rollBackNow = () => world.as('fleetAdmin').networkingAllowListRollBack({})
    await expect(rollBackNow()).rejects.toMatchObject(nothing)
    await within(60, '192.0.2.5/32')
    await expect(world.as('admin').networkingAllowListRollBack({})).rejects.toMatchObject({
      status: 403,
    })
    await rollBackNow()
    await world.settle()
    expect([allows('192.0.2.1'), allows('192.0.2.5'), await rollBack()]).toEqual([true, false, null])

    await within(60, '192.0.2.5/32')
    await put(list('127.0.0.1/32', '192.0.2.6/32'))
    await world.advance(120_000)
    expect([allows('192.0.2.6'), await rollBack()]).toEqual([true, null])
    const rolledBack = await recordedOf('networking_allow_list_roll_back')
    expect(rolledBack.filter(({ actorId }) => actorId === null)).toEqual([
      { operation: 'networking_allow_list_roll_back', actorId: null, userAgent: 'not confirmed in time' },
      { operation: 'networking_allow_list_roll_back', actorId: null, userAgent: 'not confirmed in time' },
    ])
  })

  it('is compared with a new one before that is set', async () => {
    const preview = (...ips: string[]) =>
      world.as('fleetAdmin').networkingAllowListPreview({ body: { allowedIps: { allow: 'list', ips } } })
    expect(await preview('127.0.0.1/32')).toEqual({
      added: ['127.0.0.1/32'],
      removed: ['0.0.0.0/0', '::/0'],
    })
    await put(list('127.0.0.1/32', '192.0.2.7/24', '2001:db8::/32'))
    expect(await preview('127.0.0.0/8', '192.0.2.0/24', '2001:0db8:0::/32')).toEqual({
      added: ['127.0.0.0/8'],
      removed: ['127.0.0.1/32'],
    })
    await expect(preview('192.0.2.0/24')).rejects.toMatchObject({ status: 400 })
    await expect(
      world.as('admin').networkingAllowListPreview({ body: { allowedIps: { allow: 'any' } } }),
    ).rejects.toMatchObject({ status: 403 })
  })

  it('counts on another server, after a restart, and within a minute of the command that lifts it', async () => {
    const { plane } = await world.another()
    await put(list('127.0.0.0/8'))
    await world.advance(60_000)
    expect([allows('127.0.0.1', plane), allows('198.51.100.1', plane)]).toEqual([true, false])
    await world.restart()
    expect(allows('198.51.100.1')).toBe(false)
    await liftAllowList(world.world)
    await world.advance(60_000)
    expect([allows('198.51.100.1'), allows('198.51.100.1', plane)]).toEqual([true, true])
    expect(await stored()).toEqual({ allow: 'any' })
    // The command wakes no loop.
    await world.jump(10 * 60_000)
    expect(await recordedOf('networking_allow_list_lift')).toEqual([
      { operation: 'networking_allow_list_lift', actorId: null, userAgent: 'npm run allow-any' },
    ])
  })
})

/** The entries of the audit log about an operation that has no request. */
const recordedOf = (operation: string) =>
  inDb(world, (tx) =>
    tx
      .selectFrom('auditEntry')
      .select(['operation', 'actorId', 'userAgent'])
      .where('operation', '=', operation)
      .execute(),
  )

it('pings are not answered until an admin of the fleet says so', async () => {
  const enabled = async () => (await world.as('fleetAdmin').networkingInboundIcmpView({})).enabled
  expect(await enabled()).toBe(false)
  await expect(
    world.as('admin').networkingInboundIcmpUpdate({ body: { enabled: true } }),
  ).rejects.toMatchObject({ status: 403 })
  for (const value of [true, false]) {
    await world.as('fleetAdmin').networkingInboundIcmpUpdate({ body: { enabled: value } })
    expect(await enabled()).toBe(value)
  }
})
