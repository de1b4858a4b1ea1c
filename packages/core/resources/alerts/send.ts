/** Attempts to deliver alerts, and the record of them. */
import {
  retryAfterMs,
  type AttemptResult,
  type EmailAttemptResult,
  type WebhookAttemptResult,
} from '@purlin/contract/rules/alerts/classes'
import type { World } from '#/context.ts'
import type { AlertDeliveryTable, Tx } from '#/db/tables.ts'
import type { MailOutcome, WebhookOutcome } from '#/ports.ts'
import { sendEmail } from './emails.ts'
import type { Sent, Target } from './targets.ts'
import { sendWebhook } from './webhooks.ts'

/** One attempt to deliver an alert. */
export interface Attempt<R extends AttemptResult = AttemptResult> {
  /** ms since 1970 */
  sentAt: number
  result: R
  response: { status: number; durationMs: number } | null
  /** Why no answer came, or what else the receiver said, for people. */
  reason: string | null
}

const refusals = { webhook: 'failed_http_error', email: 'failed_smtp_error' } as const

/** Sends a delivery once. Throws SendInterrupted. */
export async function attempt(
  world: Pick<World, 'clock' | 'passwords' | 'webhooks' | 'mail'>,
  target: Target,
  delivery: Omit<Sent, 'sentAt'>,
): Promise<Attempt> {
  const { clock } = world
  const sentAt = clock.now()
  const outcome = await sendBy(world, target, { ...delivery, sentAt })
  if ('result' in outcome) return { sentAt, ...outcome, response: null }
  const { status } = outcome
  return {
    sentAt,
    result: status >= 200 && status < 300 ? 'succeeded' : refusals[target.kind],
    response: { status, durationMs: Math.max(0, clock.now() - sentAt) },
    reason: 'reason' in outcome ? outcome.reason : null,
  }
}

function sendBy(
  world: Pick<World, 'passwords' | 'webhooks' | 'mail'>,
  target: Target,
  sent: Sent,
): Promise<WebhookOutcome | MailOutcome> {
  switch (target.kind) {
    case 'webhook':
      return sendWebhook(world, target, sent)
    case 'email':
      return sendEmail(world, target, sent)
  }
}

type Recorded = Pick<AlertDeliveryTable, 'attemptsJson'>
/** The attempts of a delivery so far. */
const attemptsOf = <R extends AttemptResult>({ attemptsJson }: Recorded): Attempt<R>[] =>
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

/** The attempts of a delivery as clients see them. */
export const attemptViews = (kind: Target['kind'], row: Recorded) =>
  kind === 'webhook'
    ? { webhook: viewsOf(attemptsOf<WebhookAttemptResult>(row)) }
    : { webhook: [], email: viewsOf(attemptsOf<EmailAttemptResult>(row)) }

const viewsOf = <R extends AttemptResult>(attempts: readonly Attempt<R>[]) =>
  attempts.map(({ sentAt, result, response, reason }, i) => ({
    attempt: i + 1,
    timeSent: new Date(sentAt),
    result,
    response,
    reason,
  }))
