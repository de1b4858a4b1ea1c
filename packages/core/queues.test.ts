import { expect, it } from 'vitest'
import { createQueues } from './queues.ts'

const turn = () => new Promise(setImmediate)

/** Work that ends when it is told to, well or not. */
function works() {
  const log: string[] = []
  const ends = new Map<string, (isWell: boolean) => void>()
  const work = (name: string) => () => {
    log.push(name)
    return new Promise<string>((resolve, reject) =>
      ends.set(name, (isWell) => (isWell ? resolve(name) : reject(new Error(name)))),
    )
  }
  const end = async (name: string, isWell = true) => {
    ends.get(name)?.(isWell)
    await turn()
  }
  return { log, work, end }
}

it('so many go on at once, so many wait in their order, and more are refused; keys have queues of their own', async () => {
  const enqueue = createQueues({ running: 2, waiting: 2 }, () => new Error('full'))
  const { log, work, end } = works()
  const all = ['a', 'b', 'c', 'd'].map((name) => enqueue('k', work(name)))
  const failed = all[1]?.catch((error: unknown) => String(error))
  await expect(enqueue('k', work('e'))).rejects.toThrow('full')
  void enqueue('other', work('x'))
  await turn()
  expect(log.splice(0)).toEqual(['a', 'b', 'x'])
  // One that fails makes room as well.
  await end('b', false)
  expect(await failed).toBe('Error: b')
  expect(log.splice(0)).toEqual(['c'])
  const late = enqueue('k', work('f'))
  await end('a')
  await end('c')
  expect(log.splice(0)).toEqual(['d', 'f'])
  await end('f')
  await end('d')
  await expect(Promise.all([all[0], all[2], all[3], late])).resolves.toEqual(['a', 'c', 'd', 'f'])
  void enqueue('k', work('g'))
  expect(log).toEqual(['g'])
})
