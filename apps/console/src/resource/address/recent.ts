/** The pages of resources that were visited last, newest first, for the palette. They are forgotten with the page. */
import { createStore } from '#/lib/store.ts'

export interface Recent {
  label: string
  detail: string
  group: 'Recent'
  href: string
}

const most = 6
export const recentStore = createStore<readonly Recent[]>([])

/** Notes a visit to the page of a resource, by the labels of the page from the outermost on. */
export function noteVisit(href: string, labels: readonly string[]): void {
  const [label, ...outer] = labels.toReversed()
  if (label === undefined) return
  const visit = { label, detail: outer.toReversed().join(' / '), group: 'Recent' as const, href }
  const others = recentStore.get().filter((one) => one.href !== href)
  recentStore.set([visit, ...others].slice(0, most + 1))
}
