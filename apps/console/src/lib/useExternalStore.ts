// oxlint-disable-next-line no-restricted-imports -- the one place
import { useSyncExternalStore } from 'react'

/** `useSyncExternalStore` whose first value is also what a page is rendered with where there is no browser. */
export const useExternalStore = <T>(subscribe: (onChange: () => void) => () => void, get: () => T): T =>
  useSyncExternalStore(subscribe, get, get)
