/** Actions on resources: defined once for row menus, page menus, the palette and selections. */
import type { Role } from '@purlin/contract/rules/roles'
import { useState, type ReactNode } from 'react'
import type { Item } from '#/api/everyPage.ts'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import type { Requests } from '#/api/request.ts'
import { commandStore, making } from '../command/commands.ts'
import { deletion, type Confirmation, type Deletion } from './confirmation.tsx'
import { kindOf, kinds as contractKinds, type KindName } from '@purlin/contract/rules/kinds'
import type { SearchedKind } from '@purlin/contract/rules/lists'
import { paths, sections } from '#/lib/addresses.ts'
import { copyWithToast } from './copyWithToast.ts'
import { capitalize, inSentence } from '#/lib/text.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { actKeys } from '../acts/words.ts'
import { isProtected, protectionActions } from '../protection/actions.ts'
import { useQuickActions } from './quickActions.ts'
import type { TaskOf } from './runTask.ts'
import {
  fleetRoleFor,
  referenceOf,
  roleFor,
  type DeletableKind,
  type Kind,
  type RoleScope,
  type Scope,
  type KindList,
  type Named,
} from '../kind.ts'
import { useRole } from '../role/useRole.ts'

/** The target of an action on many resources, for the dialog that asks for its parameters. */
export interface Chosen {
  of: TaskOf
  /** Ends the selection. */
  onDone: () => void
  close: () => void
}

/**
 * One action on a row. It has exactly one of `href`, `onAction`, `confirm` and `dialog`; in addition to `onAction`,
 * `confirm` asks about several rows. An action only for several rows is not `isOffered`.
 */
export type Action<R> = ActionParts<R> & (AtOnce<R> | { onAction?: never; command?: never })

/** Something that an action does without asking. */
interface AtOnce<R> {
  onAction: (row: R) => unknown
  /** The requests that it sends, to be shown as commands; null if it sends none, or if its question shows them. */
  command: ((row: R) => Requests | Promise<Requests>) | null
}

interface ActionParts<R> {
  id: string
  label: string
  /** The role that it takes in the scope of the resource. */
  role?: Role | undefined
  /** The role that it takes on the silo besides. */
  siloRole?: Role
  /** The role that it takes on the fleet besides. */
  fleetRole?: Role | undefined
  /** Left out of the menus of rows that it makes no sense for. */
  isOffered?: (row: R) => boolean
  /** Why it cannot be done in the row's present state. */
  disabledReason?: (row: R) => ReactNode
  /**
   * The same, if it depends on more than the row: reads it when the menu opens, and again when the action is taken.
   * Undefined if nothing has to be read.
   */
  findReason?: (row: R) => (() => Promise<string | undefined>) | undefined
  /** The question says why, with links to what is in the way: the menu of one row is not disabled then. */
  isExplained?: (row: R) => boolean
  isDanger?: boolean
  /** Leads somewhere. */
  href?: (row: R) => string
  /** Asks first. */
  confirm?: Confirmation<R>
  /** Opens a dialog or form. `given` is what it asks for, if that is known: a resource of the kind that it takes. */
  dialog?: (row: R, close: () => void, given?: Named) => ReactNode
  /** The kind of a second resource that its dialog asks for. */
  takes?: SearchedKind
  /** Also offered for several rows; takes a `confirm`. */
  isForMany?: boolean
  /** Not shown for a selection of which no row allows it. */
  isHiddenForNone?: boolean
  /** The same, if the action needs parameters: a dialog that begins a task. */
  formForMany?: (chosen: Chosen) => ReactNode
}

/** 'Copy ID' of a row. */
export const copyId = (noun: string): Action<{ id: string }> => ({
  id: 'copyId',
  label: 'Copy ID',
  onAction: ({ id }) => copyWithToast(id, `${capitalize(noun)} ID`),
  command: null,
})

/** Leads to the form of a new resource, filled with a copy of this one. */
export const cloneAction = <R extends { name: string }>(form: (row: R) => string): Action<R> => ({
  id: 'clone',
  label: 'Clone',
  role: 'collaborator',
  href: form,
})

/** Leads to who may delete a resource of a project, and why. */
export const whoCanDelete = (
  { name, noun }: Pick<Kind, 'name' | 'noun'>,
  project: string,
): Action<{ id: string }> => ({
  id: 'whoCanDelete',
  label: `Who can delete this ${noun}?`,
  href: ({ id }) => {
    const { type } = contractKinds[name]
    const operation = `${type.replaceAll('-', '_')}_delete`
    return paths.whoCan(sections.access.list(project), { operation, resource: `${type}:${id}` })
  },
})

const hasDeletionTask = (kind: KindName): boolean => kindOf(kind).tasks?.['delete'] !== undefined

const protectedReason = 'It is protected from deletion. Remove the protection first'

/** The deletion as an action, the last of most menus. Of kinds with a task for it, selections have it too. */
export const deleteAction = <L extends KindList>(
  kind: DeletableKind<L>,
  {
    disabledReason,
    isExplained,
    isForMany = hasDeletionTask(kind.name),
    ...question
  }: DeleteActionOf<L> = {},
): Action<Item<L>> => ({
  id: 'delete',
  label: 'Delete',
  role: roleFor(kind.remove),
  fleetRole: fleetRoleFor(kind.remove),
  isDanger: true,
  isForMany,
  disabledReason: (row) => (isProtected(row) ? protectedReason : disabledReason?.(row)),
  isExplained: (row) => !isProtected(row) && isExplained?.(row) === true,
  confirm: deletion(kind, question),
})
type DeleteActionOf<L extends KindList> = Pick<
  Action<Item<L>>,
  'disabledReason' | 'isExplained' | 'isForMany'
> &
  Deletion<Item<L>>

/** The actions of a plain resource: copying its id, editing, deleting. `copies` and `own` come between these. */
export const plainActions = <L extends KindList>(
  kind: Kind<L>,
  scope: Scope | string = {},
  {
    copies = [],
    own = [],
    editDisabledReason,
    ...deleting
  }: { editDisabledReason?: Action<Item<L>>['disabledReason'] } & DeleteActionOf<L> &
    Partial<Record<'copies' | 'own', readonly Action<Item<L>>[]>> = {},
): Action<Item<L>>[] => [
  copyId(kind.noun),
  ...copies,
  ...(kind.update
    ? [
        {
          id: 'edit',
          label: 'Edit',
          role: roleFor(kind.update),
          ...(editDisabledReason ? { disabledReason: editDisabledReason } : {}),
          href: (row: Item<L>) =>
            kind.section.edit({
              ...(typeof scope === 'string' ? { project: scope } : scope),
              name: referenceOf(kind, row),
            }),
        },
      ]
    : []),
  ...own,
  ...protectionActions(kind),
  ...(kind.remove ? [deleteAction({ ...kind, remove: kind.remove }, deleting)] : []),
]

/** Actions with further ones before the last, which deletes. */
export const withOwn = <R,>(
  actions: readonly Action<R>[],
  own: readonly Action<R>[],
): readonly Action<R>[] => [...actions.slice(0, -1), ...own, ...actions.slice(-1)]

/** Actions as the signed-in person may take them. */
export interface UsableActions<R> extends Menus<R> {
  /** The dialog that one of them has opened. */
  dialog: ReactNode
}
interface Menus<R> {
  /** With a second resource, only the actions that take one of its kind, with it filled in. */
  menu: (row: R, given?: Given) => MenuItem[]
  /** Why one of them cannot be taken, or undefined. */
  reason: (action: Action<R>, row: R) => ReactNode
  /** The part of the reason that does not depend on the row. */
  roleReason: (action: Action<R>) => string | undefined
}

/** A second resource of an action. */
export interface Given {
  kind: KindName
  row: Named
}

/** The dialog that an action opens on a row. */
export interface OpenedDialog<R> {
  action: Action<R>
  row: R
  given?: Named | undefined
}

/** Makes the requests of an action that does not ask; a question shows its own. */
const commandOf = <R,>({ command, confirm }: Action<R>) =>
  command ?? (confirm?.canBeUndone ? confirm.request : null)

async function ask<R extends object>(of: Confirmation<R>, row: R): Promise<void> {
  const { askOne } = await import('./askOne.tsx')
  await askOne(of, row)
}

/** Offers actions on the resources of a project, of the silo, or of what `of` says. */
export function useActions<R extends object>(
  actions: readonly Action<R>[],
  { project }: Scope,
  of: RoleScope = [project],
): UsableActions<R> {
  const [open, setOpen] = useState<OpenedDialog<R>>()
  const close = () => setOpen(undefined)
  return {
    ...useMenus(actions, of, setOpen),
    dialog: open?.action.dialog?.(open.row, close, open.given),
  }
}

/** The same, with the dialogs of the actions opened elsewhere. */
export function useMenus<R extends object>(
  actions: readonly Action<R>[],
  of: RoleScope,
  open: (dialog: OpenedDialog<R>) => void,
): Menus<R> {
  const role = useRole(...of)
  const siloRole = useRole()
  const fleetRole = useRole(undefined, 'fleet')
  const roleReason = (action: Action<R>) =>
    (action.role && role.lacks(action.role)) ??
    (action.siloRole && siloRole.lacks(action.siloRole)) ??
    (action.fleetRole && fleetRole.lacks(action.fleetRole))
  const reason = (action: Action<R>, row: R): ReactNode =>
    roleReason(action) ?? (action.disabledReason?.(row) || undefined)
  const item = (action: Action<R>, row: R, given?: Named): MenuItem => {
    const { label, href, onAction, confirm, dialog, findReason, isExplained, isDanger = false } = action
    const disabledReason = isExplained?.(row) ? roleReason(action) : reason(action, row)
    if (href) return { label, disabledReason, href: href(row) }
    const run = () => {
      if (dialog) open({ action, row, given })
      else if (onAction) void onAction(row)
      else if (confirm) void ask(confirm, row)
    }
    const entry = { label, disabledReason, danger: isDanger && !disabledReason }
    const read = disabledReason ? undefined : findReason?.(row)
    if (!read) return { ...entry, onAction: run }
    // The palette offers an action without asking before. If the reason cannot be read, the server decides.
    const find = () => read().catch(() => undefined)
    const runUnlessRefused = async () => {
      const found = await find()
      if (found === undefined) run()
      else addToast({ variant: 'error', title: `Cannot ${inSentence(label)}`, content: found })
    }
    return { ...entry, findReason: find, onAction: () => void runUnlessRefused() }
  }
  const menu = (row: R, given?: Given): MenuItem[] => {
    const offered = actions.filter(({ isOffered }) => isOffered?.(row) ?? true)
    if (given)
      return offered.filter(({ takes }) => takes === given.kind).map((one) => item(one, row, given.row))
    const items = offered.map((one) => item(one, row))
    const last = offered.findLastIndex(commandOf)
    const shown = offered.flatMap((one, i) => {
      const command = commandOf(one)
      return command && !items[i]?.disabledReason
        ? { label: one.label, requests: making(() => command(row)) }
        : []
    })
    const asCommand = { label: 'View as command', onAction: () => commandStore.set(shown) }
    return shown.length > 0 ? items.toSpliced(last + 1, 0, asCommand) : items
  }
  return { menu, reason, roleReason }
}

/** Offers the actions of a page's menu in the palette, except disabled ones. `row` is the resource, if it has a name. */
export function useMenuInPalette(items: readonly MenuItem[], row?: Named): void {
  useQuickActions(
    items
      .filter(({ disabledReason }) => !disabledReason)
      .map((item) => ({ ...item, group: 'Actions', ...(row ? actKeys(item.label, row.id, row.name) : {}) })),
  )
}
