/** `npm start -- [flags]`: builds the console if its sources changed, then runs the server. */
import { buildConsole } from './building/build.ts'

const args = process.argv.slice(2)
const asksOnly = args.some((arg) => arg === '--help' || arg === '-h' || arg === '--version')
try {
  if (!asksOnly) await buildConsole('production')
  const { main } = await import('@purlin/server/process/main')
  await main(args)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
