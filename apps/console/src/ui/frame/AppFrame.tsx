import Menu from 'lucide-react/icons/menu'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { cx } from '#/lib/text.ts'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { usePath } from '#/ui/layout/path.ts'
import { SkipLink } from '#/ui/layout/SkipLink.tsx'

/** The console around a page: home link and sidebar at the left, top bar above, the page below it. Below
 * 1024 px the sidebar folds into a drawer. */
export interface AppFrameProps {
  /** Above the sidebar; usually a HomeLink. */
  home: ReactNode
  sidebar: ReactNode
  topBar: ReactNode
  /** Shown above everything, for the preview's notice. */
  banner?: ReactNode
  /** Give the page the whole pane, unpadded and without scrolling, for a terminal. */
  locked?: boolean
  /** The page may be out of date: it is dimmed. */
  isStale?: boolean
  /** The element that scrolls. */
  scrollRef?: Ref<HTMLDivElement> | undefined
  children: ReactNode
}

/** The drawer closes when the path changes. */
function useDrawer() {
  const path = usePath()
  // Open at one path only, so any navigation closes it.
  const [openAt, setOpenAt] = useState<string | undefined>()
  const isOpen = openAt === path
  const drawer = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    drawer.current?.querySelector<HTMLElement>('a, button')?.focus()
    const opener = button.current
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpenAt(undefined)
    // A wide window shows the sidebar next to the page, and the page must be reachable again.
    const wide = window.matchMedia('(width >= 64rem)')
    const widen = () => wide.matches && setOpenAt(undefined)
    document.addEventListener('keydown', close)
    wide.addEventListener('change', widen)
    return () => {
      document.removeEventListener('keydown', close)
      wide.removeEventListener('change', widen)
      opener?.focus()
    }
  }, [isOpen])
  const setOpen = (open: boolean) => setOpenAt(open ? path : undefined)
  return { isOpen, setOpen, drawer, button }
}

export function AppFrame({
  home,
  sidebar,
  topBar,
  banner,
  locked = false,
  isStale = false,
  scrollRef,
  children,
}: AppFrameProps) {
  const { isOpen, setOpen, drawer, button } = useDrawer()
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink />
      {banner}
      <div className="flex min-h-0 grow">
        {isOpen && (
          <div
            aria-hidden
            onClick={() => setOpen(false)}
            className="fixed inset-0 z-15 bg-scrim frame:hidden"
          />
        )}
        <aside
          ref={drawer}
          aria-label="Sidebar"
          className={cx(
            'flex w-sidebar shrink-0 flex-col border-r border-line-faint bg-page max-frame:fixed max-frame:inset-y-0 max-frame:left-0 max-frame:z-20 max-frame:shadow-overlay',
            isOpen ? 'max-frame:visible' : 'max-frame:invisible max-frame:-translate-x-full',
            'max-frame:transition-transform max-frame:duration-(--medium)',
          )}
        >
          <div className="flex h-topbar shrink-0 items-center border-b border-line-faint px-2">{home}</div>
          <div className="flex min-h-0 grow flex-col overflow-y-auto px-2 py-3">{sidebar}</div>
        </aside>
        <div inert={isOpen} className="flex min-w-0 grow flex-col">
          <header className="z-15 flex h-topbar shrink-0 items-center gap-2.5 border-b border-line-faint bg-page px-5 max-frame:px-3">
            <IconButton
              ref={button}
              label="Open navigation"
              aria-expanded={isOpen}
              onClick={() => setOpen(true)}
              className="frame:hidden"
            >
              <Menu size={16} />
            </IconButton>
            {topBar}
          </header>
          <div
            ref={scrollRef}
            data-testid="scroll-container"
            // The router finds it by that, not by its place in the document.
            data-scroll-restoration-id="page"
            className={cx(
              'relative flex min-h-0 grow flex-col',
              locked ? 'overflow-hidden' : 'overflow-y-auto',
            )}
          >
            <main
              id="content"
              tabIndex={-1}
              className={cx(
                'flex min-w-0 grow flex-col outline-none',
                isStale && 'stale',
                locked ? 'min-h-0' : 'px-8 pt-[26px] pb-6 max-roomy:px-5 max-frame:px-4',
              )}
            >
              {children}
            </main>
          </div>
        </div>
      </div>
    </div>
  )
}
