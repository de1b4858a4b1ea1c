import { diskList } from '@purlin/contract/operations/storage/disks'
import { environmentManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { digestOf } from '@purlin/contract/rules/events'
import { digestOfAnswer, noting } from '../api/answers.ts'
import { everyPage } from '../api/everyPage.ts'
import { eventsIn } from './eventText.ts'
import { connection } from '../api/connection.ts'
import { followEvents } from './events.ts'
import { createMerger } from './mergedReads.ts'
import { query, queryClient } from '../api/query.ts'
import { setTransport } from '../api/transport.ts'
import { addressesOf, forgetAddresses, noteAddresses, setWatched } from '../api/watched.ts'

const collected = async (pieces: readonly string[]) => {
  async function* text() {
    await Promise.resolve()
    yield* pieces
  }
  const events = []
  for await (const one of eventsIn(text())) events.push(one)
  return events
}

describe('events', () => {
  it('are read however the text is cut, and comments are left out', async () => {
    const text =
      ':\n\nevent: watching\nid: a.b\ndata: {"at":"now"}\n\nevent: changed\nid: a.c\ndata: {"scope":"/v1/x"}\n\n:\n\n'
    const expected = [
      { event: 'watching', scope: undefined },
      { event: 'changed', scope: '/v1/x' },
    ]
    expect(await collected([text])).toEqual(expected)
    expect(await collected(text.split(/(?=.)/s))).toEqual(expected)
    // A proxy may change the ends of lines, and spaces after colons are optional.
    const changed = text.replaceAll('\n', '\r\n').replaceAll(': ', ':')
    expect(await collected(changed.split(/(?=.)/s))).toEqual(expected)
  })
})

describe('changes of an address', () => {
  afterEach(() => vi.useRealTimers())

  it('are read immediately, those soon after together, and each separately', async () => {
    vi.useFakeTimers()
    const reads: string[] = []
    const merger = createMerger((one) => Promise.resolve(reads.push(one)))
    for (const one of ['a', 'a', 'b', 'a']) merger.add(one)
    expect(reads).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(300)
    expect(reads).toEqual(['a', 'b', 'a'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(reads).toEqual(['a', 'b', 'a'])
    merger.stop()
  })

  it('are read for half of the time at most, however long a read takes', async () => {
    vi.useFakeTimers()
    let reads = 0
    const merger = createMerger(() => {
      reads++
      return new Promise((done) => setTimeout(done, 1000))
    })
    for (let ms = 0; ms < 9900; ms += 100) {
      merger.add('a')
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(reads).toBe(5)
    merger.stop()
  })
})

describe('a query whose address is watched', () => {
  afterEach(() => {
    environmentManager.setIsServer(() => true)
    setWatched(new Set(), queryClient)
    queryClient.clear()
    vi.useRealTimers()
  })

  it('is not polled, and is polled again once no stream watches it', async () => {
    vi.useFakeTimers()
    // Only pages are polled.
    environmentManager.setIsServer(() => false)
    let reads = 0
    const read = query(diskList, { query: { project: 'demo' } })
    const observer = new QueryObserver(queryClient, {
      queryKey: [...read.queryKey],
      queryFn: () => ++reads,
      refetchInterval: 1000,
    })
    const end = observer.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(2500)
    expect(reads).toBe(3)
    const [address] = addressesOf(read)
    expect(address).toBe('/v1/disks?project=demo')
    setWatched(new Set([address ?? '']), queryClient)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reads).toBe(3)
    setWatched(new Set(), queryClient)
    await vi.advanceTimersByTimeAsync(2500)
    expect(reads).toBe(5)
    end()
  })
})

describe('a server that freezes', () => {
  afterEach(() => {
    environmentManager.setIsServer(() => true)
    queryClient.clear()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('is missed within 15 s, though its connections stay open', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
    vi.stubGlobal('navigator', { onLine: true })
    environmentManager.setIsServer(() => false)
    let isFrozen = false
    const aborted = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', reject))
    async function* text(signal: AbortSignal) {
      yield 'event: watching\nid: a.b\ndata: {}\n\n'
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 5000))
        if (isFrozen) break
        yield ':\n\n'
      }
      await aborted(signal)
    }
    setTransport({
      send: ({ url }) =>
        isFrozen
          ? // As long as the page waits for an answer.
            new Promise((_, reject) => setTimeout(reject, 4000))
          : Promise.resolve({ status: 200, headers: {}, body: `{"items":[],"url":"${url}"}` }),
      openSocket: () => ({ send: () => undefined, close: () => undefined }),
      openEvents: (_, { signal }) =>
        isFrozen ? aborted(signal) : Promise.resolve({ status: 200, message: '', text: text(signal) }),
    })
    const observer = new QueryObserver(queryClient, query(diskList, { query: { project: 'demo' } }))
    const unwatch = observer.subscribe(() => undefined)
    const end = followEvents()
    // The stream is opened after a second, and written every five.
    await vi.advanceTimersByTimeAsync(61_000)
    expect(connection.get()).toBe('there')
    isFrozen = true
    await vi.advanceTimersByTimeAsync(15_000)
    expect(connection.get()).toBe('lost')
    end()
    unwatch()
  })
})

describe('a list that is read page by page', () => {
  const pages = (count: number) => {
    const answers = Array.from({ length: count }, (_, i) => ({
      items: [{ name: `vpc-${i}` }],
      next_page: i + 1 < count ? `token-${i + 1}` : null,
    }))
    setTransport({
      send: ({ url }) => {
        const token = new URLSearchParams(url.split('?')[1]).get('page_token')
        const body = JSON.stringify(answers[Number(token?.split('-')[1] ?? 0)])
        return Promise.resolve({ status: 200, headers: {}, body })
      },
      openSocket: () => ({ send: () => undefined, close: () => undefined }),
    })
    return everyPage(diskList, { query: { project: 'demo' } })
  }
  afterEach(() => queryClient.clear())

  it('is watched by the addresses of all its pages', async () => {
    const read = pages(3)
    expect(addressesOf(read)).toEqual([])
    await queryClient.query(read)
    const first = '/v1/disks?project=demo&limit=1000'
    const all = [first, `${first}&page_token=token-1`, `${first}&page_token=token-2`]
    expect(addressesOf(read).map(bare)).toEqual(all.map(bare))
    expect(addressesOf(read).every((one) => digestOfAnswer(one) !== '')).toBe(true)
  })

  it('is not watched if it is long, nor once it is forgotten', async () => {
    const long = pages(5)
    await queryClient.query(long)
    expect(addressesOf(long)).toEqual([])
    noteAddresses(long, ['/v1/disks'])
    expect(addressesOf(long)).toEqual(['/v1/disks'])
    forgetAddresses(long)
    expect(addressesOf(long)).toEqual([])
  })
})
const bare = (url: string) => [...new URLSearchParams(url.split('?')[1])].map(String).toSorted()

it('the last answer of each address is noted by its digest, failures are not', async () => {
  const send = noting(({ url }) =>
    Promise.resolve(
      url === '/bad'
        ? { status: 500, headers: {}, body: '{}' }
        : { status: 200, headers: {}, body: `"${url}"` },
    ),
  )
  for (const url of ['/a', '/bad']) await send({ method: 'GET', url, headers: {} })
  expect(digestOfAnswer('/a')).toBe(digestOf('"/a"'))
  expect(digestOfAnswer('/bad')).toBe('')
})
