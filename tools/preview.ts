/**
 * `npm run preview -- [--port N] [--host ADDRESS]`: the console that carries its own control plane,
 * served as static files. Nothing but the browser runs.
 */
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole, consoleFolder } from './build.ts'

const HEADERS = {
  // As the server sends it; 'wasm-unsafe-eval' is for the database, which is WebAssembly here.
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
    "frame-src 'none'; object-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  vary: 'accept-encoding',
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: process.env['PURLIN_PREVIEW_PORT'] ?? '12221' },
  },
})

await buildConsole('preview')
const folder = consoleFolder('preview')
// The whole list is known: only these paths are ever read.
const files = new Set(globSync('**/*.*', { cwd: folder }).map((path) => `/${path}`))

/** The file for a path: itself, or the page that routes in the browser; undefined for neither. */
function fileFor(path: string): string | undefined {
  if (files.has(path)) return path
  return /^\/(assets|v1)\//.test(path) ? undefined : '/index.html'
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = fileFor(new URL(request.url ?? '/', 'http://localhost').pathname)
  if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) {
    response.writeHead(file ? 405 : 404, HEADERS).end()
    return
  }
  const isGzip = files.has(`${file}.gz`) && /\bgzip\b/.test(String(request.headers['accept-encoding']))
  const body = await readFile(join(folder, isGzip ? `${file}.gz` : file))
  response.writeHead(200, {
    ...HEADERS,
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': body.length,
    'cache-control': file.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-store',
    ...(isGzip && { 'content-encoding': 'gzip' }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error)
    response.destroy()
  })
})
server.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
server.listen(Number(values.port), values.host, () => {
  console.log(`Purlin preview on http://${values.host}:${values.port}/`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
