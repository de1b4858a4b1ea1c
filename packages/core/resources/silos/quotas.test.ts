import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { charge, type Amounts } from './quotas.ts'

const GiB = 2 ** 30
let w: TestWorld | undefined
const world = () => w as TestWorld

beforeEach(async () => {
  await w?.close()
  w = await openWorld()
  await quota({ quotaCpus: 8, quotaMemory: 16 * GiB, quotaStorage: 100 * GiB })
})
afterAll(() => w?.close())

const quota = (set: Partial<{ quotaCpus: number; quotaMemory: number; quotaStorage: number | bigint }>) =>
  world().world.engine.transaction('write', (tx) =>
    tx
      .updateTable('silo')
      .set(set)
      .where('id', '=', world().ids['acme'] ?? '')
      .execute(),
  )
const charged = (amounts: Amounts) =>
  world().world.engine.transaction('write', (tx) =>
    charge(
      { tx, now: world().clock.now() },
      { id: 'charged', projectId: world().ids['demo'] ?? '', siloId: world().ids['acme'] ?? '' },
      amounts,
    ),
  )
const used = (id: string) =>
  world().world.engine.transaction('read', (tx) =>
    tx
      .selectFrom('usage')
      .select(['cpus', 'memory', 'storage'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
const refusal = (message: string) => ({
  status: 507,
  code: 'InsufficientCapacity',
  message: `Insufficient capacity: ${message}`,
})

it('a refusal has the quota, its limit, its use and the requested amount', async () => {
  const w = await openWorld()
  await w.as('fleetAdmin').siloQuotasUpdate({ params: { silo: 'acme' }, body: { storage: 3 * GiB } })
  const body = (name: string, size: number) =>
    JSON.stringify({ name, description: '', size, disk_source: { type: 'blank', block_size: 512 } })
  const create = (name: string, size: number) =>
    w.raw({
      method: 'POST',
      url: '/v1/disks?project=demo',
      who: 'admin',
      headers: { 'content-type': 'application/json' },
      body: body(name, size),
    })
  await create('small', 2 * GiB)
  const { status, json } = await create('large', 4 * GiB)
  expect(status).toBe(507)
  expect(json).toMatchObject({
    error_code: 'InsufficientCapacity',
    quota: { resource: 'storage', limit: 3 * GiB, used: 2 * GiB, asked: 4 * GiB },
  })
  await w.close()
})

describe('the quota of a silo', () => {
  it('a charge counts on the project and on the silo', async () => {
    await charged({ cpus: 2, memory: 4 * GiB })
    await charged({ cpus: 1, storage: 5 * GiB })
    const sum = { cpus: 3, memory: 4 * GiB, storage: 5 * GiB }
    expect(await used(world().ids['demo'] ?? '')).toEqual(sum)
    expect(await used(world().ids['acme'] ?? '')).toEqual(sum)
    expect(await used(world().ids['other'] ?? '')).toEqual({ cpus: 0, memory: 0, storage: 0 })
  })

  it('released amounts can be used again', async () => {
    await charged({ cpus: 8 })
    await expect(charged({ cpus: 1 })).rejects.toMatchObject({ status: 507 })
    await charged({ cpus: -8 })
    await charged({ cpus: 8 })
    expect(await used(world().ids['acme'] ?? '')).toMatchObject({ cpus: 8 })
  })

  it('it counts exactly beyond 2^53 bytes', async () => {
    const TiB = 1024 * GiB
    await quota({ quotaStorage: 2n ** 63n - 1n })
    for (let i = 0; i < 3; i++) await charged({ storage: 4096 * TiB })
    await charged({ storage: GiB })
    const sum = 3n * 2n ** 52n + 2n ** 30n
    expect(await used(world().ids['demo'] ?? '')).toMatchObject({ storage: sum })
    await quota({ quotaStorage: sum })
    await expect(charged({ storage: GiB })).rejects.toMatchObject({ status: 507 })
    await charged({ storage: -GiB })
    await charged({ storage: GiB })
    const overview = await world()
      .as('viewer')
      .projectOverview({ params: { project: 'demo' } })
    expect(overview.provisioned.storage).toBe(Number(sum))
  })

  it('it may be used to the last byte', async () => {
    await charged({ cpus: 8, memory: 16 * GiB, storage: 100 * GiB })
  })

  it('a refusal names the resource, the free amount and a remedy, and charges nothing', async () => {
    await charged({ cpus: 6, memory: 15 * GiB, storage: 99 * GiB })
    const operator = 'or ask the operator of the rack for a larger quota.'
    const stop = `Stop instances that are not needed, ${operator}`
    await expect(charged({ cpus: 3 })).rejects.toMatchObject(
      refusal(`vCPU Limit Exceeded: 3 wanted, 2 left of 8. ${stop}`),
    )
    await expect(charged({ memory: 2 * GiB })).rejects.toMatchObject(
      refusal(`Memory Limit Exceeded: 2 GiB wanted, 1 GiB left of 16 GiB. ${stop}`),
    )
    await expect(charged({ storage: 2 * GiB })).rejects.toMatchObject(
      refusal(
        `Storage Limit Exceeded: 2 GiB wanted, 1 GiB left of 100 GiB. Delete disks and snapshots that are not needed, ${operator}`,
      ),
    )
    expect(await used(world().ids['demo'] ?? '')).toEqual({ cpus: 6, memory: 15 * GiB, storage: 99 * GiB })
  })

  it('of several that do not fit, vCPUs are named before memory before storage', async () => {
    const all = { cpus: 9, memory: 17 * GiB, storage: 101 * GiB }
    await expect(charged(all)).rejects.toMatchObject({
      message: expect.stringContaining('vCPU Limit') as string,
    })
    await expect(charged({ ...all, cpus: 8 })).rejects.toMatchObject({
      message: expect.stringContaining('Memory Limit') as string,
    })
    await expect(charged({ storage: 101 * GiB, memory: GiB })).rejects.toMatchObject({
      message: expect.stringContaining('Storage Limit') as string,
    })
  })

  it('a quota lowered below the use stops only what grows there', async () => {
    await charged({ cpus: 6, storage: 50 * GiB })
    await quota({ quotaCpus: 2 })
    await charged({ cpus: -1 })
    await charged({ storage: GiB })
    await expect(charged({ cpus: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('vCPU Limit Exceeded: 1 wanted, 0 left of 2.') as string,
    })
  })
})
