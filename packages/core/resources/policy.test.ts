import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGroup } from '../seed/rows.ts'
import { inDb } from '../testing/networks.ts'
import { answers, projectRead } from '../testing/roles.ts'
import { disorder, dump } from '../testing/state.ts'
import { openWorld, type TestWorld, type Who } from '../testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

type Policy = Awaited<ReturnType<ReturnType<TestWorld['as']>['policyView']>>
type Assignment = Policy['roleAssignments'][number]
const user = (who: Who, roleName: Assignment['roleName']): Assignment => ({
  identityType: 'silo_user',
  identityId: w.ids[who] ?? '',
  roleName,
})
const params = { project: 'demo' }
const everybody = { ...projectRead, nobody: 'ok', stranger: 'ok', fleetAdmin: 'ok' } as const

/** The two policies that there are, by the same requests. */
const kinds = {
  silo: {
    url: '/v1/policy',
    view: (who: Who) => w.as(who).policyView(),
    update: (roleAssignments: Assignment[], who: Who = 'admin') =>
      w.as(who).policyUpdate({ body: { roleAssignments } }),
  },
  project: {
    url: '/v1/projects/demo/policy',
    view: (who: Who) => w.as(who).projectPolicyView({ params }),
    update: (roleAssignments: Assignment[], who: Who = 'admin') =>
      w.as(who).projectPolicyUpdate({ params, body: { roleAssignments } }),
  },
}
const ranks = ['admin', 'collaborator', 'viewer']
const inOrder = (list: Assignment[]) =>
  list.toSorted(
    (a, b) => ranks.indexOf(a.roleName) - ranks.indexOf(b.roleName) || (a.identityId < b.identityId ? -1 : 1),
  )

describe('who may', () => {
  it('see the policy of the silo: every user of it; of a project: its viewers', async () => {
    expect(await answers(w, (client) => client.policyView())).toEqual(everybody)
    expect(await answers(w, (client) => client.projectPolicyView({ params }))).toEqual(projectRead)
  })

  it('change the policy of the silo: its admins, and collaborators of the fleet', async () => {
    const own = (await kinds.silo.view('admin')).roleAssignments
    const found = await answers(w, async (client) => {
      const mine = (await client.policyView()).roleAssignments
      await client.policyUpdate({ body: { roleAssignments: mine } })
    })
    const no = 403
    expect(found).toEqual({
      admin: 'ok',
      fleetAdmin: 'ok',
      stranger: 'ok',
      collaborator: no,
      viewer: no,
      nobody: no,
      projectAdmin: no,
      projectCollaborator: no,
      projectViewer: no,
      anonymous: 401,
    })
    expect((await kinds.silo.view('viewer')).roleAssignments).toEqual(own)
  })

  it('change the policy of a project: its admins', async () => {
    const { roleAssignments } = await kinds.project.view('admin')
    const found = await answers(w, (client) =>
      client.projectPolicyUpdate({ params, body: { roleAssignments } }),
    )
    expect(found).toEqual({ ...projectRead, viewer: 403, projectCollaborator: 403, projectViewer: 403 })
  })
})

describe.each(['silo', 'project'] as const)('the policy of a %s', (kind) => {
  const { url, view, update } = kinds[kind]
  const put = (body: unknown) => w.raw({ method: 'PUT', url, who: 'admin', body: JSON.stringify(body) })
  async function refused(attempt: () => Promise<unknown>, reason: object): Promise<void> {
    const before = await dump(w)
    await expect(attempt()).rejects.toMatchObject(reason)
    expect(await dump(w)).toEqual(before)
  }

  it('is replaced as a whole, and shown by role, then identity', async () => {
    const wanted = [
      user('nobody', 'viewer'),
      user('viewer', 'collaborator'),
      user('admin', 'admin'),
      user('collaborator', 'viewer'),
      user('projectAdmin', 'admin'),
    ]
    expect((await update(wanted)).roleAssignments).toEqual(inOrder(wanted))
    expect((await view('admin')).roleAssignments).toEqual(inOrder(wanted))
    const fewer = [user('admin', 'admin')]
    expect((await update(fewer)).roleAssignments).toEqual(fewer)
  })

  it('an assignment given twice counts once; several roles of one identity stay', async () => {
    const wanted = [user('admin', 'admin'), user('admin', 'admin'), user('admin', 'viewer')]
    expect((await update(wanted)).roleAssignments).toEqual([user('admin', 'admin'), user('admin', 'viewer')])
  })

  it('groups may have roles, and confer them at once', async () => {
    const siloId = w.ids['acme'] ?? ''
    const team = await inDb(w, (tx) =>
      createGroup(w.world, tx, { siloId, displayName: 'team', userIds: [w.ids['nobody'] ?? ''] }),
    )
    const disks = () => w.as('nobody').diskList({ query: { project: 'demo' } })
    await expect(disks()).rejects.toMatchObject({ status: 404 })
    await update([
      user('admin', 'admin'),
      { identityType: 'silo_group', identityId: team, roleName: 'viewer' },
    ])
    expect((await disks()).items).toEqual([])
    await update([user('admin', 'admin')])
    await expect(disks()).rejects.toMatchObject({ status: 404 })
  })

  it('at most 64 assignments', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, () => ({
        identity_type: 'silo_user',
        identity_id: w.ids['admin'],
        role_name: 'admin',
      }))
    expect((await put({ role_assignments: many(64) })).status).toBe(200)
    const { status, json } = await put({ role_assignments: many(65) })
    expect(status).toBe(400)
    expect((json as { message: string }).message).toMatch(
      /^unable to parse JSON body: role_assignments: invalid length 65, expected a list of at most 64 role assignments at line 1 column \d+$/,
    )
  })

  it.each<[string, () => unknown, string]>([
    ['no list', () => ({}), 'missing field `role_assignments`'],
    [
      'an unknown role',
      () => ({
        role_assignments: [{ identity_type: 'silo_user', identity_id: w.ids['admin'], role_name: 'owner' }],
      }),
      'role_assignments[0].role_name: unknown variant `owner`, expected one of `admin`, `collaborator`, `viewer`',
    ],
    [
      'an unknown kind',
      () => ({
        role_assignments: [{ identity_type: 'robot', identity_id: w.ids['admin'], role_name: 'admin' }],
      }),
      'role_assignments[0].identity_type: unknown variant `robot`, expected `silo_user` or `silo_group`',
    ],
    [
      'no id',
      () => ({ role_assignments: [{ identity_type: 'silo_user', identity_id: 'ann', role_name: 'admin' }] }),
      'role_assignments[0].identity_id: UUID parsing failed: "ann" is not a UUID',
    ],
  ])('%s is refused', async (_, body, reason) => {
    const { status, json } = await put(body())
    expect(status).toBe(400)
    expect((json as { message: string }).message).toContain(`unable to parse JSON body: ${reason} at line 1`)
  })

  it('identities must be of this silo', async () => {
    const admin = user('admin', 'admin')
    const unknown = '7f3a9e2c-0000-4000-8000-000000000000'
    const message = (of: string, id: string) =>
      `unsupported value for "role_assignments": no silo ${of} of this silo has the id "${id}"`
    const bad = (identityType: Assignment['identityType'], identityId: string) => [
      admin,
      { identityType, identityId, roleName: 'viewer' as const },
    ]
    await refused(() => update(bad('silo_user', unknown)), {
      status: 400,
      code: 'InvalidValue',
      message: message('user', unknown),
    })
    await refused(() => update(bad('silo_user', w.ids['stranger'] ?? '')), {
      status: 400,
      message: message('user', w.ids['stranger'] ?? ''),
    })
    await refused(() => update(bad('silo_group', w.ids['viewer'] ?? '')), {
      status: 400,
      message: message('group', w.ids['viewer'] ?? ''),
    })
  })

  it('ids count in either case', async () => {
    const { identityId, ...rest } = user('viewer', 'viewer')
    const policy = await update([user('admin', 'admin'), { ...rest, identityId: identityId.toUpperCase() }])
    expect(policy.roleAssignments).toContainEqual(user('viewer', 'viewer'))
  })

  it('an identity that has left may stay until someone removes it, and does not come in anew', async () => {
    const gone = user('nobody', 'viewer')
    await update([user('admin', 'admin'), gone])
    await inDb(w, (tx) => tx.deleteFrom('siloUser').where('id', '=', gone.identityId).execute())
    expect((await update([user('admin', 'admin'), gone])).roleAssignments).toContainEqual(gone)
    await update([user('admin', 'admin')])
    await refused(() => update([user('admin', 'admin'), gone]), { status: 400, code: 'InvalidValue' })
  })

  it('two editors at once: one policy wins whole', async () => {
    const one = [user('admin', 'admin'), user('viewer', 'viewer')]
    const two = [user('admin', 'admin'), user('nobody', 'viewer')]
    await Promise.all([update(one), update(two)])
    expect([inOrder(one), inOrder(two)]).toContainEqual((await view('admin')).roleAssignments)
  })
})

describe('the last admin of a silo', () => {
  it('cannot be dropped', async () => {
    const reason = {
      status: 400,
      code: 'InvalidRequest',
      message: 'the policy must leave at least one admin on the silo',
    }
    await expect(kinds.silo.update([])).rejects.toMatchObject(reason)
    await expect(kinds.silo.update([user('admin', 'collaborator')])).rejects.toMatchObject(reason)
    await kinds.silo.update([user('viewer', 'admin')])
    await expect(kinds.silo.update([], 'viewer')).rejects.toMatchObject(reason)
  })

  it('an admin may drop the own role while another remains, and then is none at once', async () => {
    await kinds.silo.update([user('viewer', 'admin')])
    await expect(kinds.silo.update([user('admin', 'admin')])).rejects.toMatchObject({ status: 403 })
  })

  it('a silo that never had one may go without', async () => {
    await inDb(w, (tx) => tx.deleteFrom('roleAssignment').where('resourceType', '=', 'silo').execute())
    expect(await kinds.silo.update([user('viewer', 'viewer')], 'fleetAdmin')).toEqual({
      roleAssignments: [user('viewer', 'viewer')],
    })
  })

  it('of a project may be dropped: the silo’s admins remain', async () => {
    expect(await kinds.project.update([], 'projectAdmin')).toEqual({ roleAssignments: [] })
    await expect(kinds.project.view('projectAdmin')).rejects.toMatchObject({ status: 404 })
    expect(await kinds.project.view('collaborator')).toEqual({ roleAssignments: [] })
  })
})

it('what a policy changes is the own silo’s only', async () => {
  const before = (await kinds.silo.view('stranger')).roleAssignments
  await kinds.silo.update([user('admin', 'admin')])
  expect((await kinds.silo.view('stranger')).roleAssignments).toEqual(before)
})
