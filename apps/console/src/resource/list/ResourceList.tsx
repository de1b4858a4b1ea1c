/** The page of a list: head, palette entries, table with menus and selection, and the panels and forms over it. */
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { inSentence } from '#/lib/text.ts'
import type { Role } from '@purlin/contract/rules/roles'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { Outlet, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Item } from '#/api/everyPage.ts'
import { load, prefetch } from '#/api/query.ts'
import { DocsPopover, type DocsPopoverProps } from '#/ui/overlay/DocsPopover.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { plainActions, useActions, withOwn, type Action } from '../actions/actions.tsx'
import { useBulkActions } from '../actions/bulkActions.tsx'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { fleetRoleFor, roleFor, roleScope, scopeOf, type Kind, type Scope, type KindList } from '../kind.ts'
import { listPage, matchingAddress, ordersOf, type AsksFor } from './listPage.ts'
import { ListSearch, useSearchOffered } from './ListSearch.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import type { PagingSearch } from './paging.ts'
import { QueryTable, type QueryTableProps } from './QueryTable.tsx'
import { useQuickActions } from '../actions/quickActions.ts'
import { useGoTo } from '../address/useGoTo.ts'
import { RowActs } from './RowActs.tsx'
import { protectionActions } from '../protection/actions.ts'
import { withProtectedMark } from '../protection/ProtectedMark.tsx'
import { ofRows, tagActions, withTagsColumn } from '../tags/inLists.tsx'
import { useMarkedPage } from './useMarkedPage.ts'
import { usePageOptions } from './usePageOptions.ts'
import { useRole } from '../role/useRole.ts'

/** The button that makes one, in the head of a list and in its empty state. */
export interface CreateButton {
  /** 'New disk' unless given. */
  label?: string
  /** In the palette: 'New disk' unless given. */
  paletteLabel?: string
  /** The role that it takes; that of the operation unless given. */
  role?: Role
  /** Why none can be made here. */
  disabledReason?: string | undefined
  /** The dialog that the button opens instead of the form. */
  dialog?: (close: () => void) => ReactNode
}

/** The differences of one list from the others. */
export interface ListOf<L extends KindList> extends AsksFor {
  kind: Kind<L>
  /** The heading, if it is not the kind's title. */
  title?: string
  /** The accessible name of the table: the title unless given. */
  label?: string
  /** Lists what the silo owns although projects have the kind as well. */
  isOfSilo?: boolean
  /** Unless the page around the list explains it. */
  docs?: Pick<DocsPopoverProps, 'summary' | 'links'>
  columns: (project: string, scope: Scope) => readonly Column<Item<L>>[]
  /** In the order of the menu of a row; those of plain resources unless given. */
  actions?: (project: string, scope: Scope) => readonly Action<Item<L>>[]
  /** The project that a row is in or is, of a list of no single one: its actions are those there, with the role there. */
  projectOf?: (row: Item<L>) => string
  /** False for a list whose rows are chosen to be deleted. */
  changesTags?: false
  /** The actions on several rows of such a list. */
  forMany?: readonly Action<Item<L>>[]
  /** False if none can be made here. */
  create?: CreateButton | false
  /** Another page that its head leads to. */
  also?: { label: string; href: string }
  /** Shown above the rows. */
  above?: (project: string) => ReactNode
  /** The list is a part of a page: it has no page header, and this as its heading if the page needs one. */
  isTab?: boolean
  heading?: string
  /** Of an empty list, if it is not the plural of the noun. */
  emptyTitle?: string
  /** The next step for an empty list, as a sentence. */
  emptyBody?: string
  /** The interval of automatic reloads. */
  usePolling?: () => QueryTableProps<Item<L>>['refetchInterval']
  /** Loads what the cells of the rows need besides. */
  prefetch?: (project: string, scope: Scope) => Promise<unknown>
  /** The page shows only its rows, so a failure goes to the error page. */
  isStrict?: boolean
  /** Reloads what the page shows, on demand: the list then has a bar with a refresh button, the search and the selection. */
  refresh?: () => unknown
}

const scopeOfList = <L extends KindList>({ kind, isOfSilo }: ListOf<L>, params: Scope): Scope =>
  isOfSilo ? {} : scopeOf(kind, params)

const optionalScope = ({ asksFor }: AsksFor): AsksFor => (asksFor ? { asksFor } : {})

/** The loader of a list's route. */
export function loadList<L extends KindList>(
  list: ListOf<L>,
  { params, deps }: { params: Scope; deps: PagingSearch },
): Promise<unknown> {
  const scope = scopeOfList(list, params)
  const page = listPage(list.kind.list, scope, { ...deps, ...optionalScope(list) })
  return Promise.all([
    list.isStrict ? load(page) : prefetch(page),
    list.prefetch?.(scope.project ?? '', scope),
  ])
}

/** The component of a list's route. */
export function ResourceList<L extends KindList>({ list }: { list: ListOf<L> }) {
  type Row = Item<L>
  const { kind, title = list.kind.title, label = title, docs, refresh } = list
  const { icon: Icon } = kind
  const scope = scopeOfList(list, useParams({ strict: false }))
  const project = scope.project ?? ''
  const { search, query, page, shown, ...options } = usePageOptions<L, Row>(kind.list, scope, {
    type: contractKinds[kind.name].type,
    columns: withProtectedMark(withTagsColumn(kind, list.columns(project, scope), kind.section.list(scope))),
    ...optionalScope(list),
  })
  const forTags = list.changesTags === false ? [] : tagActions<L, Row>(kind, project)
  const given = list.actions?.(project, scope) ?? plainActions(kind, scope)
  const actions = list.changesTags === false ? given.map(oneByOne) : withOwn(given, forTags)
  const usable = useActions(actions, scope, roleScope(kind, scope))
  const forMany = list.projectOf
    ? withOwn(list.forMany ?? [], ofAnyRole([...forTags, ...protectionActions(kind)]))
    : actions
  const bulk = useBulkActions(forMany, usable, {
    rows: page?.items ?? [],
    matching: matchingAddress(kind.list, scope, search),
    // A server that counts no values has no tasks either.
    total: page?.totals && page.totalItems,
    page: search.page ?? '',
    labelOf: (row) => kind.labelOf(row),
  })
  const { isSearchable } = useSearchOffered(page)
  const queried = filteredKindOf(kind.list)
  const create = useCreateButton(kind, scope, list.create)
  const usePolling = list.usePolling ?? useNoPolling
  const refetchInterval = usePolling()
  useQuickActions(list.also ? [{ ...list.also, group: 'Go to' }] : [])
  const { projectOf } = list
  useGoTo({
    kind,
    scope,
    shown: page,
    ...(projectOf ? { scopeOf: (row: Row) => ({ project: projectOf(row) }) } : {}),
  })
  useMarkedPage(kind.list, scope, {
    shown: shown.isPlaceholderData ? undefined : page,
    ...optionalScope(list),
  })
  return (
    <>
      <ListHeader list={list} title={title}>
        {!refresh && bulk.bar}
        {options.button}
        {docs && <DocsPopover topic={`${kind.noun}s`} {...docs} icon={<Icon />} />}
        {list.also && <LinkButton href={list.also.href}>{list.also.label}</LinkButton>}
        {create.button}
      </ListHeader>
      {refresh && (
        <ListToolbar
          onRefresh={refresh}
          updated={shown.dataUpdatedAt}
          error={shown.error}
          search={isSearchable && <ListSearch label={inSentence(label)} kind={queried} />}
        >
          {bulk.bar}
        </ListToolbar>
      )}
      {list.above?.(project)}
      <QueryTable<Row>
        isSearchedAbove={refresh !== undefined}
        kind={kind.name}
        queried={queried}
        orders={ordersOf(kind.list)}
        label={label}
        query={query}
        columns={ofRows(options.columns, page?.items ?? [])}
        actions={(row) =>
          list.projectOf ? (
            <OwnMenu list={list} row={row} project={list.projectOf(row)} />
          ) : (
            <RowMenu items={usable.menu(row)} />
          )
        }
        {...(bulk.selection ? { selection: bulk.selection } : {})}
        refetchInterval={refetchInterval}
        empty={
          <EmptyState
            icon={<Icon />}
            title={list.emptyTitle ?? `No ${kind.noun}s`}
            body={list.emptyBody ?? list.docs?.summary}
            action={create.button}
          />
        }
      />
      {!list.projectOf && (
        <RowActs
          rows={page?.items ?? []}
          menu={usable.menu}
          labelOf={(row) => kind.labelOf(row)}
          group={title}
        />
      )}
      <Outlet />
      {usable.dialog}
      {create.dialog}
    </>
  )
}

/** Protection and attachments as actions on one row only. */
function oneByOne<R>(action: Action<R>): Action<R> {
  if (!action.isHiddenForNone) return action
  const { formForMany: _, ...one } = action
  return { ...one, isForMany: false }
}

/** The server checks the role in the project of each. */
const ofAnyRole = <R,>(actions: readonly Action<R>[]) => actions.map(({ role: _, ...action }) => action)

/** The head of the page, or of the part of a page that the list is. */
function ListHeader({
  list: { kind, isTab = false, heading },
  title,
  children,
}: {
  list: Pick<ListOf<KindList>, 'kind' | 'isTab' | 'heading'>
  title: string
  children: ReactNode
}) {
  const { icon: Icon } = kind
  if (!isTab)
    return (
      <PageHeader icon={<Icon />} title={title}>
        {children}
      </PageHeader>
    )
  return (
    <header className="mb-3 flex min-h-control flex-wrap items-center gap-x-3 gap-y-2">
      {heading && <h2 className="text-lg font-semibold">{heading}</h2>}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">{children}</div>
    </header>
  )
}

const useNoPolling = () => false as const

/** The menu of a row with separate roles. */
function OwnMenu<L extends KindList>({
  list,
  row,
  project,
}: {
  list: ListOf<L>
  row: Item<L>
  project: string
}) {
  const actions = withOwn(
    list.actions?.(project, { project }) ?? plainActions(list.kind),
    tagActions(list.kind, project),
  )
  const usable = useActions(actions, { project })
  return (
    <>
      <RowMenu items={usable.menu(row)} />
      {usable.dialog}
    </>
  )
}

/** The button in the head and in the empty state, the entry of the palette, and the dialog if it has one. */
function useCreateButton(kind: Kind, scope: Scope, given: CreateButton | false = kind.create ? {} : false) {
  const create = given || {}
  const name = `New ${kind.noun}`
  const { label = name, paletteLabel = name, dialog } = create
  const [isOpen, setOpen] = useState(false)
  const role = useRole(...roleScope(kind, scope))
  const needed = create.role ?? (kind.create && roleFor(kind.create))
  const fleet = useRole(undefined, 'fleet')
  const neededOnFleet = kind.create && fleetRoleFor(kind.create)
  const disabledReason =
    (needed && role.lacks(needed)) ?? (neededOnFleet && fleet.lacks(neededOnFleet)) ?? create.disabledReason
  const href = dialog ? undefined : kind.section.create(scope)
  const open = () => setOpen(true)
  useQuickActions(
    disabledReason || !given
      ? []
      : [{ label: paletteLabel, group: 'Actions', ...(href ? { href } : { onAction: open }) }],
  )
  return {
    button: given && (
      <NewButton disabledReason={disabledReason} {...(href ? { href } : { onClick: open })}>
        {label}
      </NewButton>
    ),
    dialog: isOpen && dialog?.(() => setOpen(false)),
  }
}
