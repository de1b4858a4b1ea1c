import { QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import { load, queryClient, type Read } from './api.ts'

afterEach(() => queryClient.clear())

/** A read that answers when told to, and that can be called off. */
function slowRead() {
  let asked = 0
  const gate = Promise.withResolvers<string>()
  const read = {
    queryKey: ['GET /v1/slow', {}],
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      asked++
      const calledOff = new Promise<never>((_, refuse) =>
        signal.addEventListener('abort', () => refuse(new Error('called off'))),
      )
      return Promise.race([gate.promise, calledOff])
    },
  } as unknown as Read<string>
  return { read, gate, asked: () => asked }
}

describe('load', () => {
  it('gets its answer although the page that asked as well goes away meanwhile', async () => {
    const { read, gate, asked } = slowRead()
    const leave = new QueryObserver(queryClient, { ...read, enabled: false }).subscribe(() => undefined)
    const loaded = load(read)
    await Promise.resolve()
    leave()
    gate.resolve('here')
    await expect(loaded).resolves.toBe('here')
    expect(asked()).toBe(2)
  })

  it('asks once where nobody leaves, and takes what is fresh', async () => {
    const { read, gate, asked } = slowRead()
    gate.resolve('here')
    expect(await load(read)).toBe('here')
    expect(await load(read)).toBe('here')
    expect(asked()).toBe(1)
  })

  it('passes on why a read failed', async () => {
    const { read, gate, asked } = slowRead()
    gate.reject(new Error('down'))
    await expect(load(read)).rejects.toThrow('down')
    expect(asked()).toBe(1)
  })
})
