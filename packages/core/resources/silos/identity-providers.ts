/** The identity providers of silos, as administrators see and change them. */
import { isUuid } from '@purlin/contract/rules/names'
import { operations } from '@purlin/contract/operations'
import { permits } from '#/auth/access.ts'
import { permitOn, resolveInFleet } from '#/auth/resolve.ts'
import { noteTarget } from '#/audit/touched.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import type { IdentityProviderTable, SamlProviderTable, SiloTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '../kind/rows.ts'
import { certificatesIn, keyColumns, metadataColumns, readSource } from './saml-providers.ts'

const kind = 'identityProvider'

export const identityProviders: Family<
  'siloIdentityProviderList' | `samlIdentityProvider${'Create' | 'View' | 'Update' | 'Delete'}`
> = {
  async siloIdentityProviderList(ctx, { query }) {
    const silo = await resolveInFleet(ctx, 'silo', query.silo)
    const rows = ctx.tx.selectFrom(kind).where('siloId', '=', silo.id)
    const page = await pageByName(ctx, query, { rows, table: kind, holder: silo.id })
    return mapPage(page, (row) => ({ ...identityView(row), providerType: row.providerType }))
  },

  samlIdentityProviderCreate: {
    async withoutTransaction(request, { query, body }) {
      await request.transaction('read', (ctx) => samlSilo(ctx, query))
      const { world } = request
      const { idpMetadataSource: source, signingKeypair: keys } = body
      const metadata = await readSource(world, source, body.idpEntityId)
      const signing = keys == null ? { publicCert: null, privateKey: null } : await keyColumns(world, keys)
      return request.transaction('write', async (ctx) => {
        const silo = await samlSilo(ctx, query)
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

  async samlIdentityProviderView(ctx, { params, query }) {
    const { row, saml } = await samlProvider(ctx, params.provider, query.silo)
    return samlView(row, saml)
  },

  samlIdentityProviderUpdate: {
    async withoutTransaction(request, { params, query, body }) {
      const find = (ctx: Ctx) => samlProvider(ctx, params.provider, query.silo)
      const before = await request.transaction('read', find)
      const columns = await changedColumns(request, before.saml, body)
      return request.transaction('write', async (ctx) => {
        const { row, saml } = await find(ctx)
        // The metadata was read for the provider as it was.
        if (row.timeModified !== before.row.timeModified) throw fault.changedSince()
        const changed = await updateNamed(ctx, [kind, row], identityChanges(ctx, body))
        await ctx.tx.updateTable('samlProvider').set(columns).where('id', '=', row.id).execute()
        return samlView(changed, { ...saml, ...columns })
      })
    },
  },

  async samlIdentityProviderDelete(ctx, { params, query }) {
    const { row } = await samlProvider(ctx, params.provider, query.silo)
    await ctx.tx.deleteFrom('samlProvider').where('id', '=', row.id).execute()
    await deleteRow(kind)(ctx, row)
  },
}

/** The silo that providers are created in. Throws 400, 403, 404. */
async function samlSilo(ctx: Ctx, { silo }: { silo: string }): Promise<SiloTable> {
  const row = await resolveInFleet(ctx, 'silo', silo)
  if (row.identityMode === 'local_only')
    throw fault.invalid('cannot create SAML identity providers in silos with local users')
  return row
}

interface Provider {
  row: IdentityProviderTable
  saml: SamlProviderTable
}

/** The provider that an operation is about, by id, or by name in a silo. Throws 400, 403, 404. */
async function samlProvider(ctx: Ctx, nameOrId: string, silo: string | undefined): Promise<Provider> {
  const isId = isUuid(nameOrId)
  if (isId && silo !== undefined) throw fault.parentWithId('provider', ['silo'])
  if (!isId && silo === undefined) throw fault.needsParent('provider', 'silo')
  const holder = silo === undefined ? undefined : await siloSeen(ctx, silo)
  const providers = ctx.tx.selectFrom(kind).selectAll()
  const row = holder
    ? await providers.where('siloId', '=', holder.id).where('name', '=', nameOrId).executeTakeFirst()
    : await providers.where('id', '=', nameOrId.toLowerCase()).executeTakeFirst()
  const { allow } = operations.samlIdentityProviderView
  if (!row || !permits(ctx.actor, allow, { siloId: row.siloId }))
    throw fault.notFound('saml-identity-provider', nameOrId)
  noteTarget(ctx.unit, kind, row)
  permitOn(ctx, { siloId: row.siloId })
  return { row, saml: await samlOfRow(ctx.tx, row) }
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

const samlOfRow = (tx: Tx, { id }: IdentityProviderTable): Promise<SamlProviderTable> =>
  tx.selectFrom('samlProvider').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

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

const attributeIn = (name: string): string | null => name.trim() || null
const urlOf = (source: { type: string; url?: string }): string | null => source.url ?? null

/** A provider as clients see it: without its key and the XML of its metadata. */
const samlView = (row: IdentityProviderTable, saml: SamlProviderTable) => ({
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
})
