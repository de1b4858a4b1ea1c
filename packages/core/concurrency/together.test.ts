import { expect, it } from 'vitest'
import { together } from './together.ts'

it('gives the results in the order of the list', async () => {
  const late = new Promise<string>((resolve) => setImmediate(() => resolve('late')))
  expect(await together([late, Promise.resolve(2)])).toEqual(['late', 2])
})

it('throws what failed first, and not before all have ended', async () => {
  let hasEnded = false
  const late = new Promise((_, reject) =>
    setImmediate(() => {
      hasEnded = true
      reject(new Error('second in time'))
    }),
  )
  const all = together([late, Promise.reject(new Error('first in time'))])
  await expect(all).rejects.toThrow('first in time')
  expect(hasEnded).toBe(true)
})
