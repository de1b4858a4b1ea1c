/** The pages of resources that were visited last, newest first, for the palette. They are forgotten with the page. */
export interface Recent {
  label: string
  detail: string
  group: 'Recent'
  href: string
}

const most = 6
let recent: readonly Recent[] = []
const listeners = new Set<() => void>()

export const recentStore = {
  get: (): readonly Recent[] => recent,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Notes a visit to the page of a resource, by the labels of the page from the outermost on. */
export function noteVisit(href: string, labels: readonly string[]): void {
  const [label, ...outer] = labels.toReversed()
  if (label === undefined) return
  const visit = { label, detail: outer.toReversed().join(' / '), group: 'Recent' as const, href }
  recent = [visit, ...recent.filter((one) => one.href !== href)].slice(0, most + 1)
  for (const listener of listeners) listener()
}
