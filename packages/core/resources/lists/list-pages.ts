/** The pages of a list that a request names by its address, read as a person. */
import type { Actor, RequestContext } from '#/context.ts'
import { Fault } from '#/faults.ts'
import { splitOnce } from '#/query-string.ts'

/** A page as it is on the wire. */
export interface Page<R> {
  items: R[]
  next_page?: string | null
}

// The reader of the pages chooses them.
const ofPages = /^(limit|page_token|total)=/

/** The path and the query of a list's address, and the address of the page that a token continues with: the first without one. */
export function pagesAt(address: string, limit: number) {
  const [path, search] = splitOnce(address, '?')
  const own = search.split('&').filter((pair) => pair !== '' && !ofPages.test(pair))
  const pageAt = (token: string | null): string => {
    const page = token === null ? [] : [`page_token=${encodeURIComponent(token)}`]
    return `${path}?${[...own, `limit=${limit}`, ...page].join('&')}`
  }
  return { path, search, pageAt }
}

/** Reads a page, as the sender of the request unless another actor is given. Throws as the list does. */
export async function readPage<R>(request: RequestContext, url: string, actor?: Actor): Promise<Page<R>> {
  const pageRequest = { method: 'GET', url, headers: {}, remote: request.remote }
  const { status, body } = await request.ask(pageRequest, actor)
  const answer = JSON.parse(body ?? '{}') as Page<R> & { message?: string; error_code?: string }
  if (status === 200) return answer
  const code = answer.error_code
  throw new Fault(status, answer.message ?? '', code === undefined ? {} : { code })
}
