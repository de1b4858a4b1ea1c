/** `npm start -- [flags]`: builds console and guide if their sources changed, then runs the server. */
import { buildConsole } from './building/build.ts'
import { buildGuide } from './building/guide.ts'

const args = process.argv.slice(2)
const asksOnly = args.some((arg) => arg === '--help' || arg === '-h' || arg === '--version')
try {
  if (!asksOnly) await Promise.all([buildConsole('production'), buildGuide()])
  const { main } = await import('@purlin/server/process/main')
  await main(args)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
