/** The handlers of plain resources: which operations there are, and what their scope is, the contract says. */
import { operations, type OperationName, type Operations } from '@purlin/contract/operations'
import {
  plainName,
  verbs,
  type PlainKind as Kind,
  type PlainName,
  type Verb,
} from '@purlin/contract/operations/plain'
import type { Parsed, Result } from '@purlin/contract/op'
import { hasNames, kinds, type KindWith } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import type { InstanceDiskChoice } from '@purlin/contract/rules/tasks'
import type { PageQuery } from '@purlin/contract/schemas/page'
import type { SelectQueryBuilder } from 'kysely'
import type { BodyOf, Ctx, Handler } from '#/context.ts'
import { kindRows, rowsOf, type Container, type NamedKind, type RowOf } from '#/db/kinds.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { mapPage, pageById, pageByName, type Page } from '#/db/lists/pages.ts'
import type { Rows } from '#/db/lists/list.ts'
import type { Tables, Tx } from '#/db/tables.ts'
import { deleteRow, keptChanges, refuseProtected, updateNamed, updateUnnamed } from './rows.ts'
import { scopeRules, type HolderOf, type Query } from './scopes.ts'
import { sql } from 'kysely'

/** The query of a delete. */
export interface How {
  /** To delete what would otherwise prevent it. */
  cascade?: boolean | undefined
  /** Disks to delete with an instance. */
  withDisk?: readonly string[] | undefined
  withDisks?: InstanceDiskChoice | undefined
}

/** The query of a list whose rows say more than usual: its pages are shorter. */
export const withDetails = <Q extends PageQuery>(query: Q): Q => ({
  ...query,
  limit: Math.min(query.limit ?? limits.page.default, limits.page.withDetails),
})

type ListedOf<K extends Kind> = Listed<(typeof kindRows)[K]['table']>
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
type QueryOf<K extends Kind> = Parsed<Operations[NameOf<K, 'List'>]> extends { query: infer Q } ? Q : never
type Body<K extends Kind, V extends 'Create' | 'Update'> = BodyOf<NameOf<K, V>>
type Update<K extends Kind> = (ctx: Ctx, row: RowOf<K>, body: Body<K, 'Update'>) => Promise<RowOf<K>>

type OwnField<B> = Exclude<keyof B, 'name' | 'description' | 'protected' | 'tags'>
/** Fields of an update without a column of the same name and type. */
type Foreign<K extends Kind, B = Body<K, 'Update'>> = {
  [F in OwnField<B>]-?: F extends keyof RowOf<K> ? (NonNullable<B[F]> extends RowOf<K>[F] ? never : F) : F
}[OwnField<B>]

/** The query of a list, and the id of what its rows are in. */
export interface Asked<Query> {
  query: Query
  within: string
}

/** The rules of a kind, of which those count that the operations need. */
interface AllRules<K extends Kind, View> {
  /** A row as clients see it in lists, of the columns that lists show. */
  view: (row: ListedOf<K>) => View
  /** One as clients see it otherwise; as in lists unless given. */
  viewOne?: (ctx: Ctx, row: RowOf<K>) => Promise<View>
  /** The rows in the parent that a caller sees; all by default. */
  seen?: (ctx: Ctx, rows: RowsOf<K>) => RowsOf<K>
  /** The rows that nothing uses, of a list that can be limited to them. */
  unused?: (rows: RowsOf<K>, now: number) => RowsOf<K>
  /** The rows that further fields of the list's query ask for. */
  asked?: (ctx: Ctx, rows: RowsOf<K>, list: Asked<QueryOf<K>>) => Promise<RowsOf<K>>
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
  (K extends Container ? Has<K, 'Delete', { remove: unknown }> : unknown)

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

/** A row of any kind. */
interface AnyRow {
  id: string
}
/** The rules of any kind. */
interface AnyRules {
  view: (row: AnyRow) => unknown
  viewOne?: (ctx: Ctx, row: AnyRow) => Promise<unknown>
  seen?: (ctx: Ctx, rows: Rows<object>) => Rows<object>
  unused?: (rows: Rows<object>, now: number) => Rows<object>
  asked?: (ctx: Ctx, rows: Rows<object>, list: Asked<Query>) => Promise<Rows<object>>
  check?: (holder: AnyRow) => void
  create?: (ctx: Ctx, holder: AnyRow, body: unknown) => Promise<AnyRow>
  update?: (ctx: Ctx, row: AnyRow, body: unknown) => Promise<AnyRow>
  remove?: (ctx: Ctx, row: AnyRow, how: How) => Promise<unknown>
}

/**
 * The handlers of those operations List, Create, View, Update and Delete that the contract has for a kind, and `act`,
 * which makes handlers of further operations that change a row and return it. `only` leaves some of the five to
 * separate handlers.
 */
export const plain = <const K extends Kind, View extends ItemOf<K>, const V extends Verb = Verb>(
  kind: K,
  rules: Rules<K, V, View>,
  only?: readonly V[],
) =>
  // The rows and bodies of a kind have one type outside, and that of any kind inside.
  handlersOf(kind, rules as object as AnyRules, only ?? verbs) as unknown as {
    handlers: Handlers<K, V, View>
    act: Act<K, View>
  }

function handlersOf(kind: Kind, rules: AnyRules, only: readonly Verb[]) {
  const {
    view,
    viewOne,
    seen,
    unused,
    asked,
    check,
    create,
    update = updateColumns(kind),
    remove = deleteRow(kind),
  } = rules
  const scope = scopeRules(kind)
  const { table, parent: column } = kindRows[kind]
  const holderOf = async (ctx: Ctx, query: Query) => {
    const holder = await scope.holder(ctx, query)
    check?.(holder)
    return holder
  }
  const rowOf = (ctx: Ctx, { params = {}, query = {} }: Input): Promise<AnyRow> => {
    const nameOrId = String(params[kinds[kind].field])
    return scope.row(ctx, { kind, nameOrId, query, check })
  }
  const one = async (ctx: Ctx, row: AnyRow) => (viewOne ? viewOne(ctx, row) : view(row))
  const rowsIn = (tx: Tx, holder: string) =>
    column === null ? rowsOf(tx, kind) : rowsOf(tx, kind).where(sql.ref(column), '=', holder)
  const read = hasNames(kind) ? pageByName : pageById

  const list = async (ctx: Ctx, { query = {} }: Input) => {
    const { id } = await holderOf(ctx, query)
    const some = seen?.(ctx, rowsIn(ctx.tx, id))
    const unasked = isUnused(query) && unused ? unused(some ?? rowsIn(ctx.tx, id), ctx.now) : some
    const left = asked ? await asked(ctx, unasked ?? rowsIn(ctx.tx, id), { query, within: id }) : unasked
    const rows = left && { rows: left, holder: id }
    const page = await read(ctx, query as PageQuery, { ...(rows ?? { rowsIn, parent: id }), table })
    return mapPage(page, view)
  }
  const act = (action: NonNullable<AnyRules['update']>) => async (ctx: Ctx, input: Input) =>
    one(ctx, await action(ctx, await rowOf(ctx, input), input.body))
  const byVerb = {
    List: list,
    Create: async (ctx: Ctx, { query = {}, body }: Input) => {
      if (!create) throw new Error(`${kind} has no rule of how one is created`)
      return one(ctx, await create(ctx, await holderOf(ctx, query), body))
    },
    View: act((_, row) => Promise.resolve(row)),
    Update: act(update),
    Delete: async (ctx: Ctx, input: Input) => {
      const row = await rowOf(ctx, input)
      refuseProtected(kind, row)
      await remove(ctx, row, input.query ?? {})
    },
  }
  const declared = only.map((verb) => [plainName(kind, verb), byVerb[verb]] as const)
  return { handlers: Object.fromEntries(declared.filter(([name]) => name in operations)), act }
}

/** Whether the query of a list asks for what nothing uses. */
const isUnused = (query: { unused?: boolean | undefined }): boolean => query.unused === true

const updateColumns = (kind: Kind) => (ctx: Ctx, row: AnyRow, body: unknown) => {
  const { protected: isProtected, tags, ...fields }: Parameters<typeof keptChanges>[0] = body ?? {}
  const set = Object.entries(fields).filter(([, value]) => value != null)
  const given: object = { ...Object.fromEntries(set), ...keptChanges({ protected: isProtected, tags }) }
  const changes = 'timeModified' in row ? { ...given, timeModified: ctx.now } : given
  return hasNames(kind)
    ? updateNamed(ctx, [kind, row as RowOf<NamedKind>], changes)
    : updateUnnamed(ctx, [kind, row as RowOf<KindWith<'isNamed'>>], changes)
}
