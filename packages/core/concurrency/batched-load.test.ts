import { expect, it } from 'vitest'
import { createBatchedLoad } from './batched-load.ts'

const tick = () => new Promise(setImmediate)

/** Loads that end on request, the first one first. */
function loads() {
  const begun: string[] = []
  const ends: ((error?: Error) => void)[] = []
  const load = (keys: readonly string[]) => {
    begun.push(keys.join(' '))
    const found = new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]))
    return new Promise<Map<string, string>>((resolve, reject) =>
      ends.push((error) => (error ? reject(error) : resolve(found))),
    )
  }
  const end = async (error?: Error) => {
    ends.shift()?.(error)
    await tick()
  }
  return { begun, load, end }
}

it('keys requested while loads run are loaded by the next one, each key once', async () => {
  const { begun, load, end } = loads()
  const get = createBatchedLoad(load, { running: 2, keys: 3 })
  const first = ['a', 'a', 'a', 'b', 'a', 'none', 'c', 'd'].map(get)
  await tick()
  // The same key is loaded again: the running load may have read it before this request.
  expect(begun.splice(0)).toEqual(['a', 'a'])
  await end()
  expect(begun.splice(0)).toEqual(['a b none'])
  await end()
  expect(begun.splice(0)).toEqual(['c d'])
  const late = get('a')
  await end()
  expect(begun.splice(0)).toEqual(['a'])
  await end()
  await end()
  expect(await Promise.all(first)).toEqual(['A', 'A', 'A', 'B', 'A', undefined, 'C', 'D'])
  expect(await late).toBe('A')
  void get('x')
  void get('y')
  expect(begun).toEqual(['x', 'y'])
})

it('a load that fails fails for those who wait for it, and makes room', async () => {
  const { begun, load, end } = loads()
  const get = createBatchedLoad(load, { running: 1, keys: 3 })
  const failures = ['a', 'b', 'c'].map((key) => get(key).catch((error: unknown) => String(error)))
  const after = tick()
  await after
  await end(new Error('one'))
  await end(new Error('two'))
  expect(await Promise.all(failures)).toEqual(['Error: one', 'Error: two', 'Error: two'])
  void get('d')
  expect(begun).toEqual(['a', 'b c', 'd'])
})
