/** Marks in charts: when something happened to their subject. */
import { createContext, useContext } from 'react'
import type { TimeRange } from './data.ts'

/** Something that happened. */
export interface ChartMark {
  id: string
  /** ms since 1970 */
  at: number
  /** 'Stopped instance' */
  title: string
  /** the name of the person, if there is one */
  by?: string | undefined
}

export interface ChartMarks {
  items: readonly ChartMark[]
  /** The address of some of them. */
  hrefOf: (marks: readonly ChartMark[]) => string
}

export const noMarks: ChartMarks = { items: [], hrefOf: () => '' }
const Shared = createContext(noMarks)
/** Charts below it show these marks. */
export const MarksProvider = Shared.Provider
export const useMarks = (): ChartMarks => useContext(Shared)

/** The marks of a range, first to last. Those within `gap` ms of the first of a group are shown as one. */
export function groupsOf(marks: readonly ChartMark[], { start, end }: TimeRange, gap: number): ChartMark[][] {
  const groups: ChartMark[][] = []
  const shown = marks.filter(({ at }) => at >= start && at <= end).toSorted((a, b) => a.at - b.at)
  for (const mark of shown) {
    const group = groups.at(-1)
    const first = group?.[0]
    if (group && first && mark.at - first.at < gap) group.push(mark)
    else groups.push([mark])
  }
  return groups
}
