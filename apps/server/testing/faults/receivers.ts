/** Receivers of alerts on loopback, which fail as they are asked to, and record each delivery and whatever is wrong with it. */
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { matchesClass } from '@purlin/contract/rules/alerts/classes'
import { freePort } from '../postgres.ts'
import type { Api } from '../requests.ts'

/** `cut` reads the delivery and closes the connection without an answer. */
export const failures = ['closed', 'hanging', 'refusing', 'cut'] as const
export type Behaviour = 'accepting' | (typeof failures)[number]

export interface Receiver {
  id: string
  name: string
  subscriptions: readonly string[]
  /** The ids of the deliveries that it has accepted. */
  accepted: ReadonlySet<string>
  /** The ids of all that it was sent. */
  sent: ReadonlySet<string>
  /** Deliveries that it should not have been sent. */
  wrong: readonly string[]
  behave(as: Behaviour): Promise<void>
  close(): Promise<void>
}

/** True if a receiver subscribes to a class of alerts. */
export const subscribesTo = (
  { subscriptions }: Pick<Receiver, 'subscriptions'>,
  alertClass: string,
): boolean => subscriptions.some((one) => matchesClass(one, alertClass))

/** Starts a receiver with a secret that no other one has, and subscribes it. */
export async function startReceiver(
  api: Api,
  name: string,
  subscriptions: readonly string[],
): Promise<Receiver> {
  const secret = randomBytes(16).toString('hex')
  const port = await freePort()
  const [accepted, sent, wrong] = [new Set<string>(), new Set<string>(), [] as string[]]
  const body = {
    name,
    description: '',
    endpoint: `http://127.0.0.1:${port}/${name}`,
    secrets: [secret],
    subscriptions: [...subscriptions],
  }
  const { id } = await api.webhookReceiverCreate({ body })
  let behaviour: Behaviour = 'closed'

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request)
    const { problems, delivery } = read({ request, content, secret, receiver: { id, name, subscriptions } })
    wrong.push(...problems)
    sent.add(delivery)
    if (behaviour === 'hanging') return
    if (behaviour === 'cut') return void response.destroy()
    if (behaviour === 'accepting') accepted.add(delivery)
    response.writeHead(behaviour === 'accepting' ? 204 : 500).end()
  }
  // A sender that is killed breaks off.
  const server = createServer((request, response) => void receive(request, response).catch(() => undefined))

  async function behave(as: Behaviour): Promise<void> {
    if (behaviour === 'hanging') server.closeAllConnections()
    if (behaviour === 'closed' && as !== 'closed') await once(server.listen(port, '127.0.0.1'), 'listening')
    if (behaviour !== 'closed' && as === 'closed') {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    behaviour = as
  }
  await behave('accepting')
  return { id, name, subscriptions, accepted, sent, wrong, behave, close: () => behave('closed') }
}

interface Sent {
  request: IncomingMessage
  content: string
  secret: string
  receiver: Pick<Receiver, 'id' | 'name' | 'subscriptions'>
}

/** The id of a delivery, and what is wrong with it. */
function read({ request, content, secret, receiver }: Sent): { delivery: string; problems: string[] } {
  const { headers } = request
  const { alert_class: alertClass, delivery } = JSON.parse(content) as {
    alert_class: string
    delivery: { id: string; receiver_id: string }
  }
  const signature = createHmac('sha256', secret).update(content).digest('hex')
  const isSigned = String(headers['x-purlin-signature']).endsWith(`&s=${signature}`)
  const checks: Record<string, boolean> = {
    'not signed with its secret': isSigned,
    'at another address': request.url === `/${receiver.name}`,
    [`for receiver ${delivery.receiver_id}`]: delivery.receiver_id === receiver.id,
    [`with the header of receiver ${String(headers['x-purlin-receiver-id'])}`]:
      headers['x-purlin-receiver-id'] === receiver.id,
    [`of class ${alertClass}`]: subscribesTo(receiver, alertClass),
  }
  const problems = Object.keys(checks).filter((one) => checks[one] !== true)
  return { delivery: delivery.id, problems: problems.map((one) => `${receiver.name} got one ${one}`) }
}
