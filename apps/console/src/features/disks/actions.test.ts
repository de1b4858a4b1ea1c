import type { DiskState } from '@purlin/contract/rules/states'
import { describe, expect, it } from 'vitest'
import type { Disk } from './disks.tsx'
import { deleteDisabledReason } from './actions.tsx'

const reason = (state: DiskState) => deleteDisabledReason({ state: { state } as Disk['state'] })

describe('deleting a disk', () => {
  it('is possible when nothing uses it, or when it is broken', () => {
    expect(reason('detached')).toBeUndefined()
    expect(reason('faulted')).toBeUndefined()
  })
  it('takes detaching first', () =>
    expect(reason('attached')).toBe('Disk must be detached before it can be deleted'))
  it('waits while a disk is on its way', () =>
    expect(reason('creating')).toBe('Only disks in state detached or faulted can be deleted'))
})
