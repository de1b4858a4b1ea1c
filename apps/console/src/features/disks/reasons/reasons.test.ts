import type { DiskState, InstanceState } from '@purlin/contract/rules/states'
import { expect, it } from 'vitest'
import type { Disk } from '../disks.tsx'
import {
  deleteDisabledReason,
  detachDisabledReason,
  growDisabledReason,
  rollBackDisabledReason,
} from './reasons.ts'

const disk = (state: DiskState) => ({ id: 'data', state: { state } as Disk['state'] })
const holder = (runState: InstanceState, bootDiskId?: string) => ({ name: 'web', runState, bootDiskId })

it('a disk can be deleted when nothing uses it, or when it is broken', () => {
  expect(deleteDisabledReason(disk('detached'))).toBeUndefined()
  expect(deleteDisabledReason(disk('faulted'))).toBeUndefined()
  expect(deleteDisabledReason(disk('attached'))).toBe('Disk must be detached before it can be deleted')
  expect(deleteDisabledReason(disk('creating'))).toBe(
    'Only disks in state detached or faulted can be deleted',
  )
})

it('a disk can be enlarged at rest', () => {
  expect(growDisabledReason(disk('attached'))).toBeUndefined()
  expect(growDisabledReason(disk('import_ready'))).toContain('can be enlarged')
})

it('a disk can be rolled back while no machine has it', () => {
  expect(rollBackDisabledReason(disk('detached'))).toBeUndefined()
  for (const state of ['stopped', 'failed'] as const)
    expect(rollBackDisabledReason(disk('attached'), holder(state))).toBeUndefined()
  for (const state of ['running', 'starting', 'stopping'] as const)
    expect(rollBackDisabledReason(disk('attached'), holder(state))).toBe(
      'Instance web must be stopped before its disk can be rolled back',
    )
  expect(rollBackDisabledReason(disk('creating'))).toContain('can be rolled back')
})

it('a disk can be detached from an instance that does not run, unless it boots from it', () => {
  expect(detachDisabledReason(disk('attached'), holder('stopped'))).toBeUndefined()
  expect(detachDisabledReason(disk('attached'), holder('running'))).toContain('must be stopped')
  expect(detachDisabledReason(disk('attached'), holder('stopped', 'data'))).toContain('must be unset')
  expect(detachDisabledReason(disk('detached'))).toBe('Only attached disks can be detached')
})
