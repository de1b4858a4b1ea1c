/**
 * `npm run cluster`: two servers on one PostgreSQL and two hosts with simulated sleds, as processes of this machine, for trying.
 * Everything ends with it, and nothing is kept.
 */
import { join } from 'node:path'
import { killAll, newFolder } from '@purlin/server/testing/children'
import { closeSledsOfServers, startHostProcess } from '@purlin/server/testing/cluster/hosts'
import { startPostgres } from '@purlin/server/testing/postgres'
import { admin, serve } from '@purlin/server/testing/process'
import { signIn } from '@purlin/server/testing/requests'

const sleds = 2

const database = await startPostgres()
const folder = newFolder()
const how = { databaseUrl: database.url, folder: join(folder.path, 'servers') }
const servers = [await serve(how), await serve(how)]
const { api } = await signIn(servers[0]?.url ?? '')
await closeSledsOfServers(api)
for (let hosts = 0; hosts < 2; hosts++) await startHostProcess(api, { sleds })

console.log(
  [
    'Two servers, which share two hosts:',
    ...servers.map(({ url, pid }) => `  ${url}/login/${admin.silo}/local  process ${pid}`),
    `  user ${admin.user}  password ${admin.password}`,
    'Freeze or end one of the processes, and the other one drives the hosts within five seconds.',
  ].join('\n'),
)
process.once('SIGINT', () => void end())
process.once('SIGTERM', () => void end())

async function end(): Promise<void> {
  killAll()
  await database.stop()
  folder.remove()
  process.exit()
}
