/** Reads the metadata of identity providers again, so that new certificates count before old ones no longer do. */
import { limits } from '@purlin/contract/rules/limits'
import type { World } from '#/context.ts'
import { Fault } from '#/faults.ts'
import { metadataColumns, readSource, timeOfRetry } from '#/resources/silos/saml-providers.ts'
import type { SamlProviderTable } from '#/db/tables.ts'
import type { Loop } from './loop.ts'

const everyMs = 10 * 60_000
const perRound = 20

/** The loop. Metadata that cannot be read leaves the provider as it is. Servers without the port leave it to others. */
export const refreshProviders = (world: World): Loop => ({
  name: 'identityProviders',
  async round() {
    const { clock, engine } = world
    await engine.transaction('write', (tx) =>
      tx.deleteFrom('samlAnswer').where('timeForgotten', '<', clock.now()).execute(),
    )
    if (typeof world.saml !== 'object') return clock.now() + everyMs
    const due = await engine.transaction('read', (tx) =>
      tx
        .selectFrom('samlProvider')
        .selectAll()
        .where('timeDue', '<=', clock.now())
        .orderBy('timeDue')
        .limit(perRound)
        .execute(),
    )
    for (const provider of due) await refresh(world, provider)
    return due.length < perRound ? clock.now() + everyMs : clock.now()
  },
})

async function refresh(
  world: World,
  { id, entityId, metadataUrl, timeDue }: SamlProviderTable,
): Promise<void> {
  const now = world.clock.now()
  const changes = await read(world, entityId, metadataUrl ?? '').catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error
    world.log.warn({ provider: id, reason: error.message }, 'metadata of an identity provider not read')
    return { timeDue: timeOfRetry(now), failure: error.message.slice(0, limits.saml.text) }
  })
  await world.engine.transaction('write', (tx) =>
    tx
      .updateTable('samlProvider')
      .set(changes)
      .where('id', '=', id)
      // Unless an administrator has changed it since.
      .where('timeDue', '=', timeDue)
      .where('metadataUrl', '=', metadataUrl)
      .where('entityId', '=', entityId)
      .execute(),
  )
}

async function read(world: World, entityId: string, url: string) {
  const metadata = await readSource(world, { type: 'url', url }, entityId)
  return metadataColumns(metadata, url, world.clock.now())
}
