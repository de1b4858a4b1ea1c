/** `npm run screenshots`: takes the pictures in docs/screens from the demo world. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildConsole } from './build.ts'
import { root } from './repo.ts'

await buildConsole('production')
const { status } = spawnSync(process.execPath, [join(root, 'e2e/screenshots.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
