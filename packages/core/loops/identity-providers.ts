/** Reads the metadata of identity providers again, so that new certificates count before old ones no longer do. */
import type { World } from '#/context.ts'
import { Fault } from '#/faults.ts'
import { discovered } from '#/resources/silos/oidc-providers.ts'
import { failedColumns } from '#/resources/silos/provider-metadata.ts'
import { metadataColumns, readSource } from '#/resources/silos/saml-providers.ts'
import type { OidcProviderTable, SamlProviderTable } from '#/db/tables.ts'
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
    const served: Table[] = [
      ...(typeof world.saml === 'object' ? (['samlProvider'] as const) : []),
      ...(typeof world.oidc === 'object' ? (['oidcProvider'] as const) : []),
    ]
    const counts = await Promise.all(served.map((table) => refreshAll(world, table)))
    return counts.includes(perRound) ? clock.now() : clock.now() + everyMs
  },
})

type Table = 'samlProvider' | 'oidcProvider'
type Provider = SamlProviderTable | OidcProviderTable

/** Returns the number of providers that were due. */
async function refreshAll(world: World, table: Table): Promise<number> {
  const due: Provider[] = await world.engine.transaction('read', (tx) =>
    tx
      .selectFrom(table)
      .selectAll()
      .where('timeDue', '<=', world.clock.now())
      .orderBy('timeDue')
      .limit(perRound)
      .execute(),
  )
  for (const provider of due) await refresh(world, table, provider)
  return due.length
}

async function refresh(world: World, table: Table, provider: Provider): Promise<void> {
  const { id, timeDue } = provider
  const changes = await read(world, provider).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error
    world.log.warn({ provider: id, reason: error.message }, 'metadata of an identity provider not read')
    return failedColumns(world.clock.now(), error.message)
  })
  await world.engine.transaction('write', (tx) =>
    tx
      .updateTable(table)
      .set(changes)
      .where('id', '=', id)
      // Unless an administrator has changed it since.
      .where('timeDue', '=', timeDue)
      .execute(),
  )
}

/** The columns that follow from the metadata of a provider. */
async function read(world: World, provider: Provider) {
  if ('issuer' in provider) return discovered(world, provider.issuer)
  const url = provider.metadataUrl ?? ''
  const metadata = await readSource(world, { type: 'url', url }, provider.entityId)
  return metadataColumns(metadata, url, world.clock.now())
}
