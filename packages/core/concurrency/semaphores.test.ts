import { expect, it } from 'vitest'
import { createKeyedSemaphore } from './semaphores.ts'

const tick = () => new Promise(setImmediate)

/** Work that ends on request, with success or failure. */
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
    await tick()
  }
  return { log, work, end }
}

it('a limited number runs, a limited number waits in order, and more are refused, for each key separately', async () => {
  const run = createKeyedSemaphore({ running: 2, waiting: 2 }, () => new Error('full'))
  const { log, work, end } = works()
  const all = ['a', 'b', 'c', 'd'].map((name) => run('k', work(name)))
  const failed = all[1]?.catch((error: unknown) => String(error))
  await expect(run('k', work('e'))).rejects.toThrow('full')
  void run('other', work('x'))
  await tick()
  expect(log.splice(0)).toEqual(['a', 'b', 'x'])
  // One that fails makes room as well.
  await end('b', false)
  expect(await failed).toBe('Error: b')
  expect(log.splice(0)).toEqual(['c'])
  const late = run('k', work('f'))
  await end('a')
  await end('c')
  expect(log.splice(0)).toEqual(['d', 'f'])
  await end('f')
  await end('d')
  await expect(Promise.all([all[0], all[2], all[3], late])).resolves.toEqual(['a', 'c', 'd', 'f'])
  void run('k', work('g'))
  expect(log).toEqual(['g'])
})
