import { createHash } from 'node:crypto'
import { expiryStage } from '@purlin/contract/rules/credentials/certificates'
import { kindNames, type KindName, type KindWith } from '@purlin/contract/rules/kinds'
import { GiB, MiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fleetId } from '#/db/rows/fleet.ts'
import { rowsOf } from '#/db/kinds.ts'
import { testCertificate } from '#/testing/certificates.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, dump } from '#/testing/state.ts'
import { rootDocument, updateFixture } from '#/testing/updates/fixtures.ts'
import { openWorld, sha256, type TestWorld } from '#/testing/world.ts'
import { schemas } from '#/timeseries/schemas.ts'
import { createTimeseriesReader } from '#/timeseries/store-read.ts'
import type { MakeCertificate } from './access.ts'
import { digestOfZeros, moveDemo, seedDemo } from './demo.ts'
import { demoPastMs } from './history.ts'

const dayMs = 24 * 60 * 60_000

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ sha256 })
})
afterEach(() => w.close())

it('is made once', async () => {
  await seedDemo(w.world)
  const before = await dump(w)
  await seedDemo(w.world)
  expect(await dump(w)).toEqual(before)
})

it('has the digest of each image, which is that of its zeros', async () => {
  await seedDemo(w.world)
  const images = await inDb(w, (tx) => tx.selectFrom('image').select(['size', 'digest']).execute())
  for (const { size, digest } of images) expect(digest).toBe(digestOfZeros[size])
  const hash = createHash('sha256')
  const zeros = new Uint8Array(16 * MiB)
  for (let at = 0; at < GiB; at += zeros.length) hash.update(zeros)
  expect(digestOfZeros[GiB]).toBe(hash.digest('hex'))
  expect(new Set(images.map(({ digest }) => digest)).size).toBe(5)
})

/** Kinds without a section of the console that the demo does not show, and why. */
const notShown: Partial<Record<Exclude<KindName, KindWith<'section'>>, string>> = {
  secondFactor: 'users of the demo sign in with the password that it shows',
  host: 'it would be silent: no process of the demo is one',
  hostJoinCode: 'its command is shown only once, and it ends within the hour',
  imageImport: 'one that is done is an image, and the preview has none',
  affinityGroup: 'the console shows anti-affinity groups only',
  systemUpdateUpload: 'the bytes of an unfinished one would be missing',
  alert: 'they are made of what the loops find once the demo runs',
}

/** Makes certificates of tests. */
const makeCertificate = async ({ dnsNames, notBefore, notAfter }: Parameters<MakeCertificate>[0]) =>
  testCertificate('', {
    dnsNames: [...dnsNames],
    notBefore: notBefore.getTime(),
    notAfter: notAfter.getTime(),
  })

it('shows every kind of resource but those for which there is a reason', async () => {
  const repositories = ['1.0.0.zip', '1.1.0.zip'].map((fileName) => ({
    fileName,
    content: updateFixture(fileName),
  }))
  await seedDemo(w.world, { makeCertificate, releases: { root: rootDocument(), repositories } })
  const hasRows = async (kind: KindName) =>
    (await inDb(w, (tx) => rowsOf(tx, kind).select('id').limit(1).execute())).length > 0
  const missing: KindName[] = []
  for (const kind of kindNames) if (!(await hasRows(kind))) missing.push(kind)
  expect(missing, 'make one of each in packages/core/seed/demo.ts').toEqual(Object.keys(notShown))
})

it('has a snapshot of a disk that an instance uses', async () => {
  await seedDemo(w.world)
  const disks = await inDb(w, (tx) =>
    tx
      .selectFrom('snapshot')
      .innerJoin('disk', 'disk.id', 'snapshot.diskId')
      .select(['snapshot.name', 'disk.name as disk'])
      .orderBy('snapshot.name')
      .execute(),
  )
  expect(disks).toEqual([
    { name: 'ingest-before-upgrade', disk: 'ingest-gateway-boot' },
    { name: 'last-good-ingest-gateway-boot', disk: 'ingest-gateway-boot' },
  ])
})

it('has a floating IP that serves an instance, and collectors that are kept apart', async () => {
  await seedDemo(w.world)
  const served = await inDb(w, (tx) =>
    tx
      .selectFrom('externalIp')
      .innerJoin('instance', 'instance.id', 'externalIp.instanceId')
      .select(['externalIp.name', 'instance.name as instance'])
      .where('externalIp.kind', '=', 'floating')
      .execute(),
  )
  expect(served).toEqual([{ name: 'ingest', instance: 'ingest-gateway' }])
  const collectors = await inDb(w, (tx) =>
    tx
      .selectFrom('affinityMember')
      .innerJoin('instance', 'instance.id', 'affinityMember.instanceId')
      .select('instance.name')
      .orderBy('instance.name')
      .execute(),
  )
  expect(collectors.map((one) => one.name)).toEqual(['collector-01', 'collector-02'])
})

it('has a past: measurements of its machines, and resources provisioned over time', async () => {
  await w.close()
  w = await openWorld({ collects: true, past: demoPastMs })
  await seedDemo(w.world)
  for (const loop of ['instances', 'samples'] as const) w.plane.loops.wake(loop)
  await w.advance(5_000)
  const schema = schemas.get('virtual_machine:vcpu_usage')
  if (!schema) throw new Error('no schema')
  const all = { schema, equal: new Map(), test: () => true, from: null, until: null, limit: null }
  const series = await createTimeseriesReader(w.world).read(all, 1_000_000)
  expect(series).toHaveLength(4 * (8 + 8 + 4 + 4 + 4))
  for (const { points } of series) expect(points.timestamps.length).toBeGreaterThan(2100)
  const samples = await inDb(w, (tx) =>
    tx.selectFrom('usageSample').selectAll().where('metric', '=', 'cpus_provisioned').orderBy('at').execute(),
  )
  const fleet = samples.filter((one) => one.id === fleetId)
  expect(fleet.map((one) => one.value)).toEqual([8, 16, 20, 24, 28])
  expect(fleet[0]?.at).toBeLessThan(w.clock.now() - 2 * 3_600_000)
  // Some instances are kept in states that are transitional otherwise.
  expect((await disorder(w)).filter((line) => !line.startsWith('instance query-'))).toEqual([])
})

it('has tokens, certificates and roles to look at, of which some expire soon', async () => {
  await seedDemo(w.world, { makeCertificate })
  const times = (table: 'accessToken' | 'scimToken' | 'roleAssignment') =>
    inDb(w, (tx) => tx.selectFrom(table).select('timeExpires').execute())
  const soon = (rows: { timeExpires: number | null }[]) =>
    rows.filter(({ timeExpires }) => timeExpires !== null && timeExpires < w.clock.now() + 10 * 86_400_000)
  expect((await times('scimToken')).length).toBe(2)
  expect(soon(await times('accessToken')).length).toBe(1)
  expect(soon(await times('roleAssignment')).length).toBe(2)
  const certificates = await inDb(w, (tx) =>
    tx.selectFrom('certificate').select('notAfter').orderBy('notAfter').execute(),
  )
  expect(certificates.map(({ notAfter }) => expiryStage(notAfter, w.clock.now()))).toEqual([14, undefined])
})

it('moves with all its times but those of certificates', async () => {
  await seedDemo(w.world, { makeCertificate })
  const now = w.clock.now()
  const times = async () => {
    const found: Record<string, number[]> = {}
    for (const [table, rows] of Object.entries(await dump(w)))
      for (const [column, value] of rows.flatMap((row) => Object.entries(JSON.parse(row) as object)))
        if (typeof value === 'number' && Math.abs(value - now) < 1000 * dayMs)
          (found[`${table}.${column}`] ??= []).push(value)
    return found
  }
  const before = await times()
  await inDb(w, (tx) => moveDemo(tx, now + 100 * dayMs))
  const after = await times()
  const stays = ['certificate.notAfter', 'certificate.notBefore']
  expect(Object.keys(before)).toEqual(expect.arrayContaining(stays))
  for (const [column, values] of Object.entries(before)) {
    const by = stays.includes(column) ? 0 : 100 * dayMs
    const sorted = (all: number[]) => all.toSorted((a, b) => a - b)
    expect(sorted(after[column] ?? []), column).toEqual(sorted(values.map((value) => value + by)))
  }
})
