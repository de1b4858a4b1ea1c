/**
 * `npm run cluster`: two servers on one PostgreSQL and two hosts with simulated sleds, as processes of this machine, for trying.
 * Everything ends with it, and nothing is kept.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killAll, newFolder, startChild } from '@purlin/server/testing/children'
import { startPostgres } from '@purlin/server/testing/postgres'
import { admin, serve } from '@purlin/server/testing/process'
import { signIn, type Api } from '@purlin/server/testing/requests'

const hostProgram = fileURLToPath(new URL('host.ts', import.meta.url))
const sleds = 2
const lookMs = 200

const database = await startPostgres()
const folder = newFolder()
const how = { databaseUrl: database.url, folder: join(folder.path, 'servers') }
const servers = [await serve(how), await serve(how)]
const { api } = await signIn(servers[0]?.url ?? '')
// Sleds inside of a server would end with it.
for (const { id: sledId } of (await api.sledList({ query: {} })).items)
  await api.sledSetProvisionPolicy({ params: { sledId }, body: { state: 'non_provisionable' } })
for (const name of ['one', 'two']) await addHost(api, name)

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

/** Starts a host that joins, and adds its sleds once they wait for it. */
async function addHost(through: Api, name: string): Promise<void> {
  const { code } = await through.hostJoinCodeCreate({ body: {} })
  const place = ['--data-dir', join(folder.path, name), '--listen', '127.0.0.1:0']
  startChild(hostProgram, { args: ['--simulated', String(sleds), '--join', code, ...place] })
  for (let added = 0; added < sleds;) {
    for (const { baseboard } of (await through.sledListUninitialized({ query: {} })).items) {
      await through.sledAdd({ body: { part: baseboard.part, serial: baseboard.serial } })
      added++
    }
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}
