import { expect, it } from 'vitest'
import { candidates } from './choices.ts'

const people = {
  users: [
    { id: 'u2', displayName: 'zoe' },
    { id: 'u1', displayName: 'ada' },
    { id: 'u3', displayName: 'bo' },
  ],
  groups: [{ id: 'g1', displayName: 'staff' }],
}

it('groups come first, then users by name', () =>
  expect(candidates(people, { roleAssignments: [] }).map(({ displayName }) => displayName)).toEqual([
    'staff',
    'ada',
    'bo',
    'zoe',
  ]))

it('identities with a role in this policy are not offered', () => {
  const policy = {
    roleAssignments: [{ identityType: 'silo_user', identityId: 'u3', roleName: 'viewer' } as const],
  }
  expect(candidates(people, policy).map(({ id }) => id)).toEqual(['g1', 'u1', 'u2'])
})

it('no identity is offered while none is known', () => expect(candidates({}, undefined)).toEqual([]))
