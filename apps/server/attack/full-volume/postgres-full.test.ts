import { chmodSync } from 'node:fs'
import { MiB } from '@purlin/contract/rules/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll, newFolder } from '@purlin/server/testing/children'
import { whyNoPostgres, startPostgres, type Postgres } from '@purlin/server/testing/postgres'
import { serve, type ServerProcess } from '@purlin/server/testing/process'
import { ask, clientOf, signIn, type Api } from '@purlin/server/testing/requests'
import { mountVolume, noVolumes, type Volume } from '@purlin/server/testing/volume'
import { lacks } from '@purlin/sleds/testing/skips'

const full = { status: 507, code: 'InsufficientCapacity' }
const query = { project: 'demo' }

describe.skipIf(lacks(noVolumes ?? whyNoPostgres()))(
  'two servers on a PostgreSQL whose volume is full',
  () => {
    let volume: Volume
    let database: Postgres
    let servers: ServerProcess[]
    let apis: Api[]
    /** Before the servers were started. */
    let free: number
    beforeAll(async () => {
      volume = mountVolume(400)
      chmodSync(volume.path, 0o755)
      database = await startPostgres({ parent: volume.path })
      free = volume.free()
      const folder = newFolder().path
      const start = () => serve({ databaseUrl: database.url, folder })
      servers = [await start(), await start()]
      const { cookie } = await signIn(servers[0]!.url)
      apis = servers.map(({ url }) => clientOf(url, cookie))
      await first().projectCreate({ body: { name: 'demo', description: '' } })
    })
    afterAll(async () => {
      killAll()
      await database.stop()
      volume.remove()
    })

    const [first, second] = [0, 1].map((i) => () => apis[i]!) as [() => Api, () => Api]
    const create = (api: Api, name: string) =>
      api.projectCreate({ body: { name, description: 'x'.repeat(500) } })
    const said = (text: string) =>
      servers.map((one) => one.lines().filter((line) => line.includes(text)).length)

    it('refuse what takes room, and delete, stop and sign in with the room that they hold', async () => {
      const body = { name: 'web', description: '', hostname: 'web', ncpus: 1, memory: 2 ** 30 }
      await first().instanceCreate({ query, body: { ...body, networkInterfaces: { type: 'none' } } })
      const web = { params: { instance: 'web' }, query }
      const state = async () => (await first().instanceView(web)).runState
      await expect.poll(state).toBe('running')
      // Each holds three segments of the log of the database.
      await expect.poll(() => free - volume.free()).toBeGreaterThan(2 * 48 * MiB)
      volume.fill()
      let made = 0
      const isRefused = async () => {
        const error: unknown = await create(first(), `p-${made}`).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        if (error === undefined) made++
        else expect(error).toMatchObject(full)
        return error !== undefined
      }
      while (!(await isRefused()));
      // The room that was held is free for what is allowed from here on.
      expect(volume.free()).toBeGreaterThan(32 * MiB)
      // The other one knows it by then, or finds out.
      await expect.poll(() => create(second(), 'other').catch((error: unknown) => error)).toMatchObject(full)
      for (let i = 0; i < made; i++)
        await (i % 2 ? second() : first()).projectDelete({ params: { project: `p-${i}` } })
      await second().instanceStop(web)
      await expect.poll(state).toBe('stopped')
      const { api } = await signIn(servers[1]!.url)
      await api.logout()
      expect((await ask(servers[0]!.url, '/v1/ping')).status).toBe(200)
      await expect(create(first(), 'still-too-many')).rejects.toMatchObject(full)
      expect(said('the volume of the database is full')).toEqual([1, 1])

      volume.empty()
      for (const api of apis) {
        let tries = 0
        const isDone = () =>
          create(api, `again-${apis.indexOf(api)}-${tries++}`).then(
            () => true,
            () => false,
          )
        await expect.poll(isDone).toBe(true)
      }
      await expect.poll(() => said('the volume of the database has room again')).toEqual([1, 1])
    })
  },
)
