import { limits } from '@purlin/contract/rules/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { keepingAdmins } from '#/auth/admins.ts'
import { issueAccessToken } from '#/auth/sessions.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { grant } from '#/seed/rows.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
  await w.as('admin').projectCreate({ body: { name: 'second', description: '' } })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
})
afterAll(() => w.close())

const rejects = rejectsIn(() => w)
const query = { silo: 'acme' }
const day = 24 * 3600
let made = 0

type Roles = Partial<Record<'silo' | 'demo' | 'second' | 'fleet', 'viewer' | 'collaborator' | 'admin'>>
/** Gives an account roles, without asking for a permission. */
async function give(identityId: string, roles: Roles): Promise<void> {
  const { items } = await w.as('admin').projectList({ query: {} })
  const ids: Record<string, string | undefined> = {
    silo: w.ids['acme'],
    fleet: fleetId,
    ...Object.fromEntries(items.map(({ name, id }) => [name, id])),
  }
  for (const [on, roleName] of Object.entries(roles)) {
    const resourceType = on === 'silo' || on === 'fleet' ? on : 'project'
    const role = { resourceType, resourceId: ids[on] ?? '', identityType: 'silo_user', roleName } as const
    await inDb(w, (tx) => grant(tx, { ...role, identityId }))
  }
}

/** A new account with roles. */
async function account(roles: Roles = {}, who: Who = 'admin') {
  made += 1
  const body = { name: `robot-${made}`, description: '' }
  const row = await w.as(who).serviceAccountCreate({ query, body })
  await give(row.id, roles)
  return { ...row, params: { serviceAccount: row.name } }
}

type Account = Awaited<ReturnType<typeof account>>
type Limits = { readOnly?: boolean; project?: string; ttlSeconds?: number; name?: string }
const keyOf = ({ params }: Pick<Account, 'params'>, limited: Limits = {}, who: Who = 'admin') =>
  w.as(who).serviceAccountKeyCreate({ params, query, body: { name: 'key', ttlSeconds: day, ...limited } })

interface Sent {
  method?: string
  body?: object
}
/** A key of an administrator of everything. */
async function strongKey(limited: Limits = {}): Promise<string> {
  const one = await account({ silo: 'admin' })
  const { key } = await keyOf(one, limited)
  await give(one.id, { fleet: 'admin' })
  return key
}

const send = async (key: string, url: string, { method = 'GET', body }: Sent = {}) =>
  w.raw({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status
const newDisk = {
  name: 'disk',
  description: '',
  size: 2 ** 30,
  disk_source: { type: 'blank', block_size: 512 },
}

describe('a service account', () => {
  it('is made by admins of the silo or the fleet, and seen by no other', async () => {
    const { params, id } = await account()
    await account({}, 'fleetAdmin')
    for (const who of ['collaborator', 'noRole'] as const) {
      await rejects(() => account({}, who), { status: 403 })
      await rejects(() => w.as(who).serviceAccountView({ params, query }), { status: 403 })
      await rejects(() => w.as(who).serviceAccountKeyList({ params, query }), { status: 403 })
    }
    await rejects(() => account({}, 'stranger'), { status: 404 })
    await rejects(() => w.as('fleetAdmin').serviceAccountView({ params, query: { silo: 'other' } }), {
      status: 404,
    })
    expect(await w.as('fleetAdmin').serviceAccountView({ params, query })).toMatchObject({
      id,
      disabled: false,
    })
  })

  it('is a user of the silo to other clients, with its present name, and to policies and groups', async () => {
    const { params, id } = await account({ demo: 'viewer' })
    await w.as('admin').serviceAccountUpdate({ params, query, body: { name: 'deployer' } })
    const user = { id, displayName: 'deployer', siloId: w.ids['acme'] ?? '', serviceAccount: true }
    expect((await w.as('noRole').userList({ query: { find: 'deploy' } })).items).toEqual([user])
    const role = { identityType: 'silo_user', identityId: id, roleName: 'viewer' } as const
    const second = { params: { project: 'second' }, body: { roleAssignments: [role] } }
    await w.as('admin').projectPolicyUpdate(second)
    const { id: groupId } = await w
      .as('admin')
      .localIdpGroupCreate({ query, body: { displayName: 'robots' } })
    await w.as('admin').localIdpGroupMembersAdd({ params: { groupId }, query, body: { userIds: [id] } })
    const explained = await w.as('admin').accessExplain({ query: { identity: id } })
    expect(explained.groups.map(({ displayName }) => displayName)).toEqual(['robots'])
    const places = explained.items.map(({ resourceName }) => resourceName)
    expect(new Set(places)).toEqual(new Set(['demo', 'second']))
    await keyOf({ params: { serviceAccount: 'deployer' } }, { name: 'all' })
    await keyOf({ params: { serviceAccount: 'deployer' } }, { name: 'reads', readOnly: true })
    await keyOf({ params: { serviceAccount: 'deployer' } }, { name: 'one', project: 'second' })
    const limitsFor = async (asked: { operation?: string; resource?: string }, who: Who = 'admin') => {
      const { keys } = await w.as(who).accessExplain({ query: { identity: id, ...asked } })
      return keys?.map(({ name, projectName, refusedBy }) => [name, projectName, refusedBy])
    }
    const keys = (...refusals: (string | null)[]) =>
      ['all', 'one', 'reads'].map((name, i) => [name, name === 'one' ? 'second' : null, refusals[i] ?? null])
    const [demo, other] = [{ resource: 'project:demo' }, { resource: 'project:second' }]
    expect(await limitsFor({})).toEqual(keys())
    expect(await limitsFor({ operation: 'disk_list', ...demo })).toEqual(keys(null, 'project', null))
    expect(await limitsFor({ operation: 'disk_create', ...other })).toEqual(keys(null, null, 'read_only'))
    expect(await limitsFor({ operation: 'silo_view' })).toEqual(keys(null, 'project', null))
    expect(await limitsFor({ operation: 'scim_token_create' })).toEqual(keys('key', 'key', 'read_only'))
    expect(
      (await w.as('admin').accessExplain({ query: { identity: w.ids['noRole'] ?? '' } })).keys,
    ).toBeNull()
    await w.as('admin').serviceAccountDelete({ params: { serviceAccount: 'deployer' }, query })
    expect((await w.as('noRole').userList({ query: { find: 'deploy' } })).items).toEqual([])
  })

  it('never signs in, and is no local user to those who manage them', async () => {
    const { id: userId } = await account({ silo: 'admin' })
    const target = { params: { userId }, query }
    const admin = w.as('admin')
    const refused = { status: 404 }
    await rejects(() => admin.localIdpUserDeactivate(target), refused)
    await rejects(() => admin.localIdpUserDelete(target), refused)
    await rejects(() => admin.localIdpUserResetSecondFactor(target), refused)
    const body = { mode: 'password', value: 'a long new password' } as const
    await rejects(() => admin.localIdpUserSetPassword({ ...target, body }), refused)
    // It is no administrator who could let others in.
    const acme = w.ids['acme'] ?? ''
    const demote = () =>
      inDb(w, (tx) =>
        keepingAdmins({ tx }, acme, async () => {
          await tx
            .updateTable('roleAssignment')
            .set({ roleName: 'viewer' })
            .where('identityId', '=', w.ids['admin'] ?? '')
            .execute()
        }),
      )
    await expect(demote()).rejects.toMatchObject({ status: 400 })
  })

  it('that is disabled or deleted has no keys any more', async () => {
    const one = await account({ demo: 'viewer' })
    const { params } = one
    const { key } = await keyOf(one)
    const set = (disabled: boolean) =>
      w.as('admin').serviceAccountUpdate({ params, query, body: { disabled } })
    expect(await statusOf(key, '/v1/projects/demo')).toBe(200)
    expect(await set(true)).toMatchObject({ disabled: true })
    expect(await statusOf(key, '/v1/projects/demo')).toBe(401)
    await rejects(() => keyOf(one), { status: 400, message: expect.stringContaining('disabled') as string })
    expect(await set(false)).toMatchObject({ disabled: false })
    expect(await statusOf(key, '/v1/projects/demo')).toBe(401)
    const { key: second } = await keyOf(one)
    expect(await statusOf(second, '/v1/projects/demo')).toBe(200)
    await w.as('admin').serviceAccountDelete({ params, query })
    expect(await statusOf(second, '/v1/projects/demo')).toBe(401)
  })
})

describe('a key', () => {
  it('is shown once, has a prefix of its kind, and only its fingerprint is stored', async () => {
    const one = await account({ demo: 'viewer' })
    const { key, ...shown } = await keyOf(one, { readOnly: true, project: 'demo' })
    expect(key).toMatch(/^purlin-key-[0-9a-f]{40}$/)
    expect(shown).toMatchObject({ name: 'key', readOnly: true, projectId: w.ids['demo'], timeLastUsed: null })
    const { items } = await w.as('admin').serviceAccountKeyList({ params: one.params, query })
    expect(items).toEqual([shown])
    const rows = await inDb(w, (tx) => tx.selectFrom('accessToken').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(key.slice('purlin-key-'.length))
    await rejects(() => keyOf(one), { code: 'ObjectAlreadyExists' })
  })

  it('stores its use once a minute, expires, and is revoked at once', async () => {
    const one = await account({ demo: 'viewer' })
    const { key } = await keyOf(one, { name: 'first', ttlSeconds: 200 })
    const { key: other, id: keyId } = await keyOf(one, { name: 'other' })
    const usedAt = async () => {
      await w.settle()
      const { items } = await w.as('admin').serviceAccountKeyList({ params: one.params, query })
      return items.find(({ name }) => name === 'first')?.timeLastUsed?.getTime()
    }
    const begin = w.clock.now()
    expect(await statusOf(key, '/v1/me')).toBe(200)
    expect(await usedAt()).toBe(begin)
    await w.advance(50_000)
    expect(await statusOf(key, '/v1/me')).toBe(200)
    expect(await usedAt()).toBe(begin)
    await w.advance(50_000)
    expect(await statusOf(key, '/v1/me')).toBe(200)
    expect(await usedAt()).toBe(begin + 100_000)
    await w.advance(100_000)
    expect(await statusOf(key, '/v1/me')).toBe(401)
    expect(await usedAt()).toBeUndefined()
    expect(await statusOf(other, '/v1/me')).toBe(200)
    const params = { ...one.params, keyId }
    const revoke = (who: Who) => w.as(who).serviceAccountKeyDelete({ params, query })
    await expect(revoke('collaborator')).rejects.toMatchObject({ status: 403 })
    await revoke('admin')
    expect(await statusOf(other, '/v1/me')).toBe(401)
    await expect(revoke('admin')).rejects.toMatchObject({ status: 404 })
  })

  it('lasts no longer than the silo allows, and an account has a limited number', async () => {
    const one = await account()
    await w.as('admin').authSettingsUpdate({ body: { deviceTokenMaxTtlSeconds: day } })
    await rejects(() => keyOf(one, { ttlSeconds: day + 1 }), { code: 'InvalidRequest' })
    await w.as('admin').authSettingsUpdate({ body: { deviceTokenMaxTtlSeconds: null } })
    await rejects(() => keyOf(one, { ttlSeconds: limits.serviceAccount.keyTtl + 1 }), { status: 400 })
    for (let i = 0; i < limits.serviceAccount.keys; i++) await keyOf(one, { name: `key-${i}` })
    await rejects(() => keyOf(one, { name: 'more' }), { status: 507 })
  })

  it('is no session: not in a cookie, and not for what needs one', async () => {
    const key = await strongKey()
    expect((await w.raw({ url: '/v1/me', headers: { cookie: `session=${key}` } })).status).toBe(401)
    const of = (url: string, body: object) => statusOf(key, url, { method: 'POST', body })
    expect(await of('/v1/me/password', { current_password: 'x', new_password: 'a long new password' })).toBe(
      403,
    )
    expect(await of('/device/confirm', { user_code: 'BCDF-GHJK' })).toBe(403)
    const { params } = await account()
    const keys = `/v1/system/service-accounts/${params.serviceAccount}/keys?silo=acme`
    expect(await of(keys, { name: 'another', ttl_seconds: 60 })).toBe(403)
    expect(await statusOf(key, '/v1/system/scim/tokens?silo=acme', { method: 'POST' })).toBe(403)
    const users = '/v1/system/identity-providers/local/users'
    const user = { external_id: 'another', password: { mode: 'login_disallowed' } }
    expect(await send(key, `${users}?silo=acme`, { method: 'POST', body: user })).toMatchObject({
      status: 403,
      json: { message: 'a key cannot make anything to sign in with' },
    })
    for (const action of ['activate', 'reset-second-factor'])
      expect(await of(`${users}/${w.ids['viewer']}/${action}?silo=acme`, {})).toBe(403)
    const siloUserId = w.ids['admin'] ?? ''
    const { token } = await inDb(w, (tx) => issueAccessToken(w.world, tx, { siloUserId, ttl: null }))
    expect(await statusOf(token, keys, { method: 'POST', body: { name: 'another', ttl_seconds: 60 } })).toBe(
      403,
    )
  })

  it('to an account with a role on the fleet is made by one who has it', async () => {
    const one = await account({ fleet: 'viewer' })
    await rejects(() => keyOf(one), { status: 403 })
    expect(await statusOf((await keyOf(one, {}, 'fleetAdmin')).key, '/v1/system/silos')).toBe(200)
  })

  describe('ends when its account gets a stronger role on the fleet', () => {
    const fleetAdmin = () => w.as('fleetAdmin')
    type Given = Awaited<
      ReturnType<ReturnType<typeof fleetAdmin>['systemPolicyView']>
    >['roleAssignments'][number]
    const setFleet = async (
      identityId: string,
      roleName: Given['roleName'] | null,
      of: Given['identityType'] = 'silo_user',
    ) => {
      const { roleAssignments } = await fleetAdmin().systemPolicyView()
      const others = roleAssignments.filter((one) => one.identityId !== identityId)
      const given = roleName === null ? [] : [{ identityType: of, identityId, roleName }]
      await fleetAdmin().systemPolicyUpdate({ body: { roleAssignments: [...others, ...given] } })
    }
    const works = async (key: string) => (await statusOf(key, '/v1/me')) === 200
    const groupOfFleet = async (displayName: string) => {
      const { id } = await w.as('admin').localIdpGroupCreate({ query, body: { displayName } })
      return { id, params: { groupId: id } }
    }

    it('by the policy, and not when it keeps or loses one', async () => {
      const one = await account({ demo: 'viewer' })
      const other = await keyOf(await account({ demo: 'viewer' }))
      const { key: first } = await keyOf(one)
      await setFleet(one.id, 'viewer')
      expect([await works(first), await works(other.key)]).toEqual([false, true])
      const { key: second } = await keyOf(one, {}, 'fleetAdmin')
      await setFleet(one.id, 'viewer')
      expect(await works(second)).toBe(true)
      await setFleet(one.id, 'admin')
      expect(await works(second)).toBe(false)
      const { key: third } = await keyOf(one, {}, 'fleetAdmin')
      await setFleet(one.id, 'collaborator')
      await setFleet(one.id, null)
      expect(await works(third)).toBe(true)
    })

    it('as a member of a group', async () => {
      const one = await account({ demo: 'viewer' })
      const { key: first } = await keyOf(one)
      const group = await groupOfFleet('operators')
      const add = () => fleetAdmin().localIdpGroupMembersAdd({ ...group, query, body: { userIds: [one.id] } })
      await add()
      expect(await works(first)).toBe(true)
      await setFleet(group.id, 'viewer', 'silo_group')
      expect(await works(first)).toBe(false)
      await w.as('admin').localIdpGroupMemberRemove({ params: { ...group.params, userId: one.id }, query })
      const { key: second } = await keyOf(one)
      await add()
      expect(await works(second)).toBe(false)
      await setFleet(group.id, null)
    })

    it('by what its silo confers', async () => {
      const one = await account({ silo: 'viewer' })
      const { key: first } = await keyOf(one)
      const { key: other } = await keyOf(await account({ demo: 'viewer' }))
      const confer = (mappedFleetRoles: Record<string, Given['roleName'][]>) =>
        fleetAdmin().siloUpdate({ params: { silo: 'acme' }, body: { mappedFleetRoles } })
      await confer({ viewer: ['viewer'] })
      expect([await works(first), await works(other)]).toEqual([false, true])
      await confer({})
    })
  })
})

describe('a read-only key', () => {
  it('reads what its account does, and changes nothing', async () => {
    const key = await strongKey({ readOnly: true })
    for (const url of ['/v1/projects', '/v1/disks?project=demo', '/v1/system/silos', '/v1/tasks'])
      expect(await statusOf(key, url)).toBe(200)
    const create = await send(key, '/v1/disks?project=demo', { method: 'POST', body: newDisk })
    expect(create).toMatchObject({
      status: 403,
      json: { error_code: 'Forbidden', message: 'the key is read-only' },
    })
    // A missing target is no different.
    expect(await statusOf(key, '/v1/disks/none?project=demo', { method: 'DELETE' })).toBe(403)
    const console = w.plane.upgrade({
      method: 'GET',
      url: '/v1/instances/web/serial-console/stream?project=demo',
      headers: { authorization: `Bearer ${key}` },
    })
    await expect(console).rejects.toMatchObject({ status: 403 })
    const query = { query: 'get sled_data_link:bytes_sent | filter timestamp > @now() - 1m' }
    expect(await statusOf(key, '/v1/system/timeseries/query', { method: 'POST', body: query })).not.toBe(403)
  })
})

describe('a key of one project', () => {
  it('is worth in it what its account is, and outside as little as no role', async () => {
    const key = await strongKey({ project: 'demo' })
    const create = { method: 'POST', body: { ...newDisk, name: 'inside' } }
    expect(await statusOf(key, '/v1/disks?project=demo', create)).toBe(201)
    expect(await statusOf(key, '/v1/projects/demo/policy')).toBe(200)
    const outside = await send(key, '/v1/disks?project=second', create)
    expect(outside).toMatchObject({ status: 404, json: { message: 'not found: project with name "second"' } })
    expect(await statusOf(key, '/v1/disks?project=second')).toBe(404)
    const listed = await send(key, '/v1/projects')
    expect((listed.json as { items: { name: string }[] }).items.map(({ name }) => name)).toEqual(['demo'])
    expect((await send(key, '/v1/me')).json).toMatchObject({
      silo_role: null,
      fleet_role: null,
      silo_admin: false,
    })
  })

  it('reaches nothing of the silo or the fleet but what instances are made of', async () => {
    const key = await strongKey({ project: 'demo' })
    for (const url of ['/v1/images', '/v1/ip-pools']) expect(await statusOf(key, url)).toBe(200)
    for (const url of [
      '/v1/users',
      '/v1/policy',
      '/v1/utilization',
      '/v1/metrics/cpus_provisioned?start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z',
      '/v1/tasks',
      '/v1/access/identities?resource=silo:acme',
      '/v1/system/silos',
      '/v1/system/service-accounts?silo=acme',
    ])
      expect(`${url} ${await statusOf(key, url)}`).toBe(`${url} 403`)
    const task = { action: 'delete', kind: 'disk', ids: [] }
    expect(await statusOf(key, '/v1/tasks', { method: 'POST', body: task })).toBe(403)
    expect(
      await statusOf(key, '/v1/projects', { method: 'POST', body: { name: 'x', description: '' } }),
    ).toBe(403)
  })

  it('finds, watches and exports nothing else', async () => {
    const of = (project: string) => w.as('admin').diskCreate({ query: { project }, body: needle })
    const needle = {
      name: 'needle',
      description: '',
      size: 2 ** 30,
      diskSource: { type: 'blank', blockSize: 512 },
    } as const
    const { id } = await of('demo')
    await of('second')
    const { key } = await keyOf(await account({ silo: 'admin' }), { project: 'demo' })
    const found = async (q: string) =>
      ((await send(key, `/v1/search?q=${q}`)).json as { items: { id: string }[] }).items.map((one) => one.id)
    expect(await found('needle')).toEqual([id])
    expect(await found('collaborator')).toEqual([])
    const watch = (scope: string) =>
      statusOf(key, `/v1/events?follow=false&scope=${encodeURIComponent(scope)}`)
    expect(await watch('/v1/disks?project=demo')).toBe(200)
    expect(await watch('/v1/disks?project=second')).toBe(404)
    expect(await watch('/v1/users')).toBe(403)
    await w.as('admin').diskDelete({ params: { disk: 'needle' }, query: { project: 'demo' } })
    await w.as('admin').diskDelete({ params: { disk: 'needle' }, query: { project: 'second' } })
  })

  it('ends with its project, and is for one that its maker sees', async () => {
    const one = await account({ silo: 'viewer' })
    await rejects(() => keyOf(one, { project: 'none' }), { status: 404 })
    await rejects(() => keyOf(one, { project: 'demo' }, 'fleetAdmin'), { status: 404 })
    await w.as('admin').projectCreate({ body: { name: 'brief', description: '' } })
    const { key } = await keyOf(one, { project: 'brief' })
    expect(await statusOf(key, '/v1/projects/brief')).toBe(200)
    await w.as('admin').projectDelete({ params: { project: 'brief' } })
    expect(await statusOf(key, '/v1/me')).toBe(401)
  })
})
