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
  /** Why it cannot be done. */
  disabledReason?: ReactNode
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

const isTyped = ({ act }: PaletteItem, query: string): boolean => {
  const [verb = ''] = query.trim().toLowerCase().split(/\s+/)
  return act === undefined || (verb !== '' && act.toLowerCase().startsWith(verb))
}

/** The entries for a query, best first. */
function matching(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const all = fuzzyFilter(
    items.filter((item) => isTyped(item, query)),
    query,
    ({ label, group = ACTIONS }) => [label, `${group} ${label}`],
  )
  const acts = new Set(all.filter(({ act }) => act !== undefined).slice(mostActs))
  return all.filter((item) => !acts.has(item))
}

/**
 * The entries that match by label or group, under their headings: 'Actions' first, the others by first appearance. Those
 * that were found elsewhere for this query follow, unless they lead where one of the others does.
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
  const leads = new Set([...groups.values()].flat().map((item) => ('href' in item ? item.href : '')))
  for (const item of found.filter((one) => !('href' in one && leads.has(one.href)))) {
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
