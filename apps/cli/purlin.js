#!/usr/bin/env node
// In the repository the sources run as they are; the package has a bundle of them.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

if (parseInt(process.versions.node) < 24) {
  console.error(`purlin needs Node.js 24 or newer; this is ${process.version}.`)
  process.exit(1)
}
enableCompileCache()
const source = new URL('start.ts', import.meta.url)
const { start } = await import(
  existsSync(source) ? source.href : new URL('dist/start.js', import.meta.url).href
)
await start()
