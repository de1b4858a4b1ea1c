import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '@purlin/contract/rules/limits'
import { createGroup, grant } from '#/seed/rows.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { inDb } from '#/testing/networks/networks.ts'
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
const rejects = rejectsIn(() => w)
const idOf = (who: Who) => w.ids[who] ?? ''
const acme = { silo: 'acme' }
const create = (displayName: string, who: Who = 'admin', silo = 'acme') =>
  w.as(who).localIdpGroupCreate({ query: { silo }, body: { displayName } })
const add = (groupId: string, users: Who[], who: Who = 'admin') =>
  w.as(who).localIdpGroupMembersAdd({
    params: { groupId },
    query: acme,
    body: { userIds: users.map(idOf) },
  })
const membersOf = async (groupId: string) =>
  (await w.as('fleetAdmin').siloUserList({ query: { ...acme, group: groupId } })).items
    .map(({ displayName }) => displayName)
    .toSorted()

describe('a local group', () => {
  it('is made by an admin of the silo or the fleet, with a name that no other has', async () => {
    const made = await create('ops-team')
    expect(made).toEqual({ id: made.id, displayName: 'ops-team', siloId: w.ids['acme'] })
    await create('ops-team', 'fleetAdmin', 'other')
    await rejects(() => create('ops-team'), {
      code: 'ObjectAlreadyExists',
      message: 'already exists: silo-group "ops-team"',
    })
    await rejects(() => create('second', 'collaborator'), { status: 403 })
    await rejects(() => create('second', 'stranger'), { status: 404 })
    await rejects(() => create('second', 'admin', 'other'), { status: 404 })
    const params = { groupId: made.id }
    for (const who of ['viewer', 'fleetAdmin'] as const)
      expect(await w.as(who).siloGroupView({ params, query: acme })).toEqual(made)
    await rejects(() => w.as('fleetAdmin').siloGroupView({ params, query: { silo: 'other' } }), {
      status: 404,
    })
  })

  it('is found by its new name only, and keeps members and roles', async () => {
    const { id: groupId } = await create('ops-team')
    await create('taken')
    await add(groupId, ['noRole'])
    const rename = (displayName: string, who: Who = 'admin') =>
      w.as(who).localIdpGroupUpdate({ params: { groupId }, query: acme, body: { displayName } })
    expect(await rename('night-shift')).toMatchObject({ id: groupId, displayName: 'night-shift' })
    await rename('night-shift')
    const found = async (find: string) =>
      (await w.as('fleetAdmin').siloGroupList({ query: { ...acme, find } })).items.map(({ id }) => id)
    expect(await found('night')).toEqual([groupId])
    expect(await found('ops')).toEqual([])
    expect(await membersOf(groupId)).toEqual(['norole'])
    await rejects(() => rename('taken'), { code: 'ObjectAlreadyExists' })
    await rejects(() => rename('mine', 'viewer'), { status: 403 })
    await rejects(
      () =>
        w.as('admin').localIdpGroupUpdate({
          params: { groupId: idOf('viewer') },
          query: acme,
          body: { displayName: 'mine' },
        }),
      { status: 404 },
    )
  })

  it('gives its members its roles, and takes them back at once', async () => {
    const { id: groupId } = await create('admins')
    await inDb(w, (tx) =>
      grant(tx, {
        resourceType: 'silo',
        resourceId: w.ids['acme'] ?? '',
        identityType: 'silo_group',
        identityId: groupId,
        roleName: 'admin',
      }),
    )
    const isAdmin = async () => (await w.as('noRole').currentUserView({ query: {} })).siloAdmin
    await add(groupId, ['noRole', 'viewer', 'noRole'])
    await add(groupId, ['noRole'])
    expect(await membersOf(groupId)).toEqual(['norole', 'viewer'])
    expect(await isAdmin()).toBe(true)
    const remove = (who: Who, member: Who) =>
      w.as(who).localIdpGroupMemberRemove({ params: { groupId, userId: idOf(member) }, query: acme })
    await rejects(() => remove('collaborator', 'noRole'), { status: 403 })
    await remove('admin', 'noRole')
    expect(await isAdmin()).toBe(false)
    await rejects(() => remove('admin', 'noRole'), { status: 404 })
    expect(
      (await w.as('fleetAdmin').siloGroupList({ query: { ...acme, user: idOf('viewer') } })).items,
    ).toMatchObject([{ displayName: 'admins' }])
  })

  it('takes users of its silo alone, all of a request or none, and no more than a request may name', async () => {
    const { id: groupId } = await create('ops-team')
    await rejects(() => add(groupId, ['viewer', 'stranger']), { status: 404 })
    await rejects(() => add(groupId, ['viewer'], 'collaborator'), { status: 403 })
    await rejects(() => add(idOf('viewer'), ['viewer']), { status: 404 })
    await add(groupId, [])
    expect(await membersOf(groupId)).toEqual([])
    const userIds = Array.from({ length: limits.localGroups.adding + 1 }, () => idOf('viewer'))
    const body = { userIds }
    await rejects(() => w.as('admin').localIdpGroupMembersAdd({ params: { groupId }, query: acme, body }), {
      status: 400,
    })
  })

  it('with a fleet role gets no members from a caller without one', async () => {
    const { id: groupId } = await create('operators')
    await inDb(w, (tx) =>
      grant(tx, {
        resourceType: 'fleet',
        resourceId: fleetId,
        identityType: 'silo_group',
        identityId: groupId,
        roleName: 'viewer',
      }),
    )
    await rejects(() => add(groupId, ['admin']), { status: 403 })
    await add(groupId, ['admin'], 'fleetAdmin')
    expect((await w.as('admin').currentUserView({ query: {} })).fleetViewer).toBe(true)
  })

  it('is deleted with its roles, unless the silo would have no admin who can sign in', async () => {
    const siloId = w.ids['acme'] ?? ''
    const { id: groupId } = await create('admins')
    await add(groupId, ['viewer'])
    await inDb(w, async (tx) => {
      await tx.deleteFrom('roleAssignment').where('resourceId', '=', siloId).execute()
      const own = { resourceId: siloId, identityType: 'silo_group', identityId: groupId } as const
      await grant(tx, { resourceType: 'silo', ...own, roleName: 'admin' })
    })
    const remove = () => w.as('viewer').localIdpGroupDelete({ params: { groupId }, query: acme })
    const leave = () =>
      w.as('viewer').localIdpGroupMemberRemove({
        params: { groupId, userId: idOf('viewer') },
        query: acme,
      })
    const refusal = { status: 400, message: expect.stringContaining('admin') as string }
    await rejects(remove, refusal)
    await rejects(leave, refusal)
    await inDb(w, (tx) =>
      grant(tx, {
        resourceType: 'silo',
        resourceId: siloId,
        identityType: 'silo_user',
        identityId: idOf('collaborator'),
        roleName: 'admin',
      }),
    )
    await rejects(() => w.as('noRole').localIdpGroupDelete({ params: { groupId }, query: acme }), {
      status: 403,
    })
    await remove()
    const left = await inDb(w, async (tx) => [
      await tx.selectFrom('roleAssignment').select('identityId').where('identityId', '=', groupId).execute(),
      await tx.selectFrom('groupMember').select('userId').where('groupId', '=', groupId).execute(),
      await tx.selectFrom('principalWord').select('word').where('principalId', '=', groupId).execute(),
    ])
    expect(left).toEqual([[], [], []])
    await rejects(() => w.as('collaborator').localIdpGroupDelete({ params: { groupId }, query: acme }), {
      status: 404,
    })
  })

  it('is one of a limited number', async () => {
    await inDb(w, async (tx) => {
      for (let i = 0; i < limits.localGroups.count; i++)
        await createGroup(w.world, tx, { siloId: w.ids['acme'] ?? '', displayName: `g-${i}`, userIds: [] })
    })
    await rejects(() => create('one-more'), { status: 507, code: 'InsufficientCapacity' })
  })

  it('is none of a silo with an identity provider, whose groups are only read', async () => {
    const { id: groupId } = await create('ops-team')
    await inDb(w, (tx) =>
      tx.updateTable('silo').set({ identityMode: 'saml_jit' }).where('name', '=', 'acme').execute(),
    )
    const refusal = { status: 404, message: 'not found: identity-provider with name "local"' }
    await rejects(() => create('second'), refusal)
    await rejects(() => add(groupId, ['viewer']), refusal)
    await rejects(() => w.as('admin').localIdpGroupDelete({ params: { groupId }, query: acme }), refusal)
    expect((await w.as('fleetAdmin').siloGroupList({ query: acme })).items).toHaveLength(1)
  })
})
