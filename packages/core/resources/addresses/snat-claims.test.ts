import { afterEach, beforeEach, expect, it } from 'vitest'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const blocks = async (): Promise<string[]> => {
  const { items } = await w.as('viewer').instanceList({ query: { ...query, externalIps: true } })
  return items.flatMap(({ externalIps = [] }) =>
    externalIps.map((one) => `${one.ip} ${'firstPort' in one ? one.firstPort : ''}`),
  )
}
const remove = (name: string) => w.as('collaborator').instanceDelete({ params: { instance: name }, query })
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
/** Two creates that fail. For the second, an address has been divided if other servers may write. */
const fail = () =>
  Promise.all(
    names('bad', 2).map((name) =>
      expect(addInstance(w, name, { antiAffinityGroups: ['missing'] })).rejects.toMatchObject({
        status: 404,
      }),
    ),
  )

it('creates one after the other take the lowest free block, despite failures and deletes in between', async () => {
  await addInstance(w, 'web-0')
  await fail()
  for (const name of ['web-1', 'web-2', 'web-3', 'web-4']) await addInstance(w, name)
  const five = ['10.20.0.10 0', '10.20.0.10 16384', '10.20.0.10 32768', '10.20.0.10 49152', '10.20.0.11 0']
  expect(await blocks()).toEqual(five)
  await remove('web-2')
  await addInstance(w, 'web-2')
  expect(await blocks()).toEqual(five)
})

it('an address that a failed create has divided can be requested, and is removed with its range', async () => {
  await fail()
  const floating = { name: 'front', description: '', ip: '10.20.0.10' }
  const { ip } = await w.as('collaborator').floatingIpCreate({ query, body: floating })
  expect(ip).toBe('10.20.0.10')
  await addInstance(w, 'web')
  expect(await blocks()).toEqual(['10.20.0.11 0'])
  await w.as('collaborator').floatingIpDelete({ params: { floatingIp: 'front' }, query })
  await remove('web')
  await fail()
  const range = { first: '10.20.0.10', last: '10.20.0.250' }
  await w.as('fleetAdmin').ipPoolRangeRemove({ params: { pool: 'public' }, body: range })
  expect(await inDb(w, (tx) => tx.selectFrom('snatBlock').selectAll().execute())).toEqual([])
})

it('creates at the same time take the lowest blocks, and never one twice', async () => {
  const many = names('web', 30)
  await Promise.all(many.map((name) => addInstance(w, name)))
  const found = await blocks()
  expect(new Set(found).size).toBe(many.length)
  await Promise.all(many.slice(0, 10).map(remove))
  await Promise.all(names('new', 10).map((name) => addInstance(w, name)))
  expect(new Set(await blocks()).size).toBe(many.length)
})

it('servers on one database never give a block twice', async () => {
  const other = await w.another()
  const makers = [w, { ...w, as: other.as }]
  const made = makers.flatMap((maker, i) => names(`web-${i}`, 20).map((name) => addInstance(maker, name)))
  await Promise.all(made)
  expect(new Set(await blocks()).size).toBe(40)
})

it('a pool that runs out says so, and has what a deleted instance gave back', async () => {
  const range = { first: '10.20.0.10', last: '10.20.0.250' }
  const pool = { pool: 'public' }
  await w.as('fleetAdmin').ipPoolRangeRemove({ params: pool, body: range })
  const small = { first: '10.20.0.10', last: '10.20.0.10' }
  await w.as('fleetAdmin').ipPoolRangeAdd({ params: pool, body: small })
  for (const name of names('web', 4)) await addInstance(w, name)
  const oneMore = () => addInstance(w, 'more')
  await expect(oneMore()).rejects.toMatchObject({ status: 507 })
  await remove('web-2')
  await oneMore()
  expect(await blocks()).toContain('10.20.0.10 32768')
})
