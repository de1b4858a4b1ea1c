import { describe, expect, it } from 'vitest'
import type { SocketEvents } from '#/api/transport.ts'
import { ConsoleSession, type SessionEnvironment } from './ConsoleSession.ts'
import { testTimer } from './testTimer.ts'
import { encode } from './typing.ts'

/** A session whose sockets are controlled by the test. */
function setup(env: Pick<SessionEnvironment, 'needsOutput'> = {}) {
  const timer = testTimer()
  const sockets: (SocketEvents & { sent: string[]; isClosed: boolean })[] = []
  const screen: string[] = []
  const session = new ConsoleSession({
    ...env,
    timer,
    explain: () => Promise.resolve('Action not authorized'),
    open: (on) => {
      const socket = { ...on, sent: [] as string[], isClosed: false }
      sockets.push(socket)
      return {
        send: (bytes) => void socket.sent.push(new TextDecoder().decode(bytes)),
        close: () => (socket.isClosed = true),
      }
    },
  })
  const last = () => {
    const socket = sockets.at(-1)
    if (!socket) throw new Error('nothing was connected')
    return socket
  }
  const show = () =>
    session.show({
      write: (bytes) => screen.push(new TextDecoder().decode(bytes)),
      reset: () => screen.splice(0),
      live: () => screen.push('live'),
    })
  return { timer, sockets, screen, session, last, show, at: () => session.state().at }
}

/** A connected session. */
function connected() {
  const world = setup()
  world.show()
  world.session.allow(true)
  world.last().open()
  return world
}

describe('a serial console', () => {
  it('connects when the instance has a console and a screen is there', () => {
    const { sockets, session, show, at } = setup()
    session.allow(true)
    expect(sockets).toHaveLength(0)
    show()
    expect(at()).toBe('connecting')
  })
  it('waits for an instance that starts, then connects', () => {
    const { session, show, at } = setup()
    show()
    expect(at()).toBe('idle')
    session.allow(true)
    expect(at()).toBe('connecting')
  })
  it('shows output and sends typed input', () => {
    const { session, last, screen, at } = connected()
    last().data(encode('login: '))
    session.type(encode('root'))
    expect({ at: at(), screen, sent: last().sent }).toEqual({
      at: 'open',
      screen: ['login: '],
      sent: ['root'],
    })
  })
  it('tells the screen where earlier output ends', () => {
    const { last, screen } = connected()
    for (const text of ['earlier', '', 'now']) last().data(encode(text))
    expect(screen).toEqual(['earlier', 'live', 'now'])
  })
  it('drops typed input without a connection', () => {
    const { session, last, show } = setup()
    show()
    session.allow(true)
    session.type(encode('lost'))
    last().open()
    expect(last().sent).toEqual([])
  })
  it('reconnects after a loss and replaces the screen by the replay', () => {
    const { timer, last, screen, session, at } = connected()
    last().data(encode('old'))
    last().closed({ reason: 'the server is shutting down', error: false })
    expect(session.state()).toEqual({
      at: 'lost',
      reason: 'the server is shutting down',
      failed: false,
      retryAt: 1000,
    })
    expect(screen).toEqual(['old'])
    timer.advance(1000)
    expect(at()).toBe('connecting')
    last().open()
    last().data(encode('old and new'))
    expect(screen).toEqual(['old and new'])
  })
  it('waits longer after every failure, at most 30 s', () => {
    const { timer, last, session, show } = setup()
    show()
    session.allow(true)
    const waits = Array.from({ length: 7 }, () => {
      last().closed({ reason: 'refused', error: true })
      const state = session.state()
      const ms = state.at === 'lost' && state.retryAt !== null ? state.retryAt - timer.now() : 0
      timer.advance(ms)
      return ms / 1000
    })
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30])
  })
  it('resets the delay after a stable connection', () => {
    const { timer, last, session } = connected()
    last().closed({ reason: 'a', error: false })
    timer.advance(1000)
    last().open()
    timer.advance(10_000)
    last().closed({ reason: 'b', error: false })
    expect(session.state()).toMatchObject({ at: 'lost', retryAt: timer.now() + 1000 })
  })
  it('retries if the server does not answer in time', () => {
    const { timer, last, session, show, sockets } = setup()
    show()
    session.allow(true)
    timer.advance(20_000)
    expect(last().isClosed).toBe(true)
    expect(session.state()).toMatchObject({
      at: 'lost',
      reason: 'the server did not answer in time',
      failed: true,
    })
    timer.advance(1000)
    expect(sockets).toHaveLength(2)
  })
  it('finds out why a connection was rejected', async () => {
    const { last, session, show } = setup()
    show()
    session.allow(true)
    last().closed({ reason: '', error: true })
    await Promise.resolve()
    expect(session.state()).toMatchObject({ at: 'lost', reason: 'Action not authorized', failed: true })
  })
  it('does not retry while the instance has no console', () => {
    const { timer, last, session, sockets, at } = connected()
    last().closed({ reason: 'VM stopped', error: false })
    session.allow(false)
    expect(session.state()).toMatchObject({ at: 'lost', retryAt: null })
    timer.advance(60_000)
    expect(sockets).toHaveLength(1)
    session.allow(true)
    expect(at()).toBe('connecting')
  })
  it('reconnects immediately on request', () => {
    const { last, session, at, sockets, timer } = connected()
    last().closed({ reason: 'gone', error: true })
    session.reconnect()
    expect(at()).toBe('connecting')
    timer.advance(1000)
    expect(sockets).toHaveLength(2)
  })
  it('a screen connects again when its machine has moved, and not to a machine without one', () => {
    const { timer, sockets, session, show, last, at } = setup({ needsOutput: true })
    show()
    session.allow(true)
    last().open()
    last().data(encode('RFB 003.008'))
    last().closed({ reason: 'VM moved to another host', error: false })
    expect(at()).toBe('lost')
    timer.advance(1000)
    expect(sockets).toHaveLength(2)
    last().open()
    last().closed({ reason: 'the machine is simulated, and has no screen', error: false })
    timer.advance(60_000)
    expect(sockets).toHaveLength(2)
  })
  it('ignores a reconnect while connected', () => {
    const { session, sockets } = connected()
    session.reconnect()
    expect(sockets).toHaveLength(1)
  })
  it('closes its socket and ignores its events after close', () => {
    const { last, screen, session, timer, sockets } = connected()
    session.close()
    last().data(encode('late'))
    last().closed({ reason: '', error: false })
    timer.advance(60_000)
    expect({ closed: last().isClosed, screen, sockets: sockets.length }).toEqual({
      closed: true,
      screen: [],
      sockets: 1,
    })
  })
})
