/** `npm run screenshots [-- NAME …]`: takes the pictures in docs/screens, or the named ones, from the demo world. */
import { activityPanel, inForcedColours, pictured } from '@purlin/e2e/screens'
import { buildConsole } from './building/build.ts'
import { chromiumPackages, ensure, findChromium } from './machine.ts'
import { run } from './testing/run.ts'

const names = process.argv.slice(2)
const known = [...[...pictured, ...inForcedColours].map(([name]) => name), activityPanel]
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length) {
  console.error(`There is no screen ${unknown.join(', ')}. The screens are: ${known.join(', ')}`)
  process.exit(2)
}

await ensure(findChromium, ...chromiumPackages)
await buildConsole('production')
const command = ['playwright', 'test', '--config=e2e/screens/playwright.config.ts']
if (names.length) command.push(`--grep= (${names.join('|')})$`)
const { code } = await run(command, { stream: true, env: { PURLIN_CHROMIUM: findChromium() } })
process.exitCode = code ?? 1
