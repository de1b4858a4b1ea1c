import type { ReactNode } from 'react'
import { fuzzyFilter } from '#/lib/geometry/fuzzy.ts'

interface PaletteEntry {
  /** Distinguishes entries of equal label and group. */
  id?: string
  label: string
  /** Shown behind the label: what it is in. */
  detail?: ReactNode
  /** The heading above it; 'Actions' when left out. */
  group?: string
  icon?: ReactNode
  /** Of an action on one of many resources: its name. It is listed once the user types the beginning of it. */
  act?: string
  /** Further words that it is found by. */
  words?: string
  /** Why it cannot be done. */
  disabledReason?: ReactNode
  /** Finds such a reason when the entry is chosen. */
  findReason?: () => Promise<string | undefined>
}
/**
 * A line of the command palette: a link (which can be opened in a new tab), with what is done when it is followed here,
 * or an action.
 */
export type PaletteItem = PaletteEntry & ({ href: string; onFollow?: () => void } | { onAction: () => void })

/** The entries under one heading. */
export interface PaletteGroup {
  title: string
  /** The number of entries before this group. */
  start: number
  items: PaletteItem[]
}

const ACTIONS = 'Actions'

/** Actions on the resources of a page are many: as many as these match best. */
const mostActs = 20

// The name of the action is typed before that of the resource, or after it.
const isTyped = ({ act, words }: PaletteItem, query: string): boolean => {
  const typed = query.trim().toLowerCase().split(/\s+/)
  const [first = ''] = typed
  const begins = (verb: string) => verb !== '' && act?.toLowerCase().startsWith(verb) === true
  return act === undefined || begins(first) || (words !== undefined && begins(typed.at(-1) ?? ''))
}

/** The entries for a query, best first. */
function matching(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const all = fuzzyFilter(
    items.filter((item) => isTyped(item, query)),
    query,
    ({ label, group = ACTIONS, words = '' }) => [label, `${group} ${label}`, words],
  )
  const acts = new Set(all.filter(({ act }) => act !== undefined).slice(mostActs))
  return all.filter((item) => !acts.has(item))
}

/**
 * The entries that match by label or group, under their headings: 'Actions' first, the others by first appearance. Those
 * that were found elsewhere for this query follow, unless they are one of the others or lead where one does.
 */
export const searchPalette = (
  items: readonly PaletteItem[],
  query: string,
  found: readonly PaletteItem[] = [],
): PaletteGroup[] => {
  const groups = new Map<string, PaletteItem[]>([[ACTIONS, []]])
  for (const item of matching(items, query)) {
    const title = item.group ?? ACTIONS
    groups.set(title, [...(groups.get(title) ?? []), item])
  }
  const local = [...groups.values()].flat()
  const ids = new Set(local.map(({ id }) => id))
  const leads = new Set(local.map((item) => ('href' in item ? item.href : '')))
  const isLocal = (one: PaletteItem) =>
    (one.id !== undefined && ids.has(one.id)) || ('href' in one && leads.has(one.href))
  for (const item of found.filter((one) => !isLocal(one))) {
    const title = item.group ?? ACTIONS
    groups.set(title, [...(groups.get(title) ?? []), item])
  }
  const shown: PaletteGroup[] = []
  let start = 0
  for (const [title, list] of groups) {
    if (list.length > 0) shown.push({ title, start, items: list })
    start += list.length
  }
  return shown
}
