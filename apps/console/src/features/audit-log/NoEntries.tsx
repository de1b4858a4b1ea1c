import ScrollText from 'lucide-react/icons/scroll-text'
import { usePaging } from '#/resource/list/paging.ts'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

/** Takes the place of the entries. `more`: the token of the older entries, which may match. */
export function NoEntries({ more, body }: { more: string | null | undefined; body: string }) {
  const paging = usePaging()
  return (
    <EmptyState
      icon={<ScrollText />}
      title={more ? 'Nothing found so far' : 'No entries'}
      body={more ? 'The newest entries have been looked through; older ones may match.' : body}
      action={more && <Button onClick={() => paging.next(more)}>Look further back</Button>}
    />
  )
}
