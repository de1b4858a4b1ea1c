/** Credentials: which ones make others, what ends with them, and what the audit log says of them. */
import { inDb } from '#/testing/networks/networks.ts'
import { makeDisks, tasksOf } from '#/testing/tasks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'
import { many } from '#/testing/new-instances.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { issueAccessToken, sessionsOf } from './sessions.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const idOf = (who: Who) => w.ids[who] ?? ''
const tokenOf = (who: Who, ttl: number | null = null) =>
  inDb(w, (tx) => issueAccessToken(w.world, tx, { siloUserId: idOf(who), ttl }))
/** A request with an access token. */
const send = (
  token: string,
  url: string,
  { method = 'POST', body }: { method?: string; body?: object } = {},
) =>
  w.raw({
    method,
    url,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

describe('an access token', () => {
  it('does not confirm the code of a device, which would get a token that lasts longer', async () => {
    const { token } = await tokenOf('viewer', 2)
    const { userCode } = await w.anonymous.deviceAuthRequest({
      body: { clientId: '0b7a1c9e-0000-4000-8000-000000000001' },
    })
    const confirm = { body: { user_code: userCode } }
    expect((await send(token, '/device/confirm', confirm)).status).toBe(403)
    await w.as('viewer').deviceAuthConfirm({ body: { userCode } })
  })

  it('does not set the password of its user', async () => {
    const { token } = await tokenOf('admin', 2)
    const setPassword = (who: Who) =>
      send(token, `/v1/system/identity-providers/local/users/${idOf(who)}/set-password?silo=acme`, {
        body: { mode: 'password', value: 'another password' },
      })
    expect((await setPassword('admin')).status).toBe(403)
    expect((await setPassword('viewer')).status).toBe(204)
  })

  it('makes SCIM tokens that expire when it does', async () => {
    await inDb(w, async (tx) => {
      await tx.updateTable('silo').set({ identityMode: 'saml_scim' }).where('name', '=', 'acme').execute()
    })
    const { token, timeExpires } = await tokenOf('admin', 60)
    for (const later of ['', '&time_expires=2027-01-01T00:00:00Z']) {
      const { json } = await send(token, `/v1/system/scim/tokens?silo=acme${later}`)
      expect(Date.parse((json as { time_expires: string }).time_expires)).toBe(timeExpires)
    }
    const endless = await tokenOf('admin')
    for (const made of [
      (await send(endless.token, '/v1/system/scim/tokens?silo=acme')).json,
      (await w.raw({ method: 'POST', url: '/v1/system/scim/tokens?silo=acme', who: 'admin' })).json,
    ])
      expect(made).toMatchObject({ time_expires: null })
  })
})

describe('the audit log', () => {
  const last = async (operation: string) => {
    const startTime = new Date('2026-01-01T00:00:00Z')
    const { items } = await w.as('admin').siloAuditLogList({ query: { startTime, operation, limit: 100 } })
    return items.at(-1)
  }

  it('says of a request whether it had a session or an access token', async () => {
    const { id, token } = await tokenOf('admin')
    await send(token, '/v1/projects', { body: { name: 'by-token', description: '' } })
    expect(await last('project_create')).toMatchObject({ authMethod: 'access_token', credentialId: id })
    // Entries of one millisecond have no order.
    await w.advance(1)
    await w.as('admin').projectCreate({ body: { name: 'by-session', description: '' } })
    expect(await last('project_create')).toMatchObject({ authMethod: 'session_cookie' })
  })

  it('names the credential of the actions of a task, and none for a sign-in', async () => {
    const ids = await makeDisks(w, 'a')
    const { id, token } = await tokenOf('projectCollaborator')
    await send(token, '/v1/tasks', { body: { kind: 'disk', action: 'delete', ids } })
    await w.settle()
    expect(await last('disk_delete')).toMatchObject({ authMethod: 'access_token', credentialId: id })
    await w.raw({
      method: 'POST',
      url: '/v1/login/acme/local',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'admin-password' }),
    })
    expect(await last('login_local')).toMatchObject({ authMethod: null })
  })
})

describe('an open task', () => {
  const owner = 'projectCollaborator'
  /** A task that no loop works on yet, begun with a credential. */
  async function begun(headers: Record<string, string>): Promise<string> {
    const ids = await makeDisks(w, ...many(3, (i) => `d-${i}`))
    await w.plane.loops.stop()
    const { status, json } = await w.raw({
      method: 'POST',
      url: '/v1/tasks',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ kind: 'disk', action: 'delete', ids }),
    })
    expect(status).toBe(201)
    return (json as { id: string }).id
  }
  const remaining = async () => (await w.as('admin').diskList({ query: { project: 'demo' } })).items.length
  const goOn = async () => {
    await w.restart()
    await w.settle()
  }
  const localUser = { query: { silo: 'acme' } }

  it.each([
    ['signed out everywhere', () => w.as('admin').userLogout({ params: { userId: idOf(owner) } })],
    [
      'given a new password',
      () =>
        w.as('admin').localIdpUserSetPassword({
          params: { userId: idOf(owner) },
          ...localUser,
          body: { mode: 'password', value: 'another password' },
        }),
    ],
    ['deleted', () => w.as('admin').localIdpUserDelete({ params: { userId: idOf(owner) }, ...localUser })],
  ])('is canceled when its user is %s', async (_, end) => {
    const task = await begun({ cookie: w.cookieOf(owner) })
    await end()
    await goOn()
    expect(await remaining()).toBe(3)
    const row = await inDb(w, (tx) =>
      tx.selectFrom('task').selectAll().where('id', '=', task).executeTakeFirst(),
    )
    expect(row).toMatchObject({ state: 'canceled' })
  })

  it('is canceled when the access token that began it is removed, and no other task is', async () => {
    const { id, token } = await tokenOf(owner)
    const task = await begun({ authorization: `Bearer ${token}` })
    const other = await tokenOf(owner)
    await w.as(owner).currentUserAccessTokenDelete({ params: { tokenId: other.id } })
    expect(await tasksOf(w, owner).view(task)).toMatchObject({ state: 'waiting' })
    await w.as(owner).currentUserAccessTokenDelete({ params: { tokenId: id } })
    await goOn()
    expect(await tasksOf(w, owner).view(task)).toMatchObject({ state: 'canceled', canceled: 3 })
    expect(await remaining()).toBe(3)
  })

  it('of the present session continues when users change their password', async () => {
    const task = await begun({ cookie: w.cookieOf('admin') })
    await w.as('admin').localIdpUserSetPassword({
      params: { userId: idOf('admin') },
      ...localUser,
      body: { mode: 'password', value: 'another password' },
    })
    await goOn()
    expect(await tasksOf(w, 'admin').view(task)).toMatchObject({ state: 'completed' })
  })

  it('is seen and canceled by administrators of the silo, and by no other user', async () => {
    const task = await begun({ cookie: w.cookieOf(owner) })
    const params = { task }
    const admin = w.as('admin')
    expect(await admin.taskView({ params })).toMatchObject({ id: task, userId: idOf(owner) })
    expect((await admin.taskItemList({ params, query: {} })).items).toHaveLength(3)
    const list = await admin.taskList({ query: { user: idOf(owner) } })
    expect(list.items.map(({ id }) => id)).toEqual([task])
    expect((await admin.taskList({ query: {} })).items).toEqual([])
    await expect(admin.taskRetry({ params })).rejects.toMatchObject({ status: 403 })
    for (const who of ['viewer', 'collaborator', 'fleetAdmin', 'stranger'] as const) {
      await expect(w.as(who).taskView({ params })).rejects.toMatchObject({ status: 404 })
      await expect(w.as(who).taskCancel({ params })).rejects.toMatchObject({ status: 404 })
      await expect(w.as(who).taskList({ query: { user: idOf(owner) } })).rejects.toMatchObject({
        status: who === 'stranger' ? 404 : 403,
      })
    }
    expect(await admin.taskCancel({ params })).toMatchObject({ state: 'canceled' })
    await goOn()
    expect(await remaining()).toBe(3)
  })

  it('is not begun by a request whose session ended while it was prepared', async () => {
    const ids = await makeDisks(w, 'a')
    const userId = idOf(owner)
    const token = await inDb(w, (tx) => sessionsOf(w.world).start(tx, userId))
    const { engine } = w.world
    const transaction: typeof engine.transaction = engine.transaction.bind(engine)
    // The task is stored by the first write, and begun by the last.
    let hasEnded = false
    engine.transaction = async (mode, work, reads) => {
      const result = await transaction(mode, work, reads)
      if (mode === 'write' && !hasEnded) {
        hasEnded = true
        await transaction('write', (tx) =>
          tx.deleteFrom('session').where('siloUserId', '=', userId).execute(),
        )
      }
      return result
    }
    const { status } = await w.raw({
      method: 'POST',
      url: '/v1/tasks',
      headers: { 'content-type': 'application/json', cookie: `session=${token}` },
      body: JSON.stringify({ kind: 'disk', action: 'delete', ids }),
    })
    expect(status).toBe(401)
    await w.settle()
    expect(await remaining()).toBe(1)
  })
})
