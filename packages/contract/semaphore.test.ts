import { describe, expect, it } from 'vitest'
import { createSemaphore } from './semaphore.ts'

const tick = () => new Promise(setImmediate)

/** Work that logs its start and ends on request, with success or failure. */
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
  return { started: () => log.splice(0).join(''), work, end }
}

describe('a semaphore', () => {
  it('runs a limited number at the same time, starts them in order of arrival, and returns their results', async () => {
    const run = createSemaphore({ running: 2 })
    const { started, work, end } = works()
    const all = ['a', 'b', 'c', 'd'].map((name) => run(work(name)))
    expect(started()).toBe('ab')
    await end('b')
    expect(started()).toBe('c')
    const late = run(work('e'))
    await end('a')
    await end('c')
    expect(started()).toBe('de')
    await end('d')
    await end('e')
    await expect(Promise.all([...all, late])).resolves.toEqual(['a', 'b', 'c', 'd', 'e'])
    void run(work('f'))
    expect(started()).toBe('f')
  })

  it('frees the slot of work that fails', async () => {
    const run = createSemaphore({ running: 1, waiting: 0 })
    await expect(run(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
    await expect(run(() => Promise.resolve(1))).resolves.toBe(1)
  })

  it('refuses work when too many wait', async () => {
    const run = createSemaphore({ running: 1, waiting: 1 }, () => new Error('full'))
    const { started, work, end } = works()
    const all = [run(work('a')), run(work('b'))]
    await expect(run(work('c'))).rejects.toThrow('full')
    await end('a')
    await end('b')
    await Promise.all(all)
    expect(started()).toBe('ab')
  })

  it('starts the first of those that wait before the others, and limits both separately', async () => {
    const run = createSemaphore({ running: 1, waiting: 1 }, () => new Error('full'))
    const { started, work, end } = works()
    const all = [run(work('a')), run(work('b')), run(work('c'), { first: true })]
    for (const first of [false, true]) await expect(run(work('d'), { first })).rejects.toThrow('full')
    for (const name of ['a', 'c', 'b']) await end(name)
    await Promise.all(all)
    expect(started()).toBe('acb')
  })
})
