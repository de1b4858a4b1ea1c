import { formatIp, fromKey, keyOf } from '@purlin/contract/rules/network/ip'
import fc from '#/testing/properties.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExternalIpTable, Tx } from '#/db/tables.ts'
import { createPool } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { releaseExternal, takePoolAddress, takeSnat } from './pool-addresses.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

type Stored = Pick<ExternalIpTable, 'projectId' | 'id' | 'kind' | 'ipPoolId' | 'ipKey' | 'firstPort'>
const none = {
  code: 'InsufficientCapacity',
  status: 507,
  message: 'Insufficient capacity: No external IP addresses available',
}
const unavailable = {
  status: 400,
  code: 'InvalidRequest',
  message: 'Requested external IP address not available',
}

// The ranges are not made in order of their addresses.
const all = ['10.9.0.1', '10.9.0.2', '10.9.0.3', '10.9.1.1', '10.9.1.2', '10.9.1.3', '10.9.1.4']
const inPool = <T>(work: (tx: Tx, poolId: string) => Promise<T>): Promise<T> =>
  inDb(world, async (tx) => {
    const ranges: [string, string][] = [
      ['10.9.1.1', '10.9.1.4'],
      ['10.9.0.1', '10.9.0.3'],
    ]
    return work(
      tx,
      await createPool(world.world, tx, { name: world.world.ids.uuid(), description: '', ranges, silos: [] }),
    )
  })

async function store(tx: Tx, row: Omit<Stored, 'id' | 'projectId'> & { lastPort: number }): Promise<Stored> {
  const id = world.world.ids.uuid()
  const rest = { projectId: id, instanceId: null, name: id, description: '', timeCreated: 0, timeModified: 0 }
  await tx
    .insertInto('externalIp')
    .values({ id, ...row, ...rest })
    .execute()
  return { id, projectId: id, ...row }
}

const take = async (tx: Tx, ipPoolId: string, requested?: string) =>
  store(tx, {
    kind: 'ephemeral',
    ipPoolId,
    ipKey: await takePoolAddress({ tx }, ipPoolId, requested),
    firstPort: 0,
    lastPort: 65_535,
  })
const nat = async (tx: Tx, ipPoolId: string) =>
  store(tx, { kind: 'snat', ipPoolId, ...(await takeSnat({ tx }, ipPoolId)) })
const textOf = (row: Stored) => formatIp(fromKey(row.ipKey))
const blockOf = (row: Stored) => `${textOf(row)} ${row.firstPort}`

describe('an address of a pool', () => {
  it('is the lowest free one over its ranges in order, until there is none', () =>
    inPool(async (tx, pool) => {
      for (const ip of all) expect(textOf(await take(tx, pool))).toBe(ip)
      await expect(take(tx, pool)).rejects.toMatchObject(none)
    }))

  it('that was given back is the next one', () =>
    inPool(async (tx, pool) => {
      const rows = []
      for (const _ of all) rows.push(await take(tx, pool))
      for (const i of [5, 1]) await releaseExternal({ tx, now: 0 }, rows[i] as Stored)
      for (const i of [1, 5]) expect(textOf(await take(tx, pool))).toBe(all[i])
    }))

  it('can be requested, once', () =>
    inPool(async (tx, pool) => {
      const row = await take(tx, pool, '10.9.1.2')
      await expect(take(tx, pool, '10.9.1.2')).rejects.toMatchObject(unavailable)
      await releaseExternal({ tx, now: 0 }, row)
      expect(textOf(await take(tx, pool, '10.9.1.2'))).toBe('10.9.1.2')
    }))

  it('that was requested is skipped', () =>
    inPool(async (tx, pool) => {
      for (const ip of ['10.9.0.2', '10.9.0.3']) await take(tx, pool, ip)
      for (const ip of ['10.9.0.1', '10.9.1.1']) expect(textOf(await take(tx, pool))).toBe(ip)
    }))

  it.each(['10.9.0.0', '10.9.0.4', '10.9.1.0', '10.9.2.1', 'fd00::1'])(
    'outside the ranges is refused: %s',
    (ip) =>
      inPool(async (tx, pool) => {
        await expect(take(tx, pool, ip)).rejects.toMatchObject(unavailable)
      }),
  )

  it('comes from a lower range that was added later, before released ones', () =>
    inPool(async (tx, pool) => {
      const row = await take(tx, pool)
      await take(tx, pool)
      await releaseExternal({ tx, now: 0 }, row)
      const key = keyOf({ family: 4, value: fromKey(row.ipKey).value - 9n })
      const range = { id: world.world.ids.uuid(), ipPoolId: pool, timeCreated: 0 }
      await tx
        .insertInto('ipPoolRange')
        .values({ ...range, firstKey: key, lastKey: key, nextKey: key })
        .execute()
      for (const ip of ['10.8.255.248', '10.9.0.1', '10.9.0.3']) expect(textOf(await take(tx, pool))).toBe(ip)
    }))

  it('goes back to no pool when its range is gone', () =>
    inPool(async (tx, pool) => {
      const row = await take(tx, pool)
      await tx.deleteFrom('ipPoolRange').where('ipPoolId', '=', pool).execute()
      await releaseExternal({ tx, now: 0 }, row)
      await expect(take(tx, pool)).rejects.toMatchObject(none)
    }))
})

describe('source NAT', () => {
  it('shares an address among four, each with 16384 ports, then takes the next', () =>
    inPool(async (tx, pool) => {
      const shares = []
      for (let i = 0; i < 5; i++) shares.push(await takeSnat({ tx }, pool))
      expect(shares.map((one) => [formatIp(fromKey(one.ipKey)), one.firstPort, one.lastPort])).toEqual([
        ['10.9.0.1', 0, 16_383],
        ['10.9.0.1', 16_384, 32_767],
        ['10.9.0.1', 32_768, 49_151],
        ['10.9.0.1', 49_152, 65_535],
        ['10.9.0.2', 0, 16_383],
      ])
    }))

  it('never shares an address with floating or ephemeral use', () =>
    inPool(async (tx, pool) => {
      await nat(tx, pool)
      await expect(take(tx, pool, '10.9.0.1')).rejects.toMatchObject(unavailable)
      expect(textOf(await take(tx, pool))).toBe('10.9.0.2')
    }))

  it('takes the lowest block that was given back', () =>
    inPool(async (tx, pool) => {
      const rows = []
      for (let i = 0; i < 8; i++) rows.push(await nat(tx, pool))
      for (const i of [6, 2]) await releaseExternal({ tx, now: 0 }, rows[i] as Stored)
      for (const i of [2, 6]) expect(blockOf(await nat(tx, pool))).toBe(blockOf(rows[i] as Stored))
    }))

  it('gives the address back with the last of its blocks', () =>
    inPool(async (tx, pool) => {
      const rows = [await nat(tx, pool), await nat(tx, pool)]
      await releaseExternal({ tx, now: 0 }, rows[0] as Stored)
      expect(textOf(await take(tx, pool))).toBe('10.9.0.2')
      await releaseExternal({ tx, now: 0 }, rows[1] as Stored)
      expect(textOf(await take(tx, pool))).toBe('10.9.0.1')
      expect(await tx.selectFrom('snatBlock').selectAll().where('ipPoolId', '=', pool).execute()).toEqual([])
    }))

  it('runs out with the pool', () =>
    inPool(async (tx, pool) => {
      for (const _ of all) await take(tx, pool)
      await expect(nat(tx, pool)).rejects.toMatchObject(none)
    }))
})

type Step = { do: 'take' } | { do: 'nat' } | { do: 'ask' | 'release'; n: number }

/** A simple model of the allocation: address → holder. */
class Model {
  held: Stored[] = []
  freeAddress = () => all.find((ip) => !this.held.some((row) => textOf(row) === ip))
  freeBlock = () => {
    const shared = all.filter((ip) => this.held.some((row) => row.kind === 'snat' && textOf(row) === ip))
    const blocks = shared.flatMap((ip) => [0, 16_384, 32_768, 49_152].map((port) => `${ip} ${port}`))
    const free = blocks.find((block) => !this.held.some((row) => blockOf(row) === block))
    const fresh = this.freeAddress()
    return free ?? (fresh && `${fresh} 0`)
  }
}

async function follow(tx: Tx, pool: string, { step, model }: { step: Step; model: Model }): Promise<void> {
  const expectTaken = async (wanted: string | undefined, refused: number, taken: Promise<Stored>) => {
    const row = await taken.catch((error: { status: number }) => error.status)
    expect(typeof row === 'number' ? row : blockOf(row)).toBe(wanted ?? refused)
    if (typeof row === 'object') model.held.push(row)
  }
  const whole = (ip: string | undefined) => ip && `${ip} 0`
  switch (step.do) {
    case 'take':
      return expectTaken(whole(model.freeAddress()), 507, take(tx, pool))
    case 'nat':
      return expectTaken(model.freeBlock(), 507, nat(tx, pool))
    case 'ask': {
      const ip = all[step.n % all.length] ?? ''
      const isFree = !model.held.some((row) => textOf(row) === ip)
      return expectTaken(isFree ? whole(ip) : undefined, 400, take(tx, pool, ip))
    }
    case 'release': {
      const [row] = model.held.splice(step.n % Math.max(1, model.held.length), 1)
      if (row) await releaseExternal({ tx, now: 0 }, row)
    }
  }
}

it('no address or block is assigned twice, and always the lowest free one, in any sequence', async () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ do: 'take' as const }) },
    { weight: 6, arbitrary: fc.constant({ do: 'nat' as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const), n: fc.nat() }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('release' as const), n: fc.nat() }) },
  )
  const check = (steps: Step[]) =>
    inPool(async (tx, pool) => {
      const model = new Model()
      for (const one of steps) await follow(tx, pool, { step: one, model })
    })
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 100, size: 'max' }), check), { numRuns: 60 })
})
