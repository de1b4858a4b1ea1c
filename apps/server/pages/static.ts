/** The console's files and its page. */
import type { PageKind } from './console-addresses.ts'
import { openDocuments, type Documents, type FirstAnswer, type Visit } from './document.ts'
import { cachedAs, notBuilt, openFolder, type Wanted } from './folder.ts'
import { pageHeaders, type OwnHeaders } from '../http/headers.ts'
import type { Reply } from '../http/reply.ts'

const appPage = '/index.html'

export interface StaticFiles {
  /** The file at a path of the site, or null. */
  file(path: string, wanted: Wanted): Promise<Reply | null>
  /** Which page of the console is at a path; null for none, and if it has not been built. */
  pageAt(path: string): PageKind | null
  /** The first load of a path of the console. */
  visitOf(path: string): Visit | null
  /** The app page with a status of the caller's choice, for a visit if it is one. */
  page(status: number, visit?: Visit | null, answers?: readonly FirstAnswer[]): Reply
}

/** Serves a built console. A new build is noticed when the app page is next requested. */
export function openStatic(dir: string): StaticFiles {
  const folder = openFolder(dir)
  let documents: Documents | null = null
  let security: OwnHeaders = pageHeaders()
  const refresh = () => {
    if (!folder.refresh(appPage)) return
    documents = folder.has(appPage) ? openDocuments(dir) : null
    security = pageHeaders(documents?.scripts)
  }
  refresh()

  async function file(path: string, wanted: Wanted): Promise<Reply | null> {
    if (path === appPage || !folder.has(path)) return null
    // Names under /assets/ carry a hash of the content; other names stay while the content changes.
    const immutable = path.startsWith('/assets/')
    const reply = await folder.read(path, wanted, !immutable)
    return reply && cachedAs(reply, immutable ? 'max-age=31536000, immutable' : 'no-cache')
  }

  function pageAt(path: string): PageKind | null {
    refresh()
    return documents?.pageAt(path) ?? null
  }

  function visitOf(path: string): Visit | null {
    refresh()
    return documents?.visitOf(path) ?? null
  }

  function page(status: number, visit: Visit | null = null, answers: readonly FirstAnswer[] = []): Reply {
    refresh()
    if (!documents) return notBuilt('console')
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
    return { kind: 'page', security, status, headers, body: documents.text(visit, answers) }
  }
  return { file, pageAt, visitOf, page }
}
