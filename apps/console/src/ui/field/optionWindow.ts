/** What is drawn of a list: rows of one height, of which only a few are in view. Pixels. */
export interface ListView {
  count: number
  rowHeight: number
  viewHeight: number
  scrollTop: number
  /** The marked row, or -1. */
  at: number
}

/** Rows beyond either edge, so that a quick turn of the wheel finds something drawn. */
const spare = 8

/** The rows to draw: those in view with some to spare, and the marked one wherever it is. */
export function drawnRows({ count, rowHeight, viewHeight, scrollTop, at }: ListView): number[] {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare)
  const end = Math.min(count, Math.ceil((scrollTop + viewHeight) / rowHeight) + spare)
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
  return at < 0 || at >= count || (at >= first && at < end) ? rows : [...rows, at]
}

/** How far the list must be scrolled so that the marked row is all in view; as little as possible. */
export function scrollFor({ rowHeight, viewHeight, scrollTop, at }: ListView): number {
  if (at < 0) return scrollTop
  const top = at * rowHeight
  return Math.min(top, Math.max(scrollTop, top + rowHeight - viewHeight))
}
