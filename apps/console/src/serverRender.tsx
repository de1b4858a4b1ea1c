/** Renders pages of the console where there is no browser: what their documents show until the first render. */
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { answering, type FirstAnswer } from './api/firstAnswers.ts'
import { queryClient } from './api/query.ts'
import { setTransport } from './api/transport.ts'
import { inTime } from './lib/inTime.ts'
import { createAppRouter } from './router.ts'
import { wholeTree } from './signInTree.ts'

/** The code and the answers are there: a loader that takes longer asks for more. */
const patienceMs = 50

const routeTree = await wholeTree()

/** The markup, null if what is at the path has none: it redirects, fails, or holds a form, which nobody could fill in yet. */
export type Rendered = { markup: string | null } | { asksMore: true }

/**
 * Renders the page at this path as a person sees it who is given these answers; `asksMore` if it needs others. One call
 * at a time: a page and its loaders have the cache of queries for themselves.
 */
export async function renderPage(path: string, answers: readonly FirstAnswer[]): Promise<Rendered> {
  let asksMore = false
  const { send } = answering(answers, () => {
    asksMore = true
    return new Promise(() => undefined)
  })
  setTransport({
    send,
    openSocket: () => {
      throw new Error('a page that is rendered opens no socket')
    },
  })
  const router = createAppRouter(routeTree, createMemoryHistory({ initialEntries: [path] }))
  try {
    const [matchedRoutes] = router.getMatchedRoutes(router.latestLocation.pathname)
    await Promise.all(matchedRoutes.map(async (route) => router.loadRouteChunk(route)))
    const isLoaded = await inTime(router.load(), patienceMs)
    if (!isLoaded) return asksMore ? { asksMore } : { markup: null }
    const { matches } = router.state
    if (matches.length === 0 || matches.some(({ status }) => status !== 'success')) return { markup: null }
    const html = renderToString(<RouterProvider router={router} />)
    // A query that no loader asks for is not asked for here at all.
    return waits.test(html) ? { asksMore: true } : { markup: markupOf(html) }
  } finally {
    queryClient.clear()
  }
}

/** A table whose rows have not come. */
const waits = /<tbody aria-busy="true"/
/** What React marks as not rendered, which its fallback stands for. */
const unfinished = /<!--\$[!?]-->/
const comments = /<!--.*?-->/g
const useless = /<(form|script)[ >]/

function markupOf(html: string): string | null {
  if (unfinished.test(html)) return null
  const plain = html.replaceAll(comments, '')
  return useless.test(plain) ? null : plain
}
