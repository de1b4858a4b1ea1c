import { describe, expect, it } from 'vitest'
import { addMemberDisabledReason, joinDisabledReason } from './disabledReasons.ts'

const named = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `n${i}` }))

describe('adding an instance to a group', () => {
  it('is possible while there is one that is not in it', () =>
    expect(addMemberDisabledReason(named(2), { isEmpty: false })).toBeUndefined())
  it('ends at 32 members, however many instances are left', () => {
    expect(addMemberDisabledReason(named(31), { isEmpty: false })).toBeUndefined()
    expect(addMemberDisabledReason(named(32), { isEmpty: false })).toBe('Maximum number of members reached')
  })
  it('needs an instance', () => {
    expect(addMemberDisabledReason([], { isEmpty: true })).toBe('No instances available')
    expect(addMemberDisabledReason(named(3), { isEmpty: true })).toBe(
      'All instances are already in this group',
    )
  })
  it('is left to be tried while the instances are not known', () =>
    expect(addMemberDisabledReason(named(3), { isEmpty: undefined })).toBeUndefined())
})

describe('an instance joining a group', () => {
  it('must have stopped, which is said first', () => {
    expect(joinDisabledReason('running', [], [])).toBe('Only stopped instances can be added to a group')
    expect(joinDisabledReason('failed', [], named(1))).toBe('Only stopped instances can be added to a group')
    expect(joinDisabledReason('stopped', [], named(1))).toBeUndefined()
  })
  it('needs a group that it is not in', () => {
    expect(joinDisabledReason('stopped', [], [])).toBe('No groups found')
    expect(joinDisabledReason('stopped', named(2), named(2))).toBe('Instance is already in all groups')
  })
  it('ends at 16 groups', () => {
    expect(joinDisabledReason('stopped', named(15), named(17))).toBeUndefined()
    expect(joinDisabledReason('stopped', named(16), named(17))).toBe(
      'An instance can be in 16 groups at most',
    )
  })
})
