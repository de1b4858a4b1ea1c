import { afterEach, beforeEach, expect, it } from 'vitest'
import { testCertificate } from '#/testing/certificates.ts'
import { instancesOf, setQuota, swift } from '#/testing/machines.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { evaluate, keepFindings, type Evaluation } from './attention.ts'

let w: TestWorld
const fleet = () => w.as('fleetAdmin')
const list = async () => (await fleet().attentionList({ query: {} })).items
const kinds = async () => (await list()).map(({ kind, severity }) => `${kind} ${severity}`)
const minute = 60_000

beforeEach(async () => {
  w = await openWorld({ timings: swift, rack: { sleds: 3 } })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

it('nothing needs attention at first', async () => {
  await w.advance(minute)
  expect(await list()).toEqual([])
})

it('an evaluation that another server has overtaken changes nothing: no alert ends or begins again by it', async () => {
  const { world, clock } = w
  const read = () => world.engine.transaction('read', (tx) => evaluate(tx, clock.now()))
  const keep = (evaluation: Evaluation) =>
    world.engine.transaction('write', (tx) => keepFindings({ tx, world, now: clock.now() }, evaluation))
  const alerts = async () =>
    (await fleet().alertList({ query: {} })).items.map(({ timeEnded }) => (timeEnded ? 'ended' : 'active'))
  const [sled] = (await fleet().sledList({ query: {} })).items
  const beforeLoss = await read()
  w.sleds.loseSled(sled?.id ?? '')
  await w.settle()
  await w.advance(minute)
  expect(await alerts()).toEqual(['active'])
  expect(await keep(beforeLoss)).toBeNull()
  expect(await alerts()).toEqual(['active'])
  const beforeReturn = await read()
  w.sleds.restoreSled(sled?.id ?? '')
  await w.settle()
  await w.advance(minute)
  expect(await alerts()).toEqual(['ended'])
  expect(await keep(beforeReturn)).toBeNull()
  expect(await alerts()).toEqual(['ended'])
  expect(await keep(await read())).toEqual([])
})

it('missing and failing hardware does as long as it is so, with the time since when', async () => {
  const [sled, other] = (await fleet().sledList({ query: {} })).items
  const disksOf = async (id = '') =>
    (await fleet().sledPhysicalDiskList({ params: { sledId: id }, query: {} })).items
  const [failing, pulled] = await disksOf(other?.id)
  const [aSwitch] = (await fleet().switchList({ query: {} })).items
  const ports = (await fleet().networkingSwitchPortList({ query: {} })).items
  const port = ports.find(({ link, switchId }) => link?.state === 'up' && switchId !== aSwitch?.id)
  const since = new Date(w.clock.now())
  w.sleds.loseSled(sled?.id ?? '')
  w.sleds.failDisk(failing?.id ?? '', '12 sectors cannot be read')
  w.sleds.pull(pulled?.id ?? '')
  w.sleds.pull(aSwitch?.id ?? '')
  w.sleds.setLink(port?.id ?? '', 'down')
  await w.settle()
  await w.advance(minute)
  const items = await list()
  expect(items.map(({ kind }) => kind)).toEqual([
    'sled_missing',
    'switch_missing',
    'disk_failing',
    'disk_missing',
    'link_down',
  ])
  for (const item of items) expect(item.since, item.kind).toEqual(since)
  expect(items[2]).toMatchObject({
    severity: 'warning',
    subject: { type: 'physical-disk', id: failing?.id, name: failing?.serial },
    text: `Disk ${failing?.serial} of sled ${other?.baseboard.serial} is failing: 12 sectors cannot be read.`,
    advice: expect.stringContaining('Replace it.'),
  })
  expect(items[4]?.subject).toMatchObject({ type: 'switch-port', id: port?.id, within: port?.switchId })
  w.sleds.restoreSled(sled?.id ?? '')
  w.sleds.plug(pulled?.id ?? '')
  w.sleds.plug(aSwitch?.id ?? '')
  w.sleds.setLink(port?.id ?? '', 'up')
  await w.settle()
  await w.advance(minute)
  expect(await kinds()).toEqual(['disk_failing warning'])
})

it('hardware that was taken out of service no longer does', async () => {
  const [sled, other] = (await fleet().sledList({ query: {} })).items
  const { items: disks } = await fleet().sledPhysicalDiskList({
    params: { sledId: other?.id ?? '' },
    query: {},
  })
  w.sleds.loseSled(sled?.id ?? '')
  w.sleds.pull(disks[0]?.id ?? '')
  await w.settle()
  await w.advance(minute)
  expect(await kinds()).toEqual(['sled_missing critical', 'disk_missing warning'])
  await fleet().sledExpunge({ params: { sledId: sled?.id ?? '' } })
  await fleet().physicalDiskExpunge({ params: { diskId: disks[0]?.id ?? '' } })
  await w.advance(minute)
  expect(await kinds()).toEqual([])
})

it('a quota does from 80 %, and urgently from 95 %', async () => {
  await setQuota(w, { quotaCpus: 10 })
  const vm = instancesOf(w, 'admin')
  await vm.create('a', { ncpus: 7, start: true })
  await w.advance(minute)
  expect(await kinds()).toEqual([])
  await vm.create('b', { ncpus: 1, start: true })
  await w.advance(minute)
  const [item] = await list()
  expect(item).toMatchObject({
    severity: 'warning',
    subject: { type: 'silo', name: 'acme', within: 'vCPUs' },
    text: 'Silo "acme" uses 8 vCPUs of its quota of 10 vCPUs.',
  })
  await vm.create('c', { ncpus: 2, start: true })
  await w.advance(minute)
  expect(await kinds()).toEqual(['quota_filling critical'])
  await vm.stop('a')
  await w.advance(minute)
  await w.advance(minute)
  expect(await kinds()).toEqual([])
})

it('a pool does by the addresses in use', async () => {
  const pool = await fleet().ipPoolCreate({ body: { name: 'small', description: '' } })
  const at = { params: { pool: pool.id } }
  await fleet().ipPoolRangeAdd({ ...at, body: { first: '192.0.2.1', last: '192.0.2.5' } })
  await fleet().ipPoolSiloLink({ ...at, body: { silo: 'acme', isDefault: false } })
  for (let i = 0; i < 4; i++)
    await w.as('admin').floatingIpCreate({
      query: { project: 'demo' },
      body: { name: `ip-${i}`, description: '', pool: 'small' },
    })
  await w.advance(minute)
  expect(await list()).toMatchObject([
    { kind: 'pool_filling', text: '4 of 5 addresses of the pool "small" are in use.' },
  ])
})

it('a certificate does in its last 30 days, unless another one is valid for longer', async () => {
  const day = 24 * 60 * minute
  const certificate = (name: string, days: number) =>
    testCertificate(name, { notAfter: w.clock.now() + days * day })
  await w.as('admin').certificateCreate({ body: certificate('old', 20) })
  await w.advance(minute)
  expect(await list()).toMatchObject([
    { kind: 'certificate_expiring', severity: 'warning', subject: { type: 'certificate', name: 'old' } },
  ])
  await w.as('admin').certificateCreate({ body: certificate('new', 90) })
  await w.advance(minute)
  expect(await list()).toEqual([])
})

it('only operators see the list', async () => {
  await expect(w.as('admin').attentionList({ query: {} })).rejects.toMatchObject({ status: 403 })
})
