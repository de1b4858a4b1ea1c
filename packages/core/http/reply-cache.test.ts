import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { operations } from '@purlin/contract/operations'
import { MiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSessions, sessionTables } from '#/auth/actors.ts'
import type { Actor } from '#/context.ts'
import { traced } from '#/db/engine.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { createReplyCache } from './reply-cache.ts'
import type { Incoming } from './request.ts'

let w: TestWorld
let actor: Actor
beforeAll(async () => {
  w = await openWorld()
})
afterAll(() => w.close())
beforeEach(async ({ skip }) => {
  if (!w.world.engine.changes) skip('where others may write the same database, nothing is remembered')
  actor = { ...(await anyActor()), sessionId: w.world.ids.uuid() }
})

async function anyActor(): Promise<Actor> {
  const { tokenHash } = await w.world.engine.transaction('read', (tx) =>
    tx.selectFrom('session').select('tokenHash').executeTakeFirstOrThrow(),
  )
  const found = await w.world.engine.transaction('read', (tx) =>
    loadSessions(tx, ['session', [tokenHash]], 0),
  )
  const session = found.get(tokenHash)
  if (!session) throw new Error('the world has sessions')
  return session.actor
}
const request = (name: string): Incoming => ({
  request: { method: 'GET', url: '', headers: {} },
  match: { name: 'diskView', op: operations.diskView, params: {} },
  input: { params: { disk: name }, query: { project: 'demo' } },
  search: { getAll: () => [], has: () => false },
  sender: null,
})
const answer = (body: string) => ({ response: { status: 200, headers: {}, body }, fresh: () => true })
const open = (maxBytes: number) => createReplyCache(w.world.engine, maxBytes)

describe('the memory of remembered answers', () => {
  it('never exceeds its bound, whatever is stored', () => {
    const cache = open(MiB)
    for (let i = 0; i < 5000; i++) {
      cache.set(actor, request(`d${i}`), answer('x'.repeat((i * 7919) % 300_000)))
      expect(cache.bytes).toBeLessThanOrEqual(MiB)
    }
    expect(cache.bytes).toBeGreaterThan(MiB / 2)
  })

  it('counts characters beyond Latin-1 twice, as engines store them', () => {
    const cost = (body: string) => {
      const cache = open(MiB)
      cache.set(actor, request('d'), answer(body))
      return cache.bytes
    }
    expect(cost('ü'.repeat(1000)) - cost('')).toBe(1000)
    expect(cost(`${'x'.repeat(999)}→`) - cost('')).toBe(2000)
  })

  it('drops the least recently used first', () => {
    const cache = open(MiB)
    const body = 'x'.repeat(200_000)
    for (const name of ['a', 'b', 'c', 'd', 'e']) cache.set(actor, request(name), answer(body))
    expect(cache.get(actor, request('a'))).toBeDefined()
    cache.set(actor, request('f'), answer(body))
    const kept = ['a', 'b', 'c', 'd', 'e', 'f'].filter((name) => cache.get(actor, request(name)))
    expect(kept).toEqual(['a', 'c', 'd', 'e', 'f'])
  })

  it('of nothing remembers nothing', () => {
    const cache = open(0)
    cache.set(actor, request('a'), answer(''))
    expect(cache.get(actor, request('a'))).toBeUndefined()
    expect(cache.bytes).toBe(0)
  })

  it('is released by answers that are no longer current', () => {
    const cache = open(MiB)
    let isFresh = true
    cache.set(actor, request('a'), { ...answer('a'), fresh: () => isFresh })
    expect(cache.get(actor, request('a'))?.body).toBe('a')
    isFresh = false
    expect(cache.get(actor, request('a'))).toBeUndefined()
    expect(cache.bytes).toBe(0)
  })

  it('is released when a session ends or the roles of anybody change', async () => {
    const cache = open(MiB)
    const changes: (() => Promise<unknown>)[] = [
      () => w.as('nobody').logout(),
      () => w.as('admin').policyUpdate({ body: { roleAssignments: adminOnly() } }),
    ]
    for (const change of changes) {
      cache.set(actor, request('a'), answer('a'))
      await change()
      cache.dropStaleSessions()
      expect(cache.bytes).toBe(0)
    }
  })

  it('is not larger than what is counted', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const cache = open(64 * MiB)
    collect()
    const before = process.memoryUsage().heapUsed
    // Small answers: what an entry costs beside its texts counts most.
    for (let i = 0; cache.bytes < 60 * MiB; i++) {
      const { fresh } = await traced(w.world.engine, (reads) => {
        for (const table of [...sessionTables, 'project', 'instance', 'disk', 'usage'] as const)
          reads.add(table)
        return Promise.resolve()
      })
      const headers = { etag: `"${i}-${'x'.repeat(32)}"` }
      const response = { status: 200, headers, body: JSON.stringify({ id: i, name: 'x'.repeat(100) }) }
      cache.set(actor, request(`d${i}`), { response, fresh: fresh ?? (() => true) })
    }
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(cache.bytes)
  })
})

const adminOnly = () => [
  { identityType: 'silo_user' as const, identityId: w.ids['admin'] ?? '', roleName: 'admin' as const },
]

it('sessions and access tokens are read from the tables that are said', async () => {
  const reads = new Set<string>()
  await traced(w.world.engine, async (tables) => {
    await w.world.engine.transaction('read', (tx) => loadSessions(tx, ['session', ['none']], 0), tables)
    await w.world.engine.transaction('read', (tx) => loadSessions(tx, ['accessToken', ['none']], 0), tables)
    const row = (tx: Parameters<typeof loadSessions>[0]) =>
      tx.selectFrom('session').select('tokenHash').executeTakeFirstOrThrow()
    await w.world.engine.transaction(
      'read',
      async (tx) => loadSessions(tx, ['session', [(await row(tx)).tokenHash]], 0),
      tables,
    )
    for (const table of tables) reads.add(table)
  })
  expect([...reads].toSorted()).toEqual([...sessionTables].toSorted())
})

describe('an answer is remembered by what was asked', () => {
  /** How many transactions each of these reads took. */
  async function transactionsOf(requests: { url: string; headers?: Record<string, string> }[]) {
    const { engine } = w.world
    const transaction = engine.transaction.bind(engine)
    let count = 0
    engine.transaction = (...args) => {
      count++
      return transaction(...args)
    }
    const counts: number[] = []
    for (const request of requests) {
      count = 0
      expect((await w.raw({ ...request, who: 'admin' })).status).toBe(200)
      counts.push(count)
    }
    engine.transaction = transaction
    return counts
  }

  it('however the address is written', async () => {
    const urls = [
      '/v1/disks?project=demo&limit=7',
      '/v1/disks?limit=7&project=demo',
      '/v1/disks?limit=07&project=demo&unknown=1',
      '/v1/disks?limit=7&project=%64emo&unknown=2',
    ]
    const [first, ...others] = await transactionsOf(urls.map((url) => ({ url })))
    expect(first).toBeGreaterThan(0)
    expect(others).toEqual([0, 0, 0])
  })

  it('and read anew for a client that wants no remembered one', async () => {
    const url = '/v1/projects/demo'
    const anew = { url, headers: { 'cache-control': 'no-cache' } }
    const [, again, ...read] = await transactionsOf([{ url }, { url }, anew, { url }])
    expect(again).toBe(0)
    expect(read).toEqual([1, 0])
  })
})
