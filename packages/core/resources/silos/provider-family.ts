/** The view, the update and the deletion of identity providers. Protocols differ in their settings. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed, Result } from '@purlin/contract/op'
import type { BodyOf, Ctx, Family, RequestContext } from '#/context.ts'
import type { IdentityProviderTable, OidcProviderTable, SamlProviderTable, Tx } from '#/db/tables.ts'
import { noteFields } from '#/audit/touched.ts'
import { fault } from '#/faults.ts'
import { deleteRow, identityChanges, updateNamed } from '../kind/rows.ts'
import { providerRow } from './provider-rows.ts'

/** The settings of a provider of each protocol. */
interface Settings {
  saml: SamlProviderTable
  oidc: OidcProviderTable
}
type Protocol = keyof Settings
type View<P extends Protocol> = Result<Operations[`${P}IdentityProviderView`]>
type Body<P extends Protocol> = BodyOf<`${P}IdentityProviderUpdate`>

interface Rules<P extends Protocol> {
  settingsOf: (tx: Tx, id: string) => Promise<Settings[P]>
  /** The columns that an update changes. It may read metadata. Throws 400, 503. */
  changes: (
    at: Pick<Ctx, 'world' | 'now'>,
    settings: Settings[P],
    body: Body<P>,
  ) => Promise<Partial<Settings[P]>>
  /** A provider as clients see it: without its secrets. */
  view: (row: IdentityProviderTable, settings: Settings[P]) => View<P>
}

type Named = Parameters<typeof identityChanges>[1]

const kind = 'identityProvider'

/** The handlers of a protocol's providers, except the one that creates them. */
export const providerFamily = <const P extends Protocol>(
  protocol: P,
  { settingsOf, changes, view }: Rules<P>,
): Family<`${P}IdentityProvider${'View' | 'Update' | 'Delete'}`> => {
  type Input = Parsed<Operations['samlIdentityProviderView']>
  const table: `${Protocol}Provider` = `${protocol}Provider`
  const find = async (ctx: Ctx, input: Input) => {
    const row = await providerRow(ctx, protocol, input)
    return { row, settings: await settingsOf(ctx.tx, row.id) }
  }
  const handlers = {
    [`${protocol}IdentityProviderView`]: async (ctx: Ctx, input: Input) => {
      const { row, settings } = await find(ctx, input)
      return view(row, settings)
    },
    [`${protocol}IdentityProviderUpdate`]: {
      async withoutTransaction(
        request: RequestContext,
        { body, ...input }: Input & { body: Body<P> & Named },
      ) {
        const before = await request.transaction('read', (ctx) => find(ctx, input))
        const columns = await changes(request, before.settings, body)
        return request.transaction('write', async (ctx) => {
          const { row, settings } = await find(ctx, input)
          // The metadata was read for the provider as it was.
          if (row.timeModified !== before.row.timeModified) throw fault.changedSince()
          const changed = await updateNamed(ctx, [kind, row], identityChanges(ctx, body))
          const now = { ...settings, ...columns }
          await noteFields(ctx, [kind, settings], now)
          // The builder takes the columns for those of one protocol.
          await ctx.tx
            .updateTable(table as 'samlProvider')
            .set(columns as Partial<SamlProviderTable>)
            .where('id', '=', row.id)
            .execute()
          return view(changed, now)
        })
      },
    },
    [`${protocol}IdentityProviderDelete`]: async (ctx: Ctx, input: Input) => {
      const { row } = await find(ctx, input)
      await ctx.tx.deleteFrom(table).where('id', '=', row.id).execute()
      await ctx.tx.deleteFrom('signInTest').where('providerId', '=', row.id).execute()
      await deleteRow(kind)(ctx, row)
    },
  }
  // The names are made of the protocol, which the type checker cannot follow.
  return handlers as object as Family<`${P}IdentityProvider${'View' | 'Update' | 'Delete'}`>
}
