import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import type { Read } from '#/api/query.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Done } from './entries.tsx'
import { EntryPanel } from './EntryPanel.tsx'
import { betweenTimes } from './filters.ts'
import type { AuditSearch } from './search.ts'

// The most that a list shows: those of one millisecond are few.
const most = 100

interface OpenedEntryProps {
  search: AuditSearch
  /** The entries of the page below, once they are loaded. */
  items: readonly Done[] | undefined
  /** Reads the page that an address gives. */
  read: (search: AuditSearch) => Read<{ items: Done[] }>
  /** The address of the whole entry for readers who may see more of it. */
  inFull?: (entry: Done) => string | undefined
  onDismiss: () => void
}

/** The entry that the address of a list names, in a panel over it, whether the list shows it or not. */
export function OpenedEntry({ search, items, read, inFull, onDismiss }: OpenedEntryProps) {
  const { entry: id, time } = search
  const isOpened = ({ id: one }: Done) => one === id
  const listed = items?.find(isOpened)
  const at = time === undefined ? 0 : Date.parse(time)
  const { data, error } = useQuery({
    ...read({ ...betweenTimes(at, at), size: most }),
    enabled: id !== undefined && time !== undefined && items !== undefined && !listed,
    throwOnError: false,
  })
  if (id === undefined || !items) return null
  const shown = listed ?? data?.items.find(isOpened)
  if (shown) return <EntryPanel entry={shown} inFull={inFull?.(shown)} onDismiss={onDismiss} />
  if (error) return <Notice className="mb-4">Could not load the entry: {errorMessage(error)}</Notice>
  return data || time === undefined ? (
    <Notice className="mb-4">
      This address names an entry that the log does not have, or has no longer.
    </Notice>
  ) : null
}
