/** The identity providers of silos, as administrators see and change them. */
import { resolveInFleet } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import type { IdentityProviderTable, SamlProviderTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { identityView, insertNamed, newIdentity } from '../kind/rows.ts'
import { providerFamily } from './provider-family.ts'
import { attributeIn, providerSilo } from './provider-rows.ts'
import { certificatesIn, keyColumns, metadataColumns, readSource, samlOfProvider } from './saml-providers.ts'

const kind = 'identityProvider'

export const identityProviders: Family<
  | 'siloIdentityProviderList'
  | 'identityProviderList'
  | `samlIdentityProvider${'Create' | 'View' | 'Update' | 'Delete'}`
> = {
  async siloIdentityProviderList(ctx, { query }) {
    const silo = await resolveInFleet(ctx, 'silo', query.silo)
    const rows = ctx.tx.selectFrom(kind).where('siloId', '=', silo.id).where('providerType', '=', 'saml')
    const page = await pageByName(ctx, query, { rows, table: kind, holder: silo.id })
    return mapPage(page, (row) => ({ ...identityView(row), providerType: 'saml' as const }))
  },

  async identityProviderList(ctx, { query }) {
    const silo = await resolveInFleet(ctx, 'silo', query.silo)
    const rows = ctx.tx.selectFrom(kind).where('siloId', '=', silo.id)
    const page = await pageByName(ctx, query, { rows, table: kind, holder: silo.id })
    return mapPage(page, (row) => ({ ...identityView(row), protocol: row.providerType }))
  },

  samlIdentityProviderCreate: {
    async withoutTransaction(request, { query, body }) {
      await request.transaction('read', (ctx) => providerSilo(ctx, query.silo, 'saml'))
      const { world } = request
      const { idpMetadataSource: source, signingKeypair: keys } = body
      const metadata = await readSource(world, source, body.idpEntityId)
      const signing = keys == null ? { publicCert: null, privateKey: null } : await keyColumns(world, keys)
      return request.transaction('write', async (ctx) => {
        const silo = await providerSilo(ctx, query.silo, 'saml')
        const named = { ...newIdentity(ctx, body), siloId: silo.id, providerType: 'saml' as const }
        const row = await insertNamed(ctx, kind, named)
        const saml = {
          id: row.id,
          entityId: body.idpEntityId,
          serviceEntityId: body.spClientId,
          acsUrl: body.acsUrl,
          sloUrl: body.sloUrl,
          contactEmail: body.technicalContactEmail,
          groupAttribute: attributeIn(body.groupAttributeName ?? ''),
          ...signing,
          ...metadataColumns(metadata, urlOf(source), ctx.now),
        }
        await ctx.tx.insertInto('samlProvider').values(saml).execute()
        return samlView(row, saml)
      })
    },
  },

  ...providerFamily('saml', { settingsOf: samlOfProvider, changes: changedColumns, view: samlView }),
}

type Body = BodyOf<'samlIdentityProviderUpdate'>

/** The columns that an update changes. Throws 400, 503. */
async function changedColumns(
  { world, now }: Pick<Ctx, 'world' | 'now'>,
  saml: SamlProviderTable,
  body: Body,
): Promise<Partial<SamlProviderTable>> {
  const { idpMetadataSource: source, signingKeypair: keys, groupAttributeName } = body
  const entityId = body.idpEntityId ?? saml.entityId
  if (source == null && entityId !== saml.entityId)
    throw fault.invalidValue('idp_entity_id', 'the metadata is of another provider: give that of the new one')
  const metadata = source == null ? undefined : await readSource(world, source, entityId)
  return {
    entityId,
    serviceEntityId: body.spClientId ?? saml.serviceEntityId,
    acsUrl: body.acsUrl ?? saml.acsUrl,
    sloUrl: body.sloUrl ?? saml.sloUrl,
    contactEmail: body.technicalContactEmail ?? saml.contactEmail,
    groupAttribute: groupAttributeName == null ? saml.groupAttribute : attributeIn(groupAttributeName),
    ...(keys == null ? {} : await keyColumns(world, keys)),
    ...(metadata && source != null ? metadataColumns(metadata, urlOf(source), now) : {}),
  }
}

const urlOf = (source: { type: string; url?: string }): string | null => source.url ?? null

/** A provider as clients see it: without its key and the XML of its metadata. */
function samlView(row: IdentityProviderTable, saml: SamlProviderTable) {
  return {
    ...identityView(row),
    idpEntityId: saml.entityId,
    spClientId: saml.serviceEntityId,
    acsUrl: saml.acsUrl,
    sloUrl: saml.sloUrl,
    technicalContactEmail: saml.contactEmail,
    groupAttributeName: saml.groupAttribute,
    publicCert: saml.publicCert,
    metadata: {
      signOnUrl: saml.signOnUrl,
      certificates: certificatesIn(saml).map(({ subject, fingerprint, notAfter }) => ({
        subject,
        fingerprint,
        notAfter: new Date(notAfter),
      })),
      url: saml.metadataUrl,
      timeRead: new Date(saml.timeRead),
      failure: saml.failure,
    },
  }
}
