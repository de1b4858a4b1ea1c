import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ConsoleListener, ConsoleStream } from '#/ports.ts'
import { SledUnreachable } from '#/ports.ts'
import { openLive } from '#/testing/consoles/open-live.ts'
import { instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: { ...swift, greeting: 10 } })
  await instancesOf(w).create('web', { start: true })
  await w.advance(500)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const utf8 = (text: string) => new TextEncoder().encode(text)
const open = () => openLive(w, 'projectCollaborator', 'web/serial-console/stream?project=demo&most_recent=0')
const print = async (text: string) => w.sleds.print((await rowOf(w, 'web')).id, utf8(text))
const move = async () => {
  const { id } = await rowOf(w, 'web')
  await w.as('fleetAdmin').instanceMove({ params: { instance: id }, query: {} })
}
const sledOf = async () => (await rowOf(w, 'web')).sledId ?? ''
/** The output of the machine from an offset on. */
const kept = async (from: number) => {
  const { data } = await w.as('projectViewer').instanceSerialConsole({
    params: { instance: 'web' },
    query: { project: 'demo', fromStart: from, maxBytes: 1_000_000 },
  })
  return new TextDecoder().decode(Uint8Array.from(data))
}
const end = async () => {
  const { lastByteOffset } = await w.as('projectViewer').instanceSerialConsole({
    params: { instance: 'web' },
    query: { project: 'demo', mostRecent: 0 },
  })
  return lastByteOffset
}

it('a console goes on at the sled that the machine has moved to, there and back', async () => {
  const first = await sledOf()
  const from = await end()
  const { stream, seen } = await open()
  await print('here')
  await move()
  await print(' leaving')
  await w.advance(1_000)
  const second = await sledOf()
  expect(second).not.toBe(first)
  await print(' there')
  stream.receive(utf8('typed'))
  await w.advance(1_000)
  expect(seen.text).toMatch(/^here leaving there.*typed/s)
  await move()
  await w.advance(1_000)
  expect(await sledOf()).not.toBe(second)
  await print(' and on')
  expect(seen).toEqual({ text: await kept(from), closed: [] })
  stream.close()
})

/** Ends the consoles that are opened from here on, as a host does that has sent the machine to another one. */
function endings(): (reason?: string) => Promise<void> {
  const open = w.sleds.openConsole.bind(w.sleds)
  let last: { to: ConsoleListener; stream: ConsoleStream | null } | undefined
  w.sleds.openConsole = async (at, start, to) => {
    const stream = await open(at, start, to)
    last = { to, stream }
    return stream
  }
  return async (reason = 'VM moved to another host') => {
    const at = await end()
    last?.stream?.close()
    last?.to.closed(reason, at)
  }
}

it('output and input wait until the machine has arrived', async () => {
  const leave = endings()
  const { stream, seen } = await open()
  await move()
  await w.advance(50)
  await leave()
  await print('new')
  stream.receive(utf8('typed'))
  stream.receive(new Uint8Array(64 * 1024).fill(33))
  await w.settle()
  expect(await rowOf(w, 'web')).toMatchObject({ runState: 'migrating' })
  expect(seen).toEqual({ text: '', closed: [] })
  await w.advance(1_000)
  expect(seen.closed).toEqual([])
  expect(seen.text).toMatch(/^new.*typed/s)
  // More than a machine would read is dropped.
  expect(seen.text).not.toContain('!')
  stream.close()
})

it('a console goes on where the machine has stayed', async () => {
  w.sleds.failNextMigration((await rowOf(w, 'web')).id, 'no room')
  const leave = endings()
  const { stream, seen } = await open()
  await move()
  await w.advance(50)
  await leave('the connection to the host broke')
  await print('new')
  await w.advance(1_000)
  expect(seen).toEqual({ text: 'new', closed: [] })
  stream.close()
})

it('nothing is opened for a client that has left in between', async () => {
  const leave = endings()
  const { stream, seen } = await open()
  await move()
  await w.advance(50)
  await leave()
  await w.settle()
  stream.close()
  const again = endings()
  await w.advance(1_000)
  await again()
  await print('new')
  expect(seen).toEqual({ text: '', closed: [] })
})

it('a console ends if the machine stops on its way', async () => {
  const leave = endings()
  const { seen } = await open()
  await move()
  await w.advance(50)
  await leave()
  await instancesOf(w).stop('web')
  await w.advance(1_000)
  expect(seen).toEqual({ text: '', closed: ['VM moved to another host'] })
})

it('a console waits a minute for a machine that does not arrive', async () => {
  w.sleds.migrate = () => Promise.resolve()
  const leave = endings()
  const { seen } = await open()
  await move()
  await w.advance(50)
  await leave()
  await w.advance(50_000)
  expect(seen.closed).toEqual([])
  await w.advance(20_000)
  expect(seen).toEqual({ text: '', closed: ['VM moved to another host'] })
  expect(await rowOf(w, 'web')).toMatchObject({ runState: 'migrating' })
})

it('a console ends if the machine has not moved, or its end is not known', async () => {
  const leave = endings()
  const first = await open()
  await leave('the server ends')
  await w.advance(1_000)
  expect(first.seen.closed).toEqual(['the server ends'])
  let broken = (_reason: string) => {}
  w.sleds.openConsole = async (_at, _start, to) => {
    broken = (reason) => to.closed(reason)
    return { write: () => undefined, close: () => undefined }
  }
  const second = await open()
  await move()
  broken('the connection to the host broke')
  await w.advance(1_000)
  expect(second.seen.closed).toEqual(['the connection to the host broke'])
})

it('a console ends if the other sled does not answer', async () => {
  const { seen } = await open()
  await move()
  const before = await sledOf()
  const stop = w.sleds.watch(({ sledId }) => {
    if (sledId === before) return
    w.sleds.openConsole = () => Promise.reject(new SledUnreachable('it does not answer'))
    stop()
  })
  await w.advance(1_000)
  expect(seen.closed).toEqual(['VM moved to another host'])
})
