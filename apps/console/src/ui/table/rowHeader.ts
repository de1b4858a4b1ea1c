import { createContext } from 'react'

/** The id of the cell that names the row, for what stands in its other cells. Undefined outside of tables. */
export const RowHeader = createContext<string | undefined>(undefined)
