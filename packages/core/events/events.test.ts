import { GiB, limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  openEvents,
  parseEvents,
  streamUrl,
  type EventReader,
  type OpenStream,
} from '#/testing/event-reader.ts'
import { inQueue } from '#/resources/metrics/query-queues.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const open: EventReader[] = []
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  expect(w.errors).toEqual([])
  await w.close()
})

const disks = '/v1/disks?project=demo'
const projects = '/v1/projects'
const query = { project: 'demo' }
const disk = (name: string) => ({
  name,
  description: '',
  size: GiB,
  diskSource: { type: 'blank' as const, blockSize: 512 as const },
})
const watch = async (one: Partial<OpenStream> = {}): Promise<EventReader> => {
  const reader = await openEvents(w, { who: 'admin', scopes: [disks], ...one })
  open.push(reader)
  return reader
}
const addDisk = (name: string) => w.as('admin').diskCreate({ query, body: disk(name) })
const pass = () => w.advance(400)

/** Opens a stream on many addresses; `read` is called with every read: of the session, and then of each address. */
async function openMany(read: (count: number) => void, signal?: { aborted: boolean }) {
  const scopes = Array.from({ length: 32 }, (_, i) => `${disks}&limit=${i + 1}`)
  const { engine } = w.world
  const transaction = engine.transaction.bind(engine)
  let count = 0
  vi.spyOn(engine, 'transaction').mockImplementation((mode, work, tables) => {
    if (tables) read(++count)
    return transaction(mode, work, tables)
  })
  const { status, body } = await w.plane.dispatch({
    method: 'GET',
    url: `${streamUrl(scopes)}&follow=false`,
    headers: { cookie: w.cookieOf('viewer') },
    ...(signal ? { signal } : {}),
  })
  vi.restoreAllMocks()
  return { status, body, count }
}

describe('the first look at the addresses', () => {
  it('ends when its reader has gone', async () => {
    const signal = { aborted: false }
    const { status, count } = await openMany((reads) => (signal.aborted = reads === 3), signal)
    expect([status, count]).toEqual([408, 3])
  })

  it('ends after ten seconds', async () => {
    const began = w.clock.now()
    const { status, body, count } = await openMany((reads) => {
      vi.spyOn(w.clock, 'now').mockReturnValue(began + reads * 3000)
    })
    expect(status).toBe(503)
    expect(body).toContain('watch fewer of them')
    expect(count).toBe(5)
  })
})

describe('a stream of events', () => {
  it('says at first that it watches, and then which address answers something else', async () => {
    const stream = await watch({ scopes: [disks, projects] })
    expect(await stream.received()).toMatchObject([{ event: 'watching' }])
    await addDisk('one')
    await pass()
    expect(await stream.received()).toEqual([
      { event: 'changed', id: expect.any(String) as string, scope: disks },
    ])
  })

  it('about images with the number of their disks is sent when one is made or deleted, not when one changes', async () => {
    const admin = w.as('admin')
    await addDisk('source')
    await w.settle()
    const snapshot = { name: 'source', description: '', disk: 'source' }
    const { id } = await admin.snapshotCreate({ query, body: snapshot })
    const { id: imageId } = await admin.imageCreate({
      query,
      body: {
        name: 'golden',
        description: '',
        os: 'debian',
        version: '13',
        source: { type: 'snapshot', id },
      },
    })
    const made = (name: string) =>
      admin.diskCreate({ query, body: { ...disk(name), diskSource: { type: 'image', imageId } } })
    await made('first')
    await expect
      .poll(async () => {
        await w.settle()
        return (await admin.imageView({ params: { image: 'golden' }, query })).digest
      })
      .toBeTruthy()
    const images = '/v1/images?project=demo&total_disks=true'
    const stream = await watch({ scopes: [images] })
    await made('second')
    await w.settle()
    await pass()
    expect(await stream.changed()).toEqual([images])
    const body = { size: 2 * GiB, description: 'grown' }
    await admin.diskUpdate({ params: { disk: 'second' }, query, body })
    await pass()
    expect(await stream.changed()).toEqual([])
    await admin.diskDelete({ params: { disk: 'second' }, query })
    await pass()
    expect(await stream.changed()).toEqual([images])
  })

  it('is silent without changes, and about addresses that are not watched', async () => {
    const stream = await watch({ scopes: [projects] })
    await stream.received()
    await addDisk('one')
    await w.advance(60_000)
    expect(await stream.received()).toEqual([])
  })

  it('is silent about other projects and silos, although the same tables change', async () => {
    await w.as('admin').projectCreate({ body: { name: 'second', description: '' } })
    const stream = await watch({ scopes: ['/v1/disks?project=second'] })
    const strangers = await watch({ who: 'stranger', scopes: [projects] })
    await Promise.all([stream.received(), strangers.received()])
    await addDisk('one')
    await w.as('admin').projectCreate({ body: { name: 'third', description: '' } })
    await pass()
    expect(await stream.received()).toEqual([])
    expect(await strangers.received()).toEqual([])
  })

  it('many changes at a time are one event', async () => {
    const stream = await watch()
    await stream.received()
    for (const name of ['a', 'b', 'c', 'd']) await addDisk(name)
    await pass()
    expect(await stream.changed()).toEqual([disks])
  })

  it('reports changes by loops', async () => {
    const instances = '/v1/instances?project=demo'
    const body = { name: 'web', description: '', ncpus: 1, memory: GiB, hostname: 'web', start: false }
    await w.as('admin').instanceCreate({ query, body })
    const stream = await watch({ scopes: [instances] })
    await stream.received()
    await w.as('admin').instanceStart({ params: { instance: 'web' }, query })
    await w.settle()
    await pass()
    expect(await stream.changed()).toEqual([instances])
    await w.advance(30_000)
    expect(await stream.changed()).not.toEqual([])
  })

  it('reports changes on another server', async () => {
    const other = await w.another()
    const stream = await openEvents(
      { cookieOf: (who) => w.cookieOf(who), plane: other.plane },
      { who: 'admin', scopes: [disks] },
    )
    open.push(stream)
    await stream.received()
    await addDisk('one')
    await pass()
    expect(await stream.changed()).toEqual([disks])
  })

  it('continues where the last one broke: changes since then come immediately', async () => {
    const first = await watch({ scopes: [disks, projects] })
    const [{ id: lastEventId } = { id: '' }] = await first.received()
    await first.close()
    const same = await watch({ scopes: [disks, projects], lastEventId })
    expect(await same.changed()).toEqual([])
    await addDisk('one')
    const later = await watch({ scopes: [disks, projects], lastEventId })
    expect(await later.changed()).toEqual([disks])
  })

  it('reads an address again that could not be read because too many queries were running', async () => {
    const effects = '/v1/vpcs/default/effects?project=demo'
    const stream = await watch({ scopes: [effects] })
    await stream.received()
    // Queries of the same user, one running and the others waiting, until no more may wait.
    const { promise, resolve } = Promise.withResolvers<void>()
    const user = { world: w.world, actor: { userId: w.ids['admin'] ?? '' } }
    const queries = Array.from({ length: 36 }, () => inQueue(user, () => promise))
    const rule = { name: 'off', description: '', targets: [], filters: {}, priority: 1 }
    const off = { status: 'disabled', direction: 'inbound', action: 'allow' } as const
    const body = { rules: [{ ...rule, ...off }] }
    await w.as('admin').vpcFirewallRulesUpdate({ query: { ...query, vpc: 'default' }, body })
    await pass()
    expect(await stream.received()).toEqual([])
    resolve()
    await Promise.all(queries)
    await expect.poll(() => pass().then(() => stream.changed())).toEqual([effects])
  })

  it('that does not follow ends after the changes', async () => {
    const [begun] = await (await watch()).received()
    await addDisk('one')
    const { text, headers } = await w.raw({
      url: `${streamUrl([disks])}&follow=false`,
      who: 'admin',
      headers: { 'last-event-id': begun?.id ?? '' },
    })
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(parseEvents(text).map(({ event }) => event)).toEqual(['watching', 'changed'])
  })

  it('of a stalled reader stores no more than its addresses', async () => {
    const { stream } = await w.plane.dispatch({
      method: 'GET',
      url: streamUrl([disks, projects]),
      headers: { cookie: w.cookieOf('admin') },
      remote: '127.0.0.1',
    })
    for (let i = 0; i < 5; i++) {
      await addDisk(`d${i}`)
      await pass()
    }
    await w.advance(120_000)
    const reader = stream?.[Symbol.asyncIterator]()
    const first = await reader?.next()
    expect(parseEvents(String(first?.value)).map(({ event }) => event)).toEqual(['watching', 'changed'])
    await reader?.return?.()
  })
})

describe('permission to watch', () => {
  it.each([
    ['noRole', disks, 404],
    ['stranger', disks, 404],
    ['admin', '/v1/disks', 400],
    ['admin', '/v1/disks?project=none', 404],
    ['admin', '/v1/nothing', 404],
    ['admin', '/v1/events?scope=/v1/projects', 400],
    ['viewer', '/v1/system/silos', 403],
    ['admin', '', 404],
  ] as const)('%s is answered for %s as for reading it, with the address: %d', async (who, scope, status) => {
    const stream = await watch({ who, scopes: ['/v1/me', scope] })
    expect(stream).toMatchObject({ status, message: expect.stringContaining(`scope ${scope}`) as string })
    if (!scope.startsWith('/v1/events')) expect((await w.raw({ url: scope, who })).status).toBe(status)
  })

  it('needs a session', async () => {
    expect((await w.raw({ url: streamUrl([projects]) })).status).toBe(401)
  })

  it('a user who loses a role gets one last event', async () => {
    const stream = await watch({ who: 'projectViewer' })
    await stream.received()
    await w.as('admin').projectPolicyUpdate({ params: { project: 'demo' }, body: { roleAssignments: [] } })
    await pass()
    expect(await stream.changed()).toEqual([disks])
    await addDisk('one')
    await pass()
    expect(await stream.received()).toEqual([])
    expect(stream.isEnded()).toBe(false)
  })

  it('a stream ends with its session', async () => {
    const cookie = w.cookieOf('viewer')
    const [stream, other] = [await watch({ who: 'viewer' }), await watch()]
    await w.raw({ method: 'POST', url: '/v1/logout', headers: { cookie } })
    await pass()
    await stream.received()
    expect([stream.isEnded(), other.isEnded()]).toEqual([true, false])
  })

  it('a stream does not keep its session alive', async () => {
    const stream = await watch()
    await w.jump(w.world.sessions.idleMs + 20_000)
    await pass()
    await stream.received()
    expect(stream.isEnded()).toBe(true)
  })
})

describe('limits', () => {
  it('of the streams of a session', async () => {
    for (let i = 0; i < limits.events.perSession; i++) expect(await watch()).toMatchObject({ status: 200 })
    expect(await watch()).toMatchObject({ status: 429 })
    await open[0]?.close()
    expect(await watch()).toMatchObject({ status: 200 })
  })

  it('of addresses, and of their length', async () => {
    const { scopes, scope } = limits.events
    const many = Array.from({ length: scopes + 1 }, () => projects)
    expect(await watch({ scopes: many })).toMatchObject({ status: 400 })
    expect(await watch({ scopes: [`${projects}?find=${'x'.repeat(scope)}`] })).toMatchObject({ status: 400 })
    expect(await watch({ scopes: [] })).toMatchObject({ status: 400 })
  })
})
