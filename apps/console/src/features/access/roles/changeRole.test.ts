import { describe, expect, it } from 'vitest'
import { ExplainedError } from '#/api/errors.ts'
import { openControlPlane } from '#/preview/testing.ts'
import { changeRole, knownRole } from './changeRole.ts'

const params = { project: 'demo' }

/** The control plane's project `demo`, of which three users hold a role each. */
async function openDemo() {
  const { world, calls } = await openControlPlane('projectAdmin')
  const { projectViewer: viewer = '', projectCollaborator: collaborator = '', noRole = '' } = world.ids
  const other = world.as('admin')
  return {
    viewer,
    collaborator,
    noRole,
    methods: () => calls.map((call) => call.split(' ')[0]),
    held: async () => {
      const { roleAssignments } = await other.projectPolicyView({ params })
      return Object.fromEntries(roleAssignments.map((one) => [one.identityId, one.roleName]))
    },
    /** Another user gives a role to someone who has none. */
    give: async (identityId: string, roleName: 'admin') => {
      const { roleAssignments } = await other.projectPolicyView({ params })
      const added = { identityId, identityType: 'silo_user', roleName } as const
      await other.projectPolicyUpdate({ params, body: { roleAssignments: [...roleAssignments, added] } })
    },
  }
}

describe('changing a role on a project', () => {
  it('reads the policy again, so that what others added stays', async () => {
    const { viewer, collaborator, noRole, methods, held, give } = await openDemo()
    await give(noRole, 'admin')
    await changeRole(
      { level: 'project', project: 'demo' },
      {
        identityId: viewer,
        identityType: 'silo_user',
        seen: 'viewer',
        roleName: 'collaborator',
      },
    )
    expect(methods()).toEqual(['GET', 'PUT'])
    const roles = { [noRole]: 'admin', [viewer]: 'collaborator', [collaborator]: 'collaborator' }
    expect(await held()).toMatchObject(roles)
    expect(knownRole({ level: 'project', project: 'demo' }, viewer)).toBe('collaborator')
  })
  it('writes nothing if another user changed that role, and then knows the new one', async () => {
    const { collaborator, methods, held } = await openDemo()
    const before = await held()
    const attempt = changeRole(
      { level: 'project', project: 'demo' },
      {
        identityId: collaborator,
        identityType: 'silo_user',
        seen: 'viewer',
        roleName: null,
      },
    )
    await expect(attempt).rejects.toThrow(ExplainedError)
    expect(methods()).toEqual(['GET'])
    expect(await held()).toEqual(before)
    expect(knownRole({ level: 'project', project: 'demo' }, collaborator)).toBe('collaborator')
  })
  it('is reversed, unless another user has changed that role since', async () => {
    const { viewer, noRole, held, give } = await openDemo()
    const place = { level: 'project', project: 'demo' } as const
    const of = { identityId: viewer, identityType: 'silo_user' } as const
    const before = await held()
    const undo = await changeRole(place, { ...of, seen: 'viewer', roleName: 'admin' })
    await give(noRole, 'admin')
    await undo()
    expect(await held()).toEqual({ ...before, [noRole]: 'admin' })

    const undoRemoval = await changeRole(place, { ...of, seen: 'viewer', roleName: null })
    await give(viewer, 'admin')
    await expect(undoRemoval()).rejects.toThrow('now has the role admin')
    expect(await held()).toMatchObject({ [viewer]: 'admin' })
  })
})
