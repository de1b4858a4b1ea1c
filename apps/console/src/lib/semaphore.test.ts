import { expect, it } from 'vitest'
import { semaphore } from './semaphore.ts'

it('a semaphore runs a limited number of tasks at once, in order, even after one fails', async () => {
  const limit = semaphore(2)
  const order: number[] = []
  let running = 0
  let most = 0
  const task = (n: number) => async () => {
    order.push(n)
    most = Math.max(most, ++running)
    await Promise.resolve()
    running -= 1
    if (n === 1) throw new Error('lost')
    return n
  }
  const all = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => limit(task(n))))
  expect(most).toBe(2)
  expect(order).toEqual([0, 1, 2, 3, 4])
  expect(all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
    0,
    'failed',
    2,
    3,
    4,
  ])
  await expect(limit(task(5))).resolves.toBe(5)
})
