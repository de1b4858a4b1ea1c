/**
 * `npm run cluster [-- --port 12220] [-- FLAGS]`: two servers without a host on one PostgreSQL, two hosts with simulated sleds, and a proxy that
 * sends each request to another server, as processes of this machine, for trying. All flags but `--port`, which is
 * the proxy's, are those of both servers. Everything ends with it, and nothing is kept.
 */
import { join } from 'node:path'
import { demoUsers } from '@purlin/core/seed'
import { listenProblem } from '@purlin/server/http/listening'
import { readConfig, type Config } from '@purlin/server/process/config'
import { ConfigError } from '@purlin/server/process/config-values'
import { killAll, newFolder } from '@purlin/server/testing/children'
import { startHostProcess } from '@purlin/server/testing/cluster/hosts'
import { startProxy } from '@purlin/server/testing/cluster/proxy'
import { findPostgres, startPostgres } from '@purlin/server/testing/postgres'
import { admin, serve, type ServerProcess } from '@purlin/server/testing/process'
import { signIn } from '@purlin/server/testing/requests'

const sleds = 2

// The log of requests would bury what is printed here. Of a flag that is given twice, the last one counts.
const given = ['--log-level', 'warn', '--machines', 'none', ...process.argv.slice(2)]
const config = configOf()
if (!findPostgres()) fail('PostgreSQL is not installed: apt-get install postgresql')
const { adminSilo: silo, adminUser: user, adminPassword: password = admin.password, demo } = config
const servers: ServerProcess[] = []
const urls = () => servers.map(({ url }) => url)
const proxy = await startProxy(urls, config.port).catch((error: unknown) =>
  fail(listenProblem(error, { host: '127.0.0.1', port: config.port, flag: '--port' })),
)
const database = await startPostgres()
const folder = newFolder()
process.once('SIGINT', () => void end())
process.once('SIGTERM', () => void end())

const args = [...given, '--port', '0', '--behind-proxy']
const how = { databaseUrl: database.url, folder: join(folder.path, 'servers'), args, showsLog: true }
const inside = { ...how, args: args.filter((flag) => flag !== '--demo') }
servers.push(await serve(inside))
const { api } = await signIn(proxy.url, { silo, user, password })
for (let hosts = 0; hosts < 2; hosts++) await startHostProcess(api, { sleds })
const first = { silo, user, password }
const operator = (demo && demoUsers.find(({ role }) => role === 'fleet admin')) || first
// The demo begins with hosts, so that its instances are on those, which every server reaches.
if (demo) await servers.pop()?.stop()
while (servers.length < 2) servers.push(await serve(how))
if (operator !== first) await deleteSilo()
console.log(
  [
    `Purlin is ready at ${proxy.url}, a proxy in front of two servers, which share two hosts:`,
    ...servers.map(({ url, pid }) => `  ${url}  process ${pid}`),
    `  ${proxy.url}/login/${operator.silo}/local  user ${operator.user}  password ${operator.password}`,
    'Freeze or end one of the processes, and the other one drives the hosts within five seconds.',
  ].join('\n'),
)

/** The administrator who has added the hosts is not of the demo. */
async function deleteSilo(): Promise<void> {
  const { api: asOperator } = await signIn(proxy.url, operator)
  await asOperator.siloDelete({ params: { silo } })
}

function configOf(): Config {
  try {
    const read = readConfig(given, {})
    if (read.at === 'run') return read.config
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message)
    throw error
  }
  return fail('The flags are those of npm start')
}

function fail(why: string): never {
  console.error(why)
  process.exit(2)
}

async function end(): Promise<void> {
  proxy.close()
  killAll()
  await database.stop()
  folder.remove()
  process.exit()
}
