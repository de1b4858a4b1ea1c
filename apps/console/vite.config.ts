import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { groups, pageParts } from './chunks.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = 'http://127.0.0.1:12220'

/** Calls to the control plane pass; the sign-in pages, which share a prefix with calls, stay ours. */
const isPage = (url: string | undefined, accept: string | undefined) =>
  (accept ?? '').includes('text/html') && !url?.startsWith('/v1')

const routes = () =>
  tanstackRouter({
    target: 'react',
    autoCodeSplitting: true,
    // Loaders travel with their pages: the first load then holds neither the query cache nor the schemas.
    codeSplittingOptions: {
      defaultBehavior: [[...pageParts], ['errorComponent'], ['notFoundComponent']],
    },
    routesDirectory: here('./src/routes'),
    generatedRouteTree: here('./src/routeTree.gen.ts'),
    routeFileIgnorePrefix: '-',
    disableLogging: true,
  })

/** Two builds of one app: 'production' talks to a server, 'preview' carries the control plane inside. */
export default defineConfig(({ mode }) => ({
  root: here('./'),
  plugins: [...(existsSync(here('./src/routes')) ? [routes()] : []), react(), tailwindcss()],
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
    proxy: {
      '/v1': { target: server, ws: true },
      '/login': {
        target: server,
        bypass: (request) => (isPage(request.url, request.headers.accept) ? '/index.html' : undefined),
      },
    },
  },
}))
