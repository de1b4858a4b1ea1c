import { describe, expect, it } from 'vitest'
import { createRecords, lockedDisks, takeLock } from './uploadRecords.ts'

const sent = (bytes: number) => ({ bytes, sum: 7, reach: bytes + 10 })

function setUp(kept?: string) {
  const store = { kept: kept ?? null, isFull: false }
  const records = createRecords(() => ({
    getItem: () => store.kept,
    setItem: (_, value) => {
      if (store.isFull) throw new Error('full')
      store.kept = value
    },
    removeItem: () => void (store.kept = null),
  }))
  return { store, records }
}

describe('records of uploads', () => {
  it('are stored and removed by disk', () => {
    const { records } = setUp()
    records.keep('a', sent(1))
    records.keep('b', sent(2))
    records.keep('a', sent(3))
    expect([records.read('a'), records.read('b'), records.read('c')]).toEqual([sent(3), sent(2), undefined])
    records.keep('a', undefined)
    expect([records.read('a'), records.read('b')]).toEqual([undefined, sent(2)])
  })

  it('are limited to the twenty newest', () => {
    const { records } = setUp()
    for (let i = 0; i < 21; i++) records.keep(`disk-${i}`, sent(i))
    expect([records.read('disk-0'), records.read('disk-1')]).toEqual([undefined, sent(1)])
  })

  it.each([
    '{"a":{"bytes":1,"sum":2}}',
    '{"a":{"bytes":1,"sum":2,"reach":"3"}}',
    '{"a":{"bytes":-1,"sum":2,"reach":3}}',
    '{"a":{"bytes":1,"sum":2.5,"reach":3}}',
    '{"a":null}',
    '{"a":5}',
    '[]',
    'null',
    '"a"',
    'not JSON',
  ])('are ignored if they are old or malformed: %s', (kept) => {
    const { records } = setUp(kept)
    expect(records.read('a')).toBeUndefined()
    records.keep('b', sent(1))
    expect([records.read('a'), records.read('b')]).toEqual([undefined, sent(1)])
  })

  it('are all removed if one cannot be stored', () => {
    const { records, store } = setUp()
    records.keep('a', sent(1))
    store.isFull = true
    records.keep('a', sent(2))
    expect(records.read('a')).toBeUndefined()
  })

  it('are empty if the browser denies its store', () => {
    const records = createRecords(() => {
      throw new Error('refused')
    })
    records.keep('a', sent(1))
    expect(records.read('a')).toBeUndefined()
  })
})

it('the lock of a disk can be taken once until it is released', async () => {
  const release = await takeLock('tmp-for-image-a')
  const other = await takeLock('tmp-for-image-b')
  expect(await takeLock('tmp-for-image-a')).toBeUndefined()
  expect(await lockedDisks()).toEqual(new Set(['tmp-for-image-a', 'tmp-for-image-b']))
  release?.()
  other?.()
  await expect.poll(lockedDisks).toEqual(new Set())
  const again = await takeLock('tmp-for-image-a')
  expect(again).toBeDefined()
  again?.()
})
