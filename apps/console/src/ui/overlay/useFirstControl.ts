import { type RefObject, useEffect } from 'react'

const CONTROLS =
  'input:not([type="hidden"], :disabled, [tabindex="-1"]), textarea:not(:disabled), select:not(:disabled), button[aria-haspopup="listbox"]:not(:disabled)'

/** Focuses the first form control inside an element, without scrolling. */
export function focusFirstControl(box: HTMLElement | null): void {
  const chosen = box?.querySelector<HTMLElement>('input[type="radio"]:checked')
  const first = box?.querySelector<HTMLElement>(CONTROLS)
  const isRadio = first instanceof HTMLInputElement && first.type === 'radio'
  ;((isRadio ? chosen : undefined) ?? first)?.focus({ preventScroll: true })
}

/** Does so when the element appears. */
export function useFirstControl(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => focusFirstControl(ref.current), [ref])
}
