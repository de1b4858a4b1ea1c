/** Identity providers of OpenID Connect, as administrators see and change them. Decision 0076. */
import { isScope } from '@purlin/contract/rules/credentials/scopes'
import { limits } from '@purlin/contract/rules/limits'
import { quoted } from '@purlin/contract/rules/messages'
import type { BodyOf, Family, World } from '#/context.ts'
import type { IdentityProviderTable, OidcProviderTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { type Oidc, type OidcClient, type OidcMetadata, OidcRefused, OidcUnreachable } from '#/ports.ts'
import { identityView, insertNamed, newIdentity } from '../kind/rows.ts'
import { providerFamily } from './provider-family.ts'
import { readColumns } from './provider-metadata.ts'
import { attributeIn, providerSilo } from './provider-rows.ts'

const kind = 'identityProvider'

/** The port. Throws 503 on platforms without one. */
export function oidcOf({ oidc }: World): Oidc {
  if (typeof oidc === 'object') return oidc
  throw fault.unavailable(oidc ?? 'identity providers cannot be reached from here')
}

/** The part of a provider that is about OpenID Connect. */
export const oidcOfProvider = (tx: Tx, id: string): Promise<OidcProviderTable> =>
  tx.selectFrom('oidcProvider').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** This service as a provider knows it. */
export const clientOf = ({
  clientId,
  clientSecret,
  metadataJson,
}: OidcProviderTable): Omit<OidcClient, 'redirectUrl'> => ({
  clientId,
  clientSecret,
  metadata: JSON.parse(metadataJson) as OidcMetadata,
})

export const scopesOf = ({ scopesJson }: Pick<OidcProviderTable, 'scopesJson'>): string[] =>
  JSON.parse(scopesJson) as string[]

/** The columns of the metadata of an issuer, read now. Throws 400, 503. */
export async function discovered(world: World, issuer: string) {
  try {
    const metadata = await oidcOf(world).discover(issuer)
    return { metadataJson: JSON.stringify(metadata), ...readColumns(world.clock.now()) }
  } catch (error) {
    if (error instanceof OidcRefused || error instanceof OidcUnreachable)
      throw fault.invalidValue('issuer', error.message.slice(0, limits.saml.text))
    throw error
  }
}

export const oidcProviders: Family<`oidcIdentityProvider${'Create' | 'View' | 'Update' | 'Delete'}`> = {
  oidcIdentityProviderCreate: {
    async withoutTransaction(request, { query, body }) {
      await request.transaction('read', (ctx) => providerSilo(ctx, query.silo, 'oidc'))
      const { issuer, clientId, clientSecret } = body
      const metadata = await discovered(request.world, issuer)
      return request.transaction('write', async (ctx) => {
        const silo = await providerSilo(ctx, query.silo, 'oidc')
        const named = { ...newIdentity(ctx, body), siloId: silo.id, providerType: 'oidc' as const }
        const row = await insertNamed(ctx, kind, named)
        const oidc = {
          id: row.id,
          issuer,
          clientId,
          clientSecret,
          scopesJson: jsonOf(body.scopes),
          nameClaim: nameClaimIn(body.nameClaim),
          groupsClaim: attributeIn(body.groupsClaim ?? ''),
          ...metadata,
        }
        await ctx.tx.insertInto('oidcProvider').values(oidc).execute()
        return oidcView(row, oidc)
      })
    },
  },

  ...providerFamily('oidc', {
    settingsOf: oidcOfProvider,
    changes: ({ world }, oidc, body) => changedColumns(world, oidc, body),
    view: oidcView,
  }),
}

/** The columns that an update changes. Throws 400, 503. */
async function changedColumns(
  world: World,
  oidc: OidcProviderTable,
  body: BodyOf<'oidcIdentityProviderUpdate'>,
): Promise<Partial<OidcProviderTable>> {
  const { issuer, clientId, clientSecret, scopes, nameClaim, groupsClaim } = body
  // Otherwise an administrator could have the secret sent to any server.
  if (issuer != null && issuer !== oidc.issuer && clientSecret == null)
    throw fault.invalidValue('client_secret', 'the secret is for another issuer: give that for the new one')
  return {
    clientId: clientId ?? oidc.clientId,
    clientSecret: clientSecret ?? oidc.clientSecret,
    scopesJson: scopes == null ? oidc.scopesJson : jsonOf(scopes),
    nameClaim: nameClaim == null ? oidc.nameClaim : nameClaimIn(nameClaim),
    groupsClaim: groupsClaim == null ? oidc.groupsClaim : attributeIn(groupsClaim),
    ...(issuer == null ? {} : { issuer, ...(await discovered(world, issuer)) }),
  }
}

/** Throws 400 for what is no scope. */
function jsonOf(scopes: readonly string[]): string {
  const wrong = scopes.find((one) => !isScope(one))
  if (wrong !== undefined) throw fault.invalidValue('scopes', `"${quoted(wrong)}" is no scope`)
  return JSON.stringify([...new Set(scopes)])
}

/** Throws 400 without a name. */
function nameClaimIn(text: string): string {
  const name = attributeIn(text)
  if (name === null) throw fault.invalidValue('name_claim', 'it is empty')
  return name
}

/** A provider as clients see it: without its secret. */
function oidcView(row: IdentityProviderTable, oidc: OidcProviderTable) {
  const { signOnUrl, tokenUrl, keysUrl, userInfoUrl } = clientOf(oidc).metadata
  const { issuer, clientId, nameClaim, groupsClaim, timeRead, failure } = oidc
  return {
    ...identityView(row),
    issuer,
    clientId,
    scopes: scopesOf(oidc),
    nameClaim,
    groupsClaim,
    metadata: { signOnUrl, tokenUrl, keysUrl, userInfoUrl, timeRead: new Date(timeRead), failure },
  }
}
