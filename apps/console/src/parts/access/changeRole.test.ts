import { describe, expect, it } from 'vitest'
import { ApiError } from '../../send.ts'
import { setLink } from '../../transport.ts'
import { changeProjectRole, knownRole } from './changeRole.ts'

type WireAssignment = {
  identity_type: 'silo_user'
  identity_id: string
  role_name: 'admin' | 'collaborator' | 'viewer'
}
const ada = '00000000-0000-4000-8000-00000000000a'
const bo = '00000000-0000-4000-8000-00000000000b'
const user = (identity_id: string, role_name: WireAssignment['role_name']): WireAssignment => ({
  identity_type: 'silo_user',
  identity_id,
  role_name,
})

/** A server that holds one policy. */
function serverWith(roles: WireAssignment[]) {
  let held = roles
  const methods: string[] = []
  setLink({
    send: ({ method, body }) => {
      methods.push(method)
      if (method === 'PUT')
        held = (JSON.parse(body ?? '') as { role_assignments: WireAssignment[] }).role_assignments
      const text = JSON.stringify({ role_assignments: held })
      return Promise.resolve({ status: 200, header: () => null, text: () => Promise.resolve(text) })
    },
    openSocket: () => {
      throw new Error('not used')
    },
  })
  return { held: () => held, methods }
}

describe('changing a role on a project', () => {
  it('reads the policy again, so that what others added stays', async () => {
    const server = serverWith([user(ada, 'viewer'), user(bo, 'admin')])
    await changeProjectRole('demo', {
      identityId: ada,
      identityType: 'silo_user',
      seen: 'viewer',
      roleName: 'collaborator',
    })
    expect(server.methods).toEqual(['GET', 'PUT'])
    expect(server.held()).toEqual([user(bo, 'admin'), user(ada, 'collaborator')])
    expect(knownRole('demo', ada)).toBe('collaborator')
  })
  it('writes nothing if somebody else changed that very role, and then knows the new one', async () => {
    const server = serverWith([user(ada, 'admin')])
    const attempt = changeProjectRole('demo', {
      identityId: ada,
      identityType: 'silo_user',
      seen: 'viewer',
      roleName: null,
    })
    await expect(attempt).rejects.toThrow(ApiError)
    expect(server.methods).toEqual(['GET'])
    expect(knownRole('demo', ada)).toBe('admin')
  })
})
