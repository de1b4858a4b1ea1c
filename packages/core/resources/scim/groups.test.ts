import { sql } from 'kysely'
import { limits } from '@purlin/contract/rules/limits'
import { sessionsOf } from '#/auth/sessions.ts'
import { insertRows } from '#/db/prepared.ts'
import { unmanagedUser } from '#/db/rows/principals.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { scimClient } from '#/testing/access/role-callers.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

let w: TestWorld
let ours: Record<string, string>
let theirs: Record<string, string>
let people: string[]
let stranger: string
beforeAll(async () => {
  w = await openWorld()
  await inDb(w, (tx) =>
    tx.updateTable('silo').set({ identityMode: 'saml_scim', adminGroupName: 'Cloud Admins' }).execute(),
  )
  ours = await scimClient(w, w.ids['acme'] ?? '')
  theirs = await scimClient(w, w.ids['other'] ?? '')
  people = []
  for (const userName of ['ada', 'ben', 'cleo'])
    people.push((await send('POST', 'Users', { userName })).json.id as string)
  stranger = (await send('POST', 'Users', { userName: 'ada' }, theirs)).json.id as string
})
let count = 0
let name = ''
beforeEach(() => (name = `team-${++count}`))
afterEach(() => expect(w.errors).toEqual([]))
afterAll(async () => {
  expect(await disorder(w)).toEqual([])
  await w.close()
})

async function send(method: string, path: string, body?: unknown, headers = ours) {
  const sent = {
    method,
    url: `/scim/v2/${path}`,
    headers: { ...headers, 'content-type': 'application/json' },
  }
  return w.raw(body === undefined ? sent : { ...sent, body: JSON.stringify(body) })
}
const create = async (members: string[], displayName = name) => {
  const body = { displayName, members: members.map((value) => ({ value })) }
  const { status, json, text } = await send('POST', 'Groups', body)
  expect(status, text).toBe(201)
  return json.id as string
}
const patch = (id: string, ...Operations: object[]) => send('PATCH', `Groups/${id}`, { Operations })
const membersOf = async (id: string) =>
  ((await send('GET', `Groups/${id}`)).json.members as { value: string }[]).map(({ value }) => value)
const find = async (filter: string) =>
  (await send('GET', `Groups?filter=${encodeURIComponent(filter)}`)).json as { Resources: { id: string }[] }
const refused = (status: number, scimType?: string) => ({
  status,
  json: { status: String(status), ...(scimType ? { scimType } : {}) },
})
const person = (i: number) => people[i] ?? ''

describe('a group of an identity system', () => {
  it('is created with its members', async () => {
    const { json } = await send('POST', 'Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      externalId: 'g1',
      displayName: name,
      members: [{ value: person(0), type: 'User' }],
    })
    const at = new Date(w.clock.now()).toISOString()
    expect(json).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: json.id,
      externalId: 'g1',
      displayName: name,
      members: [
        {
          value: person(0),
          display: 'ada',
          type: 'User',
          $ref: `http://purlin.test/scim/v2/Users/${person(0)}`,
        },
      ],
      meta: {
        resourceType: 'Group',
        created: at,
        lastModified: at,
        location: `http://purlin.test/scim/v2/Groups/${json.id}`,
      },
    })
    expect((await send('GET', `Groups/${json.id}`)).json).toEqual(json)
    expect((await send('GET', `Users/${person(0)}`)).json.groups).toContainEqual({
      value: json.id,
      display: name,
      type: 'direct',
      $ref: json.meta.location,
    })
    const { items } = await w.as('admin').userList({ query: { group: json.id } })
    expect(items.map(({ id }) => id)).toEqual([person(0)])
  })

  it('has a name that no other one of the silo has in any case', async () => {
    await create([])
    const again = await send('POST', 'Groups', { displayName: name.toUpperCase() })
    expect(again).toMatchObject(refused(409, 'uniqueness'))
  })

  it.each([
    [() => ({}), 'invalidValue'],
    [() => ({ displayName: 'x', members: [{ value: stranger }] }), 'invalidValue'],
    [() => ({ displayName: 'x', members: [{ value: person(0), type: 'Group' }] }), 'invalidValue'],
    [() => ({ displayName: 'x', members: [{}] }), 'invalidValue'],
    [() => ({ displayName: 'x', members: [7] }), 'invalidSyntax'],
    [
      () => ({ displayName: 'x', members: Array.from({ length: limits.scim.members + 1 }, () => 'm') }),
      'tooMany',
    ],
    [() => ({ displayName: 'x', nonsense: 1 }), 'invalidPath'],
  ])('is refused: case %#', async (body, scimType) => {
    expect(await send('POST', 'Groups', body())).toMatchObject(refused(400, scimType))
  })

  it('is replaced with exactly these members', async () => {
    const id = await create([person(0), person(1)])
    const body = { displayName: name, members: [{ value: person(1) }, { value: person(2) }] }
    expect((await send('PUT', `Groups/${id}`, body)).status).toBe(200)
    expect(new Set(await membersOf(id))).toEqual(new Set([person(1), person(2)]))
    await send('PUT', `Groups/${id}`, { displayName: name })
    expect(await membersOf(id)).toEqual([])
  })

  it.each([
    ['Entra adds', { op: 'Add', path: 'members', value: [{ value: 1 }] }, [0, 1]],
    ['Entra removes', { op: 'Remove', path: 'members', value: [{ value: 0 }] }, []],
    ['Okta removes', { op: 'remove', path: 'members[value eq "0"]' }, []],
    ['Okta replaces', { op: 'replace', path: 'members', value: [{ value: 2, display: 'cleo' }] }, [2]],
    ['Okta renames', { op: 'replace', value: { id: 'x', displayName: 'renamed' } }, [0]],
    ['without a path', { op: 'add', value: { members: [{ value: 2 }] } }, [0, 2]],
    ['one by itself', { op: 'add', path: 'members', value: { value: 1 } }, [0, 1]],
    ['again', { op: 'add', path: 'members', value: [{ value: 0 }] }, [0]],
    ['all of them', { op: 'remove', path: 'members' }, []],
    ['several', { op: 'remove', path: 'members[value eq "0" or value eq "1"]' }, []],
  ])('changes its members at once: %s', async (_, operation, expected) => {
    const id = await create([person(0)])
    const text = JSON.stringify(operation)
      .replaceAll(/"value":(\d)/g, (_all, i: string) => `"value":"${person(Number(i))}"`)
      .replaceAll(/\\"(\d)\\"/g, (_all, i: string) => `\\"${person(Number(i))}\\"`)
    expect(await patch(id, JSON.parse(text) as object)).toMatchObject({ status: 204, text: '' })
    expect(new Set(await membersOf(id))).toEqual(new Set(expected.map(person)))
    await send('DELETE', `Groups/${id}`)
  })

  it.each([
    [() => ({ op: 'add', path: 'members', value: [{ value: stranger }] }), 'invalidValue'],
    [() => ({ op: 'add', path: 'members[value eq "x"]', value: 'x' }), 'invalidPath'],
    [() => ({ op: 'remove', path: 'members[display eq "ada"]' }), 'invalidFilter'],
    [() => ({ op: 'remove', path: 'displayName' }), 'mutability'],
    [() => ({ op: 'replace', path: 'nonsense', value: 1 }), 'invalidPath'],
  ])('is left as it was by a PATCH that is refused: case %#', async (operation, scimType) => {
    const id = await create([person(0)])
    const renamed = { op: 'replace', path: 'displayName', value: `${name}-b` }
    expect(await patch(id, renamed, operation())).toMatchObject(refused(400, scimType))
    expect((await send('GET', `Groups/${id}`)).json).toMatchObject({ displayName: name })
  })

  it('is found by its name, its ids and its members, without them if they are not wanted', async () => {
    const id = await create([person(0)])
    await patch(id, { op: 'add', path: 'externalId', value: name })
    for (const filter of [
      `displayName eq "${name.toUpperCase()}"`,
      `externalId eq "${name}"`,
      `id eq "${id}" and members eq "${person(0)}"`,
      `id eq "${id}" and members[value eq "${person(0)}"]`,
    ])
      expect((await find(filter)).Resources.map((one) => one.id)).toEqual([id])
    expect((await find(`id eq "${id}" and members.value eq "${person(1)}"`)).Resources).toEqual([])
    expect(await find('userName eq "ada"')).toMatchObject({ scimType: 'invalidFilter' })
    expect((await send('GET', `Groups/${id}?excludedAttributes=members`)).json).not.toHaveProperty('members')
  })

  it('is of its silo only', async () => {
    const id = await create([])
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { displayName: 'x' }],
      ['PATCH', { Operations: [{ op: 'remove', path: 'members' }] }],
      ['DELETE', undefined],
    ] as const)
      expect(await send(method, `Groups/${id}`, body, theirs)).toMatchObject(refused(404))
  })

  it('comes with fewer others in a page if its members are many', async () => {
    const filter = encodeURIComponent('externalId eq "large"')
    const ids = [await create([]), await create([], `${name}-b`)].toSorted()
    for (const id of ids) await patch(id, { op: 'add', path: 'externalId', value: 'large' })
    const now = w.clock.now()
    await inDb(w, async (tx) => {
      const users = Array.from({ length: limits.scim.members }, (_, i) => ({
        id: w.world.ids.uuid(),
        siloId: w.ids['acme'] ?? '',
        externalId: `many-${i}`,
        displayName: `many-${i}`,
        passwordHash: null,
        ...unmanagedUser,
        timeCreated: now,
        timeModified: now,
      }))
      await insertRows(tx, 'siloUser', users)
      const members = users.map(({ id: userId }) => ({ groupId: ids[0] ?? '', userId }))
      await insertRows(tx, 'groupMember', members)
      await insertRows(tx, 'groupMember', [{ groupId: ids[1] ?? '', userId: users[0]?.id ?? '' }])
      // Rows come one by one in real life, and the statistics with them.
      await sql`analyze`.execute(tx)
    })
    const first = (await send('GET', `Groups?filter=${filter}`)).json
    expect(first).toMatchObject({ totalResults: 2, itemsPerPage: 1, Resources: [{ id: ids[0] }] })
    const second = (await send('GET', `Groups?filter=${filter}&startIndex=2`)).json
    expect(second).toMatchObject({ totalResults: 2, Resources: [{ id: ids[1] }] })
    const more = { op: 'add', path: 'members', value: [{ value: person(0) }] }
    expect(await patch(ids[0] ?? '', more)).toMatchObject(refused(400, 'tooMany'))
  })
})

describe('the group of administrators', () => {
  it('gives the role while it has the name, in any case, and no longer', async () => {
    const cookie = await inDb(w, async (tx) => `session=${await sessionsOf(w.world).start(tx, person(0))}`)
    const isAdmin = async () =>
      (await w.raw({ url: '/v1/me', headers: { cookie } })).json.silo_admin as boolean
    const id = await create([person(0)], 'CLOUD admins')
    expect(await isAdmin()).toBe(true)
    const renamed = (value: string) => patch(id, { op: 'replace', path: 'displayName', value })
    await renamed(name)
    expect(await isAdmin()).toBe(false)
    await renamed('cloud admins')
    expect(await isAdmin()).toBe(true)
    await patch(id, { op: 'remove', path: `members[value eq "${person(0)}"]` })
    expect(await isAdmin()).toBe(false)
    await patch(id, { op: 'add', path: 'members', value: [{ value: person(0) }] })
    expect(await isAdmin()).toBe(true)
    await send('DELETE', `Groups/${id}`)
    expect(await isAdmin()).toBe(false)
    const roles = await inDb(w, (tx) =>
      tx.selectFrom('roleAssignment').selectAll().where('identityId', '=', id).execute(),
    )
    expect(roles).toEqual([])
  })
})

describe('the discovery documents', () => {
  it('say what is supported', async () => {
    const config = (await send('GET', 'ServiceProviderConfig')).json
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: limits.scim.page.max },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
  })

  it.each(['ResourceTypes', 'Schemas'])('%s are listed and shown', async (path) => {
    const { json } = await send('GET', path)
    expect(json).toMatchObject({ totalResults: 2, itemsPerPage: 2 })
    for (const one of json.Resources as { id: string }[])
      expect((await send('GET', `${path}/${one.id}`)).json).toEqual(one)
    expect(await send('GET', `${path}/nonsense`)).toMatchObject(refused(404))
  })

  it('describe every attribute of the answers', async () => {
    const id = await create([person(0)])
    for (const [type, path] of [
      ['User', `Users/${person(0)}`],
      ['Group', `Groups/${id}`],
    ]) {
      const urn = `urn:ietf:params:scim:schemas:core:2.0:${type}`
      const { attributes } = (await send('GET', `Schemas/${urn}`)).json as { attributes: { name: string }[] }
      const known = new Set(['schemas', 'id', 'meta', ...attributes.map((one) => one.name)])
      const answered = Object.keys((await send('GET', path ?? '')).json as object)
      expect(answered.filter((key) => !known.has(key))).toEqual([])
    }
  })
})
