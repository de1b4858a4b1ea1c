/** Receivers of alerts: webhooks with their secrets, subscriptions and deliveries. */
import { op } from '#/op.ts'
import { attemptResults, deliveryStates, deliveryTriggers, subscriptionPattern } from '#/rules/alerts/classes.ts'
import { alertLimits } from '#/rules/alerts/limits.ts'
import { array, boolean, defaulted, enumOf, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity, identityCreate, identityUpdate } from '#/schemas/identity.ts'
import { inOrder, page, TimeAndIdSortMode } from '#/schemas/page.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'system/alerts'
const { secrets: mostSecrets, subscriptions: most, secret: secretLength } = alertLimits
const uint = integer({ min: 0, format: 'uint' })

export const Subscription = ref('AlertSubscription', string({
  maxLength: alertLimits.subscription, pattern: subscriptionPattern,
}))
const Endpoint = string({ format: 'uri' })
const secret = string({ maxLength: secretLength })
const Secret = ref('WebhookSecret', object({ id: Uuid, timeCreated: time() }))
const hook = { endpoint: Endpoint, secrets: array(Secret, unlimited) }
const subscriptions = array(Subscription, unlimited)
const Receiver = ref('AlertReceiver', object({
  ...identity, kind: ref('AlertReceiverKind', union('kind', { webhook: hook })), subscriptions,
}))

const receivers = plainOps('alertReceiver', {
  path: '/v1/alert-receivers', verbs: ['List', 'View', 'Delete'], tag, response: Receiver,
})
export const { alertReceiverList, alertReceiverView, alertReceiverDelete } = receivers
export const webhookReceiverCreate = op({
  method: 'POST', path: '/v1/webhook-receivers', allow: 'fleet.collaborator', ok: 201, tag,
  body: ref('WebhookCreate', object({
    ...identityCreate, endpoint: Endpoint, secrets: array(secret, { count: mostSecrets, noun: 'secrets' }),
    subscriptions: defaulted(array(Subscription, { count: most, noun: 'subscriptions' }), () => []),
  })),
  response: ref('WebhookReceiver', object({ ...identity, ...hook, subscriptions })),
})
export const webhookReceiverUpdate = op({
  method: 'PUT', path: '/v1/webhook-receivers/{receiver}', allow: 'fleet.admin', ok: 204, tag,
  params: object({ receiver: NameOrId }),
  body: ref('WebhookReceiverUpdate', object({ ...identityUpdate, endpoint: optional(nullable(Endpoint)) })),
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

const Attempt = ref('WebhookDeliveryAttempt', object({
  attempt: uint, timeSent: time(),
  result: ref('WebhookDeliveryAttemptResult', enumOf(attemptResults)),
  response: optional(nullable(ref('WebhookDeliveryResponse', object({
    status: integer({ min: 0, max: 65_535, format: 'uint16' }), durationMs: uint,
  })))),
  reason: optional(nullable(string(unlimited))),
}))
const Delivery = ref('AlertDelivery', object({
  id: Uuid, alertId: Uuid, alertClass: string(unlimited), receiverId: Uuid,
  state: ref('AlertDeliveryState', enumOf(deliveryStates)),
  trigger: ref('AlertDeliveryTrigger', enumOf(deliveryTriggers)),
  timeStarted: time(), attempts: ref('AlertDeliveryAttempts', object({ webhook: array(Attempt, unlimited) })),
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
