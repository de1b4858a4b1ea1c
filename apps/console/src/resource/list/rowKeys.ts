import { useEffect } from 'react'
import { controlOfRow } from '#/ui/table/useFocusAfterRemoval.ts'
import { bindPageKey } from './pageKeys.ts'

const currentRow = () => document.activeElement?.closest('tbody tr')

/** The rows of all tables of the page, from the first to the last. */
const rowsOfPage = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('main tbody > tr:not([aria-hidden])'),
]

const boxOf = (row: Element | null | undefined) => row?.querySelector('input.tick-box')

/** Focuses the row `step` rows below the one with the focus; the first row if none has it. Ends are kept. */
function moveFocus(step: number): void {
  const rows = rowsOfPage()
  const at = rows.findIndex((row) => row === currentRow())
  const row = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]
  if (!row) return
  const control = controlOfRow(row) ?? row.querySelector<HTMLElement>('a, button, input')
  // A row of texts takes the focus itself.
  if (!control) row.tabIndex = -1
  const target = control ?? row
  target.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}

/** Presses the box of the row with the focus, as the mouse does: with Shift, a range. */
const choose = (shiftKey: boolean) =>
  boxOf(currentRow())?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))

/** Moves between the rows of the tables of any page and selects them by keys. */
export function useRowKeys(): void {
  useEffect(() => {
    const hasRows = () => rowsOfPage().length > 0
    const hasBoxes = () => document.querySelector('main tbody input.tick-box') !== null
    const ends = [
      bindPageKey('next', () => moveFocus(1), hasRows),
      bindPageKey('previous', () => moveFocus(-1), hasRows),
      bindPageKey('choose', (event) => choose(event?.shiftKey === true), hasBoxes),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [])
}
