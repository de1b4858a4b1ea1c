import { createContext } from 'react'

/** Whether the console's frame is around: what fails inside it leaves sidebar and top bar standing. */
export const InFrame = createContext(false)
