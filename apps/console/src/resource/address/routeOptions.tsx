/** The options that the routes of all resources share. What a route's file adds is its loader and component. */
import { isOwnAddress } from '@purlin/contract/rules/credentials/return-address'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { load, loadToEdit } from '#/api/query.ts'
import type { Section } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { scopeOf, viewQuery, type Kind, type KindWithOps, type RowOp } from '../kind.ts'
import { pagingSearch, type PagingSearch } from '../list/paging.ts'

const PanelError = lazily(() => import('../form/PanelError.tsx'), 'PanelError')

type Params = Record<string, string>

/** A list. */
export const listRoute = ({ title, section }: Pick<Kind, 'title' | 'section'>) => ({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }: { search: PagingSearch }) => search,
  staticData: {
    isList: true as const,
    crumb: { label: title, to: (params: Params) => section.list(params) },
  },
})

/** A form over a list or page. */
export const formRoute = (label: string) => ({ staticData: { crumb: { label, titleOnly: true } } })

/** The page that a form leads back to, where another page has sent the user to it: an address of the console. */
export const backTo = ({ back }: Record<string, unknown>): { back?: string } =>
  typeof back === 'string' && isOwnAddress(back) ? { back } : {}

/** The name in an address of one resource, or the id of one of a kind without names. */
export const nameIn = ({ name }: Pick<Kind, 'name'>, params: object): string =>
  (params as Params)[contractKinds[name].field] ?? ''

/** For loaders: the resource that an address names. */
export const loadRow = <V extends RowOp>(kind: KindWithOps<{ view: V }>, params: object) =>
  load(viewQuery(kind, nameIn(kind, params), scopeOf(kind, params)))

/**
 * For routes of forms of changes: they load when the form opens, and keep nothing for the next time. A route that was
 * loaded by a pointer on its link, or before, would open at once with what it has.
 */
export const fresh = { preload: false, gcTime: 0 } as const

/** For loaders of forms that change the resource that an address names. */
export const loadRowToEdit = <V extends RowOp>(
  kind: KindWithOps<{ view: V }>,
  { params, cause }: { params: object; cause: Parameters<typeof loadToEdit>[0] },
) => loadToEdit(cause, viewQuery(kind, nameIn(kind, params), scopeOf(kind, params)))

/** The panel or form of a row over its list; its name is the label unless one is given. */
export const rowRoute = (
  kind: Pick<Kind, 'name' | 'section'>,
  { label, section = kind.section }: { label?: string; section?: Section } = {},
) => ({
  staticData: {
    crumb: { label: label ?? ((params: Params) => nameIn(kind, params)), titleOnly: true },
    ...(label === undefined ? { panelOver: (params: Params) => section.list(params) } : {}),
  },
  errorComponent: ({ error }: { error: unknown }) => <PanelError error={error} closeTo={section.list} />,
})
