import { expect, it } from 'vitest'
import { createKeyedLock } from './locks.ts'

const tick = () => new Promise(setImmediate)

/** Work that ends on request, and notes when it begins and ends. */
function steps() {
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => async () => {
    log.push(`${name} in`)
    await new Promise<void>((resolve) => ends.set(name, resolve))
    log.push(`${name} out`)
    return name
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await tick()
  }
  return { log, work, end }
}

it('shared holders run together; an exclusive one waits for them, and later ones wait for it', async () => {
  const { shared, exclusive } = createKeyedLock()
  const { log, work, end } = steps()
  const all = [
    shared('k', work('a')),
    shared('k', work('b')),
    exclusive('k', work('c')),
    shared('k', work('d')),
    exclusive('k', work('e')),
  ]
  await tick()
  expect(log.splice(0)).toEqual(['a in', 'b in'])
  await end('a')
  expect(log.splice(0)).toEqual(['a out'])
  await end('b')
  expect(log.splice(0)).toEqual(['b out', 'c in'])
  await end('c')
  expect(log.splice(0)).toEqual(['c out', 'd in'])
  await end('d')
  await end('e')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('other keys do not wait', async () => {
  const { exclusive } = createKeyedLock()
  const { log, work } = steps()
  void exclusive('k', work('a'))
  void exclusive('l', work('b'))
  await tick()
  expect(log).toEqual(['a in', 'b in'])
})

it('a failure does not block later work', async () => {
  const { shared, exclusive } = createKeyedLock()
  const fail = () => Promise.reject(new Error('no'))
  await expect(Promise.all([shared('k', fail), exclusive('k', fail)])).rejects.toThrow('no')
  expect(await exclusive('k', () => Promise.resolve(1))).toBe(1)
  expect(await shared('k', () => Promise.resolve(2))).toBe(2)
})
