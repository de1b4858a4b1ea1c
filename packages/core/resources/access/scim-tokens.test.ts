import { scimTokensOfSilo } from '@purlin/contract/rules/counts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
  await inDb(w, (tx) =>
    tx.updateTable('silo').set({ identityMode: 'saml_scim' }).where('name', '=', 'acme').execute(),
  )
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})
const rejects = rejectsIn(() => w)
const query = { silo: 'acme' }
const create = (who: Who = 'admin', more: { name?: string; timeExpires?: Date } = {}) =>
  w.as(who).scimTokenCreate({ query: { ...query, ...more } })
const call = ({ bearerToken }: { bearerToken: string }) =>
  w.raw({ url: '/scim/v2/Users', headers: { authorization: `Bearer ${bearerToken}` } })
const listed = async () => (await w.as('admin').scimTokenList({ query })).map(({ id }) => id)

describe('a SCIM token', () => {
  it('is created with a secret that is returned once and not stored', async () => {
    const { bearerToken, ...token } = await create()
    expect(bearerToken).toMatch(/^purlin-scim-[0-9a-f]{40}$/)
    const unset = { name: null, timeExpires: null, timeLastUsed: null }
    expect(token).toEqual({ id: token.id, timeCreated: new Date(w.clock.now()), ...unset })
    expect(await w.as('admin').scimTokenList({ query })).toEqual([token])
    expect(await w.as('admin').scimTokenView({ params: { tokenId: token.id }, query })).toEqual(token)
    const rows = await inDb(w, (tx) => tx.selectFrom('scimToken').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(bearerToken.slice(-40))
  })

  it('has a name and an end if they are given, and says to the minute when it was last used', async () => {
    const timeExpires = new Date(w.clock.now() + 600_000)
    const made = await create('admin', { name: ' Okta ', timeExpires })
    expect(made).toMatchObject({ name: 'Okta', timeExpires, timeLastUsed: null })
    const view = () => w.as('admin').scimTokenView({ params: { tokenId: made.id }, query })
    const first = new Date(w.clock.now())
    for (const seconds of [30, 29, 1]) {
      expect((await call(made)).status).toBe(200)
      await w.settle()
      expect((await view()).timeLastUsed).toEqual(first)
      await w.advance(seconds * 1000)
    }
    expect((await call(made)).status).toBe(200)
    await w.settle()
    expect((await view()).timeLastUsed).toEqual(new Date(first.getTime() + 60_000))
    await w.jump(600_000)
    expect((await call(made)).status).toBe(401)
    expect(await view()).toMatchObject({ name: 'Okta', timeExpires })
  })

  it('is refused with a name that is too long or of several lines, and with an end that has passed', async () => {
    const timeExpires = new Date(w.clock.now())
    for (const more of [{ name: 'x'.repeat(64) }, { name: 'a\nb' }, { timeExpires }])
      await rejects(() => create('admin', more), { status: 400 })
  })

  it('is no token of a user', async () => {
    const { bearerToken } = await create()
    const headers = { authorization: `Bearer ${bearerToken}` }
    expect((await w.raw({ url: '/v1/me', headers })).status).toBe(401)
  })

  it('is listed after older ones, and deleted individually or with all others', async () => {
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      ids.push((await create('fleetAdmin')).id)
      await w.advance(1000)
    }
    expect(await listed()).toEqual(ids)
    const params = { tokenId: ids[1] ?? '' }
    await w.as('admin').scimTokenDelete({ params, query })
    expect(await listed()).toEqual([ids[0], ids[2]])
    await rejects(() => w.as('admin').scimTokenDelete({ params, query }), {
      status: 404,
      message: `not found: scim-client-bearer-token with id "${ids[1]}"`,
    })
    await rejects(() => w.as('admin').scimTokenView({ params, query }), { status: 404 })
    await w.as('fleetAdmin').scimTokenDeleteAll({ query })
    expect(await listed()).toEqual([])
  })

  it('is for admins of the silo and of the fleet', async () => {
    for (const who of ['collaborator', 'viewer', 'noRole'] as const) {
      await rejects(() => create(who), { status: 403 })
      await rejects(() => w.as(who).scimTokenList({ query }), { status: 403 })
      await rejects(() => w.as(who).scimTokenDeleteAll({ query }), { status: 403 })
    }
    await rejects(() => create('stranger'), { status: 404 })
  })

  it('is in no other silo', async () => {
    const { id } = await create()
    await inDb(w, (tx) =>
      tx.updateTable('silo').set({ identityMode: 'saml_scim' }).where('name', '=', 'other').execute(),
    )
    const of = { params: { tokenId: id }, query: { silo: 'other' } }
    await rejects(() => w.as('stranger').scimTokenView(of), { status: 404 })
    await rejects(() => w.as('stranger').scimTokenDelete(of), { status: 404 })
    await w.as('stranger').scimTokenDeleteAll({ query: { silo: 'other' } })
    expect(await listed()).toEqual([id])
  })

  it('is refused in a silo whose users are not managed by SCIM', async () => {
    const local = { silo: 'other' }
    await rejects(() => w.as('stranger').scimTokenCreate({ query: local }), {
      status: 400,
      code: 'InvalidRequest',
    })
    await rejects(() => w.as('stranger').scimTokenList({ query: local }), { status: 400 })
  })

  it('is named by the entries of the audit log', async () => {
    const ids = [(await create()).id, (await create()).id, (await create()).id].toSorted()
    const [first = '', ...rest] = ids
    await w.as('admin').scimTokenDelete({ params: { tokenId: first }, query })
    await w.as('admin').scimTokenDeleteAll({ query })
    const startTime = new Date('2026-01-01T00:00:00Z')
    const { items } = await w.as('admin').siloAuditLogList({ query: { startTime } })
    const tokensOf = (operation: string) =>
      items
        .filter(({ operationId }) => operationId === operation)
        .flatMap(({ objects = [] }) => objects)
        .filter(({ type }) => type === 'scim-client-bearer-token')
        .toSorted((a, b) => a.id.localeCompare(b.id))
    const made = (id: string) => ({ type: 'scim-client-bearer-token', id, nameBefore: null, nameAfter: id })
    const deleted = (id: string) => ({ ...made(id), nameBefore: id, nameAfter: null })
    expect(tokensOf('scim_token_create')).toEqual(ids.map(made))
    expect(tokensOf('scim_token_delete')).toEqual([deleted(first)])
    expect(tokensOf('scim_token_delete_all')).toEqual(rest.map(deleted))
    expect(JSON.stringify(items)).not.toContain('purlin-scim-')
  })

  it('is one of a limited number', async () => {
    const row = () => ({
      id: w.world.ids.uuid(),
      siloId: w.ids['acme'] ?? '',
      timeCreated: 0,
      timeExpires: null,
    })
    await inDb(w, (tx) =>
      tx
        .insertInto('scimToken')
        .values(Array.from({ length: scimTokensOfSilo }, (_, i) => ({ ...row(), tokenHash: `t${i}` })))
        .execute(),
    )
    await rejects(() => create(), { status: 507, code: 'InsufficientCapacity' })
  })
})
