/** Renders pages of the console where there is no browser: what their documents show until the first render. */
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { answering, type FirstAnswer } from './api/firstAnswers.ts'
import { queryClient } from './api/query.ts'
import { setTransport } from './api/transport.ts'
import { inTime } from './lib/inTime.ts'
import { createAppRouter } from './router.ts'
import { wholeTree } from './signInTree.ts'

/** The code and most answers are there: a loader that takes longer is not waited for. */
const patienceMs = 80

const routeTree = await wholeTree()

/** The markup, null if what is at the path has none: it redirects, fails, or holds a form, which nobody could fill in yet. */
export type Rendered = { markup: string | null } | { asksMore: true }

/**
 * Renders the page at this path and query as a person sees it who is given these answers, and those of `ask` to further
 * requests, each a GET of path and query; `asksMore` if it needs too much. One call at a time: a page
 * and its loaders have the cache of queries for themselves.
 */
export async function renderPage(
  url: string,
  answers: readonly FirstAnswer[],
  ask: (url: string) => Promise<FirstAnswer | 'too much' | null>,
): Promise<Rendered> {
  // What goes on after a page, such as a loader that nobody waits for, may have left something.
  queryClient.clear()
  let isOver = false
  const failed = Promise.withResolvers<Rendered>()
  // What is not answered, or too late, is waited for in vain: no loader goes on in the page of the next person.
  const { send } = answering(answers, async ({ method, url: asked }) => {
    const answer = method === 'GET' ? await ask(asked) : null
    if (typeof answer === 'object' && answer && !isOver) return { status: 200, ...answer }
    failed.resolve(answer === 'too much' ? { asksMore: true } : { markup: null })
    return new Promise(() => undefined)
  })
  setTransport({
    send,
    openSocket: () => {
      throw new Error('a page that is rendered opens no socket')
    },
  })
  const router = createAppRouter(routeTree, createMemoryHistory({ initialEntries: [url] }))
  try {
    const [matchedRoutes] = router.getMatchedRoutes(router.latestLocation.pathname)
    await Promise.all(matchedRoutes.map(async (route) => router.loadRouteChunk(route)))
    const loaded = await Promise.race([inTime(router.load(), patienceMs), failed.promise])
    if (loaded !== true) return loaded || { markup: null }
    const { matches } = router.state
    if (matches.length === 0 || matches.some(({ status }) => status !== 'success')) return { markup: null }
    const html = renderToString(<RouterProvider router={router} />)
    // A query that no loader asks for is not asked for here at all.
    return waits.test(html) ? { asksMore: true } : { markup: markupOf(html) }
  } finally {
    isOver = true
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
