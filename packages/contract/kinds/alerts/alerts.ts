import { kind } from '../kind.ts'

const counted = { unlimited: 'they are counted when one is made' } as const

export const alertReceiver = kind({
  noun: 'alert receiver',
  type: 'alert-receiver',
  field: 'receiver',
  parent: null,
  counts: counted,
  // The address of a webhook may have a secret.
  recorded: {
    endpoint: { field: 'endpoint', isHidden: true },
    recipients: { field: 'toJson', isList: true },
  },
})

/** Only the control plane makes them, and it deletes old ones. */
export const alert = kind({
  noun: 'alert',
  type: 'alert',
  field: 'alertId',
  isNamed: false,
  parent: null,
  counts: { unlimited: 'old ones are deleted' },
})

export const webhookSecret = kind({
  noun: 'webhook secret',
  type: 'webhook-secret',
  field: 'secretId',
  isNamed: false,
  parent: null,
  counts: counted,
})
