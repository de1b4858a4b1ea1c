import { limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { WebhookOutcome } from '#/ports.ts'
import { testCertificate } from '#/testing/certificates.ts'
import { swift } from '#/testing/machines.ts'
import { setLink } from '#/testing/networks/links.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

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
  expect(await overview()).toEqual({ failedDeliveries: [], expiringCertificates: [], maintenance: [] })
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
