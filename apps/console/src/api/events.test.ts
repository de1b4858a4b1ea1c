import { diskList } from '@purlin/contract/operations/disks'
import { environmentManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { digestOf } from '@purlin/contract/rules/events'
import { digestOfAnswer, noting } from './answers.ts'
import { eventsIn } from './eventText.ts'
import { createMerger } from './mergedReads.ts'
import { query, queryClient } from './query.ts'
import { addressOf, setWatched } from './watched.ts'

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
  })
})

describe('changes of an address', () => {
  afterEach(() => vi.useRealTimers())

  it('are read at once, those soon after together, and each address by itself', () => {
    vi.useFakeTimers()
    const reads: string[] = []
    const merger = createMerger((address) => reads.push(address))
    for (const address of ['a', 'a', 'b', 'a']) merger.add(address)
    expect(reads).toEqual(['a', 'b'])
    vi.advanceTimersByTime(300)
    expect(reads).toEqual(['a', 'b', 'a'])
    vi.advanceTimersByTime(1000)
    expect(reads).toEqual(['a', 'b', 'a'])
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

  it('is not polled, and is again once nobody watches it', async () => {
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
    const address = addressOf(read)
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
