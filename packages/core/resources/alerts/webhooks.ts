/** The requests that deliver alerts to webhooks. */
import type { World } from '#/context.ts'
import type { AlertTable } from '#/db/tables.ts'
import type { WebhookOutcome } from '#/ports.ts'
import type { Sent, TargetOf } from './targets.ts'

/** The data of an alert in the body of a delivery. */
const dataOf = (alert: AlertTable): object => ({
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

/** Sends a delivery once. Throws SendInterrupted. */
export async function sendWebhook(
  { passwords, webhooks }: Pick<World, 'passwords' | 'webhooks'>,
  { id: receiverId, endpoint, secrets }: TargetOf<'webhook'>,
  { id, alertId, alertClass, trigger, sentAt, alert }: Sent,
): Promise<WebhookOutcome> {
  const timestamp = new Date(sentAt).toISOString()
  const body = JSON.stringify({
    alert_class: alertClass,
    alert_id: alertId,
    data: alert ? dataOf(alert) : {},
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
  return webhooks ? webhooks.send({ url: endpoint, headers, body }) : cannotSend
}
