import { useEffect, useRef, useState } from 'react'

/** Says where we are after a page change and moves focus to the page's heading, without scrolling. Give it the
 * page's title; a change of `title` with `isPageChange` false (a form opening, a tab) is not announced. */
export function RouteAnnouncer({ title, isPageChange = true }: { title: string; isPageChange?: boolean }) {
  const [text, setText] = useState('')
  const shown = useRef(title)
  useEffect(() => {
    if (shown.current === title) return
    shown.current = title
    if (!isPageChange) return
    setText(title)
    document.querySelector<HTMLElement>('#content h1')?.focus({ preventScroll: true })
    const timer = window.setTimeout(() => setText(''), 7000)
    return () => window.clearTimeout(timer)
  }, [title, isPageChange])
  return (
    <div aria-live="polite" aria-atomic className="sr-only">
      {text}
    </div>
  )
}
