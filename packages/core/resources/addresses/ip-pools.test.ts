import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPool } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, siloRead } from '#/testing/roles.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let world: TestWorld
let foreign: string
beforeEach(async () => {
  world = await openWorld()
  const { acme = '', other = '' } = world.ids
  const pool = (name: string, siloId: string) =>
    inDb(world, (tx) =>
      createPool(world.world, tx, {
        name,
        description: `for ${name}`,
        ranges: [],
        silos: [{ siloId, isDefault: false }],
      }),
    )
  await pool('extra', acme)
  foreign = await pool('foreign', other)
})
afterEach(() => world.close())

it('a silo sees the pools linked to it, and which is its default', async () => {
  const { items, nextPage } = await world.as('noRole').projectIpPoolList({ query: {} })
  expect(items.map((pool) => [pool.name, pool.isDefault])).toEqual([
    ['extra', false],
    ['public', true],
  ])
  expect(nextPage).toBeNull()
  expect(items[0]).toMatchObject({ description: 'for extra', timeCreated: new Date(world.clock.now()) })
})

it('the list pages by name', async () => {
  const list = (query: object) => world.as('viewer').projectIpPoolList({ query })
  const first = await list({ limit: 1, sortBy: 'name_descending' })
  expect(first.items).toMatchObject([{ name: 'public' }])
  expect(await list({ limit: 1, pageToken: first.nextPage })).toMatchObject({
    items: [{ name: 'extra' }],
    nextPage: null,
  })
})

it('a pool can be viewed by name and id', async () => {
  const pool = await world.as('noRole').projectIpPoolView({ params: { pool: 'public' } })
  expect(pool).toMatchObject({ id: world.ids['public'], isDefault: true })
  expect(await world.as('noRole').projectIpPoolView({ params: { pool: pool.id.toUpperCase() } })).toEqual(
    pool,
  )
})

it.each(['none', 'foreign'])('the pool `%s` is not found by name: absent or not linked', async (pool) => {
  const attempt = world.as('admin').projectIpPoolView({ params: { pool } })
  await expect(attempt).rejects.toMatchObject({
    status: 404,
    code: 'ObjectNotFound',
    message: `not found: ip-pool with name "${pool}"`,
  })
})

it('a pool that is not linked is not found by id', async () => {
  const attempt = world.as('fleetAdmin').projectIpPoolView({ params: { pool: foreign } })
  await expect(attempt).rejects.toMatchObject({
    status: 404,
    message: `not found: ip-pool with id "${foreign}"`,
  })
})

it('every user of the silo may read its pools', async () => {
  // A stranger's own silo has pools too, so only the list answers him.
  expect(await answers(world, (c) => c.projectIpPoolList({ query: {} }))).toEqual({
    ...siloRead,
    stranger: 'ok',
  })
  expect(await answers(world, (c) => c.projectIpPoolView({ params: { pool: 'public' } }))).toEqual(siloRead)
})
