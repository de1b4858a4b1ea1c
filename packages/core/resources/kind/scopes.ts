/** How requests name the content of a scope: the parent of a list or of a new row, and one of its rows. */
import { isOneOf, keysOf } from '@purlin/contract/rules/keys'
import type { PlainKind } from '@purlin/contract/operations/plain'
import { kinds, scopeOf, type ScopeName } from '@purlin/contract/rules/kinds'
import {
  permit,
  resolve,
  resolveInFleet,
  resolveInSilo,
  resolveWithin,
  type Selector,
} from '#/auth/resolve.ts'
import type { Ctx } from '#/context.ts'
import type { NamedKind, RowOf } from '#/db/kinds.ts'
import type { SiloTable } from '#/db/tables.ts'

/** The parent of rows of the kind: a row with at least an id. The fleet's id is ''. */
export type HolderOf<K extends PlainKind> =
  ScopeName<K> extends 'fleet'
    ? { id: '' }
    : ScopeName<K> extends 'silo'
      ? Pick<SiloTable, 'id' | 'name'>
      : ScopeName<K> extends 'namedSilo'
        ? SiloTable
        : ScopeName<K> extends 'siloUser'
          ? { id: string }
          : RowOf<ScopeName<K> & NamedKind>

/** The fields of a query that name what a row is in. */
export type Query = Readonly<Record<string, unknown>>

interface Named {
  kind: PlainKind
  nameOrId: string
  query: Query
  /** Throws if what the row is in can have none. */
  check?: ((holder: { id: string }) => void) | undefined
}
interface ScopeRules {
  /** Checks the operation's `allow`. Throws 400, 403, 404. */
  holder: (ctx: Ctx, query: Query) => Promise<{ id: string }>
  row: (ctx: Ctx, named: Named) => Promise<{ id: string }>
}

const silo = (ctx: Ctx, query: Query) => resolveInFleet(ctx, 'silo', String(query['silo']))
/** A holder that needs the operation's permission and no look-up. Throws 403. */
export const permitted =
  <H>(of: (ctx: Ctx) => H) =>
  (ctx: Ctx): Promise<H> => {
    permit(ctx)
    return Promise.resolve(of(ctx))
  }
const user = permitted(({ actor }) => ({ id: actor.userId }))

const scopes = {
  fleet: {
    holder: permitted(() => ({ id: '' })),
    row: (ctx, { kind, nameOrId }) => resolveInFleet(ctx, kind, nameOrId),
  },
  silo: {
    holder: permitted(({ actor }) => ({ id: actor.siloId, name: actor.siloName })),
    row: (ctx, { kind, nameOrId }) =>
      kind === 'project' ? resolve(ctx, kind, { project: nameOrId }) : resolveInSilo(ctx, kind, nameOrId),
  },
  namedSilo: {
    holder: silo,
    row: async (ctx, { kind, nameOrId, query, check }) => {
      const holder = await silo(ctx, query)
      check?.(holder)
      return resolveWithin(ctx, [kind, nameOrId], holder.id)
    },
  },
  siloUser: {
    holder: user,
    row: async (ctx, { kind, nameOrId }) => resolveWithin(ctx, [kind, nameOrId], (await user(ctx)).id),
  },
} as const satisfies Record<string, ScopeRules>

/** A project, or its content: found by name there or by id. */
const inProject = (parent: NamedKind): ScopeRules => ({
  holder: (ctx, query) => resolve(ctx, parent, query as Selector<NamedKind>),
  row: (ctx, { kind, nameOrId, query }) =>
    resolve(ctx, kind, { ...query, [kinds[kind].field]: nameOrId } as Selector<typeof kind>),
})

/** The rules of the scope that a kind is in. */
export function scopeRules(kind: PlainKind): ScopeRules {
  const scope = scopeOf(kind)
  return isOneOf(keysOf(scopes), scope) ? scopes[scope] : inProject(scope)
}
