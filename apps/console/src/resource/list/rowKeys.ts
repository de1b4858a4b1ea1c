import { type RefObject, useEffect } from 'react'
import { controlOfRow } from '#/ui/table/useFocusAfterRemoval.ts'
import { bindPageKey } from './pageKeys.ts'

const currentRow = () => document.activeElement?.closest('tbody tr')

/** The rows of the table that has the focus, or else of the one that follows the anchor. */
function rowsNear(anchor: HTMLElement | null): Element[] {
  const body = currentRow()?.parentElement ?? anchor?.parentElement?.querySelector('tbody')
  return [...(body?.querySelectorAll(':scope > tr:not([aria-hidden])') ?? [])]
}

/** Focuses the row `step` rows below the one with the focus; the first row if none has it. Ends are kept. */
function moveFocus(anchor: HTMLElement | null, step: number): void {
  const rows = rowsNear(anchor)
  const at = rows.findIndex((row) => row === currentRow())
  const row = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]
  const control = controlOfRow(row) ?? row?.querySelector<HTMLElement>('a, button, input')
  control?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/** Presses the box of the row with the focus, as the mouse does: with Shift, a range. */
const choose = (shiftKey: boolean) =>
  currentRow()
    ?.querySelector('input.tick-box')
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))

/** Moves between the rows of a list and selects them by keys. The table follows the anchor. */
export function useRowKeys(
  anchor: RefObject<HTMLElement | null>,
  { hasRows, isChoosable }: { hasRows: boolean; isChoosable: boolean },
): void {
  useEffect(() => {
    if (!hasRows) return undefined
    const ends = [
      bindPageKey('next', () => moveFocus(anchor.current, 1)),
      bindPageKey('previous', () => moveFocus(anchor.current, -1)),
      ...(isChoosable ? [bindPageKey('choose', (event) => choose(event?.shiftKey === true))] : []),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [anchor, hasRows, isChoosable])
}
