import { keyOf, parseIp, type Address } from '@purlin/contract/rules/network/ip'
import fc from '#/testing/properties.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx, VpcSubnetTable } from '#/db/tables.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { drawFree, randomBelow } from './allocation.ts'
import { formatMac } from '#/network/mac.ts'
import { releasePrivateIp, takeMac, takePrivateIp } from './private-addresses.ts'
import { withoutRequest } from '#/context.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const key = (ip: string) => keyOf(parseIp(ip) as Address)
const uuid = () => world.world.ids.uuid()
const first = { family: 4, value: 0x0a00_0000n } as const
const ip = (n: number) => `10.0.0.${n}`
const nth = (n: number) => keyOf({ ...first, value: first.value + BigInt(n) })
const identity = () => ({ id: uuid(), name: uuid(), description: '', timeCreated: 0, timeModified: 0 })

/** A separate subnet: addresses .5 to .62 of 10.0.0.0/26. */
async function subnet(tx: Tx): Promise<VpcSubnetTable> {
  const row = {
    ...identity(),
    projectId: uuid(),
    vpcId: uuid(),
    ipv4Block: '10.0.0.0/26',
    ipv6Block: 'fd00:1:0:7::/64',
    customRouterId: null,
    tagsJson: null,
    nextKey: key(ip(5)),
    rcgen: 0,
  }
  await tx.insertInto('vpcSubnet').values(row).execute()
  return row
}

async function take(tx: Tx, at: VpcSubnetTable, requested?: string): Promise<string> {
  const now = await tx.selectFrom('vpcSubnet').selectAll().where('id', '=', at.id).executeTakeFirstOrThrow()
  const ipKey = await takePrivateIp(withoutRequest(tx), now, requested)
  const nic = {
    ...identity(),
    projectId: at.projectId,
    owner: 'instance' as const,
    instanceId: uuid(),
    vpcId: at.vpcId,
    subnetId: at.id,
    mac: await takeMac({ ...withoutRequest(tx), world: world.world }, at.vpcId),
  }
  await tx
    .insertInto('networkInterface')
    .values({ ...nic, ipKey, slot: 0, isPrimary: 1, transitIpsJson: '[]' })
    .execute()
  return ipKey
}

async function release(tx: Tx, at: VpcSubnetTable, ipKey: string): Promise<void> {
  await tx.deleteFrom('networkInterface').where('subnetId', '=', at.id).where('ipKey', '=', ipKey).execute()
  await releasePrivateIp({ tx }, { subnetId: at.id, ipKey })
}

type Step = { do: 'take' } | { do: 'ask'; n: number } | { do: 'release'; n: number }

const inSubnet = <T>(work: (tx: Tx, at: VpcSubnetTable) => Promise<T>) =>
  inDb(world, async (tx) => work(tx, await subnet(tx)))

const statusOf = (error: { status: number }) => error.status

/** Takes one step and compares it with what should happen: `held` are the addresses in use. */
async function follow(
  tx: Tx,
  at: VpcSubnetTable,
  { step, held }: { step: Step; held: number[] },
): Promise<void> {
  if (step.do === 'release') {
    const [n] = held.splice(step.n % Math.max(1, held.length), 1)
    if (n !== undefined) await release(tx, at, nth(n))
    return
  }
  const usable = step.do === 'ask' ? [step.n] : Array.from({ length: 58 }, (_, i) => i + 5)
  const lowest = usable.find((n) => !held.includes(n))
  const taken = await take(tx, at, step.do === 'ask' ? ip(step.n) : undefined).catch(statusOf)
  expect(taken).toBe(lowest === undefined ? 400 : nth(lowest))
  if (lowest !== undefined) held.push(lowest)
}

describe('a private address', () => {
  it('is the sixth of the block at first, then the next', () =>
    inSubnet(async (tx, at) => {
      for (const n of [5, 6, 7]) expect(await take(tx, at)).toBe(key(ip(n)))
    }))

  it('that was given back is taken first, the lowest of several', () =>
    inSubnet(async (tx, at) => {
      for (let n = 0; n < 6; n++) await take(tx, at)
      for (const n of [8, 6]) await release(tx, at, key(ip(n)))
      for (const n of [6, 8, 11]) expect(await take(tx, at)).toBe(key(ip(n)))
    }))

  it('skips requested ones', () =>
    inSubnet(async (tx, at) => {
      for (let n = 5; n <= 50; n++) await take(tx, at, ip(n))
      expect(await take(tx, at)).toBe(key(ip(51)))
    }))

  it('runs out after the 58 of a /26', () =>
    inSubnet(async (tx, at) => {
      for (let n = 5; n <= 62; n++) expect(await take(tx, at)).toBe(key(ip(n)))
      const message = `No available IP addresses for interface in subnet '${at.name}' with ID '${at.id}'`
      await expect(take(tx, at)).rejects.toMatchObject({ status: 400, message })
      await release(tx, at, key(ip(40)))
      expect(await take(tx, at)).toBe(key(ip(40)))
    }))

  it.each([
    ['10.0.0.64', '10.0.0.64 is outside subnet 10.0.0.0/26'],
    ['fd00:1:0:8::9', 'fd00:1:0:8::9 is outside subnet fd00:1:0:7::/64'],
    ['10.0.0.0', 'The first 5 addresses of a subnet are reserved'],
    ['10.0.0.4', 'The first 5 addresses of a subnet are reserved'],
    ['fd00:1:0:7::4', 'The first 5 addresses of a subnet are reserved'],
    ['10.0.0.63', 'Cannot request a broadcast address'],
    ['fd00:1:0:7:ffff:ffff:ffff:ffff', 'Cannot request a broadcast address'],
  ])('%s cannot be requested: %s', (requested, message) =>
    inSubnet(async (tx, at) => {
      await expect(take(tx, at, requested)).rejects.toMatchObject({
        status: 400,
        code: 'InvalidRequest',
        message,
      })
    }),
  )

  it.each(['10.0.0.5', '10.0.0.62', 'fd00:1:0:7::5', 'fd00:1:0:7:ffff:ffff:ffff:fffe'])(
    '%s can be requested, once',
    (requested) =>
      inSubnet(async (tx, at) => {
        expect(await take(tx, at, requested)).toBe(key(requested))
        await expect(take(tx, at, requested)).rejects.toMatchObject({
          status: 400,
          message: `The IP address '${requested}' is not available`,
        })
        await release(tx, at, key(requested))
        expect(await take(tx, at, requested)).toBe(key(requested))
      }),
  )

  it('is never assigned twice and always the lowest free one, in any sequence', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.constant({ do: 'take' as const }) },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('ask' as const), n: fc.integer({ min: 5, max: 62 }) }),
      },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), n: fc.nat() }) },
    )
    const check = (steps: Step[]) =>
      inSubnet(async (tx, at) => {
        const held: number[] = []
        for (const one of steps) await follow(tx, at, { step: one, held })
      })
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 120, size: 'max' }), check), { numRuns: 40 })
  })
})

describe('a MAC address', () => {
  it('is between A8:40:25:F0:00:00 and A8:40:25:FE:FF:FF', async () => {
    const { ids } = world.world
    const bytes = (byte: number) => ({
      ...world.world,
      ids: { ...ids, bytes: (n: number) => new Uint8Array(n).fill(byte) },
    })
    const [low, high] = await inDb(world, (tx) =>
      Promise.all([0, 255].map((byte) => takeMac({ ...withoutRequest(tx), world: bytes(byte) }, uuid()))),
    )
    expect([formatMac(low ?? 0), formatMac(high ?? 0)]).toEqual(['A8:40:25:F0:00:00', 'A8:40:25:FE:FF:FF'])
  })

  it('is unique in its VPC: 507 when none is found', () =>
    inSubnet(async (tx, at) => {
      await take(tx, at)
      const { mac } = await tx
        .selectFrom('networkInterface')
        .select('mac')
        .where('vpcId', '=', at.vpcId)
        .executeTakeFirstOrThrow()
      // Draws that always land on the one that is taken.
      const drawn = Math.ceil(((mac - 0xf0_00_00) / (0xff_00_00 - 0xf0_00_00)) * 2 ** 32)
      const bytes = () => Uint8Array.of(drawn >>> 24, drawn >>> 16, drawn >>> 8, drawn)
      const stuck = { ...world.world, ids: { uuid, bytes } }
      await expect(takeMac({ ...withoutRequest(tx), world: stuck }, at.vpcId)).rejects.toMatchObject({
        status: 507,
      })
      expect(await takeMac({ ...withoutRequest(tx), world: stuck }, uuid())).toBe(mac)
    }))
})

describe('a draw', () => {
  it('is evenly spread and within bounds', () => {
    const seen = new Set(Array.from({ length: 400 }, () => randomBelow({ world: world.world }, 4)))
    expect(seen).toEqual(new Set([0, 1, 2, 3]))
  })

  it('gives up after 64 tries', async () => {
    let tries = 0
    const draw = () => tries++
    expect(await drawFree(draw, () => Promise.resolve(true))).toBeNull()
    expect(tries).toBe(64)
  })
})
