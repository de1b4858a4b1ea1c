import { type KeyboardEvent, memo, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { isActivePath } from '#/lib/paths.ts'
import { cx } from '#/lib/text.ts'
import { UiLink } from '../button/link.tsx'
import { usePath } from './path.ts'

/** One tab: a link that is active at its address, below it, or below `activePrefix`. */
export interface Tab {
  label: string
  href: string
  activePrefix?: string
  /** Overrides the look at the path: for tabs kept in the query, or at addresses that do not begin alike. */
  isActive?: boolean | ((path: string) => boolean)
  aside?: ReactNode
}

/** Tabs that are links; the content below is their panel. */
export interface TabsProps {
  tabs: readonly Tab[]
  /** Accessible name of the tab bar. */
  label?: string
  children?: ReactNode
  className?: string
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Moves to the neighbouring tab, round the end, and activates it. With a modifier the key is the browser's. */
export const moveTab = (event: KeyboardEvent<HTMLElement>): void => {
  const step = steps[event.key]
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const at = tabs.findIndex((tab) => tab === document.activeElement)
  if (at < 0) return
  event.preventDefault()
  const next = tabs[(at + step + tabs.length) % tabs.length]
  next?.focus()
  next?.click()
}

interface TabFrameProps extends TabsProps {
  orientation: 'horizontal' | 'vertical'
  look: { frame?: string; bar: string; tab: (isActive: boolean) => string; panel: string }
}

const isTabActive = ({ isActive, href, activePrefix }: Tab, path: string): boolean =>
  typeof isActive === 'function' ? isActive(path) : (isActive ?? isActivePath(path, href, activePrefix))

/** The common part of both kinds of tab bar. */
export function TabFrame({ tabs, label = 'Tabs', children, className, orientation, look }: TabFrameProps) {
  const id = useId()
  const path = usePath()
  const active = tabs.findIndex((tab) => isTabActive(tab, path))
  const bar = useActiveInView(active)
  return (
    <div className={cx(look.frame, className)}>
      <div
        ref={bar}
        role="tablist"
        aria-label={label}
        aria-orientation={orientation}
        onKeyDown={moveTab}
        className={look.bar}
      >
        {tabs.map((tab, i) => (
          <TabLink
            key={tab.href}
            tab={tab}
            id={`${id}-${i}`}
            isActive={i === active}
            panel={children && i === active ? `${id}-panel` : undefined}
            isReached={i === active || (active < 0 && i === 0)}
            className={look.tab(i === active)}
          />
        ))}
      </div>
      {children && (
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={active < 0 ? undefined : `${id}-${active}`}
          className={look.panel}
        >
          {children}
        </div>
      )}
    </div>
  )
}

interface TabLinkProps {
  tab: Tab
  id: string
  isActive: boolean
  panel: string | undefined
  /** By the Tab key; the others by arrow keys. */
  isReached: boolean
  className: string
}

/** Rendered again only if it begins or ceases to be the active one. */
const TabLink = memo(function TabLink({ tab, id, isActive, panel, isReached, className }: TabLinkProps) {
  return (
    <UiLink
      href={tab.href}
      role="tab"
      id={id}
      aria-selected={isActive}
      aria-controls={panel}
      tabIndex={isReached ? 0 : -1}
      className={className}
    >
      {tab.label}
      {tab.aside}
    </UiLink>
  )
})

/** Scrolls a bar that is wider than its place to the active tab. The page stays where it is. */
function useActiveInView(active: number) {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = bar
    const tab = current?.querySelector('[aria-selected="true"]')
    if (!current || !tab || current.scrollWidth <= current.clientWidth) return
    const [outer, inner] = [current.getBoundingClientRect(), tab.getBoundingClientRect()]
    if (inner.right > outer.right) current.scrollLeft += inner.right - outer.right
    else if (inner.left < outer.left) current.scrollLeft -= outer.left - inner.left
  }, [active])
  return bar
}

const look: TabFrameProps['look'] = {
  // As high as the page, so that the bar of a list is at its foot.
  frame: 'flex grow flex-col',
  bar: 'flex gap-0.5 overflow-x-auto overflow-y-hidden border-b border-line pt-px',
  tab: (isActive) =>
    cx(
      'relative inline-flex shrink-0 items-center gap-2 rounded-t-md px-3 pt-2 pb-2.5 -outline-offset-2 after:absolute after:inset-x-0 after:bottom-0 after:h-0.5',
      isActive
        ? 'font-medium text-ink after:bg-accent'
        : 'text-secondary hover:text-ink hover:after:bg-line-strong',
    ),
  panel: 'flex grow flex-col pt-4',
}

export function Tabs(props: TabsProps) {
  return <TabFrame {...props} orientation="horizontal" look={look} />
}
