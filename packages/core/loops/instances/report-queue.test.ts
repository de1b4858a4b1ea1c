import { expect, it } from 'vitest'
import type { VmStatus } from '#/ports.ts'
import { createReportQueue } from './report-queue.ts'

const report = (sledId: string, id: string, seq: number, boot = 1): VmStatus => ({
  id,
  sledId,
  boot,
  seq,
  reset: 0,
  storage: 0,
  state: 'running',
})

it('stores the newest report of each machine, and the sleds in turn', async () => {
  const stored: string[] = []
  const queue = createReportQueue(async ({ sledId, id, boot, seq }) => {
    stored.push(`${sledId} ${id} ${boot}.${seq}`)
    await Promise.resolve()
  })
  for (let seq = 1; seq <= 1_000; seq++) for (const id of ['x', 'y', 'z']) queue.add(report('bad', id, seq))
  queue.add(report('bad', 'x', 1, 2))
  queue.add(report('bad', 'x', 2_000, 1))
  queue.add(report('good', 'web', 1))
  await queue.settled()
  expect(stored).toEqual(['bad x 2.1', 'good web 1.1', 'bad y 1.1000', 'bad z 1.1000'])
})

it('keeps no more of a sled than it may have machines', async () => {
  const { promise: isBack, resolve } = Promise.withResolvers<void>()
  let stored = 0
  const queue = createReportQueue(async () => {
    await isBack
    stored++
  })
  for (let i = 0; i < 10_500; i++) queue.add(report('bad', String(i), 1))
  resolve()
  await queue.settled()
  expect(stored).toBe(10_000)
})
