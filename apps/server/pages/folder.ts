/**
 * A folder of built files, read by @fastify/send. The folder is listed once, and only listed files are read: the package
 * would follow links and send every type. Small files stay in memory.
 */
import { readdirSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { negotiate } from '@fastify/accept-negotiator'
import send from '@fastify/send'
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

/** The headers of the browser that matter for a file. */
export interface Wanted {
  acceptEncoding: string | null
  ifNoneMatch: string | null
}

/** A file in memory, with its time of change if it must be compared. */
interface CachedFile {
  reply: Reply
  modified: number | undefined
}

/** Files by their paths within a folder: `/assets/app.js`. */
export interface Folder {
  /** Lists the folder again if the file with this path has changed. True if it has. */
  refresh(marker: string): boolean
  /** True for a listed file of a type that is shown. */
  has(path: string): boolean
  /** Null if the file is gone, as while a build replaces it. With `revalidate`, it has an entity tag. */
  read(path: string, wanted: Wanted, revalidate: boolean): Promise<Reply | null>
}

/** Opens a folder, which is empty until `refresh` is called. Files of `furtherTypes` are shown too: `.json`. */
export function openFolder(dir: string, furtherTypes: readonly string[] = []): Folder {
  const types = new Set([...shownTypes, ...furtherTypes])
  const cache = new Map<string, CachedFile>()
  let files = new Set<string>()
  let listed: number | null = null
  const modifiedAt = (name: string) => statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs

  function refresh(marker: string): boolean {
    const made = modifiedAt(marker) ?? null
    if (made === listed) return false
    files = made === null ? new Set() : list(dir)
    cache.clear()
    listed = made
    return true
  }

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

  return { refresh, has: (path) => files.has(path) && types.has(extname(path)), read }
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

/** The reply with a rule for caches. */
export const cachedAs = (reply: Reply, caching: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'cache-control': caching },
})

/** The answer where nothing has been built. */
export const notBuilt = (what: string): Reply => ({
  kind: 'page',
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: `The ${what} has not been built.\n\n\`npm start\` in the root of the repository builds and serves it. The API already answers at /v1.\n`,
})

function list(dir: string): Set<string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  // Links are not listed: they may lead anywhere.
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(dir, join(entry.parentPath, entry.name))}`)
  return new Set(paths.filter((path) => !path.includes('/.')))
}
