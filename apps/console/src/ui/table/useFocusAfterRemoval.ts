import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

const pauseMs = 50
const tries = 40
const layers = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** Runs once no element has the focus, unless another one outside of dialogs has got it. */
function onceLost(then: () => void, left = tries): void {
  const at = document.activeElement
  if (!at || at === document.body) then()
  else if (left > 0 && at.closest(layers)) setTimeout(() => onceLost(then, left - 1), pauseMs)
}

/** The control of a row that gets the focus: the link or button of its name, or the last one of the row. */
export const controlOfRow = (row: Element | undefined): HTMLElement | null | undefined =>
  row?.querySelector<HTMLElement>('th a, th button, td:last-child button')

/** Focuses what the row at a place leads to, or the last one above it; the content of the page if there is none. */
function focusRow(box: HTMLElement | null, index: number): void {
  const rows = box?.querySelectorAll('tbody tr:not([aria-hidden])') ?? []
  const row = rows[Math.min(index, rows.length - 1)]
  const found = controlOfRow(row) ?? document.getElementById('content')
  found?.focus({ preventScroll: true })
}

/** Keeps the focus of the keyboard in the table when the row that has it goes: the row after it gets it. */
export function useFocusAfterRemoval(box: RefObject<HTMLElement | null>, keys: readonly string[]): void {
  const last = useRef<{ key: string; index: number; path: string }>(undefined)
  const note = useEffectEvent((element: Element) => {
    const row = element.closest('tbody tr')
    const index = row?.parentElement ? [...row.parentElement.children].indexOf(row) : -1
    const key = keys[index]
    last.current = key === undefined ? undefined : { key, index, path: window.location.pathname }
  })
  const look = useEffectEvent(() => {
    const one = last.current
    if (!one || keys.includes(one.key)) return
    last.current = undefined
    onceLost(() => focusRow(box.current, one.index))
  })
  const shown = keys.join(' ')
  useEffect(() => look(), [shown])
  useEffect(() => {
    const element = box.current
    const onFocus = ({ target }: FocusEvent) => target instanceof Element && note(target)
    element?.addEventListener('focusin', onFocus)
    return () => {
      element?.removeEventListener('focusin', onFocus)
      const one = last.current
      // The last row has gone, and the table with it. Another page looks after its own focus.
      if (one && window.location.pathname === one.path) onceLost(() => focusRow(null, 0))
    }
  }, [box])
}
