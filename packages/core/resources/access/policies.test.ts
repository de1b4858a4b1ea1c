import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGroup } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, projectRead } from '#/testing/roles.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

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
const allUsers = { ...projectRead, noRole: 'ok', stranger: 'ok', fleetAdmin: 'ok' } as const

/** The policies of resources in a silo, by the same requests. */
const kinds = {
  silo: {
    url: '/v1/policy',
    view: (who: Who) => w.as(who).policyView(),
    update: (roleAssignments: Assignment[], who: Who = 'admin') =>
      w.as(who).policyUpdate({ body: { roleAssignments } }),
  },
  'silo by its name': {
    url: '/v1/system/silos/acme/policy',
    view: (who: Who) => w.as(who).siloPolicyView({ params: { silo: 'acme' } }),
    update: (roleAssignments: Assignment[], who: Who = 'admin') =>
      w.as(who).siloPolicyUpdate({ params: { silo: 'acme' }, body: { roleAssignments } }),
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

describe('permissions', () => {
  it('see the policy of the silo: every user of it; of a project: its viewers', async () => {
    expect(await answers(w, (client) => client.policyView())).toEqual(allUsers)
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
      noRole: no,
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

describe.each(['silo', 'silo by its name', 'project'] as const)('the policy of a %s', (kind) => {
  const { url, view, update } = kinds[kind]
  const put = (body: unknown) => w.raw({ method: 'PUT', url, who: 'admin', body: JSON.stringify(body) })
  const rejects = rejectsIn(() => w)

  it('is replaced as a whole, and shown by role, then identity', async () => {
    const wanted = [
      user('noRole', 'viewer'),
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

  it('groups may have roles, which take effect immediately', async () => {
    const siloId = w.ids['acme'] ?? ''
    const team = await inDb(w, (tx) =>
      createGroup(w.world, tx, { siloId, displayName: 'team', userIds: [w.ids['noRole'] ?? ''] }),
    )
    const disks = () => w.as('noRole').diskList({ query: { project: 'demo' } })
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
    await rejects(() => update(bad('silo_user', unknown)), {
      status: 400,
      code: 'InvalidValue',
      message: message('user', unknown),
    })
    await rejects(() => update(bad('silo_user', w.ids['stranger'] ?? '')), {
      status: 400,
      message: message('user', w.ids['stranger'] ?? ''),
    })
    await rejects(() => update(bad('silo_group', w.ids['viewer'] ?? '')), {
      status: 400,
      message: message('group', w.ids['viewer'] ?? ''),
    })
  })

  it('ids count in either case', async () => {
    const { identityId, ...rest } = user('viewer', 'viewer')
    const policy = await update([user('admin', 'admin'), { ...rest, identityId: identityId.toUpperCase() }])
    expect(policy.roleAssignments).toContainEqual(user('viewer', 'viewer'))
  })

  it('an identity that is gone cannot be named', async () => {
    const gone = user('noRole', 'viewer')
    await update([user('admin', 'admin'), gone])
    const params = { userId: gone.identityId }
    await w.as('admin').localIdpUserDelete({ params, query: { silo: 'acme' } })
    expect((await view('admin')).roleAssignments).toEqual([user('admin', 'admin')])
    await rejects(() => update([user('admin', 'admin'), gone]), { status: 400, code: 'InvalidValue' })
  })

  it('an assignment that expires counts nowhere from that moment on, and is removed', async () => {
    const disks = () => w.as('noRole').diskList({ query: { project: 'demo' } })
    const timeExpires = new Date(w.clock.now() + 60_000)
    const expiring = { ...user('noRole', 'viewer'), timeExpires }
    expect((await update([user('admin', 'admin'), expiring])).roleAssignments).toContainEqual(expiring)
    expect((await disks()).items).toEqual([])
    await view('admin')
    // Before anything has removed it.
    await w.plane.loops.stop()
    await w.clock.advance(59_999)
    expect((await disks()).items).toEqual([])
    await w.clock.advance(1)
    await expect(disks()).rejects.toMatchObject({ status: 404 })
    expect((await view('admin')).roleAssignments).toEqual([user('admin', 'admin')])
    await w.restart()
    const left = await inDb(w, (tx) => tx.selectFrom('roleAssignment').select('timeExpires').execute())
    expect(left.filter((one) => one.timeExpires !== null)).toEqual([])
  })

  it('an update without expiry times keeps them; null removes one', async () => {
    const timeExpires = new Date(w.clock.now() + 60_000)
    const expiring = { ...user('noRole', 'viewer'), timeExpires }
    await update([user('admin', 'admin'), expiring])
    expect((await update([user('admin', 'admin'), user('noRole', 'viewer')])).roleAssignments).toContainEqual(
      expiring,
    )
    const without = await update([user('admin', 'admin'), { ...expiring, timeExpires: null }])
    expect(without.roleAssignments).toContainEqual(user('noRole', 'viewer'))
  })

  it('a role cannot expire in the past; of two times the later counts', async () => {
    const at = (ms: number) => ({ ...user('noRole', 'viewer'), timeExpires: new Date(w.clock.now() + ms) })
    const admin = user('admin', 'admin')
    await rejects(() => update([admin, at(0)]), { status: 400, code: 'InvalidValue' })
    expect((await update([admin, at(2000), at(1000)])).roleAssignments).toContainEqual(at(2000))
    const both = [admin, at(1000), { ...at(1000), timeExpires: null }]
    expect((await update(both)).roleAssignments).toContainEqual(user('noRole', 'viewer'))
  })

  it('changes since the read are not overwritten', async () => {
    const read = await w.raw({ url, who: 'admin' })
    await update([user('admin', 'admin'), user('viewer', 'viewer')])
    const tag = read.headers['etag'] as string
    const again = await w.raw({
      method: 'PUT',
      url,
      who: 'admin',
      body: read.text,
      headers: { 'if-match': tag },
    })
    expect(again.status).toBe(412)
  })

  it('two concurrent updates: one policy is stored completely', async () => {
    const one = [user('admin', 'admin'), user('viewer', 'viewer')]
    const two = [user('admin', 'admin'), user('noRole', 'viewer')]
    await Promise.all([update(one), update(two)])
    expect([inOrder(one), inOrder(two)]).toContainEqual((await view('admin')).roleAssignments)
  })
})

describe('the last admin of a silo', () => {
  it('cannot be dropped', async () => {
    const reason = {
      status: 400,
      code: 'InvalidRequest',
      message: 'the silo must keep at least one admin who can sign in and whose role does not expire',
    }
    await expect(kinds.silo.update([])).rejects.toMatchObject(reason)
    await expect(kinds.silo.update([user('admin', 'collaborator')])).rejects.toMatchObject(reason)
    await kinds.silo.update([user('viewer', 'admin')])
    await expect(kinds.silo.update([], 'viewer')).rejects.toMatchObject(reason)
  })

  it('admins may remove their own role while another admin remains; it takes effect immediately', async () => {
    await kinds.silo.update([user('viewer', 'admin')])
    await expect(kinds.silo.update([user('admin', 'admin')])).rejects.toMatchObject({ status: 403 })
  })

  it('a silo without an admin may stay without one', async () => {
    await inDb(w, (tx) => tx.deleteFrom('roleAssignment').where('resourceType', '=', 'silo').execute())
    expect(await kinds.silo.update([user('viewer', 'viewer')], 'fleetAdmin')).toEqual({
      roleAssignments: [user('viewer', 'viewer')],
    })
  })

  const reason = { status: 400, code: 'InvalidRequest' }
  const group = (displayName: string, members: Who[]) =>
    inDb(w, (tx) =>
      createGroup(w.world, tx, {
        siloId: w.ids['acme'] ?? '',
        displayName,
        userIds: members.map((who) => w.ids[who] ?? ''),
      }),
    )
  const byGroup = (identityId: string): Assignment => ({
    identityType: 'silo_group',
    identityId,
    roleName: 'admin',
  })

  it('has a role without an end', async () => {
    const expiring = { ...user('viewer', 'admin'), timeExpires: new Date(w.clock.now() + 1000) }
    await expect(kinds.silo.update([expiring])).rejects.toMatchObject(reason)
    await expect(
      kinds.silo.update([{ ...user('admin', 'admin'), timeExpires: new Date(w.clock.now() + 1000) }]),
    ).rejects.toMatchObject(reason)
  })

  it('is a person: a group without members is none, one with a member is', async () => {
    const [empty, team] = [await group('empty', []), await group('team', ['viewer'])]
    await expect(kinds.silo.update([byGroup(empty)])).rejects.toMatchObject(reason)
    expect((await kinds.silo.update([byGroup(team)])).roleAssignments).toEqual([byGroup(team)])
  })

  it('must be able to sign in: a user without a password does not count', async () => {
    const locked = user('viewer', 'admin')
    const team = await group('team', ['viewer'])
    await kinds.silo.update([user('admin', 'admin'), locked, byGroup(team)])
    await w.as('admin').localIdpUserSetPassword({
      params: { userId: locked.identityId },
      query: { silo: 'acme' },
      body: { mode: 'login_disallowed' },
    })
    await expect(kinds.silo.update([locked, byGroup(team)])).rejects.toMatchObject(reason)
    await kinds.silo.update([user('admin', 'admin'), locked, byGroup(team)])
  })

  it('signs in without a password where an identity provider vouches for users', async () => {
    await inDb(w, async (tx) => {
      await tx.updateTable('silo').set({ identityMode: 'saml_jit' }).where('name', '=', 'acme').execute()
      await tx
        .updateTable('siloUser')
        .set({ passwordHash: null })
        .where('siloId', '=', w.ids['acme'] ?? '')
        .execute()
    })
    expect((await kinds.silo.update([user('viewer', 'admin')])).roleAssignments).toHaveLength(1)
  })

  it('of a project may be removed: the admins of the silo remain', async () => {
    expect(await kinds.project.update([], 'projectAdmin')).toEqual({ roleAssignments: [] })
    await expect(kinds.project.view('projectAdmin')).rejects.toMatchObject({ status: 404 })
    expect(await kinds.project.view('collaborator')).toEqual({ roleAssignments: [] })
  })
})

it('a policy changes only its own silo', async () => {
  const before = (await kinds.silo.view('stranger')).roleAssignments
  await kinds.silo.update([user('admin', 'admin')])
  expect((await kinds.silo.view('stranger')).roleAssignments).toEqual(before)
})

describe('the policy of a silo whose roles confer roles on the fleet', () => {
  const collaborator = () =>
    inDb(w, async (tx) => {
      await tx
        .updateTable('roleAssignment')
        .set({ roleName: 'collaborator' })
        .where('resourceType', '=', 'fleet')
        .execute()
    })
  const confers = (mapping: Record<string, string[]>) =>
    inDb(w, (tx) =>
      tx
        .updateTable('silo')
        .set({ mappedFleetRolesJson: JSON.stringify(mapping) })
        .where('name', '=', 'acme')
        .execute(),
    )
  const makeAdmin = () =>
    kinds.silo.update([user('admin', 'admin'), user('fleetAdmin', 'admin')], 'fleetAdmin')

  it('needs the same fleet roles to change: users cannot give themselves more', async () => {
    await collaborator()
    for (const silo of ['admin', 'collaborator', 'viewer']) {
      await confers({ [silo]: ['viewer', 'admin'] })
      await expect(makeAdmin()).rejects.toMatchObject({ status: 403 })
    }
    expect((await w.as('fleetAdmin').currentUserView({ query: {} })).fleetViewer).toBe(true)
    await confers({ admin: ['collaborator'] })
    expect((await makeAdmin()).roleAssignments).toHaveLength(2)
  })

  it('is changed by its own admins, who have them', async () => {
    await confers({ admin: ['admin'] })
    expect((await kinds.silo.update([user('admin', 'admin')])).roleAssignments).toHaveLength(1)
    expect((await makeAdmin()).roleAssignments).toHaveLength(2)
  })
})

describe('the policy of the fleet', () => {
  const view = (who: Who = 'fleetAdmin') => w.as(who).systemPolicyView()
  const update = (roleAssignments: Assignment[], who: Who = 'fleetAdmin') =>
    w.as(who).systemPolicyUpdate({ body: { roleAssignments } })
  const reason = { status: 400, code: 'InvalidRequest' }
  const mapping = (json: string) =>
    inDb(w, (tx) =>
      tx.updateTable('silo').set({ mappedFleetRolesJson: json }).where('name', '=', 'other').execute(),
    )

  it('is seen by viewers of the fleet and changed by its admins', async () => {
    for (const who of ['admin', 'noRole', 'stranger'] as const) {
      await expect(view(who)).rejects.toMatchObject({ status: 403 })
      await expect(update([user('fleetAdmin', 'admin')], who)).rejects.toMatchObject({ status: 403 })
    }
    await update([user('fleetAdmin', 'admin'), user('viewer', 'viewer'), user('noRole', 'collaborator')])
    expect((await view('viewer')).roleAssignments).toHaveLength(3)
    await expect(update([], 'noRole')).rejects.toMatchObject({ status: 403 })
  })

  it('names users of every silo', async () => {
    const wanted = [user('fleetAdmin', 'admin'), user('stranger', 'viewer')]
    expect((await update(wanted)).roleAssignments).toEqual(inOrder(wanted))
    expect((await w.as('stranger').currentUserView({ query: {} })).fleetViewer).toBe(true)
    const unknown = { ...user('stranger', 'viewer'), identityId: '7f3a9e2c-0000-4000-8000-000000000000' }
    await expect(update([...wanted, unknown])).rejects.toMatchObject({ status: 400, code: 'InvalidValue' })
  })

  it('keeps an admin who can sign in', async () => {
    await expect(update([])).rejects.toMatchObject(reason)
    await expect(update([user('fleetAdmin', 'viewer')])).rejects.toMatchObject(reason)
    await update([user('fleetAdmin', 'admin'), user('stranger', 'admin')])
    await update([user('stranger', 'admin')])
    await expect(view()).rejects.toMatchObject({ status: 403 })
  })

  it('may lose its admins while those of a silo are', async () => {
    await mapping('{"collaborator":["admin"]}')
    expect((await update([])).roleAssignments).toEqual([])
    // Now the admins of that silo are the last ones.
    const one = { ...user('stranger', 'viewer') }
    await expect(w.as('stranger').policyUpdate({ body: { roleAssignments: [one] } })).rejects.toMatchObject(
      reason,
    )
  })

  it('keeps its last admin from being deleted or locked out', async () => {
    const params = { userId: w.ids['fleetAdmin'] ?? '' }
    const query = { silo: 'acme' }
    const locked = { mode: 'login_disallowed' } as const
    const client = w.as('fleetAdmin')
    await expect(client.localIdpUserDelete({ params, query })).rejects.toMatchObject(reason)
    await expect(client.localIdpUserSetPassword({ params, query, body: locked })).rejects.toMatchObject(
      reason,
    )
    await update([user('fleetAdmin', 'admin'), user('stranger', 'admin')])
    await client.localIdpUserDelete({ params, query })
    expect((await view('stranger')).roleAssignments).toEqual([user('stranger', 'admin')])
  })
})
