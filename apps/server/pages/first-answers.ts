/** The answers to the first requests of a page, for its document. */
import type { ApiRequest } from '@purlin/contract/http'
import type { Dispatcher } from '@purlin/core'
import type { FirstAnswer } from './document.ts'

/** The maximum in a document, in characters; the page requests answers that do not fit itself. */
const answerLimit = 64 * 1024
const allLimit = 128 * 1024
/** How long a document waits. */
const patienceMs = 60

// The page's client reads no other headers.
const kept = ['etag', 'x-request-id'] as const

/**
 * Asks the API as the page would, with the session of the request for the document. What fails, is slow or is too long
 * is not among the answers: the page then sends the request itself.
 */
export async function firstAnswers(
  api: Pick<Dispatcher, 'dispatch'>,
  { headers: { host, cookie }, remote, secure, publicOrigin }: ApiRequest,
  urls: readonly string[],
): Promise<FirstAnswer[]> {
  if (urls.length === 0) return []
  const ending = new AbortController()
  const late = new Promise<null>((resolve) => {
    ending.signal.addEventListener('abort', () => resolve(null))
  })
  const timer = setTimeout(() => ending.abort(), patienceMs)
  const headers = { ...(host !== undefined && { host }), ...(cookie !== undefined && { cookie }) }
  const ask = async (url: string): Promise<FirstAnswer | null> => {
    const request = { method: 'GET', url, headers, remote, secure, publicOrigin, signal: ending.signal }
    const { status, body, headers: given } = await api.dispatch(request)
    if (status !== 200 || body === null || body.length > answerLimit) return null
    const known = kept.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]))
    return { url, headers: Object.fromEntries(known), body }
  }
  const answers = await Promise.all(urls.map((url) => Promise.race([ask(url).catch(() => null), late])))
  clearTimeout(timer)
  let left = allLimit
  return answers.filter((answer): answer is FirstAnswer => {
    const fits = answer !== null && answer.body.length <= left
    if (fits) left -= answer.body.length
    return fits
  })
}
