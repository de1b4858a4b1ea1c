/** The pages on which users sign in, and the addresses that they may return to. */
import { siloNamedBy } from '@purlin/contract/rules/credentials/certificates'
import { isOwnAddress } from '@purlin/contract/rules/credentials/return-address'
import { quoted } from '@purlin/contract/rules/messages'
import type { World } from '#/context.ts'
import type { IdentityProviderTable, SiloTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

/**
 * The sign-in page of the silo in `{silo}.sys.{zone}`, or else, for installations without host names, of the first
 * discoverable one with passwords. Of several identity providers, it is the page of the first by name. Throws 400; for
 * people, a silo without a provider has a page that says so.
 */
export function signInAddress(world: World, host: string, isPerson: boolean): Promise<string> {
  return world.engine.transaction('read', async (tx) => {
    const silo = await siloOfHost(tx, siloNamedBy(host) ?? '')
    if (!silo) throw fault.invalid(`HTTP request for unknown server name "${quoted(host)}"`)
    if (silo.identityMode === 'local_only') return `/login/${silo.name}/local`
    const [provider] = await providersOf(tx, silo.id)
    if (!provider && isPerson) return `/login/${silo.name}`
    if (!provider) throw fault.invalid('no identity providers are configured for Silo')
    return `/login/${silo.name}/${provider.providerType}/${provider.name}`
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
const providersOf = (tx: Tx, siloId: string) =>
  tx
    .selectFrom('identityProvider')
    .select(['name', 'description', 'providerType'])
    .where('siloId', '=', siloId)
    .orderBy('name')
    .execute()

/** How the users of a silo sign in. Throws 404. */
export async function signInOptions(tx: Tx, siloName: string) {
  const silo = await siloNamed(tx, siloName)
  const providers = await providersOf(tx, silo.id)
  return {
    password: silo.identityMode === 'local_only',
    providers: providers.map(({ providerType, ...named }) => ({ ...named, protocol: providerType })),
  }
}

/** The silo in the address of a sign-in page, and the id of the identity provider. Throws 404. */
export async function providerIn(
  tx: Tx,
  protocol: IdentityProviderTable['providerType'],
  { siloName, providerName }: { siloName: string; providerName: string },
): Promise<{ silo: SiloTable; id: string }> {
  const silo = await siloNamed(tx, siloName)
  const provider = await tx
    .selectFrom('identityProvider')
    .select('id')
    .where('siloId', '=', silo.id)
    .where('name', '=', providerName)
    .where('providerType', '=', protocol)
    .executeTakeFirst()
  if (!provider) throw fault.notFound('identity-provider', providerName)
  return { silo, id: provider.id }
}

async function siloNamed(tx: Tx, name: string): Promise<SiloTable> {
  const silo = await tx.selectFrom('silo').selectAll().where('name', '=', name).executeTakeFirst()
  if (!silo) throw fault.notFound('silo', name)
  return silo
}

/** Throws 400 unless the address to return to is on this site. */
export function checkRelative(redirectUri: string): void {
  if (!isOwnAddress(redirectUri))
    throw fault.badQuery(`redirect_uri: "${quoted(redirectUri)}" is not a relative URI`)
}
