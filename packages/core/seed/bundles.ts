/** The support bundle of the demo, which its server collects. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'

export async function makeBundle(client: Client<Operations>): Promise<void> {
  await client.supportBundleCreate({
    body: { userComment: 'For the support: a sled is away since the night' },
  })
}
