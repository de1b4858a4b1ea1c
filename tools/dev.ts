/**
 * `npm run dev -- [server flags]`: the server, started again when its code changes, and the console
 * with hot reload in front of it. PURLIN_DEV_PORT sets the port of the console (12222).
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'
import { bin, env, root } from './repo.ts'

const server = spawn(bin('node'), ['--watch', 'apps/server/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: 'inherit',
})
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
