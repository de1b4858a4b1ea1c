import { createContext } from 'react'

/** Whether the frame of the console is shown: an error inside it keeps the sidebar and the top bar. */
export const InFrame = createContext(false)
