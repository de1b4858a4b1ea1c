/**
 * The pages that were visited last, and those that the user starred, newest first. They are kept in the browser for each
 * user, who belongs to one silo. Kept are names and addresses only.
 */
import { keptList } from '../kept.ts'

/** The page of a resource or of a list. */
export interface Place {
  label: string
  /** The names around it. */
  detail: string
  href: string
}

const isPlace = (kept: unknown): kept is Place =>
  typeof kept === 'object' &&
  kept !== null &&
  ['label', 'detail', 'href'].every((key) => typeof Reflect.get(kept, key) === 'string')

export const mostFavourites = 50
export const recentStore = keptList('recent', 20, isPlace)
export const favouriteStore = keptList('favourites', mostFavourites, isPlace)

/** The place at an address, by the labels of its page from the outermost on. */
function placeAt(href: string, labels: readonly string[]): Place | undefined {
  const [label, ...outer] = labels.toReversed()
  return label === undefined ? undefined : { label, detail: outer.toReversed().join(' / '), href }
}

const without = (kept: readonly Place[], href: string) => kept.filter((one) => one.href !== href)

/** Notes a visit to the page of a resource. */
export function noteVisit(href: string, labels: readonly string[]): void {
  const visit = placeAt(href, labels)
  if (visit) recentStore.change((kept) => [visit, ...without(kept, href)])
}

/** Stars a page, or takes its star away. At the limit no more are starred. */
export function toggleFavourite(href: string, labels: readonly string[]): void {
  const place = placeAt(href, labels)
  favouriteStore.change((kept) => {
    if (kept.some((one) => one.href === href)) return without(kept, href)
    return place && kept.length < mostFavourites ? [place, ...kept] : kept
  })
}

// A page opens the first of its tabs, whose address has one segment more.
const leadsTo = (href: string, path: string): boolean =>
  path === href || (path.startsWith(`${href}/`) && !path.slice(href.length + 1).includes('/'))

/** Forgets the places that led to a page whose resource is gone. */
export function forgetPlaces(path: string): void {
  for (const { change } of [recentStore, favouriteStore]) {
    change((kept) => {
      const others = kept.filter(({ href }) => !leadsTo(href, path))
      return others.length < kept.length ? others : kept
    })
  }
}
