/**
 * The pages that were visited last, and those that the user starred, newest first. They are kept in the browser for each
 * user, who belongs to one silo. Kept are names and addresses only.
 */
import { pageUser } from '#/api/session.ts'
import { createListeners, type Store } from '#/lib/store.ts'
import { readKept, writeKept, type ListName } from '../kept.ts'

/** The page of a resource or of a list. */
export interface Place {
  label: string
  /** The names around it. */
  detail: string
  href: string
}

const none: readonly Place[] = []

const isPlace = (kept: unknown): kept is Place =>
  typeof kept === 'object' &&
  kept !== null &&
  ['label', 'detail', 'href'].every((key) => typeof Reflect.get(kept, key) === 'string')

/** The places of one kind, for the user of the page. */
interface PlaceList extends Pick<Store<readonly Place[]>, 'get' | 'subscribe'> {
  change: (next: (kept: readonly Place[]) => readonly Place[]) => void
}

function keptPlaces(name: ListName, most: number): PlaceList {
  let places: readonly Place[] | undefined
  const { subscribe, notify } = createListeners()
  const read = () => readKept(name, isPlace)?.slice(0, most)
  const get = () => (places ??= pageUser() === undefined ? undefined : (read() ?? none)) ?? none
  return {
    get,
    subscribe,
    change: (next) => {
      const before = get()
      // Another tab may have changed them.
      const kept = read()
      const after = next(kept ?? before)
      if (after === kept || after === before) return
      places = after.slice(0, most)
      writeKept(name, places)
      notify()
    },
  }
}

export const mostFavourites = 50
export const recentStore = keptPlaces('recent', 20)
export const favouriteStore = keptPlaces('favourites', mostFavourites)

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
