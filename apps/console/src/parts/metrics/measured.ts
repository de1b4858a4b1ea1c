import { createContext, useContext } from 'react'

/** What the charts of a page sum up: how many things there are, and a number of them in words. */
export interface Measured {
  count: number
  name: (count: number) => string
}

const Shared = createContext<Measured | null>(null)
/** Tells the charts below. */
export const MeasuredProvider = Shared.Provider

/** What the charts around sum up. */
export function useMeasured(): Measured {
  const found = useContext(Shared)
  if (!found) throw new Error('there is no MeasuredProvider around')
  return found
}
