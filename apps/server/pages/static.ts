/**
 * The console's files, read by @fastify/send. The folder is listed once, and only listed files are read: the package
 * would follow links and send every type. Small files stay in memory.
 */
import { readdirSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { negotiate } from '@fastify/accept-negotiator'
import send from '@fastify/send'
import type { PageKind } from './console-addresses.ts'
import { openDocuments, type Documents, type FirstAnswer, type Visit } from './document.ts'
import { pageHeaders, type OwnHeaders } from '../http/headers.ts'
import type { Reply } from '../http/reply.ts'

const shownTypes = new Set(
  ['css', 'html', 'js', 'map', 'png', 'sqlite', 'svg', 'txt', 'wasm', 'webp', 'woff', 'woff2'].map(
    (type) => `.${type}`,
  ),
)
// Its table is older than RFC 9239.
send.mime.define({ 'text/javascript': ['js'] }, true)
const extensions: Record<string, string> = { br: '.br', gzip: '.gz' }
const sendOptions = { acceptRanges: false, cacheControl: false, contentType: false, lastModified: false }
const keptInMemory = 1024 * 1024
const appPage = '/index.html'

/** The headers of the browser that matter for a file. */
export interface Wanted {
  acceptEncoding: string | null
  ifNoneMatch: string | null
}

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

/** A file in memory, with its time of change if it must be compared. */
interface CachedFile {
  reply: Reply
  modified: number | undefined
}

/** Serves a built console. A new build is noticed when the app page is next requested. */
export function openStatic(dir: string): StaticFiles {
  const cache = new Map<string, CachedFile>()
  let files = new Set<string>()
  let listed: number | null = null
  let documents: Documents | null = null
  let security: OwnHeaders = pageHeaders()
  const modifiedAt = (name: string) => statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs
  const refresh = () => {
    const made = modifiedAt(appPage) ?? null
    if (made === listed) return
    files = made === null ? new Set() : list(dir)
    documents = made === null ? null : openDocuments(dir)
    security = pageHeaders(documents?.scripts)
    cache.clear()
    listed = made
  }
  refresh()

  /** Null if the file is gone, as while a build replaces it. With `revalidate`, it has an entity tag. */
  async function read(path: string, wanted: Wanted, revalidate: boolean): Promise<Reply | null> {
    const encodings = Object.keys(extensions).filter((token) => files.has(path + extensions[token]))
    const encoding = encodingFor(wanted.acceptEncoding, encodings)
    const name = path + (encoding ? extensions[encoding] : '')
    const modified = revalidate ? modifiedAt(name) : undefined
    const known = cache.get(name)
    const remembered = known && known.modified === modified && answerTo(wanted, known.reply)
    if (remembered) return remembered
    const { type, statusCode, headers, stream } = await send(requestOf(wanted, revalidate), name, {
      ...sendOptions,
      root: dir,
      etag: revalidate,
    })
    if (type !== 'file') return null
    const body = statusCode === 304 ? null : await buffer(stream)
    const mime = send.mime.getType(path) ?? ''
    const reply: Reply = {
      kind: 'page',
      status: statusCode,
      headers: {
        ...(body && { 'content-type': send.isUtf8MimeType(mime) ? `${mime}; charset=utf-8` : mime }),
        ...(body && encoding && { 'content-encoding': encoding }),
        ...(encodings.length > 0 && { vary: 'accept-encoding' }),
        ...(headers['ETag'] !== undefined && { etag: headers['ETag'] }),
      },
      body,
    }
    const isKnownTime = !revalidate || modified !== undefined
    if (body && body.length <= keptInMemory && isKnownTime) cache.set(name, { reply, modified })
    return reply
  }

  async function file(path: string, wanted: Wanted): Promise<Reply | null> {
    if (path === appPage || !files.has(path) || !shownTypes.has(extname(path))) return null
    // Names under /assets/ carry a hash of the content; other names stay while the content changes.
    const immutable = path.startsWith('/assets/')
    const reply = await read(path, wanted, !immutable)
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
    if (!documents) return notBuilt
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
    return { kind: 'page', security, status, headers, body: documents.text(visit, answers) }
  }
  return { file, pageAt, visitOf, page }
}

/** The answer with a file in memory. Undefined if the condition is not simply the file's own entity tag: @fastify/send
 * then judges it. */
function answerTo({ ifNoneMatch }: Wanted, reply: Reply): Reply | undefined {
  const { etag, vary } = reply.headers
  if (etag === undefined || ifNoneMatch === null) return reply
  if (ifNoneMatch !== etag) return undefined
  return { ...reply, status: 304, headers: { etag, ...(vary && { vary }) }, body: null }
}

/** The best of these encodings that an Accept-Encoding header allows, or null. */
export const encodingFor = (header: string | null, encodings: string[]): string | null =>
  negotiate((header ?? '').toLowerCase(), encodings)

const requestOf = ({ ifNoneMatch }: Wanted, revalidate: boolean) =>
  Object.assign(new Readable(), {
    method: 'GET',
    headers: revalidate && ifNoneMatch !== null ? { 'if-none-match': ifNoneMatch } : {},
  })

const cachedAs = (reply: Reply, caching: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'cache-control': caching },
})

const notBuilt: Reply = {
  kind: 'page',
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'The console has not been built.\n\n`npm start` in the root of the repository builds and serves it. The API already answers at /v1.\n',
}

function list(dir: string): Set<string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  // Links are not listed: they may lead anywhere.
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(dir, join(entry.parentPath, entry.name))}`)
  return new Set(paths.filter((path) => !path.includes('/.')))
}
