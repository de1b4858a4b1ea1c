import { createContext, useContext } from 'react'

/** The subject of the charts of a page: the number of parts, and a text for a number of them. */
export interface ChartSubject {
  count: number
  name: (count: number) => string
}

const Context = createContext<ChartSubject | null>(null)
export const ChartSubjectProvider = Context.Provider

/** The subject of the nearest provider. */
export function useChartSubject(): ChartSubject {
  const found = useContext(Context)
  if (!found) throw new Error('ChartSubjectProvider is missing')
  return found
}
