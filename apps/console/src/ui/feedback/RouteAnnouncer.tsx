import { useEffect, useRef } from 'react'

/** Announces a page when its title differs from that of the one before, and moves the focus to its heading, without scrolling. */
export function RouteAnnouncer({ title }: { title: string }) {
  const region = useRef<HTMLDivElement>(null)
  const shown = useRef(title)
  useEffect(() => {
    const box = region.current
    if (!box || shown.current === title) return
    shown.current = title
    box.textContent = title
    // A user who moves along a tab bar keeps the focus there.
    if (document.activeElement?.role !== 'tab')
      document.querySelector<HTMLElement>('#content h1')?.focus({ preventScroll: true })
    const timer = setTimeout(() => (box.textContent = ''), 7000)
    return () => clearTimeout(timer)
  }, [title])
  return <div ref={region} aria-live="polite" aria-atomic className="sr-only" />
}
