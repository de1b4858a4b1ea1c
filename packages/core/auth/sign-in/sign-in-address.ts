/** The pages on which users sign in, and the addresses that they may return to. */
import { siloNamedBy } from '@purlin/contract/rules/credentials/certificates'
import { quoted } from '@purlin/contract/rules/messages'
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

/**
 * The sign-in page of the silo in `{silo}.sys.{zone}`, or else, for installations without host names, of the first
 * discoverable one with passwords. Of several identity providers, it is the page of the first by name. Throws 400.
 */
export function signInAddress(world: World, host: string): Promise<string> {
  return world.engine.transaction('read', async (tx) => {
    const silo = await siloOfHost(tx, siloNamedBy(host) ?? '')
    if (!silo) throw fault.invalid(`HTTP request for unknown server name "${quoted(host)}"`)
    if (silo.identityMode === 'local_only') return `/login/${silo.name}/local`
    const [provider] = await providersOf(tx, silo.id)
    if (!provider) throw fault.invalid('no identity providers are configured for Silo')
    return `/login/${silo.name}/saml/${provider.name}`
  })
}

async function siloOfHost(tx: Tx, name: string) {
  const silos = tx.selectFrom('silo').select(['id', 'name', 'identityMode'])
  const named = await silos.where('name', '=', name).executeTakeFirst()
  if (named) return named
  const local = silos.where('identityMode', '=', 'local_only').where('discoverable', '=', 1)
  return local.orderBy('name').limit(1).executeTakeFirst()
}

/** The identity providers of a silo by name. */
export const providersOf = (tx: Tx, siloId: string) =>
  tx
    .selectFrom('identityProvider')
    .select(['name', 'description'])
    .where('siloId', '=', siloId)
    .orderBy('name')
    .execute()

/**
 * Throws 400 unless the address to return to is on this site. Browsers read `\` as `/` and skip tabs and line
 * ends, so those could hide another site's name.
 */
export function checkRelative(redirectUri: string): void {
  const stays = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(redirectUri)
  if (!stays) throw fault.badQuery(`redirect_uri: "${quoted(redirectUri)}" is not a relative URI`)
}
