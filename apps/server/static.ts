/**
 * The console's files. The folder is listed once, and only what is on that list is ever opened, so no
 * path of a request reaches the file system.
 */
import { readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import type { Reply } from './reply.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}
const encodings = [
  { token: 'br', extension: '.br' },
  { token: 'gzip', extension: '.gz' },
] as const
const keptInMemory = 1024 * 1024
const appPage = '/index.html'

interface StaticFile {
  type: string
  etag: string
  variants: { token: string; load: () => Promise<Buffer> }[]
  load: () => Promise<Buffer>
}

/** What the browser sent that matters for a file. */
export interface Wanted {
  acceptEncoding: string | null
  ifNoneMatch: string | null
}

export interface StaticFiles {
  /** The file at a path of the site, or null. */
  file(path: string, wanted: Wanted): Promise<Reply | null>
  /** The app page with a status of the caller's choice. */
  page(status: number, wanted: Wanted): Promise<Reply>
}

/** Serves a built console. A build that is made anew is noticed when the app page is next asked for. */
export function openStatic(dir: string): StaticFiles {
  let files = new Map<string, StaticFile>()
  let listed: number | null = null
  const refresh = () => {
    const made = modified(join(dir, appPage))
    if (made === listed) return
    files = made === null ? new Map() : list(dir)
    listed = made
  }
  refresh()

  async function file(path: string, wanted: Wanted): Promise<Reply | null> {
    const found = path === appPage ? undefined : files.get(path)
    if (!found) return null
    // Names under /assets/ carry a hash of the content; other names stay while the content changes.
    const immutable = path.startsWith('/assets/')
    const caching = immutable ? 'max-age=31536000, immutable' : 'no-cache'
    if (!immutable && wanted.ifNoneMatch === found.etag) return notModified(found.etag)
    const reply = await send(found, wanted)
    return {
      ...reply,
      headers: { ...reply.headers, 'cache-control': caching, ...(immutable ? {} : { etag: found.etag }) },
    }
  }

  async function page(status: number, wanted: Wanted): Promise<Reply> {
    refresh()
    const found = files.get(appPage)
    if (!found) return notBuilt
    const reply = await send(found, wanted)
    return { ...reply, status, headers: { ...reply.headers, 'cache-control': 'no-store' } }
  }
  return { file, page }
}

async function send(file: StaticFile, { acceptEncoding }: Wanted): Promise<Reply> {
  const accepted = acceptedEncodings(acceptEncoding)
  const variant = file.variants.find(({ token }) => accepted.has(token))
  const headers: Record<string, string> = { 'content-type': file.type }
  if (file.variants.length > 0) headers['vary'] = 'accept-encoding'
  if (variant) headers['content-encoding'] = variant.token
  return { kind: 'page', status: 200, headers, body: await (variant ?? file).load() }
}

const notModified = (etag: string): Reply => ({
  kind: 'page',
  status: 304,
  headers: { etag, 'cache-control': 'no-cache' },
  body: null,
})

const notBuilt: Reply = {
  kind: 'page',
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'The console has not been built.\n\n`npm start` in the root of the repository builds and serves it. The API answers at /v1 meanwhile.\n',
}

/** The codings of an Accept-Encoding header that are not ruled out by `q=0`. */
export function acceptedEncodings(header: string | null): Set<string> {
  const parts = (header ?? '').split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  )
  return new Set(
    parts.filter(([token, q = '']) => token !== '' && !/^q=0(\.0*)?$/.test(q)).map(([token = '']) => token),
  )
}

const modified = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null

function list(dir: string): Map<string, StaticFile> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  // Links are no files here: what they lead to may lie anywhere.
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
  const all = new Set(paths)
  const shown = paths.filter(
    (path) => extname(path) in types && !path.split('/').some((part) => part.startsWith('.')),
  )
  return new Map(shown.map((path) => [`/${path}`, describe(dir, path, all)]))
}

function describe(dir: string, path: string, all: Set<string>): StaticFile {
  const { size, mtimeMs } = statSync(join(dir, path))
  const variants = encodings.filter(({ extension }) => all.has(path + extension))
  return {
    type: types[extname(path)] ?? '',
    etag: `W/"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`,
    variants: variants.map(({ token, extension }) => ({ token, load: loader(join(dir, path + extension)) })),
    load: loader(join(dir, path)),
  }
}

function loader(path: string): () => Promise<Buffer> {
  let kept: Buffer | undefined
  return async () => {
    if (kept) return kept
    const data = await readFile(path)
    if (data.length <= keptInMemory) kept = data
    return data
  }
}
