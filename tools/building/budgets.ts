/**
 * `node tools/building/budgets.ts`: how much JavaScript the built console loads, after gzip, against its
 * budgets. 1 kB is 1000 bytes.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { routes } from '@purlin/console/routes'
import { consoleFolder } from './build.ts'
import { lazyChunks, loadedFiles, type Manifest, pageKeys, routeChain } from './bundle.ts'

/** The first visit to a page: `file` is its file in the map of addresses. */
const PAGES = [
  { name: 'sign-in', file: 'features/sign-in/local.tsx', limit: 112_500 },
  { name: 'instances list', file: 'features/instances/list.tsx', limit: 259_700 },
  // Pages with actions and without a form do without the libraries of forms.
  { name: 'disks list', file: 'features/disks/list.tsx', limit: 268_300 },
  { name: 'disks of an instance', file: 'features/instances/storage.tsx', limit: 310_000 },
  { name: 'networks of an instance', file: 'features/instances/networking/page.tsx', limit: 327_000 },
  { name: 'new instance', file: 'features/instances/create/page.tsx', limit: 387_300 },
]
/** The maximum size of a chunk that a visit loads; the terminal is the exception. */
const CHUNK_LIMIT = 60_000
const TERMINAL = /serial|terminal|xterm/i
/** Chunks with a separate budget: each is fetched for one tab. */
const CHUNKS = [
  { name: 'picture of a VPC', file: 'src/features/vpc-topology/Picture.tsx', limit: 25_000 },
  { name: 'screen of an instance', file: 'src/features/instances/screen/Display.tsx', limit: 60_000 },
]

const folder = consoleFolder('production')
const manifestFile = join(folder, '.vite/manifest.json')
if (!existsSync(manifestFile)) {
  console.error('The console is not built with a manifest: run `npm test -- --only budgets`.')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
const weigh = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length
const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
let isOver = false

function row(name: string, bytes: number, limit: number): void {
  const mark = bytes > limit ? '✗' : '✓'
  isOver ||= bytes > limit
  console.log(`${mark} ${name.padEnd(64)} ${kB(bytes).padStart(9)} of ${kB(limit).padStart(9)}`)
}

for (const { name, file, limit } of PAGES) {
  const chain = routeChain(routes, file)
  if (chain.length === 0) {
    isOver = true
    console.log(
      `✗ ${name}: the map of addresses has no ${file}; correct the table in tools/building/budgets.ts`,
    )
    continue
  }
  const files = loadedFiles(manifest, pageKeys(manifest, chain))
  const total = files.reduce((sum, file) => sum + weigh(file), 0)
  row(`${name} (${files.length} files)`, total, limit)
}
for (const { name, file, limit } of CHUNKS) {
  const chunk = manifest[file]
  if (chunk) row(name, weigh(chunk.file), limit)
  else isOver = true
  if (!chunk)
    console.log(`✗ ${name}: the console has no chunk ${file}; correct the table in tools/building/budgets.ts`)
}
const chunks = lazyChunks(manifest)
  .map(([key, file]) => ({ key: key.replace('src/', ''), bytes: weigh(file) }))
  .toSorted((a, b) => b.bytes - a.bytes)
for (const { key, bytes } of chunks.slice(0, 5)) row(key, bytes, TERMINAL.test(key) ? Infinity : CHUNK_LIMIT)
for (const { key, bytes } of chunks.slice(5)) {
  if (bytes > CHUNK_LIMIT && !TERMINAL.test(key)) row(key, bytes, CHUNK_LIMIT)
}
process.exitCode = isOver ? 1 : 0
