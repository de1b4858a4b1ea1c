/** A pooler in front of PostgreSQL, for tests. */
import { spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './children.ts'
import { asPlainUser, freePort, isProgram } from './postgres.ts'

/** The program, or undefined where it is not installed. */
export const findPgbouncer = (): string | undefined =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(isProgram)

/** Starts PgBouncer in a pooling mode. `stop` ends it. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<{ url: string; stop: () => void }> {
  const { port: databasePort } = new URL(databaseUrl)
  const port = await freePort()
  const { path: folder } = newFolder()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${databasePort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  )
  const [command = '', ...args] = asPlainUser(folder)([findPgbouncer() ?? '', file])
  chmodSync(folder, 0o755)
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('process up')) resolve()
    })
    child.once('exit', () => reject(new Error(`PgBouncer did not start:\n${said}`)))
  })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: () => void child.kill('SIGINT') }
}
