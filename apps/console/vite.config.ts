import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { groups, pageParts } from './chunks.ts'
import { firstLoad } from './firstLoad.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
// Set by tools/dev.ts.
const server = process.env['PURLIN_DEV_SERVER'] ?? 'http://127.0.0.1:12220'

/** Calls to the control plane pass; the sign-in pages, which share a prefix with calls, stay ours. */
const isPage = (url: string | undefined, accept: string | undefined) =>
  (accept ?? '').includes('text/html') && !url?.startsWith('/v1')

/** The map of addresses is src/routes.ts; tsr.config.json says so to all who write the route tree. */
const routes = () =>
  tanstackRouter({
    autoCodeSplitting: true,
    // Loaders travel with their pages: the first load then holds neither the query cache nor the schemas.
    codeSplittingOptions: {
      defaultBehavior: [[...pageParts], ['errorComponent'], ['notFoundComponent']],
    },
    disableLogging: true,
  })

/** The preview's service worker lies at the root, because only there may it see the calls of every page. */
const previewWorker = (): Plugin => ({
  name: 'preview-worker',
  generateBundle() {
    const source = readFileSync(here('./src/preview/worker.js'), 'utf8')
    this.emitFile({ type: 'asset', fileName: 'preview-worker.js', source })
  },
})

const waits = 'supportsWebCodecsH264Decode = await _checkWebCodecsH264DecodeSupport();'

/**
 * A module that waits at its top level, even one of a single page, splits the files of the first load. The server lets
 * no display send what this one asks the browser about.
 */
const withoutWaiting = (): Plugin => ({
  name: 'without-waiting',
  transform: {
    filter: { id: /@novnc\/novnc\/core\/util\/browser\.js/ },
    handler(code) {
      if (!code.includes(waits))
        throw new Error('@novnc/novnc does not wait as it did: see apps/console/vite.config.ts')
      return { code: code.replace(waits, ''), map: null }
    },
  },
})

/** Two builds of one app: 'production' talks to a server, 'preview' carries the control plane inside. */
export default defineConfig(({ mode }) => ({
  root: here('./'),
  plugins: [
    withoutWaiting(),
    routes(),
    react(),
    tailwindcss(),
    firstLoad(),
    ...(mode === 'preview' ? [previewWorker()] : []),
  ],
  // The packages that verify updates in the preview call these parts of Node.
  resolve: { alias: mode === 'preview' ? { crypto: '@purlin/tuf/web', util: '@purlin/tuf/web' } : {} },
  build: {
    target: 'es2022',
    outDir: mode === 'preview' ? 'dist-preview' : 'dist',
    assetsDir: 'assets',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // A picture inlined as a data address would need a wider content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  optimizeDeps: { exclude: ['@sqlite.org/sqlite-wasm'] },
  server: {
    // The certificate of a server under development is seldom one that Node trusts.
    proxy: {
      '/v1': { target: server, ws: true, secure: false },
      '/docs': { target: server, secure: false },
      '/experimental/v1': { target: server, secure: false },
      '/login': {
        target: server,
        secure: false,
        bypass: (request) => (isPage(request.url, request.headers.accept) ? '/index.html' : undefined),
      },
    },
  },
}))
