import type { ReactNode } from 'react'

/** The most entries that a question lists. */
const most = 10

interface ShortListProps<T> {
  items: readonly T[]
  keyOf: (item: T) => string
  /** There are more than these, without a number. */
  hasMore?: boolean
  children: (item: T) => ReactNode
}

/** The first entries, and the number of the others: a question stays short. */
export function ShortList<T>({ items, keyOf, hasMore = false, children }: ShortListProps<T>) {
  const rest = items.length - most
  const isCut = rest > 1
  return (
    <ul className="list-disc pl-5 leading-6 text-ink">
      {items.slice(0, isCut ? most : undefined).map((item) => (
        <li key={keyOf(item)}>{children(item)}</li>
      ))}
      {hasMore ? <li>and more</li> : isCut && <li>and {rest.toLocaleString()} more</li>}
    </ul>
  )
}
