import { useEffect, useRef } from 'react'

/** Announces the new page after a page change and moves focus to its heading, without scrolling. Give it the
 * page's title; a change of `title` with `isPageChange` false (a form opening, a tab) is not announced. */
export function RouteAnnouncer({ title, isPageChange = true }: { title: string; isPageChange?: boolean }) {
  const region = useRef<HTMLDivElement>(null)
  const shown = useRef(title)
  useEffect(() => {
    const box = region.current
    if (!box || shown.current === title) return
    shown.current = title
    if (!isPageChange) return
    box.textContent = title
    // A user who moves along a tab bar keeps the focus there.
    if (document.activeElement?.getAttribute('role') !== 'tab')
      document.querySelector<HTMLElement>('#content h1')?.focus({ preventScroll: true })
    const timer = window.setTimeout(() => (box.textContent = ''), 7000)
    return () => window.clearTimeout(timer)
  }, [title, isPageChange])
  return <div ref={region} aria-live="polite" aria-atomic className="sr-only" />
}
