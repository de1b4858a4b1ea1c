/** The rows of identity providers of every protocol: where they are created, and how requests find them. */
import { isUuid } from '@purlin/contract/rules/names'
import { operations } from '@purlin/contract/operations'
import { permits } from '#/auth/access.ts'
import { permitOn, resolveInFleet } from '#/auth/resolve.ts'
import { noteTarget } from '#/audit/touched.ts'
import type { Ctx } from '#/context.ts'
import type { IdentityProviderTable, SiloTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

type Protocol = IdentityProviderTable['providerType']

const named: Record<Protocol, string> = { saml: 'SAML', oidc: 'OpenID Connect' }

/** The silo that providers are created in. Throws 400, 403, 404. */
export async function providerSilo(ctx: Ctx, silo: string, protocol: Protocol): Promise<SiloTable> {
  const row = await resolveInFleet(ctx, 'silo', silo)
  if (row.identityMode === 'local_only')
    throw fault.invalid(`cannot create ${named[protocol]} identity providers in silos with local users`)
  return row
}

/** The provider that an operation is about, by id, or by name in a silo. Throws 400, 403, 404. */
export async function providerRow(
  ctx: Ctx,
  protocol: Protocol | 'any',
  { params, query }: { params: { provider: string }; query: { silo?: string | undefined } },
): Promise<IdentityProviderTable> {
  const { provider: nameOrId } = params
  const isId = isUuid(nameOrId)
  if (isId && query.silo !== undefined) throw fault.parentWithId('provider', ['silo'])
  if (!isId && query.silo === undefined) throw fault.needsParent('provider', 'silo')
  const holder = query.silo === undefined ? undefined : await siloSeen(ctx, query.silo)
  const all = ctx.tx.selectFrom('identityProvider').selectAll()
  const providers = protocol === 'any' ? all : all.where('providerType', '=', protocol)
  const row = holder
    ? await providers.where('siloId', '=', holder.id).where('name', '=', nameOrId).executeTakeFirst()
    : await providers.where('id', '=', nameOrId.toLowerCase()).executeTakeFirst()
  // Both protocols have the same.
  const { allow } = operations.samlIdentityProviderView
  if (!row || !permits(ctx.actor, allow, { siloId: row.siloId }))
    throw fault.notFound(protocol === 'any' ? 'identity-provider' : `${protocol}-identity-provider`, nameOrId)
  noteTarget(ctx.unit, 'identityProvider', row)
  permitOn(ctx, { siloId: row.siloId })
  return row
}

/** A silo that the caller may read. Throws 404. */
async function siloSeen({ tx, actor }: Ctx, nameOrId: string): Promise<{ id: string }> {
  const silos = tx.selectFrom('silo').select('id')
  const silo = await (
    isUuid(nameOrId) ? silos.where('id', '=', nameOrId.toLowerCase()) : silos.where('name', '=', nameOrId)
  ).executeTakeFirst()
  if (!silo || !permits(actor, operations.siloView.allow, { siloId: silo.id }))
    throw fault.notFound('silo', nameOrId)
  return silo
}

/** The name of an attribute or claim that may be left out, as an empty text. */
export const attributeIn = (name: string): string | null => name.trim() || null
