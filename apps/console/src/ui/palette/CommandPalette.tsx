import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from '#/ui/button/Button.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { Kbd } from '#/ui/value/Kbd.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { type PaletteItem, searchPalette } from './paletteItems.ts'
import { PaletteList } from './PaletteList.tsx'

/** 'Quick actions': search and run what the app offers here. Mount it to open it. */
export interface CommandPaletteProps {
  items: readonly PaletteItem[]
  /** The results of an external search for the text. */
  found?: readonly PaletteItem[]
  onDismiss: () => void
  /** More entries are loading, for instance from a search on the server. */
  loading?: boolean
  onQuery?: (query: string) => void
}

export function CommandPalette(props: CommandPaletteProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && props.onDismiss()}
      data-scrim=""
      className="fixed inset-0 z-40 bg-scrim"
    >
      <Modal className="fixed top-[20%] left-1/2 w-xl max-w-[calc(100vw-2rem)] -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-overlay shadow-overlay">
        <Dialog aria-label="Quick actions" className="outline-none">
          <Palette {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

// The entry runs on the keyup of Enter, so that a form it opens does not receive the key.
function usePaletteKeys(list: RefObject<HTMLElement | null>, count: number) {
  const [at, setAt] = useState(0)
  const isArmed = useRef(false)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, list])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = moves[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step !== undefined) setAt((now) => (count === 0 ? 0 : (now + step + count) % count))
    else isArmed.current = true
  }
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isArmed.current) return
    isArmed.current = false
    list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.click()
  }
  return { at, setAt, onKeyDown, onKeyUp }
}

function Palette({ items, found, onDismiss, loading = false, onQuery }: CommandPaletteProps) {
  const [query, setQuery] = useState('')
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const groups = searchPalette(items, query, found)
  const count = groups.reduce((sum, group) => sum + group.items.length, 0)
  const { at, setAt, onKeyDown, onKeyUp } = usePaletteKeys(list, count)
  const selected = Math.min(at, Math.max(0, count - 1))
  const edit = (text: string) => {
    setQuery(text)
    setAt(0)
    onQuery?.(text)
  }
  return (
    <>
      <div className="flex h-12 items-center gap-2.5 border-b border-line-faint pr-2.5 pl-4">
        <Search size={15} aria-hidden className="shrink-0 text-tertiary" />
        <input
          ref={input}
          role="combobox"
          aria-label="Search"
          aria-expanded={count > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? `${id}-${selected}` : undefined}
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => edit(event.target.value)}
          onKeyDown={onKeyDown}
          onKeyUp={onKeyUp}
          className="h-full min-w-0 grow bg-transparent text-md outline-none"
        />
        {loading && <Spinner />}
        {query !== '' && (
          <IconButton label="Clear search" size="small" onClick={() => edit('')}>
            <X size={14} />
          </IconButton>
        )}
        <Button size="small" variant="ghost" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
      <PaletteList
        ref={list}
        id={id}
        groups={groups}
        selected={selected}
        onPoint={setAt}
        onDone={onDismiss}
      />
      <Status count={count} query={query} isSearching={loading} />
      <Legend />
    </>
  )
}

/** The number of entries is only announced, because it can be seen. */
function Status({ count, query, isSearching }: { count: number; query: string; isSearching: boolean }) {
  const nothing = query === '' ? 'No actions are available here' : `Nothing matches “${query}”`
  const entries = count === 1 ? '1 entry' : `${count} entries`
  const text = count === 0 ? (isSearching ? 'Searching…' : nothing) : query !== '' && !isSearching && entries
  return (
    <p role="status" className={count === 0 ? 'px-4 py-8 text-center text-secondary' : 'sr-only'}>
      {text}
    </p>
  )
}

function Legend() {
  const entry = (keys: ReactNode, what: string) => (
    <span className="flex items-center gap-1.5">
      {keys} {what}
    </span>
  )
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line-faint px-4 py-2 text-hint text-secondary">
      {entry(<Kbd>Enter</Kbd>, 'to submit')}
      {entry(
        <>
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd>
        </>,
        'to select',
      )}
      <span className="ml-auto">{entry(<Kbd>Esc</Kbd>, 'to close')}</span>
    </div>
  )
}
