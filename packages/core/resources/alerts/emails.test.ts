import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { alertLimits } from '@purlin/contract/rules/alerts/limits'
import { insertRow } from '#/db/prepared.ts'
import type { AlertTable } from '#/db/tables.ts'
import type { MailMessage, MailOutcome } from '#/ports.ts'
import { setLink } from '#/testing/networks/links.ts'
import { swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld, type WorldOptions } from '#/testing/world.ts'
import { messageOf } from './emails.ts'

const minute = 60_000
const alertsUrl = 'https://cloud.example.org/system/alerts'
const taken: MailOutcome = { status: 250, reason: null }

let w: TestWorld
let sent: MailMessage[] = []
let outcome: MailOutcome = taken
const mail: NonNullable<WorldOptions['mail']> = {
  sender: {
    send: (message) => {
      sent.push(message)
      return Promise.resolve(outcome)
    },
    stop: () => undefined,
  },
  alertsUrl,
}
const fleet = () => w.as('fleetAdmin')

const options: WorldOptions = { timings: swift, rack: { sleds: 3 }, mail }
beforeAll(async () => {
  w = await openWorld(options)
})
beforeEach(() => {
  sent = []
  outcome = taken
})
afterEach(async () => {
  const { items } = await fleet().receiverList({ query: {} })
  for (const { id } of items) await fleet().alertReceiverDelete({ params: { receiver: id } })
  await setLink(w, 'up')
  await setLink(w, 'up', 1)
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
})
afterAll(() => w.close())

const make = (name: string, more: { to?: string[]; subscriptions?: string[] } = {}) =>
  fleet().emailReceiverCreate({
    body: { name, description: '', to: [`${name}@example.org`], subscriptions: ['**'], ...more },
  })
const makeWebhook = (name: string) =>
  fleet().webhookReceiverCreate({
    body: { name, description: '', endpoint: 'https://example.org/', secrets: ['s3cret'] },
  })
const deliveries = async (receiver: string) =>
  (await fleet().alertDeliveryList({ params: { receiver }, query: {} })).items
const probe = (receiver: string) => fleet().alertReceiverProbe({ params: { receiver }, query: {} })

describe('a receiver by e-mail', () => {
  it('is made, listed, changed and deleted', async () => {
    const to = ['ops@example.org', "o'hara+pager@mail.example.org", 'ops@example.org']
    const made = await make('ops', { to, subscriptions: ['hardware.**', 'hardware.**'] })
    expect(made).toMatchObject({ to: to.slice(0, 2), problem: null, subscriptions: ['hardware.**'] })
    const { to: addresses, problem, ...same } = made
    const view = { ...same, kind: { kind: 'email', to: addresses, problem } }
    const params = { receiver: 'ops' }
    expect(await fleet().receiverView({ params })).toEqual(view)
    await expect(make('ops')).rejects.toMatchObject({ message: 'already exists: alert-receiver "ops"' })
    const update = (body: { name?: string; description?: string; to?: string[] }) =>
      fleet().emailReceiverUpdate({ params, body })
    expect(await update({ description: 'On call' })).toMatchObject({ to: addresses, description: 'On call' })
    await expect(update({ to: [] })).rejects.toThrow('expected at least one address')
    expect(await update({ name: 'bell', to: ['bell@example.org'] })).toMatchObject({ id: made.id })
    const bell = await fleet().receiverView({ params: { receiver: 'bell' } })
    expect(bell).toMatchObject({ description: 'On call', kind: { to: ['bell@example.org'] } })
    await fleet().alertReceiverDelete({ params: { receiver: 'bell' } })
    await expect(fleet().receiverView({ params: { receiver: 'bell' } })).rejects.toMatchObject({
      status: 404,
      message: 'not found: alert-receiver with name "bell"',
    })
  })

  it('is in the list of all receivers; clients that know only webhooks do not see it', async () => {
    await makeWebhook('hook')
    await make('ops')
    const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name)
    expect(names(await fleet().receiverList({ query: {} }))).toEqual(['hook', 'ops'])
    const hooks = await fleet().alertReceiverList({ query: { total: true } })
    expect(names(hooks)).toEqual(['hook'])
    expect(hooks.totalItems).toBe(1)
    const hook = await fleet().alertReceiverView({ params: { receiver: 'hook' } })
    expect(await fleet().receiverView({ params: { receiver: 'hook' } })).toEqual(hook)
    await expect(fleet().alertReceiverView({ params: { receiver: 'ops' } })).rejects.toMatchObject({
      status: 404,
      message: 'not found: alert-receiver with name "ops"',
    })
  })

  it('has addresses of e-mail and nothing else', async () => {
    const wrong = [
      'operators',
      '@example.org',
      'ops@',
      'a b@example.org',
      'ops@example.org, other@example.org',
      'Ops <ops@example.org>',
      '"ops"@example.org',
      'a..b@example.org',
      'ops@exa_mple.org',
      'öps@example.org',
      'ops@example.org\r\nBcc: other@example.org',
      `${'a'.repeat(65)}@example.org`,
      `ops@${'a.'.repeat(120)}example.org`,
    ]
    for (const address of wrong)
      await expect(make('ops', { to: ['fine@example.org', address] }), address).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('is no address such as operators@example.org') as string,
      })
  })

  it('has one address or more, and not too many; and there are not too many receivers', async () => {
    await expect(make('ops', { to: [] })).rejects.toMatchObject({ status: 400, code: 'InvalidValue' })
    const to = Array.from({ length: alertLimits.addresses + 1 }, (_, i) => `ops-${i}@example.org`)
    await expect(make('ops', { to })).rejects.toMatchObject({ status: 400 })
    expect((await make('ops', { to: to.slice(1) })).to).toHaveLength(alertLimits.addresses)
    const row = { description: '', endpoint: '', toJson: '[]', timeCreated: 1, timeModified: 1 }
    await inDb(w, async (tx) => {
      for (let i = 1; i < alertLimits.receivers; i++)
        await insertRow(tx, 'alertReceiver', { ...row, id: w.world.ids.uuid(), name: `ops-${i}` })
    })
    const full = { status: 507, message: expect.stringContaining('has 100 of 100') as string }
    await expect(make('one-more')).rejects.toMatchObject(full)
    await expect(makeWebhook('one-more')).rejects.toMatchObject(full)
    await inDb(w, (tx) => tx.deleteFrom('alertReceiver').where('toJson', '=', '[]').execute())
  })

  it('has no endpoint and no secrets, as a webhook has no addresses', async () => {
    await make('ops')
    await makeWebhook('hook')
    const [params, query] = [{ receiver: 'ops' }, { receiver: 'ops' }]
    const refused = { status: 400, message: 'the receiver does not get alerts as a webhook' }
    const endpoint = { endpoint: 'https://example.org/' }
    await expect(fleet().webhookReceiverUpdate({ params, body: endpoint })).rejects.toMatchObject(refused)
    await expect(fleet().webhookSecretsList({ query })).rejects.toMatchObject(refused)
    await expect(fleet().webhookSecretsAdd({ query, body: { secret: 'x' } })).rejects.toMatchObject(refused)
    await expect(
      fleet().emailReceiverUpdate({ params: { receiver: 'hook' }, body: { to: ['a@example.org'] } }),
    ).rejects.toMatchObject({ status: 400, message: 'the receiver does not get alerts by e-mail' })
  })
})

describe('an alert', () => {
  it('is sent to all addresses of each receiver that subscribes to its class, in one message', async () => {
    const to = ['a@example.org', 'b@example.org']
    const { id } = await make('ops', { to, subscriptions: ['hardware.**', '**'] })
    await make('other', { subscriptions: ['instance.*'] })
    await setLink(w, 'down')
    const [alert] = (await fleet().alertList({ query: { state: 'active' } })).items
    const [delivery] = await deliveries('ops')
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      id: delivery?.id,
      to,
      subject: `[Purlin] warning: hardware.link.down: ${alert?.text}`,
      headers: {
        'x-purlin-receiver-id': id,
        'x-purlin-delivery-id': delivery?.id,
        'x-purlin-alert-id': alert?.id,
        'x-purlin-alert-class': 'hardware.link.down',
      },
    })
    expect(sent[0]?.text).toContain(`${alert?.text}\n\n${alert?.advice}\n\nSeverity: warning\n`)
    expect(sent[0]?.text).toContain(`\n\nAll alerts: ${alertsUrl}\n`)
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempts: { webhook: [], email: [{ attempt: 1, result: 'succeeded', response: { status: 250 } }] },
    })
    expect(await deliveries('other')).toEqual([])
  })

  it('is attempted three times, after 60 and 300 s, and can be resent', async () => {
    await make('ops')
    outcome = { status: 451, reason: '451 try again later' }
    await setLink(w, 'down')
    outcome = { result: 'failed_timeout', reason: 'no answer within 30 seconds' }
    await w.advance(minute)
    outcome = { result: 'failed_unreachable', reason: 'connection refused' }
    await w.advance(5 * minute)
    await w.advance(20 * minute)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    const [failed] = await deliveries('ops')
    expect(failed).toMatchObject({
      state: 'failed',
      attempts: {
        email: [
          { result: 'failed_smtp_error', response: { status: 451 }, reason: '451 try again later' },
          { result: 'failed_timeout', response: null, reason: 'no answer within 30 seconds' },
          { result: 'failed_unreachable', response: null, reason: 'connection refused' },
        ],
      },
    })
    outcome = { status: 250, reason: '550 no such user: b@example.org' }
    const query = { receiver: 'ops' }
    await fleet().alertDeliveryResend({ params: { alertId: failed?.alertId ?? '' }, query })
    await w.settle()
    const [, resent] = await deliveries('ops')
    expect(resent).toMatchObject({
      trigger: 'resend',
      state: 'delivered',
      attempts: { email: [{ result: 'succeeded', reason: '550 no such user: b@example.org' }] },
    })
  })

  it('arrives once at each receiver when servers share the work', async () => {
    const other = await openWorld({ ...options })
    await other.another()
    const names = ['a', 'b', 'c']
    for (const name of names)
      await other.as('fleetAdmin').emailReceiverCreate({
        body: { name, description: '', to: [`${name}@example.org`], subscriptions: ['**'] },
      })
    await setLink(other, 'down')
    await other.advance(minute)
    await other.close()
    expect(sent.map(({ to }) => to.join(' ')).toSorted()).toEqual(names.map((n) => `${n}@example.org`))
  })
})

describe('a probe', () => {
  it('is sent at once, and answers how that went', async () => {
    await make('ops')
    outcome = { status: 535, reason: '535 authentication failed' }
    expect((await probe('ops')).probe).toMatchObject({
      state: 'failed',
      alertClass: 'probe',
      attempts: {
        webhook: [],
        email: [
          { result: 'failed_smtp_error', response: { status: 535 }, reason: '535 authentication failed' },
        ],
      },
    })
    outcome = taken
    expect((await probe('ops')).probe.state).toBe('delivered')
    expect(sent[1]).toMatchObject({
      to: ['ops@example.org'],
      subject: '[Purlin] test of the alert receiver ops',
    })
    expect(await deliveries('ops')).toEqual([])
  })
})

it('without settings of SMTP, deliveries wait, and views and probes say why', async () => {
  const { mail: _, ...without } = options
  const other: WorldOptions = without
  const server = await openWorld(other)
  const operator = server.as('fleetAdmin')
  const body = { name: 'ops', description: '', to: ['ops@example.org'], subscriptions: ['**'] }
  const problem = 'this control plane sends no e-mail: its operator can set --smtp-url and --mail-from'
  expect((await operator.emailReceiverCreate({ body })).problem).toBe(problem)
  const params = { receiver: 'ops' }
  expect((await operator.receiverView({ params })).kind).toMatchObject({ problem })
  await setLink(server, 'down')
  await server.advance(10 * minute)
  const refusal = operator.alertReceiverProbe({ params, query: {} })
  await expect(refusal).rejects.toMatchObject({ status: 400, message: problem })
  const states = async () =>
    (await operator.alertDeliveryList({ params, query: {} })).items.map(({ state }) => state)
  expect(await states()).toEqual(['pending'])
  other.mail = mail
  await server.restart()
  await server.advance(minute)
  expect(await states()).toEqual(['delivered'])
  expect((await operator.receiverView({ params })).kind).toMatchObject({ problem: null })
  await server.close()
})

it('a message has one line of subject, and no markup of others', () => {
  const alert: AlertTable = {
    id: 'alert-1',
    class: 'hardware.disk.failing',
    findingId: 'finding-1',
    severity: 'critical',
    subjectType: 'physical-disk',
    subjectId: 'disk-1',
    subjectName: `A<b>&"\r\nBcc:\u202E 'other@example.org'`,
    within: null,
    text: `Disk <img src=x> is failing.\r\nBcc: other@example.org\n\n${'long '.repeat(100)}`,
    advice: '',
    timeStarted: 0,
    timeEnded: null,
    timeAcknowledged: null,
    acknowledgedBy: null,
    silencedUntil: null,
  }
  const { id: alertId, class: alertClass } = alert
  const message = messageOf(
    { kind: 'email', id: 'receiver-1', name: 'ops', to: ['ops@example.org'] },
    { id: 'delivery-1', alertId, alertClass, trigger: 'alert', sentAt: 0, alert },
  )
  expect(message.subject).toMatch(
    /^\[Purlin\] critical: hardware\.disk\.failing: Disk <img src=x> is failing\. Bcc: [^\n\r]+…$/,
  )
  expect(message.subject.length).toBeLessThan(200)
  expect(message.text).toContain(`Resource: physical-disk A<b>&" Bcc: 'other@example.org'\n`)
  expect(message.html).not.toMatch(/<(img|b)\b|\u202E/)
  expect(message.html).toContain('Disk &lt;img src=x&gt; is failing.')
  expect(message.html).toContain('A&lt;b&gt;&amp;&quot; Bcc: &#39;other@example.org&#39;')
  expect(message.html).not.toContain('href')
})
