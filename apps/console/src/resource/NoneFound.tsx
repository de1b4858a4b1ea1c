import SearchX from 'lucide-react/icons/search-x'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'

/** In place of a list in which a search finds nothing. */
export const NoneFound = ({ find, onClear }: { find: string; onClear: () => void }) => (
  <EmptyState
    icon={<SearchX />}
    title="Nothing found"
    body={<>Nothing in this list contains ‘{find}’.</>}
    action={<Button onClick={onClear}>Clear search</Button>}
  />
)

/** How many rows a search has found, and of how many; so many of them are shown. */
export const countFound = ({ matches, of }: { matches: number; of: number }, shown: number): string => {
  const all = `${matches.toLocaleString()} of ${of.toLocaleString()} ${matches === 1 ? 'matches' : 'match'}`
  return shown < matches ? `${all}; the first ${shown} are shown` : all
}
