/** The guide, which the server and the preview show under `/docs`. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { precompress } from '@purlin/server/pages/precompress'
import { fingerprint } from './build.ts'
import { cache, root } from '../repo.ts'

/** The folder that the guide is built into. */
export const guideFolder = join(root, 'apps/guide/dist')
const nextFolder = join(root, 'apps/guide/.cache/next')

const SOURCES = [
  'package-lock.json',
  'apps/guide/**',
  'apps/console/public/theme.js',
  'apps/console/src/styles/tokens.css',
  'apps/server/process/flags.ts',
  'packages/core/faults.ts',
  'packages/core/http/examples.golden.json',
  'tools/building/guide*.ts',
  'docs/guide/**',
  'docs/glossary.md',
  'docs/screens/**',
  'packages/contract/**',
  'tools/openapi*.ts',
]

/** Builds the guide unless its sources are those of the last build. Prints on stderr. Throws if the build fails. */
export async function buildGuide(): Promise<'built' | 'fresh'> {
  const stamp = join(cache, 'guide.stamp')
  const wanted = fingerprint(SOURCES)
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isFresh && existsSync(join(guideFolder, 'index.html'))) return 'fresh'

  console.error('Building the guide …')
  rmSync(stamp, { force: true })
  const { guideParts } = await import('./guide-parts.ts')
  const { buildPages } = await import('@purlin/guide/build')
  await buildPages(guideParts(nextFolder))
  await precompress(nextFolder)
  // A server that is running finds the old guide or the new one, and no half.
  rmSync(guideFolder, { recursive: true, force: true })
  renameSync(nextFolder, guideFolder)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  return 'built'
}
