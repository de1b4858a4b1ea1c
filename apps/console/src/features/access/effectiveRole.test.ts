import type { Role } from '@purlin/contract/rules/roles'
import { describe, expect, it } from 'vitest'
import { effectiveRole, roleSources, type PolicyData } from './effectiveRole.ts'

const policy = (roles: Record<string, Role>): PolicyData => ({
  roleAssignments: Object.entries(roles).map(([identityId, roleName]) => ({
    identityType: 'silo_user',
    identityId,
    roleName,
  })),
})

describe('the role that counts on a project', () => {
  it('a silo collaborator is a project admin', () => {
    const sources = roleSources(
      { silo: policy({ ada: 'collaborator' }), project: policy({ ada: 'viewer' }) },
      'ada',
    )
    expect(sources).toEqual([
      { level: 'silo', role: 'collaborator', means: 'admin' },
      { level: 'project', role: 'viewer', means: 'viewer' },
    ])
    expect(effectiveRole(sources)).toBe('admin')
  })
  it('a silo viewer is a project viewer, and a stronger role on the project wins', () => {
    const sources = roleSources(
      { silo: policy({ ada: 'viewer' }), project: policy({ ada: 'collaborator' }) },
      'ada',
    )
    expect(sources.map(({ level }) => level)).toEqual(['project', 'silo'])
    expect(effectiveRole(sources)).toBe('collaborator')
  })
  it('roles of groups count for their members', () => {
    const policies = {
      silo: policy({ staff: 'viewer' }),
      project: policy({ ada: 'viewer', crew: 'admin', others: 'admin' }),
    }
    const sources = roleSources(policies, 'ada', ['staff', 'crew'])
    expect(sources).toEqual([
      { level: 'project', role: 'admin', means: 'admin', group: 'crew' },
      { level: 'project', role: 'viewer', means: 'viewer' },
      { level: 'silo', role: 'viewer', means: 'viewer', group: 'staff' },
    ])
  })
  it('an unreadable policy adds no role, and an unknown identity has none', () => {
    expect(roleSources({ silo: undefined, project: undefined }, 'ada', ['crew'])).toEqual([])
    expect(effectiveRole([])).toBeNull()
  })
})
