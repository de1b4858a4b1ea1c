import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUser, grant } from '#/seed/rows.ts'
import { createAccessCheck, type Held } from './held-access.ts'
import { sessionsOf } from './sessions.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
  for (const name of ['one', 'two']) await create(name)
  // The first writes of the loops would count as a change.
  await w.settle()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const create = async (name: string) => {
  const body = { name, description: '', ncpus: 1, memory: 2 ** 30, hostname: name, start: false }
  const query = { project: 'demo' }
  w.ids[name] = (await w.as('admin').instanceCreate({ query, body })).id
}
const collaborator = { resourceType: 'project', identityType: 'silo_user', roleName: 'collaborator' } as const
/** A new collaborator of the project, who has opened an instance. */
const open = async (name: string, instance = 'one'): Promise<Held & { userId: string }> =>
  inDb(w, async (tx) => {
    const siloId = w.ids['acme'] ?? ''
    const userId = await createUser(w.world, tx, { siloId, name, passwordHash: null })
    await grant(tx, { ...collaborator, resourceId: w.ids['demo'] ?? '', identityId: userId })
    const token = await sessionsOf(w.world).start(tx, userId)
    const held = { token, instanceId: w.ids[instance] ?? '', allow: 'project.collaborator', userId } as const
    return { ...held, takeUse: () => false }
  })

it('names only the consoles to close, with the reason', async () => {
  const [stays, signedOut, noRole, gone, noInstance] = [
    await open('stays'),
    await open('signed-out'),
    await open('no-role'),
    await open('gone'),
    await open('no-instance', 'two'),
  ]
  const all = [stays, signedOut, noRole, gone, noInstance]
  const check = createAccessCheck(w.world)
  expect(await check(all)).toEqual(new Map())
  await sessionsOf(w.world).end(signedOut.token)
  await w.as('admin').instanceDelete({ params: { instance: 'two' }, query: { project: 'demo' } })
  await w.settle()
  await inDb(w, async (tx) => {
    await tx
      .updateTable('roleAssignment')
      .set({ roleName: 'viewer' })
      .where('identityId', '=', noRole.userId)
      .execute()
    await tx.deleteFrom('siloUser').where('id', '=', gone.userId).execute()
  })
  expect(await check(all)).toEqual(
    new Map([
      [signedOut, 'session'],
      [noRole, 'permission'],
      [gone, 'session'],
      [noInstance, 'instance'],
    ]),
  )
})

it('changes by another server are noticed', async () => {
  const held = await open('ann')
  const here = createAccessCheck(w.world)
  const there = createAccessCheck((await w.another()).plane.world)
  expect([await here([held]), await there([held])]).toEqual([new Map(), new Map()])
  await sessionsOf(w.world).end(held.token)
  expect(await there([held])).toEqual(new Map([[held, 'session']]))
})

it('a session that expires ends access, unless it is used', async () => {
  const [idle, busy] = [await open('idle'), await open('busy')]
  const check = createAccessCheck(w.world)
  const typing = { ...busy, takeUse: () => true }
  const timeLastUsed = w.clock.now() - 479 * 60_000
  await inDb(w, (tx) => tx.updateTable('session').set({ timeLastUsed }).execute())
  expect(await check([idle, typing])).toEqual(new Map())
  await w.advance(61_000)
  expect(await check([idle, typing])).toEqual(new Map([[idle, 'session']]))
})

it('after the last one closes, the next check reads nothing', async () => {
  const last = await open('last')
  let transactions = 0
  const { engine } = w.world
  const transaction: typeof engine.transaction = (...args) => {
    transactions++
    return engine.transaction(...args)
  }
  const check = createAccessCheck({ ...w.world, engine: { ...engine, transaction } })
  await check([last])
  const before = transactions
  await sessionsOf(w.world).end(last.token)
  expect(await check([])).toEqual(new Map())
  expect(transactions).toBe(before)
})

it('however much is open, one transaction reads it', async () => {
  const many = await Promise.all(Array.from({ length: 12 }, (_, i) => open(`user-${i}`)))
  let transactions = 0
  const { engine } = w.world
  const transaction: typeof engine.transaction = (...args) => {
    transactions++
    return engine.transaction(...args)
  }
  const check = createAccessCheck({ ...w.world, engine: { ...engine, transaction } })
  await check(many)
  expect(transactions).toBe(1)
  for (let i = 0; i < 5; i++) await check(many.slice(i))
  // If no other process writes the database, unchanged tables are not read again.
  expect(transactions).toBe(engine.changes ? 1 : 6)
})
