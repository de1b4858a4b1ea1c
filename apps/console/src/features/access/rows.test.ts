import type { Role } from '@purlin/contract/rules/roles'
import { describe, expect, it } from 'vitest'
import type { PolicyData } from './effectiveRole.ts'
import { accessRows, groupsOf, type AccessFacts } from './rows.ts'

const policy = (users: Record<string, Role>, groups: Record<string, Role> = {}): PolicyData => ({
  roleAssignments: [
    ...Object.entries(users).map(([identityId, roleName]) => ({
      identityType: 'silo_user' as const,
      identityId,
      roleName,
    })),
    ...Object.entries(groups).map(([identityId, roleName]) => ({
      identityType: 'silo_group' as const,
      identityId,
      roleName,
    })),
  ],
})
const facts: AccessFacts = {
  policies: {
    silo: policy({ ada: 'collaborator', bo: 'viewer' }, { crew: 'admin' }),
    project: policy({ ada: 'viewer', carl: 'viewer', zoe: 'admin' }),
  },
  names: new Map([
    ['ada', 'Ada'],
    ['bo', 'bo'],
    ['carl', 'Carl'],
    ['crew', 'crew'],
  ]),
  members: new Map([['crew', new Set(['carl'])]]),
}

describe('the access table', () => {
  it('one row per identity, groups first, then by name; the unknown by id', () => {
    expect(accessRows(facts).map(({ id }) => id)).toEqual(['crew', 'ada', 'bo', 'carl', 'zoe'])
  })
  it('joins both policies, the strongest on the project first', () => {
    const ada = accessRows(facts).find(({ id }) => id === 'ada')
    expect(ada?.own.map(({ level, role }) => `${level}.${role}`)).toEqual([
      'silo.collaborator',
      'project.viewer',
    ])
    expect(ada).toMatchObject({ effective: 'admin', ownRole: 'viewer', name: 'Ada' })
  })
  it('counts the groups a user is in', () => {
    const carl = accessRows(facts).find(({ id }) => id === 'carl')
    expect(carl).toMatchObject({ effective: 'admin', ownRole: 'viewer' })
    expect(carl?.own).toHaveLength(1)
    expect(groupsOf(facts.members ?? new Map(), 'carl')).toEqual(['crew'])
  })
  it('knows no effective role of a user before the members of groups are known', () => {
    const rows = accessRows({ ...facts, members: undefined })
    expect(rows.find(({ id }) => id === 'ada')?.effective).toBeUndefined()
    expect(rows.find(({ id }) => id === 'crew')?.effective).toBe('admin')
  })
  it('works without the silo policy', () => {
    const rows = accessRows({ ...facts, policies: { ...facts.policies, silo: undefined } })
    expect(rows.map(({ id, effective }) => [id, effective])).toEqual([
      ['ada', 'viewer'],
      ['carl', 'viewer'],
      ['zoe', 'admin'],
    ])
  })
})

describe('identities of a policy of the fleet', () => {
  const none = { silo: undefined, project: undefined }
  const fleet: AccessFacts = {
    policies: { ...none, level: 'fleet', fleet: policy({ ada: 'viewer', far: 'admin', old: 'viewer' }) },
    names: new Map([
      ['ada', 'Ada'],
      ['far', 'Far'],
      ['away', 'Away'],
    ]),
    otherSilos: new Map([
      ['far', 'north'],
      ['away', 'north'],
    ]),
    isComplete: true,
    members: new Map(),
  }
  const rowOf = (facts_: AccessFacts, id: string) => accessRows(facts_).find((one) => one.id === id)

  it('are of another silo, or gone once all have been looked up', () => {
    expect(rowOf(fleet, 'far')).toMatchObject({ name: 'Far', otherSilo: 'north', isGone: false })
    expect(rowOf(fleet, 'old')).toMatchObject({ name: undefined, otherSilo: undefined, isGone: true })
    expect(rowOf({ ...fleet, isComplete: false }, 'old')?.isGone).toBe(false)
  })

  it('have no certain role where a group of their silo has one', () => {
    expect(rowOf(fleet, 'far')?.effective).toBe('admin')
    const withGroup = {
      ...none,
      level: 'fleet' as const,
      fleet: policy({ far: 'viewer' }, { away: 'admin' }),
    }
    expect(rowOf({ ...fleet, policies: withGroup }, 'far')?.effective).toBeUndefined()
  })
})
