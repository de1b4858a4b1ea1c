import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GiB } from '@purlin/contract/rules/limits'
import { openSqlite } from '@purlin/databases/sqlite-node'
import fc from '#/testing/properties.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDispatcher } from './dispatch.ts'
import { setQuota, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type RawRequest, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
/** Sends a request to a new dispatcher, which has nothing cached. */
let fresh: (request: RawRequest) => Promise<{ status: number; json: unknown }>
beforeAll(async () => {
  w = await openWorld({ timings: swift })
  const { groupId } = { groupId: w.world.ids.uuid() }
  await inDb(w, (tx) =>
    tx
      .insertInto('siloGroup')
      .values({
        id: groupId,
        siloId: w.ids['acme'] ?? '',
        displayName: 'team',
        timeCreated: 0,
        timeModified: 0,
      })
      .execute(),
  )
  w.ids['team'] = groupId
  const tokens = new Map<Who, string>()
  for (const who of readers) {
    const body = JSON.stringify({ username: who.toLowerCase(), password: `${who}-password` })
    const silo = who === 'stranger' ? 'other' : 'acme'
    const { cookies } = await w.raw({ method: 'POST', url: `/v1/login/${silo}/local`, body })
    tokens.set(who, cookies[0]?.split(';')[0] ?? '')
  }
  fresh = async ({ url, who }) => {
    const headers: Record<string, string> = { cookie: tokens.get(who ?? 'nobody') ?? '' }
    const { dispatch } = createDispatcher(w.world, { wake: () => undefined })
    const { status, body } = await dispatch({
      method: 'GET',
      url,
      headers,
    })
    return { status, json: JSON.parse(body ?? 'null') as unknown }
  }
})
afterAll(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const readers: Who[] = ['admin', 'viewer', 'nobody', 'projectViewer', 'stranger']
const urls = [
  '/v1/projects',
  '/v1/projects/demo',
  '/v1/projects/p1',
  '/v1/projects/demo/policy',
  '/v1/policy',
  '/v1/disks?project=demo',
  '/v1/disks?project=demo&limit=1',
  '/v1/disks/d1?project=demo',
  '/v1/instances?project=demo',
  '/v1/instances/i1?project=demo',
  '/v1/instances/i1/disks?project=demo',
  '/v1/instances/i1/external-ips?project=demo',
  '/v1/network-interfaces?instance=i1&project=demo',
  '/v1/vpcs?project=demo',
  '/v1/vpc-subnets?project=demo&vpc=default',
  '/v1/me',
  '/v1/me/groups',
  '/v1/me/ssh-keys',
  '/v1/users',
  '/v1/groups',
  '/v1/utilization',
  '/v1/ip-pools',
  '/v1/images',
  '/v1/instances/i1/ssh-public-keys?project=demo',
  '/v1/floating-ips?project=demo',
]
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'
const small = { description: '', ncpus: 1, memory: GiB, hostname: 'vm' }
const blank = { description: '', size: GiB, diskSource: { type: 'blank' as const, blockSize: 512 as const } }
const query = { project: 'demo' }

/** Requests that may change what an actor reads. Those that fail change nothing, which is fine too. */
const writes: Record<string, () => Promise<unknown>> = {
  makeDisk: () => w.as('admin').diskCreate({ query, body: { name: 'd1', ...blank } }),
  dropDisk: () => w.as('admin').diskDelete({ params: { disk: 'd1' }, query }),
  makeAnotherDisk: () => w.as('collaborator').diskCreate({ query, body: { name: 'd2', ...blank } }),
  makeProject: () => w.as('admin').projectCreate({ body: { name: 'p1', description: '' } }),
  dropProject: async () => {
    await w
      .as('admin')
      .vpcSubnetDelete({ params: { subnet: 'default' }, query: { project: 'p1', vpc: 'default' } })
    await w.as('admin').vpcDelete({ params: { vpc: 'default' }, query: { project: 'p1' } })
    await w.as('admin').projectDelete({ params: { project: 'p1' } })
  },
  describeProject: () =>
    w.as('admin').projectUpdate({ params: query, body: { description: String(Math.random()) } }),
  makeInstance: () => w.as('admin').instanceCreate({ query, body: { name: 'i1', ...small, start: false } }),
  dropInstance: () => w.as('admin').instanceDelete({ params: { instance: 'i1' }, query }),
  start: () => w.as('admin').instanceStart({ params: { instance: 'i1' }, query }),
  stop: () => w.as('admin').instanceStop({ params: { instance: 'i1' }, query }),
  letTimePass: () => w.advance(150),
  attach: () => w.as('admin').instanceDiskAttach({ params: { instance: 'i1' }, query, body: { disk: 'd1' } }),
  detach: () => w.as('admin').instanceDiskDetach({ params: { instance: 'i1' }, query, body: { disk: 'd1' } }),
  makeVpc: () => w.as('admin').vpcCreate({ query, body: { name: 'v1', description: '', dnsName: 'v1' } }),
  makeSubnet: () =>
    w.as('admin').vpcSubnetCreate({
      query: { ...query, vpc: 'default' },
      body: { name: 's1', description: '', ipv4Block: '10.9.0.0/24' },
    }),
  addKey: () =>
    w.as('admin').currentUserSshKeyCreate({ body: { name: 'k1', description: '', publicKey: key } }),
  dropKey: () => w.as('admin').currentUserSshKeyDelete({ params: { sshKey: 'k1' } }),
  share: () => setPolicy([w.ids['nobody'] ?? '']),
  unshare: () => setPolicy([]),
  shareWithTeam: () =>
    w.as('admin').policyUpdate({
      body: {
        roleAssignments: [
          admin(),
          { identityType: 'silo_group', identityId: w.ids['team'] ?? '', roleName: 'viewer' },
        ],
      },
    }),
  joinTeam: () =>
    inDb(w, (tx) =>
      tx
        .insertInto('groupMember')
        .values({ groupId: w.ids['team'] ?? '', userId: w.ids['nobody'] ?? '' })
        .execute(),
    ),
  leaveTeam: () => inDb(w, (tx) => tx.deleteFrom('groupMember').execute()),
  changeQuota: () => setQuota(w, { quotaCpus: Math.floor(Math.random() * 100) }),
  rollBack: () =>
    inDb(w, async (tx) => {
      await tx.deleteFrom('disk').execute()
      throw new Error('never mind')
    }),
}
const admin = () => ({
  identityType: 'silo_user' as const,
  identityId: w.ids['admin'] ?? '',
  roleName: 'admin' as const,
})
const setPolicy = (viewers: string[]) =>
  w.as('admin').projectPolicyUpdate({
    params: query,
    body: {
      roleAssignments: viewers.map((identityId) => ({
        identityType: 'silo_user' as const,
        identityId,
        roleName: 'viewer' as const,
      })),
    },
  })

const withoutId = ({ status, json }: { status: number; json: unknown }) => {
  const { request_id: _, ...rest } = json as Record<string, unknown>
  return { status, rest }
}
const anyRead = fc.record({ url: fc.constantFrom(...urls), who: fc.constantFrom(...readers) })
const anyWrite = fc.constantFrom(...Object.keys(writes))

describe('a cached answer', () => {
  it('is what an uncached read would give, for each caller, after any writes', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.tuple(anyWrite, fc.array(anyRead, { minLength: 4, maxLength: 10 })), {
        minLength: 1,
        maxLength: 12,
      }),
      async (steps) => {
        for (const [write, reads] of steps) {
          await writes[write]?.().catch(() => undefined)
          // While nothing runs, two reads can differ only because of the cache.
          await w.settle()
          for (const read of reads)
            expect([read, withoutId(await w.raw(read))]).toEqual([read, withoutId(await fresh(read))])
        }
      },
    )
    await fc.assert(property, { numRuns: 40 })
  }, 120_000)

  it('stays true when reads and writes run at the same time', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.oneof(anyWrite, anyRead), { minLength: 5, maxLength: 25 }),
      async (all) => {
        await Promise.all(
          all.map(async (one) =>
            typeof one === 'string' ? writes[one]?.().catch(() => undefined) : w.raw(one),
          ),
        )
        await w.settle()
        const reads = all.filter((one) => typeof one !== 'string')
        for (const read of reads)
          expect([read, withoutId(await w.raw(read))]).toEqual([read, withoutId(await fresh(read))])
      },
    )
    await fc.assert(property, { numRuns: 40 })
  }, 120_000)

  it('is never another caller’s', async () => {
    await writes['unshare']?.()
    for (const url of urls) {
      const seen = await w.raw({ url, who: 'admin' })
      const stranger = await w.raw({ url, who: 'stranger' })
      if (seen.status === 200 && url.includes('demo')) expect(stranger.status).toBe(404)
      expect((await w.raw({ url })).status).toBe(401)
    }
  })

  it('the same read twice costs one transaction', async ({ skip }) => {
    if (!w.world.engine.changes) skip('where others may write the same database, nothing is remembered')
    const { engine } = w.world
    const transaction = engine.transaction.bind(engine)
    let count = 0
    engine.transaction = (...args) => {
      count++
      return transaction(...args)
    }
    try {
      await w.raw({ url: '/v1/vpcs?project=demo', who: 'admin' })
      count = 0
      expect((await w.raw({ url: '/v1/vpcs?project=demo', who: 'admin' })).status).toBe(200)
      expect(count).toBe(0)
      await writes['changeQuota']?.()
      count = 0
      await w.raw({ url: '/v1/vpcs?project=demo', who: 'admin' })
      expect(count).toBeGreaterThan(0)
    } finally {
      engine.transaction = transaction
    }
  })
})

it('what was read during a write is not cached', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-replies-'))
  // A file has a second handle for reads, so that they go on beside a write.
  const world = await openWorld({ engine: openSqlite(join(folder, 'test.db')) })
  // From here on the session is known: only the project is read.
  await world.as('admin').currentUserView()
  const { engine } = world.world
  const transaction = engine.transaction.bind(engine)
  const written = Promise.withResolvers<void>()
  engine.transaction = (mode, work, reads) =>
    transaction(
      mode,
      async (tx) => {
        const value = await work(tx)
        if (mode === 'read') await written.promise
        return value
      },
      reads,
    )
  const description = async () =>
    ((await world.raw({ url: '/v1/projects/demo', who: 'admin' })).json as { description: string })
      .description
  const late = description()
  await new Promise(setImmediate)
  await transaction('write', (tx) => tx.updateTable('project').set({ description: 'new' }).execute())
  written.resolve()
  expect(await late).toBe('the demo project')
  expect(await description()).toBe('new')
  await world.close()
  rmSync(folder, { recursive: true })
})
