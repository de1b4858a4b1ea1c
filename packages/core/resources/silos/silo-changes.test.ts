import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sessionsOf } from '#/auth/sessions.ts'
import { testCertificate } from '#/testing/certificates.ts'
import { dangling, unknownReferences } from '#/testing/references.ts'
import { dropOld } from '#/timeseries/maintenance.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const GiB = 2 ** 30
let w: TestWorld | undefined
const world = () => w as TestWorld
beforeEach(async () => {
  await w?.close()
  w = await openWorld()
})
afterAll(() => w?.close())

const quotas = { cpus: 4, memory: 8 * GiB, storage: 100 * GiB }
const department = {
  name: 'research',
  description: 'Research',
  discoverable: true,
  identityMode: 'local_only' as const,
  quotas,
  tlsCertificates: [],
}
const operator = () => world().as('fleetAdmin')
const silo = { silo: 'research' }
const refused = (status: number, message = '') => ({
  status,
  message: expect.stringContaining(message) as string,
})
const local = { query: silo, body: { externalId: 'ann', password: { mode: 'login_disallowed' as const } } }

describe('a new silo', () => {
  it('has its quotas, uses nothing, and its admin group administers it', async () => {
    const made = await operator().siloCreate({ body: { ...department, adminGroupName: 'heads' } })
    expect(made).toMatchObject({ name: 'research', discoverable: true, adminGroupName: 'heads' })
    expect(await operator().siloView({ params: silo })).toEqual(made)
    expect(await operator().siloUtilizationView({ params: silo, query: {} })).toEqual({
      siloId: made.id,
      siloName: 'research',
      placeable: quotas,
      largest: { cpus: 4, memory: 8 * GiB },
      provisioned: { cpus: 0, memory: 0, storage: 0 },
      allocated: quotas,
    })
    const { roleAssignments } = await operator().siloPolicyView({ params: silo })
    expect(roleAssignments).toMatchObject([{ identityType: 'silo_group', roleName: 'admin' }])
  })

  it('has a name that no other has, and quotas that are not negative', async () => {
    const create = (more: object) => operator().siloCreate({ body: { ...department, ...more } })
    await expect(create({ name: 'acme' })).rejects.toMatchObject(refused(400, 'already exists: silo "acme"'))
    await expect(create({ quotas: { ...quotas, cpus: -1 } })).rejects.toMatchObject(
      refused(400, 'Cannot create silo quota: CPU quota must not be negative'),
    )
    await expect(create({ mappedFleetRoles: { owner: ['admin'] } })).rejects.toMatchObject(
      refused(400, 'mapped_fleet_roles'),
    )
    await expect(operator().siloView({ params: silo })).rejects.toMatchObject({ status: 404 })
  })

  it('is made by operators only', async () => {
    for (const who of ['admin', 'viewer', 'noRole'] as const)
      await expect(world().as(who).siloCreate({ body: department })).rejects.toMatchObject({ status: 403 })
  })
})

describe('a silo that is changed', () => {
  it('keeps absent fields', async () => {
    const made = await operator().siloCreate({ body: department })
    await world().advance(1000)
    const body = { discoverable: false, mappedFleetRoles: { admin: ['viewer' as const], viewer: [] } }
    const after = await operator().siloUpdate({ params: silo, body })
    expect(after).toMatchObject({ description: 'Research', discoverable: false })
    expect(after.mappedFleetRoles).toEqual({ admin: ['viewer'] })
    expect(after.timeModified.getTime()).toBeGreaterThan(made.timeModified.getTime())
    await operator().siloUpdate({ params: silo, body: { adminGroupName: 'heads' } })
    await operator().siloUpdate({ params: silo, body: { adminGroupName: 'heads', description: '' } })
    expect((await operator().siloPolicyView({ params: silo })).roleAssignments).toHaveLength(1)
  })

  it('is not changed by its own administrators', async () => {
    const params = { silo: 'acme' }
    await expect(
      world()
        .as('admin')
        .siloUpdate({ params, body: { description: 'ours' } }),
    ).rejects.toMatchObject({ status: 403 })
    await expect(
      world()
        .as('admin')
        .siloQuotasUpdate({ params, body: { cpus: 9000 } }),
    ).rejects.toMatchObject({ status: 403 })
  })
})

describe('a silo that is deleted', () => {
  it('goes with its users, groups and roles', async () => {
    const { id } = await operator().siloCreate({ body: { ...department, adminGroupName: 'heads' } })
    const user = await operator().localIdpUserCreate(local)
    const usedBy = (table: 'siloUser' | 'siloGroup' | 'principalWord') =>
      world().world.engine.transaction('read', (tx) =>
        tx.selectFrom(table).selectAll().where('siloId', '=', id).execute(),
      )
    expect(await usedBy('siloUser')).toMatchObject([{ id: user.id }])
    await operator().siloDelete({ params: silo })
    await expect(operator().siloView({ params: silo })).rejects.toMatchObject({ status: 404 })
    for (const table of ['siloUser', 'siloGroup', 'principalWord'] as const)
      expect(await usedBy(table)).toEqual([])
    const roles = await world().world.engine.transaction('read', (tx) =>
      tx.selectFrom('roleAssignment').selectAll().where('resourceId', '=', id).execute(),
    )
    expect(roles).toEqual([])
  })

  it('leaves no row in any table that refers to deleted ones', async () => {
    expect(unknownReferences()).toEqual([])
    const { world: plane, clock } = world()
    const inDatabase = <T>(work: Parameters<typeof plane.engine.transaction<T>>[1]) =>
      plane.engine.transaction('write', work)
    const { id: siloId } = await operator().siloCreate({ body: { ...department, adminGroupName: 'heads' } })
    await operator().ipPoolSiloLink({
      params: { pool: 'public' },
      body: { silo: 'research', isDefault: true },
    })
    const { id: userId } = await operator().localIdpUserCreate(local)
    const token = await inDatabase(async (tx) => {
      const heads = await tx.selectFrom('siloGroup').select('id').where('siloId', '=', siloId).execute()
      const [{ id: groupId } = { id: '' }] = heads
      await tx.insertInto('groupMember').values({ groupId, userId }).execute()
      return sessionsOf(plane).start(tx, userId)
    })
    const ask = async (method: string, url: string, body?: object) => {
      const request = { method, url, headers: { cookie: `session=${token}` } }
      const sent = await world().raw(body ? { ...request, body: JSON.stringify(body) } : request)
      expect(sent.status, sent.text).toBeLessThan(300)
    }
    const identity = { name: 'web', description: '' }
    const key = {
      ...identity,
      public_key: `ssh-ed25519 ${btoa('\0\0\0\x0bssh-ed25519\0\0\0 ' + 'x'.repeat(32))}`,
    }
    await ask('POST', '/v1/me/ssh-keys', key)
    const web = { dnsNames: ['research.sys.purlin.internal'] }
    await ask('POST', '/v1/certificates', testCertificate('web', web))
    await ask('POST', '/v1/projects', identity)
    const disk = { type: 'create', ...identity, size: GiB, disk_source: { type: 'blank', block_size: 512 } }
    const machine = { ...identity, ncpus: 1, memory: GiB, hostname: 'web', start: false, disks: [disk] }
    await ask('POST', '/v1/instances?project=web', machine)
    await world().settle()
    await ask('DELETE', '/v1/instances/web?project=web')
    await world().settle()
    await ask('DELETE', '/v1/disks/web?project=web')
    await world().settle()
    await ask('DELETE', '/v1/projects/web')
    // References to the keys of its users are deleted with them.
    await inDatabase(async (tx) => {
      const { id: sshKeyId } = await tx.selectFrom('sshKey').select('id').executeTakeFirstOrThrow()
      await tx.insertInto('instanceSshKey').values({ instanceId: 'gone', sshKeyId }).execute()
    })
    await operator().siloDelete({ params: silo })
    await world().settle()
    const left = () => plane.engine.transaction('read', dangling)
    // The samples are many: a loop deletes them.
    expect((await left()).every((one) => one.startsWith('usageSample.id'))).toBe(true)
    expect(await left()).toHaveLength(2)
    await dropOld(plane.engine, clock.now(), () => Promise.resolve(true))
    expect(await left()).toEqual([])
  })

  it('is preceded by a look at what it contains, which members without a role on it do not take', async () => {
    const contents = (who: Who, name = 'acme') =>
      world()
        .as(who)
        .siloContentsView({ params: { silo: name } })
    const { items } = await world().as('admin').projectList({ query: {} })
    const held = { projects: items.length, images: 0 }
    expect(held.projects).toBeGreaterThan(0)
    for (const who of ['fleetAdmin', 'admin'] as const) expect(await contents(who)).toEqual(held)
    for (const who of ['projectAdmin', 'viewer'] as const)
      await expect(contents(who)).rejects.toMatchObject({ status: 403 })
    await expect(contents('stranger')).rejects.toMatchObject({ status: 404 })
    expect(await contents('stranger', 'other')).toEqual({ projects: 0, images: 0 })
  })

  it('has no projects, and the fleet keeps an admin', async () => {
    await expect(operator().siloDelete({ params: { silo: 'acme' } })).rejects.toMatchObject(
      refused(400, 'silo to be deleted contains a project'),
    )
    await expect(
      world()
        .as('viewer')
        .siloDelete({ params: { silo: 'acme' } }),
    ).rejects.toMatchObject({
      status: 403,
    })
    await world()
      .as('admin')
      .projectDelete({ params: { project: 'demo' } })
    for (const { name } of (await world().as('admin').projectList({ query: {} })).items)
      await world()
        .as('admin')
        .projectDelete({ params: { project: name } })
    await expect(operator().siloDelete({ params: { silo: 'acme' } })).rejects.toMatchObject(
      refused(400, 'the fleet must keep at least one admin'),
    )
    expect((await world().as('admin').userList({ query: {} })).items.length).toBeGreaterThan(0)
  })

  it('is deleted by its own administrator, whose session ends with it', async () => {
    await world()
      .as('stranger')
      .siloDelete({ params: { silo: 'other' } })
    expect((await world().raw({ url: '/v1/me', who: 'stranger' })).status).toBe(401)
  })
})

describe('quotas', () => {
  it('absent fields stay', async () => {
    const { id } = await operator().siloCreate({ body: department })
    const after = await operator().siloQuotasUpdate({ params: silo, body: { cpus: 0 } })
    expect(after).toEqual({ ...quotas, siloId: id, cpus: 0 })
    expect(await operator().siloQuotasView({ params: silo })).toEqual(after)
    expect((await operator().systemQuotasList({ query: {} })).items).toContainEqual(after)
    await expect(operator().siloQuotasUpdate({ params: silo, body: { cpus: -2 } })).rejects.toMatchObject(
      refused(400, 'Cannot update silo quota: CPU quota must not be negative'),
    )
  })

  const put = (quotas: string) =>
    world().raw({
      method: 'PUT',
      url: '/v1/system/silos/research/quotas',
      who: 'fleetAdmin',
      headers: { 'content-type': 'application/json' },
      body: quotas,
    })

  it('keep all digits up to 2^63 − 1, also in a body that is long', async () => {
    await operator().siloCreate({ body: department })
    for (const amount of ['9223372036854775807', '9007199254740993', '999999999999999999'])
      for (const padding of ['', ' '.repeat(5000)]) {
        const amounts = `"cpus":${amount},"memory":${amount},"storage":${amount}`
        const { status, text } = await put(`{${padding}${amounts}}`)
        expect([status, text]).toEqual([200, expect.stringContaining(amounts)])
        for (const url of ['/v1/system/silo-quotas', '/v1/system/silos/research/quotas'])
          expect((await world().raw({ url, who: 'fleetAdmin' })).text).toContain(amounts)
        for (const url of [
          '/v1/system/utilization/silos',
          '/v1/system/utilization/silos/research',
          '/v1/system/silos?utilization=true',
        ])
          expect((await world().raw({ url, who: 'fleetAdmin' })).text).toContain(`"allocated":{${amounts}}`)
      }
    const body = { name: 'renamed', description: 'still there' }
    expect(await operator().siloUpdate({ params: silo, body })).toMatchObject({ description: 'still there' })
  })

  it('are refused beyond, below 0, and as numbers that are not whole or not exact', async () => {
    await operator().siloCreate({ body: department })
    const before = await operator().siloQuotasView({ params: silo })
    for (const [body, message] of [
      ['{"memory":9223372036854775808}', 'value is too large for a byte count'],
      ['{"storage":18446744073709551615}', 'value is too large for a byte count'],
      ['{"cpus":9223372036854775808}', 'integer `9223372036854775808`, expected int64'],
      [`{"cpus":${'9'.repeat(30)}}`, 'floating point `1e+30`, expected int64'],
      ['{"cpus":1e18}', 'floating point `1000000000000000000`, expected int64'],
      ['{"memory":1.5}', 'floating point `1.5`, expected uint64'],
      ['{"memory":-1}', 'Cannot update silo quota: Memory quota must not be negative'],
      ['{"storage":-9007199254740993}', 'Cannot update silo quota: Storage quota must not be negative'],
      ['{"cpus":-9223372036854775808}', 'Cannot update silo quota: CPU quota must not be negative'],
    ] as const)
      expect(await put(body)).toMatchObject({
        status: 400,
        json: { message: expect.stringContaining(message) as string },
      })
    expect(await operator().siloQuotasView({ params: silo })).toEqual(before)
  })

  it('the list of utilization omits hidden silos without quota', async () => {
    const none = { cpus: 0, memory: 0, storage: 0 }
    const hidden = { ...department, discoverable: false, quotas: none }
    await operator().siloCreate({ body: hidden })
    const listed = async () =>
      (await operator().siloUtilizationList({ query: {} })).items.map(({ siloName }) => siloName)
    expect(await listed()).not.toContain('research')
    await operator().siloQuotasUpdate({ params: silo, body: { storage: GiB } })
    expect(await listed()).toContain('research')
    await expect(world().as('admin').siloUtilizationList({ query: {} })).rejects.toMatchObject({
      status: 403,
    })
  })
})
