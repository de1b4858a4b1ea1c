/**
 * `npm run preview -- [--port N] [--host ADDRESS]`: the console that carries its own control plane,
 * served as static files. Nothing but the browser runs.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { securityHeaders } from '@purlin/server/http/headers'
import type { Reply } from '@purlin/server/http/reply'
import { isOfGuide, openGuide } from '@purlin/server/pages/guide'
import { openStatic } from '@purlin/server/pages/static'
import { buildConsole, consoleFolder } from './building/build.ts'
import { buildGuide, guideFolder } from './building/guide.ts'
import { readFlags } from './flags.ts'

// As the server sends them; 'wasm-unsafe-eval' is for the database, which is WebAssembly here.
const securityOf = ({ kind, security }: Reply) =>
  securityHeaders(kind, false, security).map((field) =>
    field.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"),
  )
const noReply = (status: number): Reply => ({ kind: 'page', status, headers: {}, body: null })

const { values } = readFlags({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: process.env['PURLIN_PREVIEW_PORT'] ?? '12221' },
  },
})

await Promise.all([buildConsole('preview'), buildGuide()])
const files = openStatic(consoleFolder('preview'))
const guide = openGuide(guideFolder)

/** The file at a path, or else the page that routes in the browser. */
async function answer({ url = '/', method, headers }: IncomingMessage): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') return noReply(405)
  const path = url.split('?', 1)[0] ?? ''
  const wanted = {
    acceptEncoding: headers['accept-encoding']?.toString() ?? null,
    ifNoneMatch: headers['if-none-match'] ?? null,
  }
  if (isOfGuide(path)) return guide.answer(path, wanted)
  const file = await files.file(path, wanted)
  if (file) return file
  return /^\/(assets|v1)\//.test(path) ? noReply(404) : files.page(200, files.visitOf(path))
}

const server = createServer((request, response) => {
  answer(request)
    .then((reply) => {
      const { status, headers, body } = reply
      const length = status === 304 ? [] : ['content-length', String(Buffer.byteLength(body ?? ''))]
      response
        .writeHead(status, [...securityOf(reply), ...Object.entries(headers).flat(), ...length])
        .end(body)
    })
    .catch((error: unknown) => {
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
