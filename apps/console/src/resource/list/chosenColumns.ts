/**
 * Which columns of lists of a type a person hides, and which optional ones the person shows, kept per browser: those that
 * differ from what a list shows by itself.
 */
import { createStore, type Store, useStore } from '#/lib/store.ts'
import { capitalize } from '#/lib/text.ts'
import type { MenuSection } from '#/ui/overlay/menuItems.ts'
import type { Column } from '#/ui/table/columns.ts'

const keyOf = (type: string) => `purlin-hidden-columns:${type}`
const most = 64

const stores = new Map<string, Store<readonly string[]>>()
const none: readonly string[] = []

function read(type: string): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(keyOf(type)) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, most) : none
  } catch {
    return none
  }
}

function storeOf(type: string): Store<readonly string[]> {
  const store = stores.get(type) ?? createStore(read(type))
  stores.set(type, store)
  return store
}

/** The ids of the columns that are hidden, and of optional ones that are shown. */
export const hiddenColumnsOf = (type: string): readonly string[] => storeOf(type).get()

/** Hides these columns, or shows them if they are optional; all others are as the list shows them by itself. */
export function hideColumns(type: string, ids: readonly string[]): void {
  try {
    if (ids.length === 0) localStorage.removeItem(keyOf(type))
    else localStorage.setItem(keyOf(type), JSON.stringify(ids))
  } catch {
    // Storage may be forbidden or full; the choice then lasts as long as the page.
  }
  storeOf(type).set(ids)
}

/** The columns of a list that are shown, and the part of a menu that chooses them. The name always stays. */
export function useChosenColumns<Row>(type: string, columns: readonly Column<Row>[]) {
  const hidden = useStore(storeOf(type))
  const canHide = columns.filter(({ id }, i) => i > 0 && id !== 'name')
  const isShown = ({ id, isOptional = false }: Column<Row>) =>
    !canHide.some((one) => one.id === id) || hidden.includes(id) === isOptional
  const toggle = (id: string) =>
    hideColumns(type, hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id])
  const choice: MenuSection = {
    title: 'Columns',
    isMultiple: true,
    items: canHide.map((column) => ({
      label: capitalize(column.header),
      checked: isShown(column),
      onAction: () => toggle(column.id),
    })),
  }
  const everything: MenuSection = {
    items: [
      {
        label: columns.some(({ isOptional }) => isOptional) ? 'Reset columns' : 'Show all columns',
        onAction: () => hideColumns(type, none),
      },
    ],
  }
  const shown = columns.filter(isShown)
  const isUsual = columns.every((column) => isShown(column) !== (column.isOptional ?? false))
  return { shown, sections: isUsual ? [choice] : [choice, everything] }
}
