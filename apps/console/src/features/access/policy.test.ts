import { limits } from '@purlin/contract/rules/limits'
import { describe, expect, it } from 'vitest'
import type { Assignment, PolicyData } from './effectiveRole.ts'
import {
  changed,
  expiryIn,
  expiryProblem,
  fullReason,
  losesAdmin,
  removeRole,
  roleIn,
  setRole,
} from './policy.ts'

const user = (identityId: string, roleName: Assignment['roleName']): Assignment => ({
  identityType: 'silo_user',
  identityId,
  roleName,
})
const ada = { identityId: 'ada', identityType: 'silo_user' } as const
const policy: PolicyData = {
  roleAssignments: [user('ada', 'viewer'), user('bo', 'admin'), user('ada', 'collaborator')],
}
const full: PolicyData = {
  roleAssignments: Array.from({ length: limits.policy.assignments }, (_, i) => user(`u${i}`, 'viewer')),
}

describe('changing a policy', () => {
  it('a new role takes the place of all that the identity had', () => {
    expect(setRole(policy, user('ada', 'admin')).roleAssignments).toEqual([
      user('bo', 'admin'),
      user('ada', 'admin'),
    ])
  })
  it('removing takes away every role of the identity and no other', () => {
    expect(removeRole(policy, 'ada').roleAssignments).toEqual([user('bo', 'admin')])
    expect(removeRole(policy, 'unknown')).toEqual(policy)
  })
  it('of several roles the strongest is the one held', () => {
    expect(roleIn(policy, 'ada')).toBe('collaborator')
    expect(roleIn(policy, 'unknown')).toBeNull()
    expect(roleIn(undefined, 'ada')).toBeNull()
  })
  it('a change of the identity that came between is not overwritten', () => {
    expect(changed(policy, { ...ada, seen: 'viewer', roleName: 'admin' })).toContain(
      'now has the role collaborator',
    )
    expect(changed({ roleAssignments: [] }, { ...ada, seen: 'viewer', roleName: null })).toContain(
      'no longer has a role here',
    )
  })
  it('changes of others that came between are kept', () => {
    const now: PolicyData = { roleAssignments: [user('ada', 'viewer'), user('carl', 'viewer')] }
    expect(changed(now, { ...ada, seen: 'viewer', roleName: 'admin' })).toEqual({
      roleAssignments: [user('carl', 'viewer'), user('ada', 'admin')],
    })
    expect(changed(now, { ...ada, seen: 'viewer', roleName: null })).toEqual({
      roleAssignments: [user('carl', 'viewer')],
    })
  })
  it('64 assignments are all a policy holds, but one of them may still change', () => {
    expect(fullReason(full)).toContain('at most 64')
    expect(changed(full, { ...ada, seen: null, roleName: 'viewer' })).toBe(fullReason(full))
    const after = changed(full, {
      identityId: 'u3',
      identityType: 'silo_user',
      seen: 'viewer',
      roleName: 'admin',
    })
    expect(typeof after === 'string' ? after : after.roleAssignments).toHaveLength(limits.policy.assignments)
  })
})

describe('losing the own admin role', () => {
  const project: PolicyData = {
    roleAssignments: [
      user('ada', 'admin'),
      { identityType: 'silo_group', identityId: 'crew', roleName: 'admin' },
    ],
  }
  const none: PolicyData = { roleAssignments: [] }
  const removal = { ...ada, seen: 'admin', roleName: null } as const
  it('removing or weakening the only admin role loses it', () => {
    expect(losesAdmin({ silo: none, project }, { id: 'ada', groupIds: [] }, removal)).toBe(true)
    expect(
      losesAdmin({ silo: none, project }, { id: 'ada', groupIds: [] }, { ...removal, roleName: 'viewer' }),
    ).toBe(true)
  })
  it('taking the role from the own group loses it too', () => {
    const change = { identityId: 'crew', identityType: 'silo_group', seen: 'admin', roleName: null } as const
    expect(losesAdmin({ silo: none, project }, { id: 'bo', groupIds: ['crew'] }, change)).toBe(true)
  })
  it('a role through a group or the silo keeps it', () => {
    expect(losesAdmin({ silo: none, project }, { id: 'ada', groupIds: ['crew'] }, removal)).toBe(false)
    expect(
      losesAdmin(
        { silo: { roleAssignments: [user('ada', 'collaborator')] }, project },
        { id: 'ada', groupIds: [] },
        removal,
      ),
    ).toBe(false)
  })
  it('changes of others, and of people who are no admins, lose nothing', () => {
    expect(losesAdmin({ silo: none, project }, { id: 'bo', groupIds: [] }, removal)).toBe(false)
    expect(
      losesAdmin({ silo: none, project }, { id: 'ada', groupIds: [] }, { ...removal, identityId: 'zoe' }),
    ).toBe(false)
  })
})

describe('when a role expires', () => {
  const noon = new Date(2030, 0, 2, 12, 30)
  it('is a time in the future, or empty', () => {
    expect(expiryProblem('', 0)).toBeUndefined()
    expect(expiryProblem('2030-01-02T12:30', noon.getTime() - 1)).toBeUndefined()
    expect(expiryProblem('2030-01-02T12:30', noon.getTime())).toBe('Choose a time in the future')
    expect(expiryProblem('soon', 0)).toBe('Enter a date and a time')
  })
  it('is that of the role that counts, and replaced with it', () => {
    const now: PolicyData = { roleAssignments: [{ ...user('ada', 'viewer'), timeExpires: noon }] }
    expect(expiryIn(now, 'ada')).toEqual(noon)
    expect(expiryIn(now, 'bo')).toBeNull()
    const next = changed(now, { ...ada, seen: 'viewer', roleName: 'viewer', timeExpires: null })
    expect(next).toEqual({ roleAssignments: [{ ...user('ada', 'viewer'), timeExpires: null }] })
  })
  it('stays with another role, as it is by then', () => {
    const now: PolicyData = { roleAssignments: [{ ...user('ada', 'viewer'), timeExpires: noon }] }
    expect(changed(now, { ...ada, seen: 'viewer', roleName: 'admin' })).toEqual({
      roleAssignments: [{ ...user('ada', 'admin'), timeExpires: noon }],
    })
  })
})
