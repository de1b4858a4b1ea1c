import { describe, expect, it } from 'vitest'
import type { PolicyData, RoleSource } from './effectiveRole.ts'
import { accessRows, type AccessFacts } from './rows.ts'
import { inheritedWords, remainingWords, roleOptions, sourceWords } from './words.ts'

const project: PolicyData = {
  roleAssignments: [
    { identityType: 'silo_user', identityId: 'ada', roleName: 'admin' },
    { identityType: 'silo_user', identityId: 'bo', roleName: 'viewer' },
    { identityType: 'silo_group', identityId: 'crew', roleName: 'viewer' },
  ],
}
const silo: PolicyData = {
  roleAssignments: [{ identityType: 'silo_user', identityId: 'ada', roleName: 'viewer' }],
}
const facts: AccessFacts = {
  policies: { silo, project },
  names: new Map([
    ['ada', 'Ada'],
    ['crew', 'Crew'],
  ]),
  members: new Map([['crew', new Set<string>()]]),
}
const remaining = (id: string, given: AccessFacts = facts, isSelf = false) => {
  const row = accessRows(given).find((one) => one.id === id)
  return row && remainingWords(given.policies, row, isSelf)
}

describe('the remaining roles without the role on the project', () => {
  it('names the role that stays', () =>
    expect(remaining('ada')).toBe('Ada keeps the viewer role on this project, through the silo or a group.'))
  it('says that nothing stays', () => expect(remaining('bo')).toBe('bo will have no access to this project.'))
  it('counts the groups a user is in', () =>
    expect(remaining('bo', { ...facts, members: new Map([['crew', new Set(['bo'])]]) })).toContain(
      'bo keeps the viewer role',
    ))
  it('claims nothing final while the members of groups are unknown', () =>
    expect(remaining('bo', { ...facts, members: undefined })).toBe('bo keeps only roles through groups.'))
  it('speaks to the reader of themselves', () => {
    expect(remaining('ada', facts, true)).toContain('You keep the viewer role')
    expect(remaining('bo', facts, true)).toBe('You will have no access to this project.')
  })
  it('speaks of the members of a group', () =>
    expect(remaining('crew')).toBe('The members of Crew keep only roles assigned to them in other ways.'))
})

it('a source says where it lies', () => {
  const words = (source: Partial<RoleSource>) =>
    sourceWords({ level: 'project', role: 'viewer', means: 'viewer', ...source }, (id) => `the ${id}`)
  expect([words({}), words({ level: 'silo' }), words({ level: 'silo', group: 'crew' })]).toEqual([
    'assigned here',
    'through the silo',
    'through the crew',
  ])
})
it('roles are offered from the weakest', () =>
  expect(roleOptions('project').map(({ value }) => value)).toEqual(['viewer', 'collaborator', 'admin']))
it('names a role that someone inherits already', () => {
  const [, ada, bo] = accessRows(facts)
  expect(inheritedWords(ada, (id) => id)).toContain('Ada has the viewer role here through the silo already.')
  expect(inheritedWords(bo, (id) => id)).toBe(inheritedWords(undefined, (id) => id))
})
