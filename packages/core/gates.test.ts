import { expect, it } from 'vitest'
import { createGates } from './gates.ts'

const turn = () => new Promise(setImmediate)

/** Work that ends when it is told to, and notes when it begins and ends. */
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
    await turn()
  }
  return { log, work, end }
}

it('many go through together; one that goes alone waits for them, and those behind it wait for it', async () => {
  const { together, alone } = createGates()
  const { log, work, end } = steps()
  const all = [
    together('k', work('a')),
    together('k', work('b')),
    alone('k', work('c')),
    together('k', work('d')),
    alone('k', work('e')),
  ]
  await turn()
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
  const { alone } = createGates()
  const { log, work } = steps()
  void alone('k', work('a'))
  void alone('l', work('b'))
  await turn()
  expect(log).toEqual(['a in', 'b in'])
})

it('a failure holds nobody up', async () => {
  const { together, alone } = createGates()
  const fail = () => Promise.reject(new Error('no'))
  await expect(Promise.all([together('k', fail), alone('k', fail)])).rejects.toThrow('no')
  expect(await alone('k', () => Promise.resolve(1))).toBe(1)
  expect(await together('k', () => Promise.resolve(2))).toBe(2)
})
