import { limits } from '@purlin/contract/rules/limits'
import { issueAccessToken, sessionsOf } from '#/auth/sessions.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { grant } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { scimClient } from '#/testing/access/role-callers.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

let w: TestWorld
let ours: Record<string, string>
let theirs: Record<string, string>
beforeAll(async () => {
  w = await openWorld()
  await inDb(w, (tx) => tx.updateTable('silo').set({ identityMode: 'saml_scim' }).execute())
})
// Tests share the world: each begins with new tokens and a new name.
let count = 0
let name = ''
beforeEach(async () => {
  name = `ada-${++count}`
  ours = await scimClient(w, w.ids['acme'] ?? '')
  theirs = await scimClient(w, w.ids['other'] ?? '')
})
afterEach(() => expect(w.errors).toEqual([]))
afterAll(async () => {
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const type = 'application/scim+json'
async function send(method: string, path: string, body?: unknown, headers = ours) {
  const sent = { method, url: `/scim/v2/${path}`, headers: { ...headers, 'content-type': type } }
  return w.raw(body === undefined ? sent : { ...sent, body: JSON.stringify(body) })
}
const create = async (more: object = {}, headers = ours) => {
  const { status, json, text } = await send('POST', 'Users', { userName: name, ...more }, headers)
  expect(status, text).toBe(201)
  return json as { id: string }
}
const patch = (id: string, ...Operations: object[]) =>
  send('PATCH', `Users/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const find = async (filter: string, headers = ours) =>
  send('GET', `Users?filter=${encodeURIComponent(filter)}`, undefined, headers)
const ids = async (filter: string) => {
  const { status, json, text } = await find(filter)
  expect(status, text).toBe(200)
  return (json as { Resources: { id: string }[] }).Resources.map(({ id }) => id)
}
const refused = (status: number, scimType?: string) => ({
  status,
  headers: { 'content-type': type },
  json: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType ? { scimType } : {}),
    detail: expect.any(String) as string,
  },
})

describe('a user of an identity system', () => {
  it('is created with the attributes that are kept, and without others', async () => {
    const { status, json, headers } = await send('POST', 'Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: name,
      externalId: '00u1',
      name: { givenName: 'Ada', familyName: 'Lovelace', middleName: 'K' },
      emails: [{ primary: true, value: 'ada@example.org', type: 'Work', display: 'x' }],
      displayName: 'Ada L.',
      locale: 'en-US',
      password: '1mz050nq',
      groups: [],
      active: true,
    })
    expect(status).toBe(201)
    expect(headers['content-type']).toBe(type)
    const { id } = json as { id: string }
    const at = new Date(w.clock.now()).toISOString()
    expect(json).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id,
      userName: name,
      externalId: '00u1',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      displayName: 'Ada L.',
      emails: [{ value: 'ada@example.org', type: 'work', primary: true }],
      active: true,
      groups: [],
      meta: {
        resourceType: 'User',
        created: at,
        lastModified: at,
        location: `http://purlin.test/scim/v2/Users/${id}`,
      },
    })
    expect((await send('GET', `Users/${id.toUpperCase()}`)).json).toEqual(json)
    const rows = await inDb(w, (tx) => tx.selectFrom('siloUser').selectAll().where('id', '=', id).execute())
    expect(JSON.stringify(rows)).not.toContain('1mz050nq')
  })

  it('has a name that no other one of the silo has in any case, and one of another silo may', async () => {
    await create()
    const again = await send('POST', 'Users', { userName: name.toUpperCase() })
    expect(again).toMatchObject(refused(409, 'uniqueness'))
    await create({}, theirs)
    const other = await create({ userName: `${name}-b` })
    const renamed = await patch(other.id, { op: 'replace', path: 'userName', value: name.toUpperCase() })
    expect(renamed).toMatchObject(refused(409, 'uniqueness'))
  })

  it.each([
    [{}, 'invalidValue'],
    [{ userName: '' }, 'invalidValue'],
    [{ userName: 7 }, 'invalidValue'],
    [{ userName: 'a\u0000b' }, 'invalidValue'],
    [{ userName: 'x'.repeat(limits.scim.text + 1) }, 'invalidValue'],
    [{ userName: 'x', active: 'maybe' }, 'invalidValue'],
    [{ userName: 'x', groups: [{ value: 'g' }] }, 'mutability'],
    [{ userName: 'x', name: 'Ada' }, 'invalidSyntax'],
    [{ userName: 'x', emails: Array.from({ length: 11 }, (_, i) => ({ value: `${i}@x` })) }, 'tooMany'],
    [[], 'invalidSyntax'],
    [null, 'invalidSyntax'],
    ['x', 'invalidSyntax'],
  ])('is refused as %j', async (body, scimType) => {
    expect(await send('POST', 'Users', body)).toMatchObject(refused(400, scimType))
  })

  it('is replaced as a whole, and stays inactive unless the body says otherwise', async () => {
    const { id } = await create({ externalId: 'a', active: false, emails: [{ value: 'a@x' }] })
    const { json } = await send('PUT', `Users/${id}`, { id: 'ignored', userName: `${name}-b`, meta: {} })
    expect(json).toMatchObject({ id, userName: `${name}-b`, active: false })
    expect(json).not.toHaveProperty('externalId')
    expect(json).not.toHaveProperty('emails')
    const { json: active } = await send('PUT', `Users/${id}`, { userName: name, active: true })
    expect(active).toMatchObject({ active: true })
  })

  it('is deleted with roles, memberships and sessions', async () => {
    const { id } = await create()
    await inDb(w, async (tx) => {
      const role = { resourceType: 'silo', resourceId: w.ids['acme'] ?? '', roleName: 'admin' } as const
      await grant(tx, { ...role, identityType: 'silo_user', identityId: id })
      await sessionsOf(w.world).start(tx, id)
    })
    await send('POST', 'Groups', { displayName: name, members: [{ value: id }] })
    expect((await send('DELETE', `Users/${id}`)).status).toBe(204)
    expect(await send('GET', `Users/${id}`)).toMatchObject(refused(404))
    expect(await send('DELETE', `Users/${id}`)).toMatchObject(refused(404))
    const roles = await inDb(w, (tx) =>
      tx.selectFrom('roleAssignment').selectAll().where('identityId', '=', id).execute(),
    )
    expect(roles).toEqual([])
  })

  it('is changed only if it is as it was when it was read', async () => {
    const { id } = await create()
    const { headers } = await send('GET', `Users/${id}`)
    const unchanged = { ...ours, 'if-match': headers['etag'] ?? '' }
    const body = { userName: name, externalId: 'x' }
    expect((await send('PUT', `Users/${id}`, body, unchanged)).status).toBe(200)
    expect(await send('PUT', `Users/${id}`, body, unchanged)).toMatchObject(refused(412))
  })
})

describe('a PATCH of a user', () => {
  it.each([
    ['in capitals', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
    ['without a path', [{ op: 'Replace', value: { active: false } }], { active: false }],
    ['of Okta', [{ op: 'replace', value: { id: 'x', active: false } }], { active: false }],
    [
      'with paths as keys',
      [{ op: 'Add', value: { 'name.givenName': 'B', 'emails[type eq "work"].value': 'b@x', title: 'Dr' } }],
      {
        name: { givenName: 'B', familyName: 'F' },
        emails: [
          { value: 'a@x', type: 'home' },
          { value: 'b@x', type: 'work' },
        ],
      },
    ],
    [
      'of an element that exists',
      [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'b@x' }],
      { emails: [{ value: 'b@x', type: 'home' }] },
    ],
    [
      'of an element that does not',
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@x' }],
      {
        emails: [
          { value: 'a@x', type: 'home' },
          { value: 'b@x', type: 'work' },
        ],
      },
    ],
    ['that removes an element', [{ op: 'Remove', path: 'emails[type eq "home"]' }], { emails: undefined }],
    [
      'that removes an element by its value',
      [{ op: 'remove', path: 'emails', value: [{ value: 'A@x', type: 'home' }] }],
      { emails: undefined },
    ],
    [
      'that adds elements',
      [{ op: 'add', path: 'emails', value: [{ value: 'b@x', primary: true }] }],
      {
        emails: [
          { value: 'a@x', type: 'home' },
          { value: 'b@x', primary: true },
        ],
      },
    ],
    ['of a part', [{ op: 'remove', path: 'name.familyName' }], { name: { givenName: 'G' } }],
    [
      'with the schema in its path',
      [{ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', value: 'B' }],
      { name: { givenName: 'B', familyName: 'F' } },
    ],
    [
      'of an extension, which is not kept',
      [
        {
          op: 'add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'R&D',
        },
      ],
      { externalId: 'e' },
    ],
    ['that removes', [{ op: 'remove', path: 'externalId' }], { externalId: undefined }],
    [
      'with several operations',
      [
        { op: 'replace', path: 'externalId', value: 'f' },
        { op: 'replace', path: 'displayName', value: 'D' },
      ],
      { externalId: 'f', displayName: 'D' },
    ],
  ])('%s', async (_, operations, expected) => {
    const { id } = await create({
      externalId: 'e',
      name: { givenName: 'G', familyName: 'F' },
      emails: [{ value: 'a@x', type: 'home' }],
    })
    const { status, json, text } = await patch(id, ...operations)
    expect(status, text).toBe(200)
    for (const [key, value] of Object.entries(expected)) expect(json[key]).toEqual(value)
  })

  it.each([
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'move', path: 'active', value: true }, 'invalidSyntax'],
    [{ path: 'active', value: true }, 'invalidSyntax'],
    [{ op: 'replace', path: 'nonsense', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type co "w"].value', value: 'x' }, 'invalidFilter'],
    [{ op: 'replace', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'constructor.prototype', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', value: 'x' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'active', value: { a: 1 } }, 'invalidValue'],
  ])('is refused as %j', async (operation, scimType) => {
    const { id } = await create()
    expect(await patch(id, operation)).toMatchObject(refused(400, scimType))
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })

  it('has a limited number of operations', async () => {
    const { id } = await create()
    const many = Array.from({ length: limits.scim.operations + 1 }, () => ({
      op: 'replace',
      path: 'active',
      value: true,
    }))
    expect(await patch(id, ...many)).toMatchObject(refused(400, 'tooMany'))
    expect(await patch(id)).toMatchObject(refused(400, 'invalidSyntax'))
  })
})

describe('a user who becomes inactive', () => {
  const signedIn = async (id: string) => {
    const [cookie, token] = await inDb(w, async (tx) => [
      `session=${await sessionsOf(w.world).start(tx, id)}`,
      (await issueAccessToken(w.world, tx, { siloUserId: id, ttl: null })).token,
    ])
    return [{ cookie: cookie ?? '' }, { authorization: `Bearer ${token}` }]
  }
  const statuses = (all: Record<string, string>[]) =>
    Promise.all(all.map(async (headers) => (await w.raw({ url: '/v1/me', headers })).status))

  it('loses sessions and access tokens at once, and keeps the roles', async () => {
    const { id } = await create()
    const role = { resourceType: 'fleet', resourceId: fleetId, roleName: 'viewer' } as const
    await inDb(w, (tx) => grant(tx, { ...role, identityType: 'silo_user', identityId: id }))
    const credentials = await signedIn(id)
    expect(await statuses(credentials)).toEqual([200, 200])
    await patch(id, { op: 'replace', path: 'active', value: false })
    expect(await statuses(credentials)).toEqual([401, 401])
    const roles = await inDb(w, (tx) =>
      tx.selectFrom('roleAssignment').select('roleName').where('identityId', '=', id).execute(),
    )
    expect(roles).toEqual([{ roleName: 'viewer' }])
    // Nor does a session count that is begun by mistake.
    expect(await statuses(await signedIn(id))).toEqual([401, 401])
    const listed = await w.as('admin').userList({ query: { find: name } })
    expect(listed.items).toMatchObject([{ id, timeDeactivated: new Date(w.clock.now()) }])
    await patch(id, { op: 'replace', path: 'active', value: true })
    expect(await statuses(await signedIn(id))).toEqual([200, 200])
  })
})

describe('a list of users', () => {
  it('is filtered by equality of the attributes that are kept', async () => {
    const { id } = await create({
      externalId: `DOM\\${name}`,
      displayName: `Ada "${name}"`,
      emails: [{ value: `${name}@X.org`, type: 'work' }],
    })
    const { id: other } = await create({ userName: `${name}-b`, active: false })
    const quotedName = JSON.stringify(`ada "${name}"`)
    for (const filter of [
      `userName eq "${name.toUpperCase()}"`,
      `USERNAME EQ "${name}"`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${name}"`,
      `externalId eq ${JSON.stringify(`DOM\\${name}`)}`,
      `id eq "${id}"`,
      `displayName eq ${quotedName}`,
      `emails eq "${name}@x.org"`,
      `emails.value eq "${name}@x.org"`,
      `emails[type eq "work"].value eq "${name}@x.org"`,
      `emails[type eq "work" and value eq "${name}@x.org"]`,
      `(userName eq "${name}" and active eq true)`,
    ])
      expect(await ids(filter), filter).toEqual([id])
    expect(await ids(`userName eq "${name}-b" and active eq false`)).toEqual([other])
    for (const filter of [
      `userName eq "${name}" and active eq false`,
      `emails[type eq "home"].value eq "${name}@x.org"`,
      `userName eq "%"`,
      `userName eq "' or 1=1 --"`,
    ])
      expect(await ids(filter), filter).toEqual([])
  })

  it.each([
    'userName co "a"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    'userName pr',
    'userName eq',
    'userName eq 1',
    'active eq "yes"',
    'title eq "a"',
    'userName eq "a" and',
    'userName eq "a" x',
    '"userName" eq "a"',
    'userName eq "a',
    `userName eq "${'\n'.repeat(50)}`,
    `userName eq "\u0001"`,
    String.raw`userName eq "\u0000"`,
    '('.repeat(500),
    `${'('.repeat(9)}userName eq "a"${')'.repeat(9)}`,
    'emails[type eq "work"]',
    'emails[type eq "work" and primary eq true].value eq "a"',
    'userName[value eq "a"]',
    `userName eq "a'; drop table siloUser`,
    '',
    '.',
    '[]',
  ])('refuses the filter %j', async (filter) => {
    expect(await find(filter)).toMatchObject(refused(400, 'invalidFilter'))
  })

  it('refuses a filter that is too long', async () => {
    const { status } = await find(`userName eq "${'x'.repeat(limits.scim.filter)}"`)
    expect(status).toBe(400)
  })

  it('has pages, the number of all and the selected attributes', async () => {
    const made: string[] = []
    for (let i = 0; i < 3; i++) made.push((await create({ userName: `${name}-${i}`, externalId: name })).id)
    const sorted = made.toSorted()
    const page = async (query: string) =>
      (await send('GET', `Users?filter=${encodeURIComponent(`externalId eq "${name}"`)}&${query}`)).json
    expect(await page('startIndex=2&count=1')).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ id: sorted[1] }],
    })
    expect(await page('startIndex=0&count=-1')).toMatchObject({
      totalResults: 3,
      startIndex: 1,
      Resources: [],
    })
    expect(await page('startIndex=4')).toMatchObject({ totalResults: 3, Resources: [] })
    const { Resources } = await page('attributes=userName,emails.value&count=1')
    expect(Object.keys(Resources[0])).toEqual(['schemas', 'id', 'userName'])
    const { Resources: rest } = await page('excludedAttributes=meta,groups')
    expect(Object.keys(rest[0])).toEqual(['schemas', 'id', 'externalId', 'userName', 'active'])
    expect((await send('GET', 'Users?count=x')).status).toBe(400)
    expect((await send('GET', `Users?startIndex=${'9'.repeat(30)}`)).status).toBe(400)
  })
})

describe('a token', () => {
  it('finds nothing of another silo', async () => {
    const { id } = await create()
    for (const answer of [
      await send('GET', `Users/${id}`, undefined, theirs),
      await send('PUT', `Users/${id}`, { userName: 'x' }, theirs),
      await send('PATCH', `Users/${id}`, { Operations: [{ op: 'remove', path: 'externalId' }] }, theirs),
      await send('DELETE', `Users/${id}`, undefined, theirs),
    ])
      expect(answer).toMatchObject(refused(404))
    expect((await find(`userName eq "${name}"`, theirs)).json).toMatchObject({ totalResults: 0 })
    expect((await find(`id eq "${id}"`, theirs)).json).toMatchObject({ totalResults: 0 })
  })

  it('is needed, must be valid, and is for nothing else', async () => {
    const missing = { authorization: `Bearer purlin-scim-${'0'.repeat(40)}` }
    for (const headers of [{}, missing, { cookie: w.cookieOf('admin') }])
      expect(await send('GET', 'Users', undefined, headers)).toMatchObject(refused(401))
    expect((await w.raw({ url: '/v1/users', headers: ours })).status).toBe(401)
    const logout = { method: 'POST', url: '/v1/logout', headers: ours }
    expect((await w.raw(logout)).status).toBe(204)
  })

  it('does not count once it has expired, and says when it was last used', async () => {
    const [{ id } = { id: '' }] = await inDb(w, (tx) =>
      tx
        .selectFrom('scimToken')
        .selectAll()
        .where('siloId', '=', w.ids['acme'] ?? '')
        .execute(),
    )
    const last = () =>
      inDb(w, (tx) =>
        tx.selectFrom('scimToken').select('timeLastUsed').where('timeLastUsed', '=', w.clock.now()).execute(),
      )
    await w.advance(3_600_000)
    expect(await last()).toEqual([])
    await send('GET', 'Users?count=0')
    await w.settle()
    expect(await last()).toHaveLength(1)
    expect(id).not.toBe('')
    await inDb(w, (tx) => tx.updateTable('scimToken').set({ timeExpires: w.clock.now() }).execute())
    expect(await send('GET', 'Users')).toMatchObject(refused(401))
  })

  it('sends a limited number of requests, and more after a moment', async () => {
    const answers = []
    for (let i = 0; i <= limits.scim.burst; i++) answers.push(await send('GET', 'ServiceProviderConfig'))
    expect(answers.at(-2)?.status).toBe(200)
    expect(answers.at(-1)).toMatchObject(refused(429))
    expect((await send('GET', 'ServiceProviderConfig', undefined, theirs)).status).toBe(200)
    await w.advance(1000)
    expect((await send('GET', 'ServiceProviderConfig')).status).toBe(200)
  })
})

it('the audit log names the SCIM client, its token and the user', async () => {
  const startTime = new Date(w.clock.now())
  const { id } = await create()
  await patch(id, { op: 'replace', path: 'userName', value: `${name}-b` })
  await patch(id, { op: 'replace', path: 'nonsense', value: 1 })
  await send('DELETE', `Users/${id}`)
  const { items } = await w.as('admin').siloAuditLogList({ query: { startTime, object: id } })
  const [builtin] = (await w.as('fleetAdmin').userBuiltinList({ query: {} })).items.filter(
    (one) => one.name === 'external-scim',
  )
  const client = { kind: 'user_builtin', userBuiltinId: builtin?.id }
  const by = { actor: client, actorName: 'SCIM client', authMethod: 'scim_token', siloName: 'acme' }
  expect(items).toMatchObject([
    { ...by, operationId: 'scim_user_create', objects: [{ id, nameBefore: null, nameAfter: name }] },
    { ...by, operationId: 'scim_user_update', objects: [{ nameBefore: name, nameAfter: `${name}-b` }] },
    { ...by, operationId: 'scim_user_update', result: { kind: 'error', httpStatusCode: 400 } },
    { ...by, operationId: 'scim_user_delete', objects: [{ nameBefore: `${name}-b`, nameAfter: null }] },
  ])
})

it('an address that does not exist answers in the format of SCIM', async () => {
  for (const path of ['Me', 'Bulk', 'Users/a/b']) expect(await send('GET', path)).toMatchObject(refused(404))
  expect(await send('POST', 'Schemas', {})).toMatchObject(refused(405))
})

it('users and groups are made while the silo has room for them', async () => {
  w.world.directory = { users: 0, groups: 0 }
  const full = (noun: string) => ({
    ...refused(507),
    json: { status: '507', detail: expect.stringContaining(`${noun} Limit Exceeded: the silo has 0 of 0.`) },
  })
  expect(await send('POST', 'Users', { userName: name })).toMatchObject(full('User'))
  expect(await send('POST', 'Groups', { displayName: name })).toMatchObject(full('Group'))
  delete w.world.directory
  await create()
})
