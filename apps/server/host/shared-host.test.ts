import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { startHost } from './host.ts'
import { readHostConfig } from './host-flags.ts'
import { killAll, newFolder } from '../testing/children.ts'
import { whyNoPostgres, startPostgres, type Postgres } from '../testing/postgres.ts'
import { serve, type ServerProcess } from '../testing/process.ts'
import { ask, clientOf, signIn, type Api } from '../testing/requests.ts'

const patient = { timeout: 60_000, interval: 50 }
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const query = { project: 'shared' }

describe.skipIf(lacks(whyNoPostgres()))('servers that share a host', () => {
  let database: Postgres
  let first: ServerProcess
  let second: ServerProcess
  let cookie: string
  /** Through the first server, which drives the host, and through the second. */
  let api: Api
  let other: Api
  let host: Awaited<ReturnType<typeof startHost>>
  const folder = newFolder()
  beforeAll(async () => {
    database = await startPostgres()
    const how = { databaseUrl: database.url, folder: join(folder.path, 'server') }
    first = await serve(how)
    second = await serve(how)
    ;({ api, cookie } = await signIn(first.url))
    other = clientOf(second.url, cookie)
    const { code } = await api.hostJoinCodeCreate({ body: {} })
    const place = ['--simulated', '1', '--data-dir', join(folder.path, 'host'), '--listen', '127.0.0.1:0']
    const config = readHostConfig([...place, '--join', code])
    if (!config) throw new Error('these flags ask for help')
    host = await startHost(config, log)
    const waiting = async () => (await api.sledListUninitialized({ query: {} })).items
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), patient)
    const [{ baseboard } = { baseboard: { part: '', serial: '' } }] = await waiting()
    const { id } = await api.sledAdd({ body: { part: baseboard.part, serial: baseboard.serial } })
    // Only its sled takes instances.
    for (const sled of (await api.sledList({ query: {} })).items)
      if (sled.id !== id)
        await api.sledSetProvisionPolicy({
          params: { sledId: sled.id },
          body: { state: 'non_provisionable' },
        })
    await api.projectCreate({ body: { name: 'shared', description: '' } })
  })
  afterAll(async () => {
    killAll()
    await host.stop()
    await database.stop()
    folder.remove()
  })

  it('they say at the start what becomes of their hosts inside if they end', () => {
    for (const { said } of [first, second])
      expect(said()).toMatch(
        /simulated.*If this server ends, its simulated machines end with it.*--machines none and hosts that join/,
      )
  })

  const make = (through: Api, name: string) =>
    through.instanceCreate({
      query,
      body: {
        name,
        description: '',
        hostname: name,
        ncpus: 1,
        memory: 2 ** 30,
        networkInterfaces: { type: 'none' },
      },
    })
  const stateOf = async (through: Api, instance: string) =>
    (await through.instanceView({ params: { instance }, query })).runState
  const until = (through: Api, instance: string, state: string) =>
    vi.waitFor(async () => expect(await stateOf(through, instance)).toBe(state), patient)
  const consoleAt = ({ url }: ServerProcess) =>
    ask(url, '/v1/instances/web/serial-console?project=shared&most_recent=10', { headers: { cookie } })

  it('open its consoles on every one of them', async () => {
    await make(other, 'web')
    await until(other, 'web', 'running')
    for (const server of [first, second]) expect((await consoleAt(server)).status).toBe(200)
  })

  it('take it over from one that freezes, with its machines, and the frozen one does no harm when it continues', async () => {
    first.signal('SIGSTOP')
    await make(other, 'late')
    await until(other, 'late', 'running')
    first.signal('SIGCONT')
    await api.instanceStop({ params: { instance: 'late' }, query })
    await until(api, 'late', 'stopped')
    const web = await api.instanceView({ params: { instance: 'web' }, query })
    expect(web).toMatchObject({ runState: 'running', timeLastAutoRestarted: null })
    const errors = [first, second].flatMap((one) =>
      one.lines().filter((line) => line.includes('"level":"error"')),
    )
    expect(errors).toEqual([])
  })
})
