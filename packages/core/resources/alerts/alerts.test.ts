import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { setLink } from '#/testing/networks/links.ts'
import { addInstance, inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { swift } from '#/testing/machines.ts'
import type { WebhookOutcome, WebhookRequest } from '#/ports.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let sent: { url: string; body: string; headers: [string, string][] }[] = []
/** The answer of a receiver by its URL; 204 unless given. */
let answers: Record<string, WebhookOutcome> = {}
const fleet = () => w.as('fleetAdmin')
const second = 1000
const minute = 60 * second
const day = 86_400_000

const receive = ({ url, body, headers }: WebhookRequest): Promise<WebhookOutcome> => {
  sent.push({ url, body, headers: headers.map(([name, value]) => [name, value]) })
  return Promise.resolve(answers[url] ?? { status: 204 })
}

beforeEach(async () => {
  sent = []
  answers = {}
  w = await openWorld({
    timings: swift,
    rack: { sleds: 3 },
    webhooks: { send: receive, stop: () => undefined },
  })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const urlOf = (name: string) => `https://${name}.example.org/hook`
const make = (name: string, more: { secrets?: string[]; subscriptions?: string[] } = {}) =>
  fleet().webhookReceiverCreate({
    body: {
      name,
      description: '',
      endpoint: urlOf(name),
      secrets: ['s3cret'],
      subscriptions: ['**'],
      ...more,
    },
  })
const deliveries = async (receiver: string, query = {}) =>
  (await fleet().alertDeliveryList({ params: { receiver }, query })).items
const alerts = async (query = {}) => (await fleet().alertList({ query })).items

const link = (state: 'up' | 'down', nth?: number) => setLink(w, state, nth)

describe('a receiver', () => {
  it('is made, listed, changed and deleted, and never shows a secret', async () => {
    const made = await make('pager', {
      secrets: ['one', 'two'],
      subscriptions: ['**', '**', 'instance.failed'],
    })
    expect(made).toMatchObject({ endpoint: urlOf('pager'), subscriptions: ['**', 'instance.failed'] })
    expect(made.secrets).toHaveLength(2)
    const { endpoint, secrets, ...same } = made
    const view = { ...same, kind: { kind: 'webhook', endpoint, secrets } }
    expect(await fleet().alertReceiverView({ params: { receiver: made.id } })).toEqual(view)
    expect((await fleet().alertReceiverList({ query: {} })).items).toEqual([view])
    await expect(make('pager')).rejects.toMatchObject({ message: 'already exists: alert-receiver "pager"' })
    const params = { receiver: 'pager' }
    await fleet().webhookReceiverUpdate({ params, body: { name: 'bell', endpoint: 'http://10.0.0.1:8080' } })
    const bell = await fleet().alertReceiverView({ params: { receiver: 'bell' } })
    expect(bell).toMatchObject({ id: made.id, description: '', kind: { endpoint: 'http://10.0.0.1:8080' } })
    const query = { receiver: 'bell' }
    await w.advance(second)
    const added = await fleet().webhookSecretsAdd({ query, body: { secret: 'three' } })
    await fleet().webhookSecretsDelete({ params: { secretId: made.secrets[0]?.id ?? '' } })
    const left = (await fleet().webhookSecretsList({ query })).secrets
    expect(left).toEqual([made.secrets[1], added])
    expect(JSON.stringify([made, view, bell, left])).not.toMatch(/"(one|two|three)"/)
    await fleet().alertReceiverDelete({ params: { receiver: 'bell' } })
    await expect(fleet().alertReceiverView({ params: { receiver: 'bell' } })).rejects.toMatchObject({
      status: 404,
      message: 'not found: alert-receiver with name "bell"',
    })
    const rest = await inDb(w, (tx) => tx.selectFrom('webhookSecret').select('id').execute())
    expect(rest).toEqual([])
  })

  it.each([
    ['ftp://example.org/', 'expected a URL'],
    ['https://example.org@example.org/', 'must not contain a user name or password'],
    ['https:///hook', 'expected a URL'],
    ['https://example.org:99999/', 'the port of the URL'],
    [`https://example.org/${'a'.repeat(512)}`, 'at most 512 characters'],
  ])('cannot have the endpoint %s', async (endpoint, text) => {
    const body = { name: 'pager', description: '', endpoint, secrets: [] }
    await expect(fleet().webhookReceiverCreate({ body })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(text) as string,
    })
  })

  it('subscribes to classes and globs, and to nothing else', async () => {
    await make('pager', { subscriptions: [] })
    const params = { receiver: 'pager' }
    const add = (subscription: string) =>
      fleet().alertReceiverSubscriptionAdd({ params, body: { subscription } })
    for (const one of ['hardware.**', 'hardware.**', '*.failed', 'instance.failed'])
      expect(await add(one)).toEqual({ subscription: one })
    const { subscriptions } = await fleet().alertReceiverView({ params })
    expect(subscriptions).toEqual(['*.failed', 'hardware.**', 'instance.failed'])
    const refused = { status: 400, code: 'InvalidValue' }
    await expect(add('hardware.fan.failed')).rejects.toMatchObject(refused)
    await expect(add('hardware.fan.failed')).rejects.toThrow(/alert_class.*hardware\.disk\.failing/)
    await expect(add('probe')).rejects.toThrow('webhook receivers cannot subscribe to probes')
    await expect(add('a..b')).rejects.toMatchObject({ status: 400 })
    await expect(add('a***')).rejects.toMatchObject({ status: 400 })
    const remove = (subscription: string) =>
      fleet().alertReceiverSubscriptionRemove({ params: { receiver: 'pager', subscription } })
    await remove('hardware.**')
    await expect(remove('hardware.**')).rejects.toMatchObject({ status: 404, message: 'Not Found' })
  })

  it('has few secrets and subscriptions, and there are few receivers', async () => {
    await make('pager', { secrets: [], subscriptions: [] })
    const add = (secret: string) =>
      fleet().webhookSecretsAdd({ query: { receiver: 'pager' }, body: { secret } })
    for (let i = 0; i < alertLimits.secrets; i++) await add(`secret ${i}`)
    await expect(add('one more')).rejects.toMatchObject({ status: 507 })
    await expect(add('')).rejects.toMatchObject({ status: 400 })
    const subscribe = (subscription: string) =>
      fleet().alertReceiverSubscriptionAdd({ params: { receiver: 'pager' }, body: { subscription } })
    for (let i = 0; i < alertLimits.subscriptions; i++) await subscribe(`*.a${i}`)
    await expect(subscribe('*.more')).rejects.toMatchObject({ status: 507 })
  })
})

it('classes are listed by name, and a glob filters them', async () => {
  const names = async (query: { filter?: string; limit?: number; pageToken?: string }) => {
    const page = await fleet().alertClassList({ query })
    return { names: page.items.map(({ name }) => name), next: page.nextPage ?? undefined }
  }
  const all = await names({})
  expect(all.names).toEqual(all.names.toSorted())
  expect(all.names).toContain('probe')
  const first = await names({ filter: 'hardware.**', limit: 3 })
  const rest = await names({ filter: 'hardware.**', ...(first.next ? { pageToken: first.next } : {}) })
  expect([...first.names, ...rest.names]).toEqual(all.names.filter((name) => name.startsWith('hardware.')))
  expect((await names({ filter: '*.*.failing' })).names).toEqual([
    'disk.snapshots.failing',
    'hardware.disk.failing',
    'silo.sign_in.failing',
  ])
  expect((await names({ filter: '*' })).names).toEqual(['probe'])
  expect((await names({ filter: '**.failed' })).names).toEqual(['instance.failed', 'system.backup.failed'])
})

describe('an alert', () => {
  it('goes to each receiver that subscribes to its class, signed by every secret', async () => {
    const pager = await make('pager', { secrets: ['one', 'twö'], subscriptions: ['hardware.**', '**'] })
    await make('other', { subscriptions: ['instance.*'] })
    await link('down')
    const [alert] = await alerts()
    expect(alert).toMatchObject({ class: 'hardware.link.down', severity: 'warning', timeEnded: null })
    expect(sent.map(({ url }) => url)).toEqual([urlOf('pager')])
    const [{ body, headers } = { body: '', headers: [] }] = sent
    const [delivery] = await deliveries('pager')
    const sentAt = delivery?.attempts.webhook[0]?.timeSent.toISOString()
    expect(JSON.parse(body)).toEqual({
      alert_class: 'hardware.link.down',
      alert_id: alert?.id,
      data: {
        severity: 'warning',
        subject: alert?.subject,
        text: alert?.text,
        advice: alert?.advice,
        time_started: alert?.timeStarted.toISOString(),
      },
      delivery: { id: delivery?.id, receiver_id: pager.id, sent_at: sentAt, trigger: 'alert' },
    })
    const signed = (secret: string) => createHmac('sha256', secret).update(body).digest('hex')
    expect(headers).toEqual([
      ['content-type', 'application/json'],
      ['x-purlin-receiver-id', pager.id],
      ['x-purlin-delivery-id', delivery?.id],
      ['x-purlin-alert-id', alert?.id],
      ['x-purlin-alert-class', 'hardware.link.down'],
      ['x-purlin-timestamp', sentAt],
      ...[pager.secrets[0], pager.secrets[1]].map((secret) => [
        'x-purlin-signature',
        expect.stringMatching(`^a=sha256&id=${secret?.id}&s=[0-9a-f]{64}$`) as string,
      ]),
    ])
    const signatures = headers.map(([, value]) => value.split('&s=')[1]).filter(Boolean)
    expect(new Set(signatures)).toEqual(new Set([signed('one'), signed('twö')]))
    expect(delivery).toMatchObject({
      state: 'delivered',
      alertId: alert?.id,
      trigger: 'alert',
      alert: { subject: alert?.subject, text: alert?.text },
      attempts: { webhook: [{ attempt: 1, result: 'succeeded', response: { status: 204 } }] },
    })
    expect(await deliveries('other')).toEqual([])
  })

  it('is attempted three times, after 60 and 300 s, and can be resent', async () => {
    await make('pager')
    answers[urlOf('pager')] = { status: 500 }
    await link('down')
    expect(sent).toHaveLength(1)
    await w.advance(minute - second - 1)
    expect(sent).toHaveLength(1)
    answers[urlOf('pager')] = { result: 'failed_timeout', reason: 'no answer within 30 seconds' }
    await w.advance(1)
    expect(sent).toHaveLength(2)
    expect(await deliveries('pager', { delivered: true, failed: true })).toEqual([])
    expect(await deliveries('pager', { pending: true })).toHaveLength(1)
    answers[urlOf('pager')] = { result: 'failed_unreachable', reason: 'connection refused' }
    await w.advance(5 * minute - 1)
    expect(sent).toHaveLength(2)
    await w.advance(1)
    expect(sent).toHaveLength(3)
    await w.advance(20 * minute)
    expect(sent).toHaveLength(3)
    const [failed] = await deliveries('pager', { failed: true })
    expect(failed?.attempts.webhook).toMatchObject([
      { attempt: 1, result: 'failed_http_error', response: { status: 500 }, reason: null },
      { attempt: 2, result: 'failed_timeout', response: null, reason: 'no answer within 30 seconds' },
      { attempt: 3, result: 'failed_unreachable', response: null, reason: 'connection refused' },
    ])
    delete answers[urlOf('pager')]
    const resend = { params: { alertId: failed?.alertId ?? '' }, query: { receiver: 'pager' } }
    const { deliveryId } = await fleet().alertDeliveryResend(resend)
    await w.settle()
    const [resent] = await deliveries('pager', { sortBy: 'time_and_id_descending' })
    expect(resent).toMatchObject({ id: deliveryId, trigger: 'resend', state: 'delivered' })
    await fleet().alertReceiverSubscriptionRemove({ params: { receiver: 'pager', subscription: '**' } })
    await expect(fleet().alertDeliveryResend(resend)).rejects.toThrow(
      "cannot resend alert: receiver is not subscribed to the 'hardware.link.down' alert class",
    )
  })

  it('waits for a secret', async () => {
    await make('pager', { secrets: [] })
    await link('down')
    await w.advance(10 * minute)
    expect(sent).toEqual([])
    await fleet().webhookSecretsAdd({ query: { receiver: 'pager' }, body: { secret: 's3cret' } })
    await w.settle()
    expect(sent).toHaveLength(1)
  })

  it('is acknowledged, ends, and is silenced for when it begins again', async () => {
    await make('pager')
    await link('down')
    const [alert] = await alerts({ state: 'active' })
    const params = { alertId: alert?.id ?? '' }
    const seen = await fleet().alertAcknowledge({ params })
    expect(seen).toMatchObject({
      timeAcknowledged: new Date(w.clock.now()),
      acknowledgedBy: w.ids['fleetAdmin'],
    })
    const until = new Date(w.clock.now() + 30 * minute)
    expect(await fleet().alertSilence({ params, body: { until } })).toEqual({ ...seen, silencedUntil: until })
    await link('up')
    const [ended] = await alerts({ state: 'ended' })
    expect(ended).toEqual({ ...seen, silencedUntil: until, timeEnded: new Date(w.clock.now() - second) })
    expect(await fleet().alertView({ params })).toEqual(ended)
    await link('down')
    expect(sent).toHaveLength(1)
    expect(await alerts()).toHaveLength(2)
    await link('up')
    await w.advance(30 * minute)
    await link('down')
    expect(sent).toHaveLength(2)
  })

  it('is deleted with its deliveries long after it has ended', async () => {
    await make('pager')
    await link('down')
    await link('down', 1)
    await link('up')
    await w.jump((alertLimits.days + 1) * day)
    const left = await inDb(w, (tx) => tx.selectFrom('alert').select(['id', 'timeEnded']).execute())
    expect(left).toMatchObject([{ timeEnded: null }])
    const kept = await inDb(w, (tx) => tx.selectFrom('alertDelivery').select('alertId').execute())
    expect(kept).toEqual([{ alertId: left[0]?.id }])
  })

  it('tells of failed instances and of many failed sign-ins', async () => {
    const { id } = await addInstance(w, 'web')
    await inDb(w, (tx) =>
      tx
        .updateTable('instance')
        .set({ runState: 'failed', desired: 'stopped' })
        .where('id', '=', id)
        .execute(),
    )
    for (let i = 0; i < 20; i++)
      await w.raw({
        method: 'POST',
        url: '/v1/login/acme/local',
        body: JSON.stringify({ username: `user-${i}`, password: 'wrong' }),
        remote: `10.0.${i}.1`,
      })
    await w.advance(minute)
    const found = await alerts()
    expect(found.map((one) => `${one.class} ${one.subject.name}`).toSorted()).toEqual([
      'instance.failed web',
      'silo.sign_in.failing acme',
    ])
    await w.advance(11 * minute)
    expect(await alerts({ state: 'active' })).toMatchObject([{ class: 'instance.failed' }])
  })
})

describe('receivers', () => {
  it('do not wait for one that fails, and each gets its alerts in order', async () => {
    await make('slow')
    await make('pager')
    answers[urlOf('slow')] = { status: 503 }
    await link('down')
    await link('down', 1)
    const ids = (await alerts()).map(({ id }) => id).toReversed()
    const got = sent.filter(({ url }) => url === urlOf('pager')).map(({ body }) => JSON.parse(body).alert_id)
    expect(got).toEqual(ids)
  })

  it('are shared by servers: each alert arrives once', async () => {
    await w.another()
    for (const name of ['a', 'b', 'c']) await make(name)
    await link('down')
    await w.advance(minute)
    expect(sent.map(({ url }) => url).toSorted()).toEqual(['a', 'b', 'c'].map(urlOf))
  })
})

describe('a probe', () => {
  const probe = (query = {}) => fleet().alertReceiverProbe({ params: { receiver: 'pager' }, query })

  it('is sent once at once, and is not listed', async () => {
    const { id } = await make('pager')
    answers[urlOf('pager')] = { status: 302 }
    expect(await probe({ resend: true })).toMatchObject({
      probe: {
        alertClass: 'probe',
        receiverId: id,
        state: 'failed',
        trigger: 'probe',
        attempts: { webhook: [{ attempt: 1, result: 'failed_http_error', response: { status: 302 } }] },
      },
      resendsStarted: null,
    })
    await w.advance(10 * minute)
    expect(sent).toHaveLength(1)
    expect(await deliveries('pager')).toEqual([])
    await expect(
      w.as('viewer').alertReceiverProbe({ params: { receiver: 'pager' }, query: {} }),
    ).rejects.toMatchObject({ status: 404 })
  })

  it('resends the alerts that have failed, if it succeeds', async () => {
    await make('pager')
    answers[urlOf('pager')] = { status: 500 }
    await link('down')
    await w.advance(minute)
    await w.advance(5 * minute)
    delete answers[urlOf('pager')]
    await link('down', 1)
    expect(await probe({ resend: true })).toMatchObject({ resendsStarted: 1, probe: { state: 'delivered' } })
    await w.settle()
    const all = await deliveries('pager')
    expect(all.map(({ trigger, state }) => `${trigger} ${state}`)).toEqual([
      'alert failed',
      'alert delivered',
      'resend delivered',
    ])
    expect(await probe({ resend: true })).toMatchObject({ resendsStarted: 0 })
    expect((await probe()).resendsStarted).toBeNull()
  })

  it('needs a secret', async () => {
    await make('pager', { secrets: [] })
    await expect(probe()).rejects.toThrow('receiver has no secrets, so delivery requests cannot be sent')
  })
})
