import type { DiskStateName } from '@purlin/contract/rules/disk'
import { describe, expect, it } from 'vitest'
import type { Disk } from '../../../../../parts/disk/disks.tsx'
import { deleteRefusal } from './-diskActions.tsx'

const refusal = (state: DiskStateName) => deleteRefusal({ state: { state } as Disk['state'] })

describe('deleting a disk', () => {
  it('is possible when nothing uses it, or when it is broken', () => {
    expect(refusal('detached')).toBeUndefined()
    expect(refusal('faulted')).toBeUndefined()
  })
  it('takes detaching first', () =>
    expect(refusal('attached')).toBe('Disk must be detached before it can be deleted'))
  it('waits while a disk is on its way', () =>
    expect(refusal('creating')).toBe('Only disks in state detached or faulted can be deleted'))
})
