import { expect, it } from 'vitest'
import { gate } from './gate.ts'

it('a gate lets so many run at once, in their order, whatever becomes of them', async () => {
  const pass = gate(2)
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
  const all = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => pass(task(n))))
  expect(most).toBe(2)
  expect(order).toEqual([0, 1, 2, 3, 4])
  expect(all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
    0,
    'failed',
    2,
    3,
    4,
  ])
  await expect(pass(task(5))).resolves.toBe(5)
})
