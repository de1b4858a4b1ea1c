import { expect, it } from 'vitest'
import { createKeyedSemaphore } from './semaphores.ts'

it('each key has a separate semaphore, which starts over once all of its work has ended', async () => {
  const run = createKeyedSemaphore({ running: 1, waiting: 1 }, () => new Error('full'))
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => ends.push(resolve))
  const all = [run('a', work), run('a', work), run('b', work)]
  expect(ends).toHaveLength(2)
  await expect(run('a', work)).rejects.toThrow('full')
  for (const end of ends.splice(0)) end()
  await Promise.all([all[0], all[2]])
  expect(ends).toHaveLength(1)
  ends.shift()?.()
  await Promise.all(all)
  void run('a', work)
  expect(ends).toHaveLength(1)
})
