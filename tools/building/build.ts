import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { precompress } from '@purlin/server/pages/precompress'
import { writeFirstLoads } from './first-load.ts'
import { bin, cache, env, root } from '../repo.ts'

/** The two consoles: `production` talks to a server, `preview` carries the control plane itself. */
export type ConsoleMode = 'production' | 'preview'

const CONSOLE = join(root, 'apps/console')
const COMMON = [
  'package-lock.json',
  'tsconfig.base.json',
  'apps/console/**',
  'packages/contract/**',
  'packages/x509/**',
]
const SOURCES: Record<ConsoleMode, string[]> = {
  production: COMMON,
  preview: [
    ...COMMON,
    'packages/core/**',
    'packages/databases/**',
    'packages/sleds/**',
    'packages/tuf/**',
    'packages/factors/**',
  ],
}
/** Folders that are made, not written, and files that no build reads. */
const NOT_SOURCE =
  /(^|\/)(node_modules|dist|dist-preview|\.cache|\.tanstack)(\/|$)|\.test\.tsx?$|routeTree\.gen\.ts$/

/** The folder that a mode is built into. */
export const consoleFolder = (mode: ConsoleMode) =>
  join(CONSOLE, mode === 'production' ? 'dist' : 'dist-preview')

/**
 * Builds the console unless its sources are those of the last build. Big text files also get a `.gz`. Prints on
 * stderr. Throws if the build fails.
 */
export async function buildConsole(mode: ConsoleMode): Promise<'built' | 'fresh'> {
  const folder = consoleFolder(mode)
  const stamp = join(cache, `console-${mode}.stamp`)
  const wanted = fingerprint(SOURCES[mode])
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isFresh && existsSync(join(folder, 'index.html'))) return 'fresh'

  console.error(`Building the console (${mode}) …`)
  rmSync(stamp, { force: true })
  const args = ['build', '--mode', mode, '--outDir', folder, '--emptyOutDir', '--manifest']
  // Node's own default, whatever the shell says: a console built for development is three times as big.
  const vite = spawn(bin('vite'), [...args, '--logLevel', 'warn'], {
    cwd: CONSOLE,
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  })
  const [status] = (await once(vite, 'close')) as [number | null]
  if (status !== 0) throw new Error(`The console did not build (${mode}).`)
  writeFirstLoads(folder)
  if (mode === 'preview') await writeDemo(folder)
  await precompress(folder)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  return 'built'
}

/** The database that the preview opens. Its code is loaded only here, because the production build does not depend on it. */
async function writeDemo(folder: string): Promise<void> {
  const { demoFile, makeDemo } = await import('@purlin/console/preview/demo')
  const { demoReleases } = await import('@purlin/server/process/demo-releases')
  writeFileSync(join(folder, demoFile), await makeDemo(demoReleases()))
}

/** One hash over the paths and contents of all files that the patterns match. */
export function fingerprint(patterns: string[], cwd = root): string {
  const hash = createHash('sha256')
  const skip = ({ name, parentPath }: { name: string; parentPath: string }) =>
    NOT_SOURCE.test(join(parentPath, name).slice(cwd.length + 1))
  const entries = globSync(patterns, { cwd, withFileTypes: true, exclude: skip })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.toSorted()) {
    hash
      .update(`${file.slice(cwd.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}
