/** The handlers of plain resources: which operations there are, and what their scope is, the contract says. */
import { operations, type OperationName, type Operations } from '@purlin/contract/operations'
import {
  plainName,
  verbs,
  type PlainKind,
  type PlainName,
  type Verb,
} from '@purlin/contract/operations/plain'
import type { Parsed, Result } from '@purlin/contract/op'
import { kindOf, kinds, type KindWith } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import type { PageQuery } from '@purlin/contract/schemas/page'
import type { SelectQueryBuilder } from 'kysely'
import type { BodyOf, Ctx, Handler } from '#/context.ts'
import { kindRows, rowsOf, type Container, type NamedKind, type RowOf } from '#/db/kinds.ts'
import type { Listed, ListedTable } from '#/db/lists/listed.ts'
import { mapPage, pageById, pageByName, type Page } from '#/db/lists/pages.ts'
import type { Rows } from '#/db/lists/list.ts'
import type { Tables, Tx } from '#/db/tables.ts'
import { deleteRow, identityChanges, updateNamed } from './rows.ts'
import { scopeRules, type HolderOf, type Query } from './scopes.ts'

/** The query of a delete. */
export interface How {
  /** To delete what would otherwise prevent it. */
  cascade?: boolean | undefined
}

/** The query of a list whose rows say more than usual: its pages are shorter. */
export const withDetails = <Q extends PageQuery>(query: Q): Q => ({
  ...query,
  limit: Math.min(query.limit ?? limits.page.default, limits.page.withDetails),
})

/** A plain kind whose rows can be listed. */
type Kind = { [K in PlainKind]: (typeof kindRows)[K]['table'] extends ListedTable ? K : never }[PlainKind]
type ListedOf<K extends Kind> = Listed<(typeof kindRows)[K]['table'] & ListedTable>
type RowsOf<K extends Kind> = SelectQueryBuilder<Tables, (typeof kindRows)[K]['table'], object>
/** The operations that a kind has. */
type NameOf<K extends Kind, V extends Verb> = Extract<PlainName<K, V>, OperationName>
type Has<K extends Kind, V extends Verb, Then> = [NameOf<K, V>] extends [never] ? unknown : Then

/** One as clients see it. */
type ItemOf<K extends Kind> = [NameOf<K, 'View'>] extends [never]
  ? Result<Operations[NameOf<K, 'List'>]> extends { items: (infer Item)[] }
    ? Item
    : never
  : Result<Operations[NameOf<K, 'View'>]>
type Body<K extends Kind, V extends 'Create' | 'Update'> = BodyOf<NameOf<K, V>>
type Update<K extends Kind> = (ctx: Ctx, row: RowOf<K>, body: Body<K, 'Update'>) => Promise<RowOf<K>>

type OwnField<B> = Exclude<keyof B, 'name' | 'description'>
/** Fields of an update without a column of the same name and type. */
type Foreign<K extends Kind, B = Body<K, 'Update'>> = {
  [F in OwnField<B>]-?: F extends keyof RowOf<K> ? (NonNullable<B[F]> extends RowOf<K>[F] ? never : F) : F
}[OwnField<B>]

/** The rules of a kind, of which those count that the operations need. */
interface AllRules<K extends Kind, View> {
  /** A row as clients see it in lists, of the columns that lists show. */
  view: (row: ListedOf<K>) => View
  /** One as clients see it otherwise; as in lists unless given. */
  viewOne?: (ctx: Ctx, row: RowOf<K>) => Promise<View>
  /** The rows in the parent that a caller sees; all by default. */
  seen?: (ctx: Ctx, rows: RowsOf<K>) => RowsOf<K>
  /** Throws if what the rows are in can have none. */
  check?: (holder: HolderOf<K>) => void
  create: (ctx: Ctx, holder: HolderOf<K>, body: Body<K, 'Create'>) => Promise<RowOf<K>>
  /** By default the fields are columns, and those that are absent or null keep their value. */
  update?: Update<K>
  /** By default, only the row is deleted. */
  remove?: (ctx: Ctx, row: RowOf<K>, how: How) => Promise<unknown>
}
/** Parts without a default do not compile while they are missing. */
type Rules<K extends Kind, V extends Verb, View> = Omit<AllRules<K, View>, 'create'> &
  ('Create' extends V ? Has<K, 'Create', Pick<AllRules<K, View>, 'create'>> : unknown) &
  ([Foreign<K>] extends [never] ? unknown : Has<K, 'Update', { update: Update<K> }>) &
  (K extends Container | KindWith<'isNamed'> ? Has<K, 'Delete', { remove: unknown }> : unknown)

/** The selector of a request: a row by its params, and its parent by its query. */
export interface Input {
  params?: Readonly<Record<string, unknown>>
  query?: Query
  body?: unknown
}
type Handlers<K extends Kind, V extends Verb, View> = {
  [Each in V as NameOf<K, Each>]: Each extends 'List'
    ? (ctx: Ctx, input: Parsed<Operations[NameOf<K, Each>]>) => Promise<Page<View>>
    : Handler<Operations[NameOf<K, Each>]>
}
type Act<K extends Kind, View> = <Body = never>(
  action: (ctx: Ctx, row: RowOf<K>, body: Body) => Promise<RowOf<K>>,
) => (ctx: Ctx, input: Input & ([Body] extends [never] ? unknown : { body: Body })) => Promise<View>

/**
 * The handlers of those operations List, Create, View, Update and Delete that the contract has for a kind, and `act`,
 * which makes handlers of further operations that change a row and return it. `only` leaves some of the five to
 * separate handlers.
 */
export function plain<const K extends Kind, View extends ItemOf<K>, const V extends Verb = Verb>(
  kind: K,
  rules: Rules<K, V, View>,
  only: readonly V[] = verbs as readonly Verb[] as readonly V[],
) {
  const { view, seen, check, create, viewOne, ...changes } = rules as unknown as AllRules<K, View>
  const { update = updateColumns(kind), remove = deleteRow(kind as NamedKind) } = changes as {
    update?: Update<K>
    remove?: AllRules<K, View>['remove']
  }
  const scope = scopeRules(kind)
  const { table, parent: column } = kindRows[kind] as { table: ListedTable; parent: string | null }
  const holderOf = async (ctx: Ctx, query: Query) => {
    const holder = (await scope.holder(ctx, query)) as HolderOf<K>
    check?.(holder)
    return holder
  }
  const rowOf = async (ctx: Ctx, { params = {}, query = {} }: Input): Promise<RowOf<K>> => {
    const nameOrId = String(params[kinds[kind].field])
    return (await scope.row(ctx, { kind, nameOrId, query, check })) as RowOf<K>
  }
  const one = async (ctx: Ctx, row: RowOf<K>): Promise<View> =>
    viewOne ? viewOne(ctx, row) : view(row as unknown as ListedOf<K>)
  const rowsIn = (tx: Tx, holder: string) =>
    column === null ? rowsOf(tx, kind) : rowsOf(tx, kind).where(column as 'projectId', '=', holder)
  const read = kindOf(kind).isNamed === false ? pageById : pageByName

  const list = async (ctx: Ctx, { query = {} }: Input): Promise<Page<View>> => {
    const { id }: { id: string } = await holderOf(ctx, query)
    const rows = seen && { rows: seen(ctx, rowsIn(ctx.tx, id)) as Rows<unknown>, holder: id }
    // The builder cannot know the columns of a table in a variable.
    const page: Page<unknown> = await read(ctx, query as PageQuery, {
      ...(rows ?? { rowsIn, parent: id }),
      table,
    })
    return mapPage(page as Page<ListedOf<K>>, view)
  }
  const act: Act<K, View> = (action) => async (ctx, input) =>
    one(ctx, await action(ctx, await rowOf(ctx, input), (input as Input).body as never))
  const byVerb = {
    List: list,
    Create: async (ctx: Ctx, { query = {}, body }: Input) =>
      one(ctx, await create(ctx, await holderOf(ctx, query), body as Body<K, 'Create'>)),
    View: act((_, row) => Promise.resolve(row)),
    Update: act(update),
    Delete: async (ctx: Ctx, input: Input) => {
      await remove(ctx, await rowOf(ctx, input), input.query ?? {})
    },
  }
  const declared = only.map((verb) => [plainName(kind, verb), byVerb[verb]] as const)
  const handlers = Object.fromEntries(declared.filter(([name]) => name in operations))
  return { handlers: handlers as unknown as Handlers<K, V, View>, act }
}

const updateColumns =
  <K extends Kind>(kind: K): Update<K> =>
  (ctx, row, body) => {
    const fields = body as object
    const given = Object.entries(fields).filter(([, value]) => value != null)
    const changes = { ...Object.fromEntries(given), ...identityChanges(ctx, fields) }
    return updateNamed(ctx, [kind as NamedKind, row as RowOf<NamedKind>], changes) as Promise<RowOf<K>>
  }
