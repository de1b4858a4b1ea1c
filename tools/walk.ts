/** `npm run walk`: writes the table of what each address of the console shows to each role. */
import { buildConsole } from './building/build.ts'
import { chromiumPackages, ensure, findChromium } from './machine.ts'
import { run } from './testing/run.ts'

await ensure(findChromium, ...chromiumPackages)
await buildConsole('production')
const { code } = await run(
  [
    'playwright',
    'test',
    '--config=e2e/playwright.config.ts',
    '--project=server',
    '--update-snapshots=all',
    'walk/addresses.spec.ts',
  ],
  { stream: true, env: { PURLIN_CHROMIUM: findChromium() } },
)
process.exitCode = code ?? 1
