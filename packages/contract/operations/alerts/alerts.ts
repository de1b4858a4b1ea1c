/** Classes of alerts. Of our own: the alerts now and before, which operators acknowledge and silence. */
import { op } from '#/op.ts'
import { severities } from '#/rules/alerts/attention.ts'
import { enumOf, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { Uuid } from '#/schemas/scalar.ts'
import { AlertSubject, Subscription } from './receivers.ts'

const tag = 'system/alerts'
const text = string(unlimited)

export const alertClassList = op({
  method: 'GET', path: '/v1/alert-classes', allow: 'fleet.viewer', ok: 200, tag,
  query: object({ ...inOrder, filter: optional(Subscription) }),
  response: ref('AlertClassResultsPage', page(ref('AlertClass', object({ name: text, description: text })))),
})

const Alert = ref('Alert', object({
  id: Uuid, class: text, severity: enumOf(severities),
  subject: AlertSubject,
  text, advice: text, timeStarted: time(), timeEnded: nullable(time()),
  timeAcknowledged: nullable(time()), acknowledgedBy: nullable(Uuid), silencedUntil: nullable(time()),
}))
const ofAlert = { params: object({ alertId: Uuid }), tag } as const
export const alertList = op({
  method: 'GET', path: '/v1/alerts', allow: 'fleet.viewer', ok: 200, tag,
  query: object({ ...inOrder, state: optional(enumOf(['active', 'ended'])) }),
  response: ref('AlertResultsPage', page(Alert)),
})
export const alertView = op({
  ...ofAlert, method: 'GET', path: '/v1/alerts/{alert_id}', allow: 'fleet.viewer', ok: 200, response: Alert,
})
export const alertAcknowledge = op({
  ...ofAlert, method: 'PUT', path: '/v1/alerts/{alert_id}/acknowledgement', allow: 'fleet.collaborator', ok: 200,
  response: Alert,
})
export const alertSilence = op({
  ...ofAlert, method: 'PUT', path: '/v1/alerts/{alert_id}/silence', allow: 'fleet.collaborator', ok: 200,
  body: ref('AlertSilence', object({ until: nullable(time()) })), response: Alert,
})
