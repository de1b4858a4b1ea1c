/** The guide under `/docs`, which everyone may read. */
import { cachedAs, notBuilt, openFolder, type Wanted } from './folder.ts'
import type { Reply } from '../http/reply.ts'

const base = '/docs'
const firstPage = '/index.html'
const missingPage = '/not-found.html'

/** True for the addresses of the guide. */
export const isOfGuide = (path: string): boolean => path === base || path.startsWith(`${base}/`)

/** Answers for the addresses of the guide. */
export interface Guide {
  /** The page or file; the guide's own page with 404 if there is none. */
  answer(path: string, wanted: Wanted): Promise<Reply>
}

/** Serves a built guide. A new build is noticed with the next request. */
export function openGuide(dir: string): Guide {
  const folder = openFolder(dir, ['.json'])

  async function answer(path: string, wanted: Wanted): Promise<Reply> {
    folder.refresh(firstPage)
    if (!folder.has(firstPage)) return notBuilt('guide')
    const name = path.slice(base.length).replace(/\/$/, '')
    const file = name === '' ? firstPage : folder.has(name) ? name : `${name}.html`
    const found = folder.has(file) ? await folder.read(file, wanted, true) : null
    if (found) return cachedAs(found, 'no-cache')
    const missing = await folder.read(missingPage, { ...wanted, ifNoneMatch: null }, true)
    return missing ? { ...cachedAs(missing, 'no-store'), status: 404 } : notBuilt('guide')
  }
  return { answer }
}
