import { GiB, limits } from '@purlin/contract/rules/limits'
import { sessionsOf } from '#/auth/sessions.ts'
import { verifyAuditLog } from '#/audit/verify.ts'
import { ownRecord } from '#/audit/own-records.ts'
import { sequence } from '#/audit/sequence.ts'
import { OutcomeUnknown, type Engine } from '#/db/engine.ts'
import { openTestEngine } from '#/testing/engines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, sha256, type TestWorld, type Who } from '#/testing/world.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let w: TestWorld
let engine: Engine
/** Replaces the next commit of a write. */
let failure: (() => Promise<never>) | undefined
beforeEach(async () => {
  const real = await openTestEngine()
  engine = {
    ...real,
    transaction: async (mode, work, reads) => {
      const fail = mode === 'write' ? failure : undefined
      if (!fail) return real.transaction(mode, work, reads)
      failure = undefined
      return real.transaction(mode, async (...begun) => work(...begun).then(fail), reads)
    },
  }
  w = await openWorld({ engine, sha256 })
})
afterEach(async () => {
  failure = undefined
  expect(w.errors).toEqual([])
  await w.close()
})

const startTime = new Date('2026-01-01T00:00:00Z')
type ListQuery = Parameters<ReturnType<TestWorld['as']>['auditLogList']>[0]['query']
const list = async (query: Partial<ListQuery> = {}, who: Who = 'fleetAdmin') =>
  (await w.as(who).auditLogList({ query: { startTime, ...query } })).items
const ofSilo = async (query: Partial<Omit<ListQuery, 'silo'>> = {}, who: Who = 'admin') =>
  (await w.as(who).siloAuditLogList({ query: { startTime, ...query } })).items
const operationsOf = (items: { operationId: string }[]) => items.map((one) => one.operationId)

const disk = (name: string) => ({
  query: { project: 'demo' },
  body: { name, description: '', size: GiB, diskSource: { type: 'blank' as const, blockSize: 512 as const } },
})
const ofDemo = (name: string) => ({ params: { disk: name }, query: { project: 'demo' } })
const signIn = (username: string, password: string, remote?: string) =>
  w.raw({
    method: 'POST',
    url: '/v1/login/acme/local',
    body: JSON.stringify({ username, password }),
    headers: { 'content-type': 'application/json', 'user-agent': 'Firefox/140' },
    remote,
  })

const cookieOf = async (who: Who): Promise<string> => {
  const token = await inDb(w, (tx) => sessionsOf(w.world).start(tx, w.ids[who] ?? ''))
  return `session=${token}`
}

describe('an entry', () => {
  it('says who did what from where to what, and how it ended', async () => {
    const { id } = await w.as('collaborator').diskCreate(disk('data'))
    const [entry] = await list({ operation: 'disk_create' })
    expect(entry).toMatchObject({
      operationId: 'disk_create',
      requestUri: '/v1/disks?project=demo',
      sourceIp: '127.0.0.1',
      authMethod: 'session_cookie',
      actor: { kind: 'silo_user', siloUserId: w.ids['collaborator'], siloId: w.ids['acme'] },
      actorName: 'collaborator',
      siloId: w.ids['acme'],
      siloName: 'acme',
      result: { kind: 'success', httpStatusCode: 201 },
      objects: [
        { type: 'project', id: w.ids['demo'], nameBefore: 'demo', nameAfter: 'demo' },
        { type: 'disk', id, nameBefore: null, nameAfter: 'data' },
      ],
    })
    expect(entry?.timeCompleted).toEqual(new Date(w.clock.now()))
  })

  it('is found by the name of a project that it made or deleted, not of one that it only is in', async () => {
    const me = w.as('admin')
    await me.projectCreate({ body: { name: 'brief', description: '' } })
    await me.floatingIpCreate({ query: { project: 'brief' }, body: { name: 'front', description: '' } })
    await me.floatingIpDelete({ params: { floatingIp: 'front' }, query: { project: 'brief' } })
    await me.vpcSubnetDelete({ params: { subnet: 'default' }, query: { project: 'brief', vpc: 'default' } })
    await me.vpcDelete({ params: { vpc: 'default' }, query: { project: 'brief' } })
    await me.projectDelete({ params: { project: 'brief' } })
    const found = await list({ objectName: 'brief', objectType: 'project' })
    expect(operationsOf(found)).toEqual(['project_create', 'project_delete'])
  })

  it('has the names of a renamed and of a deleted resource', async () => {
    await w.as('admin').vpcUpdate({
      params: { vpc: 'default' },
      query: { project: 'demo' },
      body: { name: 'main' },
    })
    await w.as('admin').diskCreate(disk('data'))
    await w.as('admin').diskDelete(ofDemo('data'))
    const [renamed] = await list({ operation: 'vpc_update' })
    expect(renamed?.objects).toMatchObject([{ type: 'vpc', nameBefore: 'default', nameAfter: 'main' }])
    const [deleted] = await list({ operation: 'disk_delete' })
    expect(deleted?.objects).toMatchObject([{ type: 'disk', nameBefore: 'data', nameAfter: null }])
  })

  it('of a refused request has its error and its target', async () => {
    await w.as('admin').diskCreate(disk('data'))
    await expect(w.as('viewer').diskDelete(ofDemo('data'))).rejects.toMatchObject({ status: 403 })
    const [entry] = await list({ operation: 'disk_delete' })
    expect(entry).toMatchObject({
      actorName: 'viewer',
      result: { kind: 'error', httpStatusCode: 403, errorCode: 'Forbidden' },
      objects: [{ type: 'disk', nameBefore: 'data', nameAfter: 'data' }],
    })
  })

  it('of a request whose commit has an unknown outcome says so', async () => {
    // The loops begin with separate writes.
    await w.settle()
    failure = () => Promise.reject(new OutcomeUnknown('the connection broke'))
    await expect(w.as('admin').diskCreate(disk('data'))).rejects.toMatchObject({ status: 503 })
    const [entry] = await list({ operation: 'disk_create' })
    expect(entry?.result).toEqual({ kind: 'unknown' })
    expect(operationsOf(await list({ result: 'unknown' }))).toEqual(['disk_create'])
  })

  it('never has a body, a password or a token', async () => {
    const response = await signIn('admin', 'admin-password')
    const token = /session=([0-9a-f]+)/.exec(response.cookies.join())?.[1] ?? ''
    await signIn('admin', 'not the password')
    await w.as('admin').currentUserSshKeyCreate({
      body: {
        name: 'mine',
        description: '',
        publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g',
      },
    })
    const text = JSON.stringify(await list())
    expect(text).toContain('current_user_ssh_key_create')
    for (const secret of ['admin-password', 'not the password', token, 'AAAAC3Nza'])
      expect(text).not.toContain(secret)
  })

  it('cuts long addresses and agents', async () => {
    const headers = { 'user-agent': 'x'.repeat(2000) }
    const url = `/v1/disks/${'d'.repeat(60)}?project=demo&x=${'y'.repeat(2000)}`
    await w.raw({ method: 'DELETE', url, who: 'admin', headers })
    const [entry] = await list({ operation: 'disk_delete' })
    expect(entry?.requestUri).toHaveLength(limits.audit.uri)
    expect(entry?.userAgent).toHaveLength(limits.audit.agent)
  })
})

describe('sign-in', () => {
  it('is recorded, with its failures, and so is sign-out', async () => {
    await signIn('admin', 'wrong', '203.0.113.9')
    await signIn('who-is-this', 'wrong', '::ffff:203.0.113.9')
    const { cookies } = await signIn('admin', 'admin-password')
    const cookie = cookies.find((one) => one.startsWith('session='))?.split(';')[0] ?? ''
    await w.raw({ method: 'POST', url: '/v1/logout', headers: { cookie } })
    const entries = await list({ silo: 'acme' })
    const ours = entries.filter(({ operationId }) => operationId.startsWith('log'))
    expect(ours).toMatchObject([
      {
        operationId: 'login_local',
        sourceIp: '203.0.113.9',
        userAgent: 'Firefox/140',
        actor: { kind: 'unauthenticated' },
        result: { kind: 'error', httpStatusCode: 401 },
        objects: [{ type: 'silo-user', id: w.ids['admin'], nameAfter: 'admin' }],
        siloName: 'acme',
      },
      { sourceIp: '203.0.113.9', actor: { kind: 'unauthenticated' }, objects: [] },
      {
        actor: { kind: 'silo_user', siloUserId: w.ids['admin'] },
        result: { kind: 'success', httpStatusCode: 204 },
      },
      { operationId: 'logout', actorName: 'admin', result: { kind: 'success' } },
    ])
  })

  it('of strangers who try no account leave no entry', async () => {
    await w.raw({ method: 'POST', url: '/v1/logout' })
    await w.raw({ method: 'POST', url: '/v1/logout', headers: { cookie: 'session=00' } })
    await w.raw({
      method: 'POST',
      url: '/v1/projects',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    for (let i = 0; i < 12; i++) await signIn('admin', 'wrong')
    const entries = await list({ actor: undefined })
    const strangers = entries.filter(({ actor }) => actor.kind === 'unauthenticated')
    // Attempts that are refused with a wait are not recorded.
    expect(strangers.length).toBeGreaterThan(3)
    expect(strangers.length).toBeLessThan(12)
  })
})

describe('the list', () => {
  const times: number[] = []
  beforeEach(async () => {
    times.length = 0
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      await w.advance(1000)
      times.push(w.clock.now())
      await w.as(name === 'two' ? 'collaborator' : 'admin').diskCreate(disk(name))
    }
  })
  const names = (items: Awaited<ReturnType<typeof list>>) =>
    items.map((one) => one.objects?.at(-1)?.nameAfter)

  it('has a window of time, its start inclusive and its end exclusive', async () => {
    const [, second = 0, , fourth = 0] = times
    const window = { startTime: new Date(second), endTime: new Date(fourth) }
    expect(names(await list(window))).toEqual(['two', 'three'])
    await expect(list({ startTime: new Date(fourth), endTime: new Date(second) })).rejects.toMatchObject({
      status: 400,
    })
  })

  it.each(['time_and_id_ascending', 'time_and_id_descending'] as const)('pages %s', async (sortBy) => {
    const query = { startTime: new Date(times[0] ?? 0), sortBy, limit: 2 }
    const found: unknown[] = []
    for (let pageToken: string | undefined; ;) {
      const { items, nextPage } = await w.as('fleetAdmin').auditLogList({ query: { ...query, pageToken } })
      found.push(...names(items))
      if (nextPage == null) break
      pageToken = nextPage
    }
    const all = ['one', 'two', 'three', 'four', 'five']
    expect(found).toEqual(sortBy === 'time_and_id_ascending' ? all : all.toReversed())
  })

  it('is filtered by each of its columns', async () => {
    const [first] = await list({ operation: 'disk_create' })
    const object = first?.objects?.at(-1)?.id
    expect(names(await list({ object }))).toEqual(['one'])
    expect(names(await list({ objectName: 'two' }))).toEqual(['two'])
    expect(names(await list({ object: w.ids['demo'], objectName: 'two' }))).toEqual(['two'])
    expect(names(await list({ object, objectType: 'disk' }))).toEqual(['one'])
    expect(names(await list({ objectName: 'two', objectType: 'disk' }))).toEqual(['two'])
    for (const objectType of ['vpc', 'dis_', 'dis', '"disk"'])
      expect(await list({ objectName: 'two', objectType })).toEqual([])
    expect(names(await list({ object: w.ids['demo'], objectType: 'disk' }))).toContain('two')
    expect(names(await list({ actor: w.ids['collaborator'] }))).toEqual(['two'])
    expect(names(await list({ actor: w.ids['collaborator'], operation: 'disk_create' }))).toEqual(['two'])
    expect(await list({ actor: w.ids['collaborator'], operation: 'disk_delete' })).toEqual([])
    expect(await list({ sourceIp: '192.0.2.1' })).toEqual([])
    expect((await list({ sourceIp: '127.0.0.1' })).length).toBeGreaterThan(4)
    await w.raw({
      method: 'DELETE',
      url: '/v1/disks/one?project=demo',
      who: 'admin',
      headers: { 'user-agent': 'curl/8_7' },
    })
    expect(operationsOf(await list({ userAgent: 'CURL/8_' }))).toEqual(['disk_delete'])
    expect(await list({ userAgent: 'curl/%' })).toEqual([])
    expect((await list({ result: 'error' })).length).toBe(0)
    expect(operationsOf(await list({ result: 'success', operation: 'disk_delete' }))).toEqual(['disk_delete'])
    expect((await list({ silo: 'acme' })).length).toBeGreaterThan(4)
    expect(await list({ silo: 'other' })).toEqual([])
    await expect(list({ silo: 'nope' })).rejects.toMatchObject({ status: 404 })
  })

  it('can be those of operators on the fleet only', async () => {
    await w.as('admin').diskCreate(disk('of-silo'))
    await w.as('fleetAdmin').ipPoolCreate({ body: { name: 'office', description: '' } })
    await w.as('admin').projectCreate({ body: { name: 'other', description: '' } })
    expect(operationsOf(await list({ fleetOnly: true }))).toEqual(['ip_pool_create'])
    expect(operationsOf(await list({ fleetOnly: false }))).toContain('disk_create')
  })

  it('scans a limited number of entries for a rare one, and continues from there', async () => {
    await inDb(w, async (tx) => {
      const [row] = await tx.selectFrom('auditEntry').selectAll().orderBy('seq', 'desc').limit(1).execute()
      if (!row) throw new Error('no entry')
      for (let at = 0; at < limits.audit.looksThrough + 100; at += 100)
        await tx
          .insertInto('auditEntry')
          .values(
            Array.from({ length: 100 }, (_, i) => ({ ...row, seq: row.seq + at + i + 1, id: `${at + i}` })),
          )
          .execute()
    })
    const query = { startTime, userAgent: 'nothing like it', sortBy: 'time_and_id_descending' as const }
    const first = await w.as('fleetAdmin').auditLogList({ query })
    expect(first).toMatchObject({ items: [], nextPage: expect.any(String) as string })
    const next = await w
      .as('fleetAdmin')
      .auditLogList({ query: { ...query, pageToken: first.nextPage ?? '' } })
    expect(next).toMatchObject({ items: [], nextPage: null })
  })

  it('of one millisecond have the order in which they were made', async () => {
    const records = ['first', 'second', 'third'].map((operation) =>
      ownRecord(w.world, { operation, by: 'a test' }),
    )
    await inDb(w, async (tx) => {
      for (const record of records.toReversed()) await tx.insertInto('auditPending').values(record).execute()
    })
    expect((await list()).slice(-3).map(({ operationId }) => operationId)).toEqual([
      'first',
      'second',
      'third',
    ])
  })

  it('of the past never changes: late records come after the last entry', async () => {
    const before = await list()
    const last = before.at(-1)
    // As a server does whose transaction took long.
    await inDb(w, async (tx) => {
      const entry = await tx
        .selectFrom('auditEntry')
        .selectAll()
        .orderBy('seq')
        .limit(1)
        .executeTakeFirstOrThrow()
      const { seq: _seq, hash: _hash, ...row } = entry
      const late = { ...row, requestId: 'late', at: entry.timeStarted, keys: '' }
      await tx.insertInto('auditPending').values(late).execute()
    })
    const after = await list()
    expect(after.slice(0, -1)).toEqual(before)
    expect(after.at(-1)).toMatchObject({ requestId: 'late', timeCompleted: last?.timeCompleted })
  })
})

describe('permission to read it', () => {
  beforeEach(async () => {
    await w.as('collaborator').diskCreate(disk('data'))
    await w.as('stranger').projectCreate({ body: { name: 'theirs', description: '' } })
    await w.as('fleetAdmin').siloQuotasUpdate({ params: { silo: 'other' }, body: { cpus: 7 } })
  })

  it('only operators read everything', async () => {
    expect(operationsOf(await list())).toEqual(
      expect.arrayContaining(['disk_create', 'project_create', 'silo_quotas_update']),
    )
    for (const who of ['admin', 'noRole', 'projectAdmin', 'stranger'] as const)
      await expect(list({}, who)).rejects.toMatchObject({ status: 403 })
  })

  it('administrators of a silo read the actions of its users, and the actions on it', async () => {
    expect(operationsOf(await ofSilo({ objectName: 'data' }))).toEqual(['disk_create'])
    expect(operationsOf(await ofSilo({}, 'stranger'))).toEqual(['project_create', 'silo_quotas_update'])
    expect(await ofSilo({ actor: w.ids['collaborator'] }, 'stranger')).toEqual([])
    expect(await ofSilo({ objectName: 'data' }, 'stranger')).toEqual([])
    for (const who of ['collaborator', 'viewer', 'noRole'] as const)
      await expect(ofSilo({}, who)).rejects.toMatchObject({ status: 403 })
  })

  it('users who see a resource see the actions on it, without addresses', async () => {
    const activity = async (resource: string, who: Who) =>
      (await w.as(who).resourceActivity({ query: { resource } })).items
    const { id } = await w.as('admin').diskView(ofDemo('data'))
    const [made] = await activity(`disk:${id}`, 'projectViewer')
    expect(made).toMatchObject({ operationId: 'disk_create', actorName: 'collaborator' })
    expect(Object.keys(made ?? {})).not.toContain('sourceIp')
    expect(operationsOf(await activity('project:demo', 'viewer'))).toEqual(
      expect.arrayContaining(['disk_create', 'project_create']),
    )
    expect(operationsOf(await activity('silo:other', 'stranger'))).toContain('silo_quotas_update')
    await expect(activity(`disk:${id}`, 'stranger')).rejects.toMatchObject({ status: 404 })
    await expect(activity(`disk:${id}`, 'noRole')).rejects.toMatchObject({ status: 404 })
    await expect(activity(`ip-pool:${w.ids['public']}`, 'admin')).rejects.toMatchObject({ status: 403 })
    await expect(activity('nonsense', 'admin')).rejects.toMatchObject({ status: 400 })
  })
})

describe('the activity of a VPC', () => {
  it('has the actions on all its content, by name or id', async () => {
    const me = w.as('collaborator')
    const inVpc = { project: 'demo', vpc: 'default' }
    const named = (name: string) => ({ name, description: '' })
    const { id } = await me.vpcView({ params: { vpc: 'default' }, query: { project: 'demo' } })
    const subnet = await me.vpcSubnetCreate({
      query: inVpc,
      body: { ...named('one'), ipv4Block: '10.1.0.0/24', ipv6Block: null },
    })
    await me.vpcSubnetDelete({ params: { subnet: subnet.id }, query: {} })
    const router = await me.vpcRouterCreate({ query: inVpc, body: named('inner') })
    const route = await me.vpcRouterRouteCreate({
      query: { router: router.id },
      body: {
        ...named('stay'),
        destination: { type: 'ip_net', value: '10.9.0.0/16' },
        target: { type: 'drop' },
      },
    })
    await me.vpcRouterRouteDelete({ params: { route: route.id }, query: {} })
    const gateways = await me.internetGatewayList({ query: inVpc })
    const [gateway] = gateways.items
    const address = await me.internetGatewayIpAddressCreate({
      query: { gateway: gateway?.id ?? '' },
      body: { ...named('out'), address: '198.51.100.7' },
    })
    await me.internetGatewayIpAddressDelete({ params: { address: address.id }, query: {} })
    await me.diskCreate(disk('elsewhere'))
    const { items } = await me.resourceActivity({ query: { resource: `vpc:${id}`, limit: 50 } })
    expect(operationsOf(items)).toEqual(
      expect.arrayContaining([
        'internet_gateway_ip_address_create',
        'internet_gateway_ip_address_delete',
        'vpc_router_create',
        'vpc_router_route_create',
        'vpc_router_route_delete',
        'vpc_subnet_create',
        'vpc_subnet_delete',
      ]),
    )
    expect(operationsOf(items)).not.toContain('disk_create')
  })
})

describe('an export', () => {
  const exported = async (query: string, who: Who = 'fleetAdmin', path = '/v1/system/audit-log/export') => {
    const { status, headers, text } = await w.raw({
      url: `${path}?start_time=2026-01-01T00:00:00Z${query}`,
      who,
    })
    return { status, type: headers['content-type'], saved: headers['content-disposition'], text }
  }

  it('has every entry of the list as a line of JSON', async () => {
    for (let i = 0; i < 6; i++) await w.as('admin').diskCreate(disk(`d-${i}`))
    const { status, type, saved, text } = await exported('&operation=disk_create')
    expect({ status, type, saved }).toEqual({
      status: 200,
      type: 'application/x-ndjson; charset=utf-8',
      saved: 'attachment; filename="audit-log-2026-01-02.jsonl"',
    })
    const lines = text.trimEnd().split('\n')
    const { json } = await w.raw({
      url: '/v1/system/audit-log?start_time=2026-01-01T00:00:00Z&operation=disk_create',
      who: 'fleetAdmin',
    })
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(json.items)
  })

  it('continues where a page ends', async () => {
    await list()
    await inDb(w, async (tx) => {
      const row = await tx
        .selectFrom('auditEntry')
        .selectAll()
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      for (let at = 1; at <= 600; at += 100)
        await tx
          .insertInto('auditEntry')
          .values(Array.from({ length: 100 }, (_, i) => ({ ...row, seq: row.seq + at + i, id: `${at + i}` })))
          .execute()
    })
    const { text } = await exported('')
    expect(text.trimEnd().split('\n').length).toBeGreaterThan(600)
  })

  it('as CSV has a header, quotes values where needed, and has no formulas', async () => {
    const headers = { 'user-agent': '=cmd|"x", a' }
    await w.raw({ method: 'DELETE', url: '/v1/disks/none?project=demo', who: 'admin', headers })
    const { type, text } = await exported('&format=csv&operation=disk_delete')
    expect(type).toBe('text/csv; charset=utf-8')
    const [head, row, ...rest] = text.split('\r\n')
    expect(head).toMatch(/^\u{FEFF}time_completed,time_started,operation_id,actor_kind,/u)
    expect(row).toContain(
      `,disk_delete,silo_user,${w.ids['admin']},admin,${w.ids['acme']},acme,127.0.0.1,"'=cmd|""x"", a",`,
    )
    expect(rest).toEqual([''])
  })

  it('needs the permission to read the list', async () => {
    expect((await exported('', 'admin')).status).toBe(403)
    expect((await exported('&format=xml')).status).toBe(400)
    const own = '/v1/audit-log/export'
    await w.as('stranger').projectCreate({ body: { name: 'theirs', description: '' } })
    expect((await exported('', 'viewer', own)).status).toBe(403)
    expect((await exported('', 'stranger', own)).text.trimEnd().split('\n')).toHaveLength(1)
  })

  it('ends early once the session has ended', async () => {
    await list()
    await inDb(w, async (tx) => {
      const row = await tx.selectFrom('auditEntry').selectAll().limit(1).executeTakeFirstOrThrow()
      for (let at = 1; at <= 600; at += 100)
        await tx
          .insertInto('auditEntry')
          .values(Array.from({ length: 100 }, (_, i) => ({ ...row, seq: row.seq + at + i, id: `${at + i}` })))
          .execute()
    })
    const { stream } = await w.plane.dispatch({
      method: 'GET',
      url: '/v1/system/audit-log/export?start_time=2026-01-01T00:00:00Z',
      headers: { host: 'purlin.test', cookie: await cookieOf('fleetAdmin') },
    })
    const pages = stream?.[Symbol.asyncIterator]()
    expect((await pages?.next())?.done).toBe(false)
    await inDb(w, async (tx) => void (await tx.deleteFrom('session').execute()))
    await expect(pages?.next()).rejects.toMatchObject({ status: 401 })
  })
})

describe('the chain', () => {
  const fill = async (word = 'disk') => {
    for (const name of ['one', 'two', 'three'].map((one) => `${word}-${one}`))
      await w.as('admin').diskCreate(disk(name))
    while (await sequence(w.world));
  }
  const verified = (head?: string) => verifyAuditLog(w.world, head)

  it('is unbroken, for any records', async () => {
    await fill()
    const first = await verified()
    expect(first).toMatchObject({ problem: undefined, hasHead: true })
    await fill('later')
    const later = await verified(first.head)
    expect(later).toMatchObject({ problem: undefined, hasHead: true })
    expect(later.entries).toBeGreaterThan(first.entries)
    expect(await verified('f'.repeat(64))).toMatchObject({ problem: 'no entry has the given hash' })
  })

  const tampering = {
    'an entry that was changed': (tx) =>
      tx
        .updateTable('auditEntry')
        .set({ operation: 'disk_view' })
        .where('operation', '=', 'disk_create')
        .execute(),
    'an entry that was taken out': async (tx) => {
      const rows = await tx.selectFrom('auditEntry').select('seq').orderBy('seq').execute()
      await tx
        .deleteFrom('auditEntry')
        .where('seq', '=', rows[1]?.seq ?? 0)
        .execute()
    },
    'an end that was cut off': async (tx) => {
      const rows = await tx.selectFrom('auditEntry').select('seq').orderBy('seq').execute()
      await tx
        .deleteFrom('auditEntry')
        .where('seq', '=', rows.at(-1)?.seq ?? 0)
        .execute()
    },
    'an entry that was put in': async (tx) => {
      const row = await tx
        .selectFrom('auditEntry')
        .selectAll()
        .orderBy('seq')
        .limit(1)
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('auditEntry')
        .values({ ...row, seq: row.seq + 100, id: 'new' })
        .execute()
    },
  } satisfies Record<string, (tx: Parameters<Parameters<typeof inDb>[1]>[0]) => Promise<unknown>>

  it.each(Object.entries(tampering))('shows %s', async (_, tamper) => {
    await fill()
    await inDb(w, async (tx) => void (await tamper(tx)))
    expect((await verified()).problem).toBeDefined()
  })

  it('begins later once entries have been kept long enough', async () => {
    await fill()
    const { head, entries } = await verified()
    await w.jump(731 * 24 * 60 * 60_000)
    await w.advance(2 * 60 * 60_000)
    await w.settle()
    expect(await verified(head)).toMatchObject({ problem: undefined })
    expect((await verified()).entries).toBeLessThan(entries)
    const keys = await inDb(w, (tx) => tx.selectFrom('auditKey').select('seq').execute())
    const rows = await inDb(w, (tx) => tx.selectFrom('auditEntry').select('seq').execute())
    const kept = new Set(rows.map(({ seq }) => seq))
    expect(keys.filter(({ seq }) => !kept.has(seq))).toEqual([])
  })

  it('is written by one server at a time', async () => {
    const other = await w.another()
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? other : w).as('admin').diskCreate(disk(`d-${i}`))),
    )
    await Promise.all([sequence(w.world), sequence(other.plane.world), list(), list()])
    expect(await list({ operation: 'disk_create' })).toHaveLength(40)
    expect(await verified()).toMatchObject({ problem: undefined })
    await other.plane.loops.stop()
  })
})

describe('words', () => {
  const found = async (...filter: string[]) => operationsOf(await list({ filter }))

  it('restrict the log by one value, by several, and by none of some', async () => {
    const { diskCreate, diskDelete } = w.as('projectCollaborator')
    await diskCreate(disk('a'))
    await w.advance(3 * 60_000)
    await diskCreate(disk('b'))
    await diskDelete(ofDemo('b'))
    await expect(diskDelete(ofDemo('c'))).rejects.toMatchObject({ status: 404 })
    expect(await found('operation:disk_create')).toEqual(['disk_create', 'disk_create'])
    expect(await found('operation:disk_create', 'operation:disk_delete', '-result:error')).toEqual([
      'disk_create',
      'disk_create',
      'disk_delete',
    ])
    expect(await found('object:b', '-operation:disk_create')).toEqual(['disk_delete'])
    expect(await found('kind:disk', '-object:b')).toEqual(['disk_create'])
    expect(await found('status:>=400')).toEqual(['disk_delete'])
    expect(await found('-status:>=400', 'project:demo', 'kind:disk')).toEqual([
      'disk_create',
      'disk_create',
      'disk_delete',
    ])
    expect(await found('project:none')).toEqual([])
    expect(await found('time:>2m', 'kind:disk')).toEqual(['disk_create'])
    expect(await found('-time:>2m', 'kind:disk', 'result:success')).toEqual(['disk_create', 'disk_delete'])
    expect(await found('agent:nothing')).toEqual([])
    expect(await found('-agent:nothing', '-address:10.9.9.9', 'time:>2m', 'kind:disk')).toEqual([
      'disk_create',
    ])
  })

  it('name actors by id or by name, and are kept by the token of the next page', async () => {
    const { diskCreate } = w.as('projectCollaborator')
    for (const name of ['a', 'b', 'c']) await diskCreate(disk(name))
    const actorName = (await list()).at(-1)?.actorName ?? ''
    expect(await found(`actor:${w.ids.projectCollaborator}`)).toHaveLength(3)
    expect(await found(`actor:${actorName.toUpperCase()}`)).toHaveLength(3)
    expect(await found(`-actor:${actorName}`, 'kind:disk')).toEqual([])
    expect(await found(`actor:${actorName.slice(0, -1)}`)).toEqual([])
    const { auditLogList } = w.as('fleetAdmin')
    const query = { startTime, filter: ['-object:b', 'time:<5m', 'kind:disk'], limit: 1 }
    const first = await auditLogList({ query })
    await w.advance(10 * 60_000)
    const { items } = await auditLogList({ query: { ...query, pageToken: first.nextPage ?? '' } })
    expect(items.map((one) => one.objects?.at(-1)?.nameAfter)).toEqual(['c'])
  })

  it('of the activity of a resource have no addresses, and the file has the same entries', async () => {
    const { id } = await w.as('projectCollaborator').diskCreate(disk('a'))
    const ask = (filter: string) =>
      w.raw({ who: 'projectViewer', url: `/v1/activity?resource=disk:${id}&filter=${filter}` })
    expect((await ask('operation:disk_create')).json).toMatchObject({ items: [{}] })
    expect((await ask('-operation:disk_create')).json).toMatchObject({ items: [] })
    expect((await ask('address:10.0.0.1')).status).toBe(400)
    const { text } = await w.raw({
      who: 'fleetAdmin',
      url: `/v1/system/audit-log/export?start_time=${startTime.toISOString()}&format=jsonl&filter=-operation:project_create`,
    })
    expect(text).toContain('disk_create')
    expect(text).not.toContain('project_create')
  })

  it('are refused at the character where they are wrong, and if they are too long together', async () => {
    const ask = (filter: string) =>
      w.raw({
        who: 'fleetAdmin',
        url: `/v1/system/audit-log?start_time=${startTime.toISOString()}&filter=${filter}`,
      })
    expect((await ask('result:odd')).json).toMatchObject({
      message: expect.stringMatching(/result is one of success, error, unknown, at character 8/) as string,
    })
    const long = Array.from({ length: 5 }, (_, i) => `object:${i}${'a'.repeat(220)}`).join('&filter=')
    expect((await ask(long)).status).toBe(400)
  })
})
