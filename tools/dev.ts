/**
 * `npm run dev -- [server flags]`: the server, started again when its code changes, and the console
 * with hot reload in front of it. PURLIN_DEV_PORT sets the port of the console (12222).
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { originOf, readConfig } from '@purlin/server/process/config'
import { createServer } from 'vite'
import { buildGuide } from './building/guide.ts'
import { bin, env, root } from './repo.ts'

const args = process.argv.slice(2)
process.env['PURLIN_DEV_SERVER'] = addressOfServer()
const server = spawn(bin('node'), ['--watch', 'apps/server/process/main.ts', ...args], {
  cwd: root,
  env,
  stdio: 'inherit',
})
await buildGuide()
// The console's own configuration sends what is not a page on to the server.
const vite = await createServer({
  root: join(root, 'apps/console'),
  clearScreen: false,
  server: { host: '127.0.0.1', port: Number(process.env['PURLIN_DEV_PORT'] ?? 12_222) },
})

let isEnding = false
const end = async (code: number) => {
  if (isEnding) return
  isEnding = true
  server.kill('SIGTERM')
  await vite.close()
  process.exit(code)
}
process.on('SIGINT', () => void end(0))
process.on('SIGTERM', () => void end(0))
server.on('exit', (code) => void end(code ?? 1))
await vite.listen()
vite.printUrls()

/** Where the server will be found. Ends the process if the flags do not say so. */
function addressOfServer(): string {
  try {
    const command = readConfig(args, process.env)
    // The server prints its help or version, and ends.
    if (command.at !== 'run') return ''
    if (command.config.port === 0) throw new Error('--port: the console must know it, so it cannot be 0 here')
    return originOf(command.config, command.config.port)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(2)
  }
}
