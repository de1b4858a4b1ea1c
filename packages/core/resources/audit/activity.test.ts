import { operations, type Operations } from '@purlin/contract/operations'
import { isRecorded, type OpShape } from '@purlin/contract/op'
import { snake } from '@purlin/contract/wire'
import { readByViewers } from '#/auth/log-readers.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { createUser, grant } from '#/seed/rows.ts'
import { testCertificate } from '#/testing/certificates.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const startTime = new Date('2026-01-01T00:00:00Z')
const activity = async (resource: string, who: Who) =>
  (await w.as(who).resourceActivity({ query: { resource, limit: 100 } })).items
const operationsOf = (items: { operationId: string }[]) => items.map((one) => one.operationId)
const ofSilo = async (who: Who = 'admin') =>
  (await w.as(who).siloAuditLogList({ query: { startTime, limit: 100 } })).items
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'
const post = (url: string, body: object, who?: Who) =>
  w.raw({
    method: 'POST',
    url,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...(who && { who }),
  })

/** Makes the administrator of `acme` an operator as well. */
const makeOperator = () =>
  inDb(w, (tx) =>
    grant(tx, {
      resourceType: 'fleet',
      resourceId: fleetId,
      identityType: 'silo_user',
      identityId: w.ids['admin'] ?? '',
      roleName: 'admin',
    }),
  )

const saml = {
  identityMode: 'saml_scim' as const,
  discoverable: true,
  mappedFleetRoles: {},
  tlsCertificates: [],
}
const quotas = { cpus: 1, memory: 0, storage: 0 }

/** The actions of an operator of `acme` on another silo and on the fleet. */
async function actElsewhere(): Promise<string[]> {
  await makeOperator()
  const me = w.as('admin')
  const silo = await me.siloCreate({ body: { ...saml, name: 'secret-silo', description: '', quotas } })
  const token = await me.scimTokenCreate({ query: { silo: 'secret-silo' } })
  const user = await me.localIdpUserCreate({
    query: { silo: 'other' },
    body: { externalId: 'secret-user', password: { mode: 'login_disallowed' } },
  })
  const pool = await me.ipPoolCreate({
    body: { name: 'secret-pool', description: '' },
  })
  await me.siloQuotasUpdate({ params: { silo: 'other' }, body: { cpus: 9 } })
  await me.ipPoolSiloLink({ params: { pool: 'secret-pool' }, body: { silo: 'other', isDefault: false } })
  return [silo.id, token.id, user.id, pool.id, 'secret-']
}

describe('actions of an operator on other silos and on the fleet', () => {
  it('is not in the activity of the silo that the operator is of', async () => {
    const secrets = await actElsewhere()
    for (const who of ['viewer', 'admin', 'fleetAdmin'] as const) {
      const text = JSON.stringify(await activity('silo:acme', who))
      for (const secret of secrets) expect(text, who).not.toContain(secret)
    }
  })

  it('is not in the log of that silo, nor in its export', async () => {
    const secrets = await actElsewhere()
    const exported = await w.raw({
      url: `/v1/audit-log/export?start_time=2026-01-01T00:00:00Z&format=jsonl`,
      who: 'admin',
    })
    expect(exported.text).toContain('project_create')
    for (const text of [JSON.stringify(await ofSilo()), exported.text])
      for (const secret of secrets) expect(text).not.toContain(secret)
    const { items } = await w
      .as('admin')
      .siloAuditLogList({ query: { startTime, actor: w.ids['admin'], limit: 100 } })
    for (const secret of secrets) expect(JSON.stringify(items)).not.toContain(secret)
  })

  it('is in the log of the fleet, also under the silo of the operator', async () => {
    await actElsewhere()
    const { items } = await w
      .as('fleetAdmin')
      .auditLogList({ query: { startTime, silo: 'acme', limit: 100 } })
    expect(operationsOf(items)).toEqual(expect.arrayContaining(['silo_create', 'ip_pool_create']))
  })

  it('is in the log of the silo that it was done to', async () => {
    await actElsewhere()
    expect(operationsOf(await ofSilo('stranger'))).toEqual(
      expect.arrayContaining(['local_idp_user_create', 'silo_quotas_update']),
    )
  })
})

it('actions of an operator on the operator’s own silo are in its log and activity', async () => {
  await makeOperator()
  await w.as('admin').siloQuotasUpdate({ params: { silo: 'acme' }, body: { cpus: 77 } })
  expect(operationsOf(await ofSilo())).toContain('silo_quotas_update')
  expect(operationsOf(await activity('silo:acme', 'viewer'))).toContain('silo_quotas_update')
})

it('activity is filtered by actor, operation, type of object and result', async () => {
  const query = { project: 'demo' }
  const key = { name: 'a', description: '' }
  await w.as('admin').floatingIpCreate({ query, body: key })
  await post('/v1/floating-ips/a/attach?project=demo', { kind: 'instance', parent: 'none' }, 'admin')
  await w.as('projectCollaborator').floatingIpDelete({ params: { floatingIp: 'a' }, query })
  const resource = `project:${w.ids['demo']}`
  const found = async (filter: object) => {
    const { items } = await w.as('projectViewer').resourceActivity({ query: { resource, ...filter } })
    return operationsOf(items)
  }
  expect(await found({ actor: w.ids['projectCollaborator'] })).toEqual(['floating_ip_delete'])
  expect(await found({ operation: 'floating_ip_create' })).toEqual(['floating_ip_create'])
  expect(await found({ objectType: 'floating-ip' })).toEqual([
    'floating_ip_delete',
    'floating_ip_attach',
    'floating_ip_create',
  ])
  expect(await found({ result: 'error' })).toEqual(['floating_ip_attach'])
})

describe('activity of a period', () => {
  const times: number[] = []
  beforeEach(async () => {
    times.length = 0
    for (const name of ['one', 'two', 'three']) {
      await w.advance(1000)
      times.push(w.clock.now())
      await w.as('admin').floatingIpCreate({ query: { project: 'demo' }, body: { name, description: '' } })
    }
  })
  const at = (index: number) => new Date(times[index] ?? 0)
  const found = async (period: { startTime?: Date; endTime?: Date }, who: Who = 'projectViewer') => {
    const query = { resource: `project:${w.ids['demo']}`, objectType: 'floating-ip', ...period }
    const { items } = await w.as(who).resourceActivity({ query })
    return items.map(({ objects = [] }) => objects.at(-1)?.nameAfter)
  }

  it('includes its start and excludes its end, each of which may be left out', async () => {
    expect(await found({})).toEqual(['three', 'two', 'one'])
    expect(await found({ startTime: at(1), endTime: at(2) })).toEqual(['two'])
    expect(await found({ startTime: at(1) })).toEqual(['three', 'two'])
    expect(await found({ endTime: at(1) })).toEqual(['one'])
    await expect(found({ startTime: at(2), endTime: at(1) })).rejects.toMatchObject({ status: 400 })
  })

  it('has nothing that its reader does not see without it', async () => {
    await w.advance(1000)
    await post('/v1/login/acme/local', { username: 'admin', password: 'admin-password' })
    const ofMoment = async (who: Who) => {
      const query = { resource: 'silo:acme', startTime: new Date(w.clock.now()) }
      return operationsOf((await w.as(who).resourceActivity({ query })).items)
    }
    expect(await ofMoment('admin')).toContain('login_local')
    expect(await ofMoment('viewer')).toEqual([])
    await expect(found({ startTime: at(0) }, 'stranger')).rejects.toMatchObject({ status: 404 })
  })
})

describe('a viewer of a silo', () => {
  beforeEach(async () => {
    await post('/v1/login/acme/local', { username: 'admin', password: 'wrong' })
    await post('/v1/login/acme/local', { username: 'admin', password: 'admin-password' })
    const { sshKey } = await w
      .as('admin')
      .currentUserSshKeyCreate({ body: { name: 'secret-key', description: '', publicKey } })
      .then(({ name }) => ({ sshKey: name }))
    await w.as('admin').currentUserSshKeyDelete({ params: { sshKey } })
    await w.as('admin').localIdpUserSetPassword({
      params: { userId: w.ids['noRole'] ?? '' },
      query: { silo: 'acme' },
      body: { mode: 'password', value: 'a new password' },
    })
    await w.as('noRole').logout({})
  })

  it('does not see sign-ins, credentials and passwords of others in any activity', async () => {
    const seen = [
      ...(await activity('silo:acme', 'viewer')),
      ...(await activity(`silo-user:${w.ids['admin']}`, 'viewer')),
      ...(await activity(`silo-user:${w.ids['noRole']}`, 'viewer')),
    ]
    expect(operationsOf(seen)).toContain('project_create')
    expect(operationsOf(seen).filter((name) => /login|logout|ssh_key|password/.test(name))).toEqual([])
  })

  it('whose administrator sees them', async () => {
    expect(operationsOf(await activity('silo:acme', 'admin'))).toEqual(
      expect.arrayContaining(['login_local', 'current_user_ssh_key_create', 'local_idp_user_set_password']),
    )
  })
})

it('no operation on credentials, sign-ins, tasks or settings of a user is read by viewers', () => {
  const unread = (Object.entries(operations) as [keyof Operations, OpShape][])
    .filter(([name, op]) => isRecorded(op) && !readByViewers.includes(snake(name)))
    .map(([name]) => name)
  expect(unread).toEqual(
    expect.arrayContaining([
      'certificateCreate',
      'certificateDelete',
      'currentUserAccessTokenDelete',
      'currentUserListViewsUpdate',
      'currentUserSshKeyCreate',
      'deviceAuthConfirm',
      'localIdpUserSetPassword',
      'loginLocal',
      'logout',
      'scimTokenCreate',
      'scimTokenDelete',
      'scimTokenDeleteAll',
      'taskCancel',
      'taskCreate',
      'userLogout',
    ]),
  )
})

it('a viewer of a project does not see another project that an image was in', async () => {
  const me = w.as('admin')
  await me.projectCreate({ body: { name: 'hidden', description: '' } })
  const image = await me.imageCreate({
    query: { project: 'hidden' },
    body: { name: 'gold', description: '', os: 'x', version: '1', source: await snapshotOf('hidden') },
  })
  await me.imagePromote({ params: { image: image.id }, query: {} })
  await me.imageDemote({ params: { image: image.id }, query: { project: 'demo' } })
  const seen = await activity(`image:${image.id}`, 'projectViewer')
  expect(operationsOf(seen)).toContain('image_demote')
  expect(JSON.stringify(seen)).not.toContain('hidden')
})

async function snapshotOf(project: string) {
  const me = w.as('admin')
  const disk = await me.diskCreate({
    query: { project },
    body: {
      name: 'source',
      description: '',
      size: 1024 ** 3,
      diskSource: { type: 'blank', blockSize: 512 },
    },
  })
  const { id } = await me.snapshotCreate({
    query: { project },
    body: { name: 'source', description: '', disk: disk.id },
  })
  await w.advance(10_000)
  return { type: 'snapshot' as const, id }
}

describe('activity of resources that the caller may not view', () => {
  const asked = (resource: string) => [
    `/v1/activity?resource=${resource}`,
    `/v1/access/who-can?operation=project_list&resource=${resource}`,
    `/v1/access/explain?identity=${w.ids['viewer']}&operation=project_list&resource=${resource}`,
    `/v1/access/identities?resource=${resource}`,
  ]

  it('is not found by questions about access either: certificates', async () => {
    const { id } = await w.as('admin').certificateCreate({ body: testCertificate('web') })
    for (const url of [`/v1/certificates/${id}`, ...asked(`certificate:${id}`)])
      expect((await w.raw({ url, who: 'viewer' })).status, url).toBe(404)
    expect((await w.raw({ url: `/v1/activity?resource=certificate:${id}`, who: 'admin' })).status).toBe(200)
    expect((await w.raw({ url: `/v1/activity?resource=certificate:${id}`, who: 'stranger' })).status).toBe(
      404,
    )
  })

  it('is found by those to whom it shows it: users of other silos and pools that are not linked', async () => {
    const pool = await w.as('fleetAdmin').ipPoolCreate({
      body: { name: 'apart', description: '' },
    })
    const user = await inDb(w, (tx) =>
      createUser(w.world, tx, { siloId: w.ids['other'] ?? '', name: 'far', passwordHash: null }),
    )
    for (const resource of [`ip-pool:${pool.id}`, `silo-user:${user}`]) {
      const url = `/v1/activity?resource=${resource}`
      expect((await w.raw({ url, who: 'fleetAdmin' })).status, resource).toBe(200)
      for (const address of asked(resource).slice(1))
        expect((await w.raw({ url: address, who: 'viewer' })).status, address).toBe(404)
    }
  })
})

it('operators see what was done to a sled', async () => {
  const sled = (await w.as('fleetAdmin').sledList({ query: {} })).items[0]?.id ?? ''
  await w.as('fleetAdmin').sledSetProvisionPolicy({
    params: { sledId: sled },
    body: { state: 'non_provisionable' },
  })
  expect(operationsOf(await activity(`sled:${sled}`, 'fleetAdmin'))).toEqual(['sled_set_provision_policy'])
  await expect(activity(`sled:${sled}`, 'admin')).rejects.toMatchObject({ status: 404 })
})
