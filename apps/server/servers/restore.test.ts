/** A restore in the order that the guide gives: servers end, a backup is restored, servers start, and hosts have gone on. */
import { GiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll, newFolder, startTool } from '../testing/children.ts'
import { closeSledsOfServers, startHostProcess } from '../testing/cluster/hosts.ts'
import { until } from '../testing/faults/site.ts'
import { whyNoPostgres, psql, startPostgres, type Postgres } from '../testing/postgres.ts'
import { serve } from '../testing/process.ts'
import { signIn, type Api } from '../testing/requests.ts'

const query = { project: 'shop' }

/** Runs a command to its end. */
async function run(name: 'backup' | 'restore', args: string[]): Promise<void> {
  const ended = await startTool(name, args).ended
  expect(ended, ended.said).toMatchObject({ code: 0 })
}

async function startInstance(api: Api, name: string): Promise<void> {
  const networkInterfaces = { type: 'none' } as const
  const body = { name, description: '', hostname: name, ncpus: 1, memory: GiB, networkInterfaces }
  await api.instanceCreate({ query, body })
  await untilRunning(api, name)
}

const untilRunning = (api: Api, name: string): Promise<void> =>
  until(`${name} runs`, async () => {
    const { runState } = await api.instanceView({ params: { instance: name }, query })
    return runState === 'running'
  })

describe.skipIf(lacks(whyNoPostgres()))('a backup of PostgreSQL', () => {
  let database: Postgres
  beforeAll(async () => {
    database = await startPostgres()
  })
  afterAll(async () => {
    killAll()
    await database.stop()
  })

  it('is restored while a host goes on, which then runs what the backup knows', async () => {
    const [dataDir, backups, restored] = [newFolder().path, newFolder().path, newFolder().path]
    const before = await serve({ databaseUrl: database.url, folder: dataDir })
    const { api } = await signIn(before.url)
    await closeSledsOfServers(api)
    await startHostProcess(api, { sleds: 1 })
    await api.projectCreate({ body: { name: 'shop', description: '' } })
    await startInstance(api, 'kept')
    await run('backup', ['--to', backups, '--data-dir', dataDir, '--database-url', database.url])
    await startInstance(api, 'late')

    await before.stop()
    await psql(database.url, 'create database restored')
    const databaseUrl = database.url.replace(/[^/]*$/, 'restored')
    await run('restore', ['--from', backups, '--data-dir', restored, '--database-url', databaseUrl])
    const after = await serve({ databaseUrl, folder: restored })
    const { api: again } = await signIn(after.url)
    await untilRunning(again, 'kept')
    const { items } = await again.instanceList({ query })
    expect(items.map(({ name }) => name)).toEqual(['kept'])
    const params = { instance: 'kept' }
    await until('the console answers', async () => {
      const { data } = await again.instanceSerialConsole({ params, query: { ...query, fromStart: 0 } })
      return data.length > 0
    })
    // The host obeys the restored server.
    await startInstance(again, 'new')
    await again.instanceStop({ params, query })
    await until('it has stopped', async () => {
      const { runState } = await again.instanceView({ params, query })
      return runState === 'stopped'
    })
  })
})
