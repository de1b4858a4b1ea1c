import type { KeyboardEvent, ReactNode } from 'react'

/** Enter adds the entry, unless it takes an option of the list that is open. It never submits the form. */
export function EnterAdds({ onEnter, children }: { onEnter: () => void; children: ReactNode }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event
    const isOpen = target instanceof Element && target.getAttribute('aria-expanded') === 'true'
    if (event.key !== 'Enter' || isOpen) return
    event.preventDefault()
    onEnter()
  }
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      {children}
    </div>
  )
}
