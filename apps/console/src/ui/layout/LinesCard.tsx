import CircleCheck from 'lucide-react/icons/circle-check'
import type { ReactNode } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { Card, type CardProps } from './Card.tsx'

interface LinesCardProps<T> extends Pick<CardProps, 'title' | 'description' | 'footer' | 'className'> {
  /** Undefined while they are not known. */
  items: readonly T[] | undefined
  keyOf: (item: T) => string
  line: (item: T) => ReactNode
  /** The sentence if there are none, and whether that is good news. */
  none: ReactNode
  isGood?: boolean
  /** Shown instead of the lines. */
  error?: ReactNode
}

/** A card with a line for each of a few things, or a sentence that there are none. */
export function LinesCard<T>({
  items,
  keyOf,
  line,
  none,
  isGood = false,
  error,
  ...card
}: LinesCardProps<T>) {
  const hasLines = !error && items !== undefined && items.length > 0
  return (
    <Card {...card} flush={hasLines}>
      {error ? (
        <p className="text-danger wrap-anywhere">{error}</p>
      ) : items === undefined ? (
        <Skeleton className="h-4 w-48" />
      ) : items.length === 0 ? (
        <p className="flex items-start gap-2 text-secondary">
          {isGood && <CircleCheck size={16} aria-hidden className="mt-px shrink-0 text-ok" />}
          <span>{none}</span>
        </p>
      ) : (
        <ul className="divide-y divide-line-faint">
          {items.map((item) => (
            <li key={keyOf(item)} className="px-4 py-2.5">
              {line(item)}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
