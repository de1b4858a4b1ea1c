import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { WebhookOutcome } from '#/ports.ts'
import { testCertificate } from '#/testing/certificates.ts'
import { swift } from '#/testing/machines.ts'
import { setLink } from '#/testing/networks/links.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { dropOld } from '#/timeseries/maintenance.ts'

let w: TestWorld
let answer: WebhookOutcome = { status: 204 }
const fleet = () => w.as('fleetAdmin')
const overview = () => fleet().systemOverview({})
const minute = 60_000
const day = 24 * 60 * minute

beforeEach(async () => {
  answer = { status: 204 }
  const webhooks = { send: () => Promise.resolve(answer), stop: () => undefined }
  w = await openWorld({ timings: swift, rack: { sleds: 3 }, webhooks })
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  await w.close()
})

const makeReceiver = (name: string) =>
  fleet().webhookReceiverCreate({
    body: {
      name,
      description: '',
      endpoint: 'https://pager.example.org/hook',
      secrets: ['s3cret'],
      subscriptions: ['**'],
    },
  })

it('has nothing at first', async () => {
  expect(await overview()).toEqual({
    failedDeliveries: [],
    expiringCertificates: [],
    scarcePools: [],
    maintenance: [],
  })
})

it('names a receiver whose last delivery failed, until another one reaches it', async () => {
  await makeReceiver('pager')
  answer = { result: 'failed_unreachable', reason: 'connection refused' }
  await setLink(w, 'down')
  // It is attempted again.
  expect((await overview()).failedDeliveries).toEqual([])
  await w.advance(10 * minute)
  expect((await overview()).failedDeliveries).toMatchObject([
    {
      receiverName: 'pager',
      delivery: {
        state: 'failed',
        alertClass: 'hardware.link.down',
        attempts: { webhook: [{}, {}, { result: 'failed_unreachable', reason: 'connection refused' }] },
        alert: { text: expect.stringContaining('is down') as string },
      },
    },
  ])
  answer = { status: 204 }
  await setLink(w, 'up')
  await w.advance(minute)
  await setLink(w, 'down')
  await w.advance(minute)
  expect((await overview()).failedDeliveries).toEqual([])
})

it('lists no more failed deliveries than its limit', async () => {
  for (let i = 0; i <= limits.overview.failures; i++) await makeReceiver(`pager-${i}`)
  answer = { status: 500 }
  await setLink(w, 'down')
  await w.advance(10 * minute)
  expect((await overview()).failedDeliveries).toHaveLength(limits.overview.failures)
})

it('has the certificates that are in use and expire within 30 days', async () => {
  const add = (name: string, days: number) =>
    w.as('admin').certificateCreate({
      body: testCertificate(name, { notAfter: w.clock.now() + days * day }),
    })
  await add('old', 20)
  const [first] = (await overview()).expiringCertificates
  expect(first).toMatchObject({
    name: 'old',
    siloName: 'acme',
    notAfter: new Date(w.clock.now() + 20 * day),
  })
  await add('next', 31)
  expect((await overview()).expiringCertificates).toEqual([])
})

it('has the sleds in maintenance', async () => {
  const [sled] = (await fleet().sledList({ query: {} })).items
  const at = { params: { sledId: sled?.id ?? '' } }
  await fleet().sledMaintenanceStart({ ...at, body: {} })
  await w.settle()
  expect((await overview()).maintenance).toMatchObject([
    { sledId: sled?.id, serial: sled?.baseboard.serial, maintenance: { state: 'empty', remaining: 0 } },
  ])
  await fleet().sledMaintenanceEnd(at)
  expect((await overview()).maintenance).toEqual([])
})

const makePool = async (name: string, addresses: number) => {
  const { id } = await fleet().ipPoolCreate({ body: { name, description: '' } })
  const range = { first: '198.19.7.1', last: `198.19.7.${addresses}` }
  await fleet().ipPoolRangeAdd({ params: { pool: name }, body: range })
  await fleet().ipPoolSiloLink({ params: { pool: name }, body: { silo: 'acme', isDefault: false } })
  return id
}
const takeAddresses = async (pool: string, count: number, from = 0) => {
  for (let i = from; i < from + count; i++)
    await w.as('admin').floatingIpCreate({
      query: { project: 'demo' },
      body: { name: `${pool}-${i}`, description: '', pool },
    })
}
const samplesOf = (id: string) =>
  inDb(w, (tx) =>
    tx.selectFrom('usageSample').select(['at', 'value']).where('id', '=', id).orderBy('at').execute(),
  )
const today = () => Math.floor(w.clock.now() / day) * day
/** One a day. After one of today, the loop takes none. */
const setSamples = (id: string, values: readonly number[], last = today()) =>
  inDb(w, async (tx) => {
    await tx.deleteFrom('usageSample').where('id', '=', id).execute()
    const at = (i: number) => last - (values.length - 1 - i) * day
    const rows = values.map((value, i) => ({ id, metric: 'addresses_assigned' as const, at: at(i), value }))
    await tx.insertInto('usageSample').values(rows).execute()
  })

it('has the pools that are nearly used up, and those that will be soon', async () => {
  const id = await makePool('small', 20)
  await takeAddresses('small', 10)
  await setSamples(id, [10, 10, 10])
  expect((await overview()).scarcePools).toEqual([])
  await setSamples(id, [4, 6, 8])
  const small = { id, name: 'small', capacity: 20 }
  expect((await overview()).scarcePools).toEqual([
    { ...small, severity: null, used: 10, perDay: 2, daysUntilFull: 5 },
  ])
  // More than 90 days.
  await setSamples(id, [...Array<number>(14).fill(9), ...Array<number>(14).fill(10)])
  expect((await overview()).scarcePools).toEqual([])
  await setSamples(id, [10])
  await takeAddresses('small', 6, 10)
  expect((await overview()).scarcePools).toEqual([
    { ...small, severity: 'warning', used: 16, perDay: null, daysUntilFull: null },
  ])
})

it('keeps one sample of the use of each pool a day, until the pool is deleted', async () => {
  const id = await makePool('small', 20)
  await takeAddresses('small', 3)
  await setSamples(id, [1], today() - day)
  await w.advance(2 * minute)
  expect((await samplesOf(id)).at(-1)).toEqual({ at: today(), value: 3 })
  const { items } = await w.as('admin').floatingIpList({ query: { project: 'demo' } })
  for (const { name } of items)
    await w.as('admin').floatingIpDelete({ params: { floatingIp: name }, query: { project: 'demo' } })
  await w.advance(2 * minute)
  expect(await samplesOf(id)).toHaveLength(2)
  const clean = () => dropOld(w.world.engine, w.clock.now(), () => Promise.resolve(true))
  await clean()
  expect(await samplesOf(id)).toHaveLength(2)
  await fleet().ipPoolDelete({ params: { pool: 'small' }, query: { cascade: true } })
  await clean()
  expect(await samplesOf(id)).toEqual([])
})
