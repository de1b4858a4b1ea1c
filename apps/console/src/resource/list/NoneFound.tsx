import SearchX from 'lucide-react/icons/search-x'
import { useEffect, useRef } from 'react'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { runPageKey } from './pageKeys.ts'

/** In place of a list in which a search or filters leave nothing. */
export function NoneFound({ find, onClear }: { find?: string | undefined; onClear: () => void }) {
  const isCleared = useRef(false)
  // The button goes with this; the search box takes the focus once it has its new text.
  useEffect(
    () => () => {
      if (isCleared.current) setTimeout(() => runPageKey('search'))
    },
    [],
  )
  const clear = () => {
    isCleared.current = true
    onClear()
  }
  return (
    <EmptyState
      icon={<SearchX />}
      title="Nothing found"
      body={
        find === undefined ? (
          'Nothing in this list matches the filters.'
        ) : (
          <>Nothing in this list matches ‘{find}’.</>
        )
      }
      action={<Button onClick={clear}>{find === undefined ? 'Clear filters' : 'Clear search'}</Button>}
    />
  )
}

/** The number of matches, of all rows; this many of them are shown. */
export const countFound = ({ matches, of }: { matches: number; of: number }, shown: number): string => {
  const all = `${matches.toLocaleString()} of ${of.toLocaleString()} ${matches === 1 ? 'matches' : 'match'}`
  return shown < matches ? `${all}; the first ${shown} are shown` : all
}

/** Where a page is in its list: '51–100 of 9,697'. */
export function positionOf({
  at,
  shown,
  total,
}: {
  at: number
  shown: number
  total: number | undefined
}): string {
  if (shown === 0) return total === undefined ? '' : `0 of ${total.toLocaleString()}`
  const rows = `${(at + 1).toLocaleString()}–${(at + shown).toLocaleString()}`
  return total === undefined ? rows : `${rows} of ${Math.max(total, at + shown).toLocaleString()}`
}
