/** Fields of alerts and their receivers. */
import { alertLimits } from '#/rules/alerts/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const subscription =
  'A class of alerts, or a glob: `*` is one segment of a class, and `**` is one or more, as in `hardware.**`.'
const endpoint =
  'The URL that alerts are sent to, with `https` or `http`. It must not contain a user name or password.'
const secrets = 'The secrets that sign deliveries. Their texts are never shown.'
const subscriptions = 'The classes and globs of classes that it receives alerts of.'
const to = `The addresses that alerts are sent to, of which there are 1 to ${alertLimits.addresses}. Each message names all of them.`
const problem =
  'The reason why nothing can be sent by e-mail, such as a server without settings for SMTP; null if it can.'
const answerMs = 'The time from the start of the attempt to the answer, in milliseconds.'
const secret = `A text that signs deliveries (HMAC-SHA256), of at most ${alertLimits.secret} characters.`
const alertClass = 'The class of the alert, such as `hardware.disk.failing`.'

export const alerts: FieldSentences = {
  AlertClass: { name: 'The name of the class.' },
  alertClassList: { filter: `${subscription} Only the classes that it matches are listed.` },
  AlertReceiver: { kind: 'How it receives alerts, which is by a webhook.', subscriptions },
  Receiver: { kind: 'How it receives alerts: by a webhook or by e-mail.', subscriptions },
  ReceiverKind: { kind: 'The way it receives alerts.', endpoint, secrets, to, problem },
  EmailReceiver: { to, problem, subscriptions },
  EmailReceiverCreate: { to, subscriptions },
  EmailReceiverUpdate: { to },
  AlertReceiverKind: { kind: 'Always `webhook`.', endpoint, secrets },
  WebhookReceiver: { endpoint, secrets, subscriptions },
  WebhookCreate: {
    endpoint,
    secrets: 'Texts that sign deliveries (HMAC-SHA256). Without one, nothing can be sent.',
    subscriptions,
  },
  WebhookReceiverUpdate: { endpoint },
  AlertSubscriptionCreate: { subscription },
  AlertSubscriptionCreated: { subscription },
  alertReceiverSubscriptionRemove: { subscription },
  WebhookSecrets: { secrets },
  WebhookSecretCreate: { secret },
  AlertDelivery: {
    alertClass,
    receiverId: 'The id of the receiver.',
    state: 'Whether it is still to be sent, has arrived, or has failed for good.',
    trigger: 'Whether the alert itself, a request to resend it, or a probe made the delivery.',
    timeStarted: 'When the delivery was made, RFC 3339 in UTC.',
    attempts: 'The attempts so far.',
    alert: 'The alert in short; null for a probe, and for an alert that is no longer kept.',
  },
  'AlertDelivery.alert': { subject: 'What it is about.', text: 'The condition, in words for people.' },
  AlertDeliveryAttempts: {
    webhook: 'The requests that were sent, first one first.',
    email: 'The messages that were sent, first one first; absent for a webhook.',
  },
  EmailDeliveryAttempt: {
    attempt: 'The number of the attempt, from 1.',
    timeSent: 'When the attempt started, RFC 3339 in UTC.',
    result: 'Whether the SMTP server took the message.',
    response: 'The answer of the SMTP server; absent or null without one.',
    reason: 'Why it failed, or which addresses were refused, in words for people; absent or null otherwise.',
  },
  EmailDeliveryResponse: { status: 'The reply code of SMTP (RFC 5321).', durationMs: answerMs },
  WebhookDeliveryAttempt: {
    attempt: 'The number of the attempt, from 1.',
    timeSent: 'When the request was sent, RFC 3339 in UTC.',
    result: 'Whether the receiver took it: any status from 200 to 299 is a success.',
    response: 'The answer of the receiver; absent or null without one.',
    reason: 'Why there was no answer, in words for people; absent or null if there was one.',
  },
  WebhookDeliveryResponse: {
    status: 'The HTTP status.',
    durationMs: 'The time from the request to the answer, in milliseconds.',
  },
  alertDeliveryList: {
    sortBy: 'The order by time; oldest first unless given.',
    pending: 'Include deliveries that are still to be sent. Without any of the three, all are listed.',
    failed: 'Include deliveries that have failed for good.',
    delivered: 'Include deliveries that have arrived.',
  },
  alertReceiverProbe: {
    resend: 'If the probe succeeds, resend the alerts of which each delivery to the receiver has failed.',
  },
  AlertProbeResult: {
    probe: 'The delivery of the probe, which is not listed later.',
    resendsStarted:
      'The number of alerts that are resent; null if that was not requested or the probe failed.',
  },
  AlertDeliveryId: { deliveryId: 'The id of the delivery.' },
  Alert: {
    class: alertClass,
    severity: 'How serious it is.',
    subject: 'What it is about.',
    text: 'The condition, in words for people.',
    advice: 'What to do about it.',
    timeStarted: 'When the condition began, RFC 3339 in UTC.',
    timeEnded: 'When the condition was found to have ended, RFC 3339 in UTC; null while it holds.',
    timeAcknowledged: 'When an operator acknowledged it, RFC 3339 in UTC; null before that.',
    acknowledgedBy: 'The id of the user who acknowledged it.',
    silencedUntil:
      'Until then, receivers are not notified when the same condition begins again, RFC 3339 in UTC; null if they are.',
  },
  AlertSubject: {
    type: 'The type of the resource, as in messages.',
    id: 'The id of the resource.',
    name: 'The name or the serial number of the resource.',
    within: 'What the resource is part of; null if that does not matter.',
  },
  alertList: { state: 'Only alerts whose condition holds, or has ended.' },
  AlertSilence: {
    until: 'Until when receivers are not notified, RFC 3339 in UTC; null to notify them again.',
  },
}
