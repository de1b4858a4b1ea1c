import { expect, it } from 'vitest'
import { rollBackReason } from './snapshots.ts'

const size = 1024 ** 3
const part = (diskId: string) => ({
  diskId,
  snapshotId: `of-${diskId}`,
  snapshotName: `first-${diskId}`,
  state: 'ready' as const,
  size,
})
const whole = { state: 'ready' as const, disks: [part('root'), part('data')] }
const stopped = { runState: 'stopped' as const }
const attached = (...ids: string[]) => ids.map((id) => ({ id, name: id }))

it('an instance that is stopped and has the disks of a snapshot can be rolled back to it', () => {
  expect(rollBackReason(whole, stopped, attached('data', 'root'))).toBeUndefined()
})

it.each([
  [{ ...whole, state: 'creating' as const }, stopped, ['root', 'data'], 'state ready'],
  [whole, { runState: 'running' as const }, ['root', 'data'], 'must be stopped'],
  [whole, stopped, ['root', 'data', 'logs'], 'not in the snapshot: logs'],
  [whole, stopped, ['root'], 'not attached any more: first-data'],
])('the reason against it is said before', (of, instance, disks, reason) => {
  expect(rollBackReason(of, instance, attached(...disks))).toContain(reason)
})
