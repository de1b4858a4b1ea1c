/** The requests that deliver alerts, and the record of their attempts. */
import { retryAfterMs, type AttemptResult } from '@purlin/contract/rules/alerts/classes'
import type { World } from '#/context.ts'
import type { WebhookOutcome } from '#/ports.ts'
import type {
  AlertDeliveryTable,
  AlertReceiverTable,
  AlertTable,
  Tx,
  WebhookSecretTable,
} from '#/db/tables.ts'

/** One attempt to deliver an alert. */
export interface Attempt {
  /** ms since 1970 */
  sentAt: number
  result: AttemptResult
  response: { status: number; durationMs: number } | null
  /** Why no answer came, for people. */
  reason: string | null
}

export type Target = Pick<AlertReceiverTable, 'id' | 'endpoint'> & {
  secrets: Pick<WebhookSecretTable, 'id' | 'secret'>[]
}

/** The receiver with the secrets that sign its deliveries. */
export async function targetOf(tx: Tx, receiverId: string): Promise<Target | undefined> {
  const row = await tx
    .selectFrom('alertReceiver')
    .select(['id', 'endpoint'])
    .where('id', '=', receiverId)
    .executeTakeFirst()
  const secrets = await tx
    .selectFrom('webhookSecret')
    .select(['id', 'secret'])
    .where('alertReceiverId', '=', receiverId)
    .orderBy('id')
    .execute()
  return row && { ...row, secrets }
}

/** The data of an alert in the body of a delivery. */
export const dataOf = (alert: AlertTable): object => ({
  severity: alert.severity,
  subject: {
    type: alert.subjectType,
    id: alert.subjectId,
    name: alert.subjectName,
    within: alert.within,
  },
  text: alert.text,
  advice: alert.advice,
  time_started: new Date(alert.timeStarted).toISOString(),
})

const cannotSend: WebhookOutcome = {
  result: 'failed_unreachable',
  reason: 'This control plane cannot send webhooks.',
}

type Sent = Pick<AlertDeliveryTable, 'id' | 'alertId' | 'alertClass' | 'trigger'> & { data: object }

/** Sends a delivery once. Throws WebhookInterrupted. */
export async function attempt(
  { clock, passwords, webhooks }: Pick<World, 'clock' | 'passwords' | 'webhooks'>,
  { id: receiverId, endpoint, secrets }: Target,
  { id, alertId, alertClass, trigger, data }: Sent,
): Promise<Attempt> {
  const sentAt = clock.now()
  const timestamp = new Date(sentAt).toISOString()
  const body = JSON.stringify({
    alert_class: alertClass,
    alert_id: alertId,
    data,
    delivery: { id, receiver_id: receiverId, sent_at: timestamp, trigger },
  })
  const headers = [
    ['content-type', 'application/json'],
    ['x-purlin-receiver-id', receiverId],
    ['x-purlin-delivery-id', id],
    ['x-purlin-alert-id', alertId],
    ['x-purlin-alert-class', alertClass],
    ['x-purlin-timestamp', timestamp],
    ...secrets.map((one) => [
      'x-purlin-signature',
      `a=sha256&id=${one.id}&s=${passwords.sign(one.secret, body)}`,
    ]),
  ].map(([name = '', value = '']) => [name, value] as const)
  const outcome = webhooks ? await webhooks.send({ url: endpoint, headers, body }) : cannotSend
  if (!('status' in outcome)) return { sentAt, ...outcome, response: null }
  const { status } = outcome
  return {
    sentAt,
    result: status >= 200 && status < 300 ? 'succeeded' : 'failed_http_error',
    response: { status, durationMs: Math.max(0, clock.now() - sentAt) },
    reason: null,
  }
}

/** The attempts of a delivery so far. */
export const attemptsOf = ({ attemptsJson }: Pick<AlertDeliveryTable, 'attemptsJson'>): Attempt[] =>
  JSON.parse(attemptsJson)

/** Records an attempt, unless the delivery was deleted or another server has recorded one since. */
export async function recordAttempt(tx: Tx, delivery: AlertDeliveryTable, made: Attempt): Promise<void> {
  const attempts = [...attemptsOf(delivery), made]
  const wait = retryAfterMs[attempts.length - 1]
  const isDone = made.result === 'succeeded' || wait === undefined
  const done = { state: made.result === 'succeeded' ? 'delivered' : 'failed', dueAt: null } as const
  await tx
    .updateTable('alertDelivery')
    .set({
      attemptsJson: JSON.stringify(attempts),
      ...(isDone ? done : { state: 'pending', dueAt: made.sentAt + wait }),
    })
    .where('id', '=', delivery.id)
    .where('attemptsJson', '=', delivery.attemptsJson)
    .execute()
}

/** Attempts as clients see them. */
export const attemptViews = (attempts: readonly Attempt[]) => ({
  webhook: attempts.map(({ sentAt, result, response, reason }, i) => ({
    attempt: i + 1,
    timeSent: new Date(sentAt),
    result,
    response,
    reason,
  })),
})
