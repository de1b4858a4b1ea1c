import { statSync } from 'node:fs'
import { join } from 'node:path'
import { toBase64 } from '@purlin/contract/wire'
import { GiB, MiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killAll } from '@purlin/server/testing/children'
import { serveKnown } from '@purlin/server/testing/prepared'
import { serve, type ServerProcess } from '@purlin/server/testing/process'
import { ask, clientOf, signIn, type Api } from '@purlin/server/testing/requests'
import { mountVolume, noVolumes, type Volume } from '@purlin/server/testing/volume'
import { lacks } from '@purlin/sleds/testing/skips'

const chunk = 512 * 1024
const query = { project: 'demo' }
const full = {
  status: 507,
  code: 'InsufficientCapacity',
  message: expect.stringContaining('The storage of this control plane is full') as string,
}
const name = (i: number) => `p-${i}`

describe.skipIf(lacks(noVolumes))('a full volume', () => {
  let volume: Volume
  let server: ServerProcess
  let cookie: string
  let api: Api
  beforeEach(async () => {
    volume = mountVolume(256)
    ;({ cookie, api, ...server } = await serveKnown({ folder: volume.path }))
    const reserve = () => statSync(join(volume.path, 'purlin.reserve'), { throwIfNoEntry: false })?.size
    await expect.poll(reserve).toBe(32 * MiB)
  })
  afterEach(async () => {
    await server.stop()
    killAll()
    volume.remove()
  })

  const create = (api: Api, project: string) =>
    api.projectCreate({ body: { name: project, description: 'x'.repeat(500) } })
  const said = (text: string) => server.lines().filter((line) => line.includes(text))

  /**
   * Creates projects until one is refused, and returns their number: the log of the database has separate space until
   * it is moved into the database.
   */
  async function createUntilFull(): Promise<number> {
    for (let made = 0; ; made++) {
      const refused = await create(api, name(made)).then(
        () => null,
        (error: unknown) => error,
      )
      if (refused === null) continue
      expect(refused).toMatchObject(full)
      return made
    }
  }

  async function waitForRoom(): Promise<void> {
    let tries = 0
    const isRefused = async () => {
      const made = await create(api, `again-${tries++}`).catch((error: unknown) => error)
      if (made instanceof Error) expect(made).toMatchObject(full)
      return made instanceof Error
    }
    await expect.poll(isRefused).toBe(false)
  }

  it('is answered 507; deletes, sign-ins and sign-outs work; with space, everything does', async () => {
    volume.fill()
    const made = await createUntilFull()
    expect(await api.projectList({ query: { limit: 1000 } })).toMatchObject({ items: { length: made } })
    expect((await ask(server.url, '/v1/ping')).status).toBe(200)
    for (let i = 0; i < made; i++) await api.projectDelete({ params: { project: name(i) } })
    const other = await signIn(server.url)
    await other.api.logout()
    await expect(other.api.currentUserView({ query: {} })).rejects.toMatchObject({ status: 401 })
    await expect(create(api, 'still-too-many')).rejects.toMatchObject(full)
    volume.empty()
    await waitForRoom()
    // Lines of the log are collected for a moment.
    await expect.poll(() => said('has room again')).toHaveLength(1)
    expect(said('"level":"error"')).toHaveLength(1)
  })

  it('loses no acknowledged write, and a server can be started on it', async () => {
    volume.fill()
    const made = await createUntilFull()
    server.signal('SIGKILL')
    await server.ended
    server = await serve({ folder: volume.path })
    const again = clientOf(server.url, cookie)
    const { items } = await again.projectList({ query: { limit: 1000 } })
    expect(items.map((one) => one.name)).toEqual(Array.from({ length: made }, (_, i) => name(i)).toSorted())
    await expect(create(again, 'one-too-many')).rejects.toMatchObject(full)
  })

  it('stops an import with the same answer, and the room of a deleted disk can be used again', async () => {
    await create(api, 'demo')
    const blank = { type: 'importing_blocks' as const, blockSize: 4096 as const }
    await api.diskCreate({ query, body: { name: 'disk', description: '', size: GiB, diskSource: blank } })
    const disk = { params: { disk: 'disk' }, query }
    await api.diskBulkWriteImportStart(disk)
    const base64EncodedData = toBase64(new Uint8Array(chunk).fill(7))
    const writeAll = async () => {
      for (let offset = 0; offset < GiB; offset += chunk)
        await api.diskBulkWriteImport({ ...disk, body: { offset, base64EncodedData } })
    }
    await expect(writeAll()).rejects.toMatchObject(full)
    await expect(create(api, 'one-too-many')).rejects.toMatchObject(full)
    await api.diskBulkWriteImportStop(disk)
    await api.diskFinalizeImport({ ...disk, body: {} })
    await api.diskDelete(disk)
    await waitForRoom()
  })

  it('is announced once when less than 5 % are free', async () => {
    volume.fill()
    await expect.poll(() => said('less than 5 %')).toHaveLength(1)
    volume.empty()
    await expect.poll(() => said('is free again')).toHaveLength(1)
    expect(said('less than 5 %')).toHaveLength(1)
  })
})
