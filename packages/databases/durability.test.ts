import { beforeEach, expect, it } from 'vitest'
import { createDurability, type Durability } from './durability.ts'

let disk: Durability
let syncs: { done: () => void; fail: (error: Error) => void }[]
beforeEach(() => {
  syncs = []
  disk = createDurability(() => new Promise<void>((done, fail) => void syncs.push({ done, fail })))
})
const settled = async (promise: Promise<void> | undefined) => {
  const pending = new Promise<string>((resolve) => setImmediate(resolve, 'pending'))
  return Promise.race([pending, promise?.then(() => 'done') ?? 'done'])
}

it('does not wait without a commit', () => {
  expect(disk.reached()).toBeUndefined()
})

it('a commit is durable when a sync that began after it has ended', async () => {
  disk.committed()
  const first = disk.reached()
  disk.committed()
  const second = disk.reached()
  expect(syncs).toHaveLength(1)
  syncs[0]?.done()
  expect(await settled(first)).toBe('done')
  expect(await settled(second)).toBe('pending')
  syncs[1]?.done()
  expect(await settled(second)).toBe('done')
  expect(disk.reached()).toBeUndefined()
})

it('one sync covers all commits before it', async () => {
  disk.committed()
  const first = disk.reached()
  for (let i = 0; i < 10; i++) disk.committed()
  const last = disk.reached()
  syncs[0]?.done()
  await first
  await new Promise(setImmediate)
  syncs[1]?.done()
  await last
  expect(syncs).toHaveLength(2)
})

it('after a failed sync, no commit is durable', async () => {
  disk.committed()
  const first = disk.reached()
  syncs[0]?.fail(new Error('EIO'))
  await expect(first).rejects.toThrow('EIO')
  disk.committed()
  await expect(disk.reached()).rejects.toThrow('EIO')
  expect(() => disk.check()).toThrow('EIO')
  expect(syncs).toHaveLength(1)
})
