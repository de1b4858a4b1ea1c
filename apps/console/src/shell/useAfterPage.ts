import { useEffect, useState } from 'react'
import type * as afterPage from './afterPage.ts'

type AfterPage = typeof afterPage
const againMs = 5000
let file: Promise<AfterPage> | undefined

async function fetchIt(): Promise<AfterPage> {
  for (;;) {
    try {
      return await import('./afterPage.ts')
    } catch {
      // The server may be away: without this file no component would report that.
      await new Promise((resolve) => setTimeout(resolve, againMs))
    }
  }
}

/** The file that is fetched after the page, with retries until it has loaded. */
export const loadAfterPage = (): Promise<AfterPage> => (file ??= fetchIt())

/** The same in a component that is shown; undefined until it is there. */
export function useAfterPage(): AfterPage | undefined {
  const [loaded, setLoaded] = useState<AfterPage>()
  useEffect(() => void loadAfterPage().then(setLoaded, reportError), [])
  return loaded
}
