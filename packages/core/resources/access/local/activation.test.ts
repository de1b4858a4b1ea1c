import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { issueAccessToken } from '#/auth/sessions.ts'
import { grant } from '#/seed/rows.ts'
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
const targetOf = (who: Who, silo = 'acme') => ({ params: { userId: idOf(who) }, query: { silo } })
const deactivate = (who: Who, by: Who = 'admin') => w.as(by).localIdpUserDeactivate(targetOf(who))
const activate = (who: Who, by: Who = 'admin') => w.as(by).localIdpUserActivate(targetOf(who))
const signIn = async (who: Who) =>
  (
    await w.raw({
      method: 'POST',
      url: '/v1/login/acme/local',
      body: JSON.stringify({ username: who.toLowerCase(), password: `${who}-password` }),
    })
  ).status

describe('a deactivated user', () => {
  it('has no session and no access token any more, and cannot sign in', async () => {
    const siloUserId = idOf('viewer')
    const { token } = await inDb(w, (tx) => issueAccessToken(w.world, tx, { siloUserId, ttl: null }))
    const authorization = `Bearer ${token}`
    const byToken = async () => (await w.raw({ url: '/v1/me', headers: { authorization } })).status
    expect(await byToken()).toBe(200)
    await deactivate('viewer')
    expect(await byToken()).toBe(401)
    await expect(w.as('viewer').currentUserView({ query: {} })).rejects.toMatchObject({ status: 401 })
    expect(await signIn('viewer')).toBe(401)
    await deactivate('viewer')
  })

  it('has no session even if one is left over', async () => {
    await inDb(w, (tx) =>
      tx.updateTable('siloUser').set({ timeDeactivated: 1 }).where('id', '=', idOf('viewer')).execute(),
    )
    await expect(w.as('viewer').currentUserView({ query: {} })).rejects.toMatchObject({ status: 401 })
  })

  it('is shown as such, keeps roles and password, and signs in again once activated', async () => {
    const view = () => w.as('admin').userView({ params: { userId: idOf('viewer') } })
    const before = await view()
    await deactivate('viewer')
    expect(await view()).toEqual({ ...before, timeDeactivated: new Date(w.clock.now()) })
    const listed = await w.as('fleetAdmin').siloUserList({ query: { silo: 'acme' } })
    expect(listed.items.filter((one) => one.timeDeactivated).map(({ id }) => id)).toEqual([idOf('viewer')])
    await activate('viewer')
    await activate('viewer')
    expect(await view()).toEqual(before)
    expect(await signIn('viewer')).toBe(204)
  })

  it('is deactivated by administrators of the silo or the fleet, unless no administrator would be left', async () => {
    for (const change of [deactivate, activate]) {
      await rejects(() => change('viewer', 'collaborator'), { status: 403 })
      await rejects(() => change('viewer', 'stranger'), { status: 404 })
      await rejects(() => change('stranger'), { status: 404 })
    }
    const refusal = { status: 400, message: expect.stringContaining('admin') as string }
    await rejects(() => deactivate('admin'), refusal)
    await rejects(() => deactivate('admin', 'fleetAdmin'), refusal)
    await inDb(w, (tx) =>
      grant(tx, {
        resourceType: 'silo',
        resourceId: w.ids['acme'] ?? '',
        identityType: 'silo_user',
        identityId: idOf('viewer'),
        roleName: 'admin',
      }),
    )
    await deactivate('admin', 'viewer')
    // One who is deactivated does not count.
    await rejects(() => w.as('viewer').localIdpUserDelete(targetOf('viewer')), refusal)
    await rejects(() => deactivate('viewer', 'viewer'), refusal)
    await activate('admin', 'viewer')
    await deactivate('viewer', 'fleetAdmin')
  })

  it('with a role on the fleet is not activated by one without', async () => {
    await inDb(w, (tx) =>
      tx.updateTable('siloUser').set({ timeDeactivated: 1 }).where('id', '=', idOf('fleetAdmin')).execute(),
    )
    await rejects(() => activate('fleetAdmin'), { status: 403 })
  })

  it('is one of a silo with local users', async () => {
    await inDb(w, (tx) =>
      tx.updateTable('silo').set({ identityMode: 'saml_jit' }).where('name', '=', 'acme').execute(),
    )
    await rejects(() => deactivate('viewer'), { status: 404 })
  })
})
