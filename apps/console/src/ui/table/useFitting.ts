import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Column, spareColumns } from './columns.ts'

/** Narrower windows scroll tables sideways: the sidebar is not next to them. */
const hasFrame = () => window.matchMedia('(min-width: 64rem)').matches

/** The columns that a box has room for; the most dispensable are left out until the others fit. */
export function useFitting<Row>(
  ref: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
): { shown: readonly Column<Row>[]; left: readonly Column<Row>[] } {
  const spare = spareColumns(columns)
  const key = columns.map(({ id }) => id).join()
  const [at, setAt] = useState({ key, count: 0 })
  const count = at.key === key ? at.count : 0
  /** How wide the table was with as many columns left out. */
  const widths = useRef<{ key: string; of: number[] }>({ key, of: [] })
  const most = spare.length
  useEffect(() => {
    const box = ref.current
    if (!box || most === 0) return
    if (widths.current.key !== key) widths.current = { key, of: [] }
    const { of } = widths.current
    const look = () => {
      const set = (next: number) => setAt({ key, count: next })
      if (!hasFrame()) return count > 0 && set(0)
      const takes = box.scrollWidth
      if (takes > box.clientWidth + 1) of[count] = takes
      if (takes > box.clientWidth + 1 && count < most) return set(count + 1)
      const before = of[count - 1]
      if (before !== undefined && before <= box.clientWidth) set(count - 1)
    }
    const observer = new ResizeObserver(look)
    for (const one of [box, ...box.children]) observer.observe(one)
    return () => observer.disconnect()
  }, [ref, key, count, most])
  const hidden = new Set(spare.slice(0, count))
  return {
    shown: count === 0 ? columns : columns.filter(({ id }) => !hidden.has(id)),
    left: columns.filter(({ id }) => hidden.has(id)),
  }
}
