/** The handlers of plain resources, which have a name that is unique in their parent. */
import { operations, type OperationName, type Operations } from '@purlin/contract/operations'
import type { Result } from '@purlin/contract/op'
import { kinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { resolve, type Parents, type Selector } from '#/auth/resolve.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import { kindRows, rowsOf, type Container, type NamedKind, type RowOf } from '#/db/kinds.ts'
import type { Listed, ListedTable } from '#/db/lists/listed.ts'
import { mapPage, pageByName, type Page } from '#/db/lists/pages.ts'
import type { Tx } from '#/db/tables.ts'
import { deleteRow, identityChanges, updateNamed } from './rows.ts'

type ParentOf<K extends NamedKind> = (typeof kinds)[K]['parent'] & NamedKind

/** What a deletion's query says of it. */
export interface How {
  /** To delete what would otherwise prevent it. */
  cascade?: boolean | undefined
}

/** The query of a list whose rows say more than usual: its pages are shorter. */
export const withDetails = <Q extends PageQuery>(query: Q): Q => ({
  ...query,
  limit: Math.min(query.limit ?? limits.page.default, limits.page.withDetails),
})

interface NamedRows<K extends ListedKind, View, New> {
  /** A row as clients see it, of the columns that lists show. */
  view: (row: ListedOf<K>) => View
  create: (ctx: Ctx, parent: RowOf<ParentOf<K>>, body: New) => Promise<RowOf<K>>
  remove: (ctx: Ctx, row: RowOf<K>, how: How) => Promise<unknown>
}
/** Kinds that can be listed in their parent. */
type ListedKind = {
  [K in NamedKind]: (typeof kindRows)[K]['table'] extends ListedTable ? K : never
}[NamedKind]
type ListedOf<K extends ListedKind> = Listed<(typeof kindRows)[K]['table'] & ListedTable>

/** How a request names the row that it acts on. */
export interface Named<K extends NamedKind> {
  params: Selector<K>
  query?: Parents<K>
}

/** Handlers that find rows and check the operation's `allow` in the way that all named resources share. */
export function handlersOf<K extends ListedKind, View, New>(
  kind: K,
  { view, create, remove }: NamedRows<K, View, New>,
) {
  const parentKind = kinds[kind].parent as ParentOf<K>
  const rowOf = (ctx: Ctx, { params, query }: Named<K>): Promise<RowOf<K>> =>
    resolve(ctx, kind, { ...query, ...params })
  const parentOf = (ctx: Ctx, query: Selector<ParentOf<K>>): Promise<RowOf<ParentOf<K>>> =>
    resolve(ctx, parentKind, query)

  const { table, parent: parentColumn } = kindRows[kind] as { table: ListedTable; parent: string }
  const rowsIn = (tx: Tx, parent: string) => rowsOf(tx, kind).where(parentColumn as 'projectId', '=', parent)

  return {
    list: async (ctx: Ctx, { query }: { query: PageQuery & Selector<ParentOf<K>> }): Promise<Page<View>> => {
      const parent = await parentOf(ctx, query)
      // The builder cannot know the columns of a table in a variable.
      const page: Page<unknown> = await pageByName(ctx, query, { rowsIn, parent: parent.id, table })
      return mapPage(page as Page<ListedOf<K>>, view)
    },
    create: async (ctx: Ctx, { query, body }: { query: Selector<ParentOf<K>>; body: New }): Promise<View> =>
      view(await create(ctx, await parentOf(ctx, query), body)),
    view: async (ctx: Ctx, input: Named<K>): Promise<View> => view(await rowOf(ctx, input)),
    delete: async (ctx: Ctx, input: Named<K> & { query?: How }): Promise<void> => {
      await remove(ctx, await rowOf(ctx, input), input.query ?? {})
    },
    /** The handler of an operation that does something to a row and answers with it. */
    act:
      (action: (ctx: Ctx, row: RowOf<K>) => Promise<RowOf<K>>) =>
      async (ctx: Ctx, input: Named<K>): Promise<View> =>
        view(await action(ctx, await rowOf(ctx, input))),
    /** The same with a body that says how. */
    change:
      <Body>(change: (ctx: Ctx, row: RowOf<K>, body: Body) => Promise<RowOf<K>>) =>
      async (ctx: Ctx, input: Named<K> & { body: Body }): Promise<View> =>
        view(await change(ctx, await rowOf(ctx, input), input.body)),
  }
}
/** A kind whose operations have its name. */
type PlainKind = { [K in ListedKind]: `${K}View` extends OperationName ? K : never }[ListedKind]
type Ops<K extends PlainKind, Verb extends string> = Operations[Extract<`${K}${Verb}`, OperationName>]
type View<K extends PlainKind> = Result<Ops<K, 'View'>>
type Body<K extends PlainKind, Verb extends 'Create' | 'Update'> = BodyOf<
  Extract<`${K}${Verb}`, OperationName>
>
type Update<K extends PlainKind> = (ctx: Ctx, row: RowOf<K>, body: Body<K, 'Update'>) => Promise<RowOf<K>>

type OwnField<B> = Exclude<keyof B, 'name' | 'description'>
/** Fields of an update that no column of the same name and type holds. */
type Foreign<K extends PlainKind, B = Body<K, 'Update'>> = {
  [F in OwnField<B>]-?: F extends keyof RowOf<K> ? (NonNullable<B[F]> extends RowOf<K>[F] ? never : F) : F
}[OwnField<B>]

interface AllRules<K extends PlainKind> extends Pick<
  NamedRows<K, View<K>, Body<K, 'Create'>>,
  'view' | 'create'
> {
  /** By default the fields are columns, and those that are absent or null keep their value. */
  update?: Update<K>
  /** By default the row is deleted, and nothing else. */
  remove?: (ctx: Ctx, row: RowOf<K>, how: How) => Promise<unknown>
}
/** What a kind has to say itself, because no default fits it, does not compile while it is missing. */
type Rules<K extends PlainKind> = AllRules<K> &
  ([Foreign<K>] extends [never] ? unknown : { update: Update<K> }) &
  (K extends Container ? { remove: unknown } : unknown)

type Handlers<K extends PlainKind, H> = {
  [V in keyof H & string as Extract<`${K}${V}`, OperationName>]: H[V]
}

/**
 * The handlers of those operations List, Create, View, Update and Delete that the contract has for a kind, and what
 * makes handlers of further ones.
 */
export function plain<const K extends PlainKind>(kind: K, rules: Rules<K>) {
  const { view, create, update = updateColumns(kind), remove = deleteRow(kind) }: AllRules<K> = rules
  const { act, change, ...own } = handlersOf(kind, { view, create, remove })
  const byVerb = {
    List: own.list,
    Create: own.create,
    View: own.view,
    Update: change(update),
    Delete: own.delete,
  }
  const named = Object.entries(byVerb).map(([verb, handler]) => [kind + verb, handler] as const)
  const declared = named.filter(([name]) => name in operations)
  return { handlers: Object.fromEntries(declared) as Handlers<K, typeof byVerb>, act, change }
}

const updateColumns =
  <K extends PlainKind>(kind: K): Update<K> =>
  (ctx, row, body) => {
    const fields = body as object
    const given = Object.entries(fields).filter(([, value]) => value != null)
    return updateNamed(ctx, [kind, row], { ...Object.fromEntries(given), ...identityChanges(ctx, fields) })
  }
