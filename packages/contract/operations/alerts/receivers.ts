/** Receivers of alerts: webhooks with their secrets, addresses of e-mail, subscriptions and deliveries. */
import { op } from '#/op.ts'
import {
  attemptResults, deliveryStates, deliveryTriggers, emailAttemptResults, subscriptionPattern,
} from '#/rules/alerts/classes.ts'
import { alertLimits } from '#/rules/alerts/limits.ts'
import { array, boolean, defaulted, enumOf, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity, identityCreate, identityUpdate } from '#/schemas/identity.ts'
import { byNameOf, inOrder, page, TimeAndIdSortMode } from '#/schemas/page.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'system/alerts'
const { secrets: mostSecrets, addresses: mostAddresses, subscriptions: most, secret: secretLength } = alertLimits
const uint = integer({ min: 0, format: 'uint' })

export const Subscription = ref('AlertSubscription', string({
  maxLength: alertLimits.subscription, pattern: subscriptionPattern,
}))
const Endpoint = string({ format: 'uri' })
const secret = string({ maxLength: secretLength, isSecret: true })
const Secret = ref('WebhookSecret', object({ id: Uuid, timeCreated: time() }))
const hook = { endpoint: Endpoint, secrets: array(Secret, unlimited) }
const email = { to: array(string(unlimited), unlimited), problem: nullable(string(unlimited)) }
const subscriptions = array(Subscription, unlimited)
const Receiver = ref('AlertReceiver', object({
  ...identity, kind: ref('AlertReceiverKind', union('kind', { webhook: hook })), subscriptions,
}))

const receivers = plainOps('alertReceiver', {
  path: '/v1/alert-receivers', verbs: ['List', 'View', 'Delete'], tag, response: Receiver,
})
export const { alertReceiverList, alertReceiverView, alertReceiverDelete } = receivers

// Of our own: the receivers of every kind. The list above is for clients that know only webhooks.
const AnyReceiver = ref('Receiver', object({
  ...identity, kind: ref('ReceiverKind', union('kind', { webhook: hook, email })), subscriptions,
}))
export const receiverList = op({
  method: 'GET', path: '/v1/receivers', allow: 'fleet.viewer', ok: 200, tag,
  query: object(byNameOf('alertReceiver')), response: ref('ReceiverResultsPage', page(AnyReceiver)),
})
export const receiverView = op({
  method: 'GET', path: '/v1/receivers/{receiver}', allow: 'fleet.viewer', ok: 200, tag,
  params: object({ receiver: NameOrId }), response: AnyReceiver,
})

const subscriptionsOnce = defaulted(array(Subscription, { count: most, noun: 'subscriptions' }), () => [])
export const webhookReceiverCreate = op({
  method: 'POST', path: '/v1/webhook-receivers', allow: 'fleet.collaborator', ok: 201, tag,
  body: ref('WebhookCreate', object({
    ...identityCreate, endpoint: Endpoint, secrets: array(secret, { count: mostSecrets, noun: 'secrets' }),
    subscriptions: subscriptionsOnce,
  })),
  response: ref('WebhookReceiver', object({ ...identity, ...hook, subscriptions })),
})
export const webhookReceiverUpdate = op({
  method: 'PUT', path: '/v1/webhook-receivers/{receiver}', allow: 'fleet.admin', ok: 204, tag,
  params: object({ receiver: NameOrId }),
  body: ref('WebhookReceiverUpdate', object({ ...identityUpdate, endpoint: optional(nullable(Endpoint)) })),
})

const To = array(string({ format: 'email' }), { count: mostAddresses, noun: 'addresses' })
const EmailReceiver = ref('EmailReceiver', object({ ...identity, ...email, subscriptions }))
export const emailReceiverCreate = op({
  method: 'POST', path: '/v1/email-receivers', allow: 'fleet.collaborator', ok: 201, tag,
  body: ref('EmailReceiverCreate', object({ ...identityCreate, to: To, subscriptions: subscriptionsOnce })),
  response: EmailReceiver,
})
export const emailReceiverUpdate = op({
  method: 'PUT', path: '/v1/email-receivers/{receiver}', allow: 'fleet.admin', ok: 200, tag,
  params: object({ receiver: NameOrId }),
  body: ref('EmailReceiverUpdate', object({ ...identityUpdate, to: optional(nullable(To)) })),
  response: EmailReceiver,
})

const ofReceiver = { params: object({ receiver: NameOrId }), tag } as const
export const alertReceiverSubscriptionAdd = op({
  ...ofReceiver, method: 'POST', path: '/v1/alert-receivers/{receiver}/subscriptions', allow: 'fleet.admin', ok: 201,
  body: ref('AlertSubscriptionCreate', object({ subscription: Subscription })),
  response: ref('AlertSubscriptionCreated', object({ subscription: Subscription })),
})
export const alertReceiverSubscriptionRemove = op({
  method: 'DELETE', path: '/v1/alert-receivers/{receiver}/subscriptions/{subscription}', allow: 'fleet.admin', ok: 204, tag,
  params: object({ receiver: NameOrId, subscription: Subscription }),
})

const bySecret = { query: object({ receiver: NameOrId }), tag } as const
export const webhookSecretsList = op({
  ...bySecret, method: 'GET', path: '/v1/webhook-secrets', allow: 'fleet.viewer', ok: 200,
  response: ref('WebhookSecrets', object({ secrets: array(Secret, unlimited) })),
})
export const webhookSecretsAdd = op({
  ...bySecret, method: 'POST', path: '/v1/webhook-secrets', allow: 'fleet.admin', ok: 201,
  body: ref('WebhookSecretCreate', object({ secret })), response: Secret,
})
export const webhookSecretsDelete = op({
  method: 'DELETE', path: '/v1/webhook-secrets/{secret_id}', allow: 'fleet.admin', ok: 204, tag,
  params: object({ secretId: Uuid }),
})

const answer = { status: integer({ min: 0, max: 65_535, format: 'uint16' }), durationMs: uint }
const reason = optional(nullable(string(unlimited)))
const Attempt = ref('WebhookDeliveryAttempt', object({
  attempt: uint, timeSent: time(),
  result: ref('WebhookDeliveryAttemptResult', enumOf(attemptResults)),
  response: optional(nullable(ref('WebhookDeliveryResponse', object(answer)))),
  reason,
}))
const EmailAttempt = ref('EmailDeliveryAttempt', object({
  attempt: uint, timeSent: time(),
  result: ref('EmailDeliveryAttemptResult', enumOf(emailAttemptResults)),
  response: optional(nullable(ref('EmailDeliveryResponse', object(answer)))),
  reason,
}))
/** The thing that a condition holds for. */
export const AlertSubject = ref('AlertSubject', object({
  type: string(unlimited), id: string(unlimited), name: string(unlimited), within: nullable(string(unlimited)),
}))
export const Delivery = ref('AlertDelivery', object({
  id: Uuid, alertId: Uuid, alertClass: string(unlimited), receiverId: Uuid,
  state: ref('AlertDeliveryState', enumOf(deliveryStates)),
  trigger: ref('AlertDeliveryTrigger', enumOf(deliveryTriggers)),
  timeStarted: time(),
  attempts: ref('AlertDeliveryAttempts', object({
    webhook: array(Attempt, unlimited), email: optional(array(EmailAttempt, unlimited)),
  })),
  /** null for a probe, and for an alert that is no longer kept */
  alert: optional(nullable(object({ subject: AlertSubject, text: string(unlimited) }))),
}))
export const alertDeliveryList = op({
  ...ofReceiver, method: 'GET', path: '/v1/alert-receivers/{receiver}/deliveries', allow: 'fleet.viewer', ok: 200,
  query: object({
    ...inOrder, sortBy: optional(TimeAndIdSortMode),
    pending: optional(nullable(boolean())), failed: optional(nullable(boolean())), delivered: optional(nullable(boolean())),
  }),
  response: ref('AlertDeliveryResultsPage', page(Delivery)),
})
export const alertReceiverProbe = op({
  ...ofReceiver, method: 'POST', path: '/v1/alert-receivers/{receiver}/probe', allow: 'fleet.collaborator', ok: 200,
  query: object({ resend: optional(boolean()) }),
  response: ref('AlertProbeResult', object({ probe: Delivery, resendsStarted: optional(nullable(uint)) })),
})
export const alertDeliveryResend = op({
  method: 'POST', path: '/v1/alerts/{alert_id}/resend', allow: 'fleet.admin', ok: 201, tag,
  params: object({ alertId: Uuid }), query: object({ receiver: NameOrId }),
  response: ref('AlertDeliveryId', object({ deliveryId: Uuid })),
})
