import Search from 'lucide-react/icons/search'
import { useId, useState } from 'react'
import { cx } from '#/lib/text.ts'
import { keyText, usePageKey } from './pageKeys.ts'
import { usePaging } from './paging.ts'
import { QueryMarks } from './query/QueryMarks.tsx'
import { optionId, QueryOptions } from './query/QueryOptions.tsx'
import { useCompletion } from './query/useCompletion.ts'
import { usePagedQuery, useTyped, type QueryPlace } from './query/useTyped.ts'

/** Lists with at most this many rows need no buttons for filters: their rows are seen at once. */
const few = 10

interface Offered {
  /** Its rows can be searched. Once that was so, it stays so until the page is left. */
  isSearchable: boolean
  /** They are too many to be seen at once. */
  isLong: boolean
}

/** The means to find a row in a list. An empty one needs none. */
export function useSearchOffered(
  page: { items: unknown[]; nextPage?: string | null | undefined } | undefined,
): Offered {
  const { isFirst, isNarrowed } = usePaging()
  const rows = page?.items.length ?? 0
  const isPart = isNarrowed || !isFirst || Boolean(page?.nextPage)
  const now = { isSearchable: isPart || rows > 0, isLong: isPart || rows > few }
  const [before, setBefore] = useState(now)
  const offered = {
    isSearchable: before.isSearchable || now.isSearchable,
    isLong: before.isLong || now.isLong,
  }
  if (offered.isSearchable !== before.isSearchable || offered.isLong !== before.isLong) setBefore(offered)
  return offered
}

/**
 * Searches the rows of the current route's list while the user types: by words, and by the columns of a kind. A key goes
 * there.
 */
export function ListSearch({ label, kind }: { label: string; kind?: string | undefined }) {
  return <QueryBox label={label} kind={kind} place={usePagedQuery(kind)} />
}

export interface QueryBoxProps {
  label: string
  kind?: string | undefined
  place: QueryPlace
  /** Values to offer, by the field of a column that does not list them. */
  values?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The box of a query, wherever that is kept. */
export function QueryBox({ label, kind, place, values }: QueryBoxProps) {
  const { text, setText, input, columns, troubles } = useTyped(kind, place)
  const { options, active, caret, close, choose, onKey, typed } = useCompletion({
    kind,
    columns,
    text,
    setText,
    input,
    values,
  })
  const id = useId()
  const name = `Search ${label}`
  // A word is not wrong while it is typed.
  const wrong = troubles.filter(({ start, end }) => caret === undefined || caret < start || caret > end)
  usePageKey('search', () => input.current?.focus())
  const isOpen = options.length > 0
  const combobox =
    columns.size > 0
      ? ({
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': isOpen,
          'aria-controls': isOpen ? id : undefined,
          'aria-activedescendant': active >= 0 ? optionId(id, active) : undefined,
        } as const)
      : {}
  return (
    <search className={cx('relative grow basis-44', columns.size > 0 ? 'max-w-96' : 'max-w-64')}>
      <div className="relative">
        <Search size={14} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-tertiary" />
        <input
          ref={input}
          type="search"
          {...combobox}
          aria-label={name}
          aria-invalid={wrong.length > 0 || undefined}
          aria-describedby={wrong.length > 0 ? `${id}-wrong` : undefined}
          placeholder={name}
          aria-keyshortcuts={keyText('search')}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => {
            setText(target.value)
            typed(target.selectionStart ?? target.value.length)
          }}
          onBlur={close}
          onKeyDown={(event) => {
            if (columns.size > 0 && onKey(event)) event.preventDefault()
            else if (event.key === 'Escape') setText('')
          }}
          className="control-box h-control pr-2.5 pl-8"
        />
        <QueryMarks input={input} text={text} troubles={wrong} />
      </div>
      {isOpen && <QueryOptions id={id} anchor={input} options={options} active={active} onChoose={choose} />}
      <div id={`${id}-wrong`} aria-live="polite" className="text-hint text-danger not-empty:mt-1">
        {wrong.map(({ message, start, end }) => (
          <p key={start}>{`‘${text.slice(start, end)}’: ${message}`}</p>
        ))}
      </div>
    </search>
  )
}
