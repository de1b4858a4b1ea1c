/** The answers that a page will ask for at once, so that its document brings them. */
import type { ApiRequest } from '@purlin/contract/http'
import type { Dispatcher } from '@purlin/core'
import type { FirstAnswer } from './document.ts'

/** What a document carries at most, in characters; an answer that does not fit is left for the page to ask. */
const answerLimit = 64 * 1024
const allLimit = 128 * 1024
/** How long a document waits for those that its address is known to ask for. */
const patienceMs = 60
/** Beside those. No page asks for as many before it is rendered. */
const mostMore = 24

// The page's client reads no other headers.
const kept = ['etag', 'x-request-id'] as const

/** In place of one that does not fit into the document. */
export type TooMuch = 'too much'

/** The answers of one document. */
export interface FirstAnswers {
  /** Those that it carries. */
  readonly given: readonly FirstAnswer[]
  /** Another one, also for the document; null for what fails or is asked after its end. Never throws. */
  more(url: string): Promise<FirstAnswer | TooMuch | null>
  /** The document is complete: what is under way is told to end. */
  end(): void
}

/**
 * Asks the API as the page would, with the session of the request for the document. What fails, is slow or is too long
 * is not among the answers: the page then asks itself, and shows what it is told.
 */
export async function firstAnswers(
  api: Pick<Dispatcher, 'dispatch'>,
  { headers: { host, cookie }, remote, secure, publicOrigin }: ApiRequest,
  urls: readonly string[],
): Promise<FirstAnswers> {
  const headers = { ...(host !== undefined && { host }), ...(cookie !== undefined && { cookie }) }
  const given: FirstAnswer[] = []
  let left = allLimit
  let asked = 0
  let ending = new AbortController()

  async function ask(url: string): Promise<FirstAnswer | null> {
    const { signal } = ending
    const request = { method: 'GET', url, headers, remote, secure, publicOrigin, signal }
    try {
      const { status, body, headers: all } = await api.dispatch(request)
      if (signal.aborted || status !== 200 || body === null) return null
      const known = kept.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]))
      return { url, headers: Object.fromEntries(known), body }
    } catch {
      return null
    }
  }

  function add(answer: FirstAnswer | null): FirstAnswer | TooMuch | null {
    if (answer === null) return null
    if (answer.body.length > Math.min(answerLimit, left)) return 'too much'
    left -= answer.body.length
    given.push(answer)
    return answer
  }

  const late = new Promise<null>((resolve) => {
    ending.signal.addEventListener('abort', () => resolve(null))
  })
  const timer = setTimeout(() => ending.abort(), patienceMs)
  for (const answer of await Promise.all(urls.map((url) => Promise.race([ask(url), late])))) add(answer)
  clearTimeout(timer)
  if (ending.signal.aborted) ending = new AbortController()

  return {
    given,
    more: async (url) => {
      if (ending.signal.aborted) return null
      return ++asked > mostMore ? 'too much' : add(await ask(url))
    },
    end: () => ending.abort(),
  }
}
