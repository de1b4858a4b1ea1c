import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connection } from '../api/connection.ts'
import { queryClient } from '../api/query.ts'
import { createReach, type Reach } from './reach.ts'
import { retry } from '../api/retry.ts'
import { setTransport } from '../api/transport.ts'

let answer: number | 'nothing'
const stored = new Map<string, string>()
let reach: Reach

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('sessionStorage', {
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  setTransport({
    send: () =>
      answer === 'nothing'
        ? Promise.reject(new TypeError('Failed to fetch'))
        : Promise.resolve({ status: answer, headers: {}, body: '{}' }),
    openSocket: () => ({ send: () => undefined, close: () => undefined }),
  })
  answer = 'nothing'
  reach = createReach()
})
afterEach(() => {
  retry.found('unknown')
  reach.end()
  stored.clear()
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('whether the server is there', () => {
  it('one failure is a connection that broke, two without an answer are a server that is away', async () => {
    expect(await reach.failed()).toBe(1000)
    expect(connection.get()).toBe('unknown')
    expect(await reach.failed()).toBe(2000)
    expect(connection.get()).toBe('lost')
    const waits = []
    for (let i = 0; i < 4; i++) waits.push(await reach.failed())
    expect(waits).toEqual([4000, 8000, 15_000, 15_000])
  })

  it('a server that answers everything but the stream is there', async () => {
    answer = 401
    await reach.failed()
    await reach.failed()
    expect(connection.isAway()).toBe(false)
    answer = 502
    await reach.failed()
    expect(connection.get()).toBe('lost')
  })

  it('is polled without a stream', async () => {
    await reach.ask()
    expect(connection.isAway()).toBe(false)
    expect(await reach.ask()).toBe(2000)
    expect(connection.get()).toBe('lost')
    answer = 200
    expect(await reach.ask()).toBeUndefined()
    expect(connection.get()).toBe('there')
  })

  it('a silent server is pinged immediately, and is lost if it does not answer', async () => {
    await reach.failed(true)
    expect(connection.get()).toBe('lost')
  })

  it('without a network no request is sent', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    answer = 200
    reach.offline()
    await reach.failed()
    expect(connection.get()).toBe('offline')
  })

  it('failed reads are reported when the server is back, and only then', async () => {
    let backs = 0
    const end = retry.onBack(() => backs++)
    reach.answers()
    expect(backs).toBe(0)
    await reach.failed()
    reach.answers()
    expect(backs).toBe(1)
    reach.answers()
    expect(backs).toBe(1)
    end()
  })

  it('the page is not loaded again for a missing file while nothing answers', async () => {
    const miss = (name: string) =>
      window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: new Error(name) }))
    miss('a')
    expect(stored.size).toBe(0)
    await reach.failed()
    miss('b')
    expect([...stored.keys()]).toEqual(['tanstack_router_reload:b'])
    reach.answers()
    expect(stored.size).toBe(0)
  })
})

it('a user who requests a retry sees it for half a second', () => {
  let tries = 0
  retry.try = () => void tries++
  retry.found('lost')
  retry.now()
  retry.now()
  expect(tries).toBe(1)
  retry.found('lost')
  expect(connection.get()).toBe('trying')
  vi.advanceTimersByTime(500)
  expect(connection.get()).toBe('lost')
  retry.now()
  retry.found('there')
  expect(connection.get()).toBe('there')
})
