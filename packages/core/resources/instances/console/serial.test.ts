import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cookieOf, openLive, upgradeOf } from '#/testing/consoles/open-live.ts'
import { forceRow, instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { answers, projectRead } from '#/testing/roles.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(async () => {
  w = await openWorld({ timings: { ...swift, greeting: 10 } })
  vm = instancesOf(w)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (more: object, who: Who = 'projectViewer') =>
  w.as(who).instanceSerialConsole({ params: { instance: 'web' }, query: { ...query, ...more } })
const text = ({ data }: { data: number[] }) => new TextDecoder().decode(Uint8Array.from(data))
const invalid = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const running = async () => {
  await vm.create('web', { start: true })
  await w.advance(500)
  expect(await vm.view('web')).toMatchObject({ runState: 'running' })
}
/** How much the console has said so far. */
const length = async () => (await read({ mostRecent: 0 })).lastByteOffset

describe('reading the kept output', () => {
  it('viewers of the project may', async () => {
    await running()
    const found = await answers(w, (client) =>
      client.instanceSerialConsole({ params: { instance: 'web' }, query: { ...query, fromStart: 0 } }),
    )
    expect(found).toEqual(projectRead)
  })

  it.each([{}, { fromStart: 0, mostRecent: 10 }])(
    'exactly one of the two starting points: %o is refused',
    async (range) => {
      await running()
      await expect(read(range)).rejects.toMatchObject(
        invalid("Exactly one of 'from_start' or 'most_recent' must be specified."),
      )
    },
  )

  it('the offset in the answer is where to continue', async () => {
    await running()
    const whole = await read({ fromStart: 0, maxBytes: 1_000_000 })
    expect(whole.lastByteOffset).toBe(whole.data.length)
    expect(text(whole)).toContain('web')
    let at = 0
    const parts: number[] = []
    for (;;) {
      const part = await read({ fromStart: at, maxBytes: 100 })
      if (part.data.length === 0) break
      expect(part.data.length).toBeLessThanOrEqual(100)
      expect(part.lastByteOffset).toBe(at + part.data.length)
      parts.push(...part.data)
      at = part.lastByteOffset
    }
    expect(parts).toEqual(whole.data)
    w.sleds.print((await rowOf(w, 'web')).id, utf8('more'))
    expect(await read({ fromStart: at })).toEqual({ data: [...utf8('more')], lastByteOffset: at + 4 })
  })

  it('the most recent bytes: the last ones, all of them if that is fewer, none for 0', async () => {
    await running()
    w.sleds.print((await rowOf(w, 'web')).id, utf8('the very end'))
    const end = await length()
    expect(await read({ mostRecent: 7 })).toEqual({ data: [...utf8('ery end')], lastByteOffset: end })
    expect((await read({ mostRecent: 1_000_000, maxBytes: 1_000_000 })).data).toHaveLength(end)
    expect(await read({ mostRecent: 0 })).toEqual({ data: [], lastByteOffset: end })
  })

  it('16 KiB by default, and nothing past the end', async () => {
    await running()
    w.sleds.print((await rowOf(w, 'web')).id, new Uint8Array(100_000).fill(65))
    expect((await read({ fromStart: 0 })).data).toHaveLength(16_384)
    expect((await read({ fromStart: 0, maxBytes: 50_000 })).data).toHaveLength(50_000)
    const end = await length()
    expect((await read({ fromStart: end })).data).toEqual([])
    expect((await read({ fromStart: end + 1000 })).data).toEqual([])
  })

  it('an offset in the dropped middle is refused', async () => {
    await running()
    const { id } = await rowOf(w, 'web')
    for (let i = 0; i < 4; i++) w.sleds.print(id, new Uint8Array(1024 * 1024))
    const message = 'the requested offset is no longer retained: the first and the latest 1 MiB are kept'
    await expect(read({ fromStart: 2 * 1024 * 1024 })).rejects.toMatchObject(invalid(message))
    expect((await read({ fromStart: 0 })).data).toHaveLength(16_384)
  })

  it('is kept over a reboot and gone with a stop', async () => {
    await running()
    w.sleds.print((await rowOf(w, 'web')).id, utf8('before the reset'))
    await vm.reboot('web')
    await w.advance(500)
    expect(text(await read({ fromStart: 0, maxBytes: 1_000_000 }))).toContain('before the reset')
    await vm.stop('web')
    await w.advance(500)
    await vm.start('web')
    await w.advance(500)
    expect(text(await read({ fromStart: 0, maxBytes: 1_000_000 }))).not.toContain('before the reset')
  })

  it.each([
    ['creating', 'cannot connect to serial console of instance in state "creating"'],
    ['stopped', 'instance is stopped and has no active serial console server'],
    ['failed', 'instance is failed and has no active serial console server'],
    ['starting', 'cannot connect to serial console of instance in state "starting"'],
    ['stopping', 'cannot connect to serial console of instance in state "stopping"'],
  ] as const)('not while the instance is %s', async (runState, message) => {
    await running()
    const placed = runState === 'starting' || runState === 'stopping'
    await forceRow(w, 'web', { runState, dueAt: null, ...(placed ? {} : { sledId: null }) })
    await expect(read({ fromStart: 0 })).rejects.toMatchObject(invalid(message))
  })

  it.each(['rebooting', 'migrating'] as const)('also while the instance is %s', async (runState) => {
    await running()
    await forceRow(w, 'web', { runState, dueAt: null })
    expect((await read({ fromStart: 0 })).data.length).toBeGreaterThan(0)
  })

  it('a sled that does not answer: 503, without a reason', async () => {
    await running()
    w.sleds.loseSled((await rowOf(w, 'web')).sledId ?? '')
    await expect(read({ fromStart: 0 })).rejects.toMatchObject({
      status: 503,
      code: 'ServiceNotAvailable',
      message: 'Service Unavailable',
    })
  })

  it('a machine that its sled has lost has no console', async () => {
    await running()
    w.sleds.forget((await rowOf(w, 'web')).id)
    await expect(read({ fromStart: 0 })).rejects.toMatchObject(
      invalid('instance has no active serial console server'),
    )
  })

  it.each(['from_start=-1', 'from_start=x', 'most_recent=1.5', 'from_start=0&max_bytes=-3'])(
    '%s is no number of bytes',
    async (range) => {
      const { status, json } = await w.raw({
        url: `/v1/instances/web/serial-console?project=demo&${range}`,
        who: 'admin',
      })
      expect(status).toBe(400)
      expect((json as { message: string }).message).toMatch(/^unable to parse query string: /)
    },
  )
})

describe('the stream', () => {
  const pathOf = (more = '') => `web/serial-console/stream?project=demo${more}`
  const open = (who: Who, more?: string) => openLive(w, who, pathOf(more))

  it('transfers bytes in both directions, to every client', async () => {
    await running()
    const one = await open('projectCollaborator', '&most_recent=0')
    const two = await open('admin', '&most_recent=0')
    one.stream.receive(utf8('hi'))
    await w.advance(500)
    expect(one.seen.text).toContain('hi')
    expect(two.seen.text).toBe(one.seen.text)
    two.stream.close()
    one.stream.receive(utf8('!'))
    await w.advance(500)
    expect(one.seen.text).toContain('!')
    expect(two.seen.text).not.toContain('!')
  })

  it('replays as much as requested, by default everything', async () => {
    await running()
    const whole = text(await read({ fromStart: 0, maxBytes: 1_000_000 }))
    expect((await open('admin')).seen.text).toBe(whole)
    expect((await open('admin', '&most_recent=12')).seen.text).toBe(whole.slice(-12))
  })

  it('ends when the machine stops', async () => {
    await running()
    const { seen } = await open('admin')
    await vm.stop('web')
    await w.advance(500)
    expect(seen.closed).toEqual(['VM stopped'])
  })

  it.each<[Who, number]>([
    ['viewer', 403],
    ['projectViewer', 403],
    ['noRole', 404],
    ['stranger', 404],
    ['fleetAdmin', 404],
  ])('%s may not open it: %i', async (who, status) => {
    await running()
    await expect(open(who)).rejects.toMatchObject({ status })
  })

  it('without a session: 401, whether the instance exists or not', async () => {
    await expect(upgradeOf(w, null, pathOf())).rejects.toMatchObject({ status: 401 })
  })

  it('has the same state rules', async () => {
    await vm.create('web')
    await expect(open('admin')).rejects.toMatchObject(
      invalid('instance is stopped and has no active serial console server'),
    )
  })

  it('a request without an upgrade is refused', async () => {
    const { status, json } = await w.raw({
      url: '/v1/instances/web/serial-console/stream?project=demo',
      who: 'admin',
    })
    expect({ status, json }).toMatchObject({ status: 400, json: { message: 'expected connection upgrade' } })
    expect(json).not.toHaveProperty('error_code')
  })

  it('no other operation has a socket', async () => {
    const headers: Record<string, string> = { cookie: await cookieOf(w, 'admin') }
    const request = {
      method: 'GET',
      url: '/v1/me',
      headers,
    }
    await expect(w.plane.upgrade(request)).rejects.toMatchObject({
      status: 400,
      message: 'this operation has no socket',
    })
  })
})
