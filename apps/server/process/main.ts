/** The server's process: reads its settings, starts, prints its address, and ends on a signal. */
import { setTimeout as wait } from 'node:timers/promises'
import type { DemoUser } from '@purlin/core/seed'
import { exposure, helpText, readConfig, type Config } from './config.ts'
import { ConfigError } from './config-values.ts'
import { StartError } from './start-errors.ts'
import { firstStart, hasSleds, type FirstAdmin } from '@purlin/core'
import { openLog, type ServerLog } from './log.ts'
import { startServer, type RunningServer } from './server.ts'
import { version } from './version.ts'

/** Runs the server until a signal ends it. Invalid flags end the process with code 2. */
export async function main(argv: string[]): Promise<void> {
  try {
    const command = readConfig(argv, process.env)
    if (command.at === 'help') return console.log(helpText())
    if (command.at === 'version') return console.log(version())
    await run(command.config)
  } catch (error) {
    const isUsage = error instanceof ConfigError
    console.error(`purlin: ${messageOf(error)}${isUsage ? '\nSee --help.' : ''}`)
    process.exit(isUsage ? 2 : 1)
  }
}

async function run(config: Config): Promise<void> {
  // Files written from here on are readable by this user only.
  process.umask(0o077)
  const log = openLog(config.logLevel)
  const warning = exposure(config)
  if (warning !== undefined) log.warn({ host: config.host }, warning)
  const server = await startServer(config, log)
  endOnSignal(server, log)
  // Only after listening: the password is shown once, and must not be lost if the port is in use.
  const demo = config.demo ? await makeDemo(server, config) : []
  const { adminSilo: silo, adminUser: user, adminPassword: password } = config
  const admin = await firstStart(server.plane.world, { silo, user, password })
  server.open()
  const machines = server.machines === undefined ? [] : ['', server.machines]
  console.log([greeting(server.url, admin, demo), ...machines].join('\n'))
}

/** The demonstration, loaded only for those who ask for it. */
async function makeDemo({ plane }: RunningServer, { machines }: Config): Promise<DemoUser[]> {
  if (machines === 'none' && !(await hasSleds(plane.world.engine)))
    throw new StartError('The demo needs a host, and the system has none: leave out --machines none.')
  const [{ demoUsers, seedDemo }, { makeCertificate }, { demoReleases }] = await Promise.all([
    import('@purlin/core/seed'),
    import('@purlin/x509/make'),
    import('./demo-releases.ts'),
  ])
  await seedDemo(plane.world, { makeCertificate, releases: demoReleases() })
  plane.loops.wake('instances')
  plane.loops.wake('samples')
  return demoUsers
}

/** The output on stdout once the server answers. */
export function greeting(url: string, admin: FirstAdmin | null, demo: DemoUser[]): string {
  const lines = [`Purlin is ready at ${url}`]
  if (admin) {
    const secret = admin.oneTimePassword ?? '(the one that was set)'
    lines.push(
      '',
      'This is the first start. Sign in as its administrator:',
      `  address   ${url}/login/${admin.silo}/local`,
    )
    lines.push(`  user      ${admin.user}`, `  password  ${secret}`)
    if (admin.oneTimePassword !== null) lines.push('Keep the password: it is not shown again.')
  }
  if (demo.length > 0) lines.push('', 'Users of the demonstration:', ...demo.map((one) => demoLine(url, one)))
  return lines.join('\n')
}

const demoLine = (url: string, { silo, user, password, role }: DemoUser) =>
  `  ${url}/login/${silo}/local  user ${user}  password ${password}  (${role})`

function endOnSignal(server: RunningServer, log: ServerLog): void {
  let isEnding = false
  const end = async (signal: NodeJS.Signals) => {
    // A second signal ends the process immediately; the database is consistent at any moment.
    if (isEnding) process.exit(signal === 'SIGINT' ? 130 : 143)
    isEnding = true
    log.info({ signal }, 'shutting down')
    await Promise.race([server.stop(), wait(15_000)]).catch((error: unknown) =>
      log.error({ error: messageOf(error) }, 'shutdown failed'),
    )
    await log.flush()
    process.exit()
  }
  process.on('SIGINT', (signal) => void end(signal))
  process.on('SIGTERM', (signal) => void end(signal))
}

function messageOf(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

if (import.meta.main) await main(process.argv.slice(2))
