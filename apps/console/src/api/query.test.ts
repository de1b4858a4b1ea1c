import { QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import { load, queryClient, type Read } from './query.ts'

afterEach(() => queryClient.clear())

/** A query that resolves on demand and can be cancelled. */
function slowRead() {
  let calls = 0
  const response = Promise.withResolvers<string>()
  const read = {
    queryKey: ['GET /v1/slow', {}],
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      calls++
      const cancelled = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('cancelled'))),
      )
      return Promise.race([response.promise, cancelled])
    },
  } as unknown as Read<string>
  return { read, response, calls: () => calls }
}

describe('load', () => {
  it('resolves although another page that shares the query unmounts', async () => {
    const { read, response, calls } = slowRead()
    const leave = new QueryObserver(queryClient, { ...read, enabled: false }).subscribe(() => undefined)
    const loaded = load(read)
    await Promise.resolve()
    leave()
    response.resolve('here')
    await expect(loaded).resolves.toBe('here')
    expect(calls()).toBe(2)
  })

  it('fetches once, then uses fresh data', async () => {
    const { read, response, calls } = slowRead()
    response.resolve('here')
    expect(await load(read)).toBe('here')
    expect(await load(read)).toBe('here')
    expect(calls()).toBe(1)
  })

  it('rejects with the error of the query', async () => {
    const { read, response, calls } = slowRead()
    response.reject(new Error('down'))
    await expect(load(read)).rejects.toThrow('down')
    expect(calls()).toBe(1)
  })
})
