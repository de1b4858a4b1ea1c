/** The receivers of alerts of the demo. Their hosts do not exist, so nothing leaves the machine. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'

export async function makeReceivers(client: Client<Operations>): Promise<void> {
  await client.webhookReceiverCreate({
    body: {
      name: 'on-call',
      description: 'Pages the operator on call',
      endpoint: 'https://on-call.invalid/purlin',
      secrets: ['a secret of the demo'],
      subscriptions: ['hardware.**', 'system.update.stalled'],
    },
  })
  await client.emailReceiverCreate({
    body: {
      name: 'operators',
      description: 'Mail to all operators',
      to: ['operators@purlin.invalid'],
      subscriptions: ['system.**'],
    },
  })
}
