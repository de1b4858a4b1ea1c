/** Bundles the command line for its package, which is installed without the rest of the repository. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const bundled = ['commander', 'eventsource-parser', 'ws', 'yaml']

/** Writes the bundle into a folder, with the licences of the code in it. */
export async function build(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown({
    input: join(here, 'start.ts'),
    platform: 'node',
    // Optional native parts of ws, which does without them.
    external: ['bufferutil', 'utf-8-validate'],
    treeshake: true,
  })
  await bundle.write({ dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'licenses.txt'), bundled.map(licenseOf).join('\n\n'))
}

const licenseOf = (name: string): string =>
  `${name}\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`

if (import.meta.main) await build(join(here, 'dist'))
