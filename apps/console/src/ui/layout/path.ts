import { createContext, useContext } from 'react'

const Path = createContext('')

/** Provides the path of the shown page. It is a context so that only components that show the path render with it. */
export const PathProvider = Path.Provider

/** The path of the page that is shown, or of the one that is waited for. */
export const usePath = (): string => useContext(Path)

/** A path without the slash at its end. */
export const bare = (path: string): string => path.replace(/(.)\/$/, '$1')
