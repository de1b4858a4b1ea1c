/**
 * The pages of resources that were visited last, newest first, for the palette. They are kept for the browser tab and
 * the user.
 */
import { pageUser } from '#/api/session.ts'
import { createListeners } from '#/lib/store.ts'

export interface Recent {
  label: string
  detail: string
  group: 'Recent'
  href: string
}

const most = 6
const none: readonly Recent[] = []
let recent: readonly Recent[] | undefined
const { subscribe, notify } = createListeners()

export const recentStore = {
  get: (): readonly Recent[] => (recent ??= pageUser() === undefined ? undefined : read()) ?? none,
  subscribe,
}

const keyOf = () => `purlin-recent:${pageUser()}`

function read(): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent) : none
  } catch {
    return none
  }
}

const isRecent = (kept: unknown): kept is Recent =>
  typeof kept === 'object' &&
  kept !== null &&
  ['label', 'detail', 'href'].every((key) => typeof Reflect.get(kept, key) === 'string')

function keep(visits: readonly Recent[]): void {
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify(visits))
  } catch {
    // Storage may be forbidden or full; a reload then forgets the visits.
  }
}

/** Notes a visit to the page of a resource, by the labels of the page from the outermost on. */
export function noteVisit(href: string, labels: readonly string[]): void {
  const [label, ...outer] = labels.toReversed()
  if (label === undefined) return
  const visit = { label, detail: outer.toReversed().join(' / '), group: 'Recent' as const, href }
  recent = [visit, ...recentStore.get().filter((one) => one.href !== href)].slice(0, most + 1)
  keep(recent)
  notify()
}
