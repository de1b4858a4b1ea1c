import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GiB, MiB } from '@purlin/contract/rules/limits'
import { toBase64 } from '@purlin/contract/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '@purlin/sleds/testing/skips'
import { killAll, newFolder } from '../testing/children.ts'
import { copyDatabase, whyNoPostgres, startPostgres, type Postgres } from '../testing/postgres.ts'
import { serve, type ServerProcess } from '../testing/process.ts'
import { clientOf, signIn, type Api } from '../testing/requests.ts'

const query = { project: 'demo' }
const named = (name: string) => ({ name, description: '' })
const at = (disk: string) => ({ params: { disk }, query })
const source = { type: 'importing_blocks', blockSize: 512 } as const
const chunk = MiB / 2
const chunks = 8
const unreachable = {
  status: 503,
  message: expect.stringContaining('the bytes of disks are in another data folder') as string,
}

describe.skipIf(lacks(whyNoPostgres()))('the data folders of servers on one PostgreSQL', () => {
  let database: Postgres
  let own: string
  let other: string
  /** With the folder of the database: the one with the rack, and another one. With another folder: the stray. */
  let first: Api
  let second: Api
  let stray: ServerProcess
  let strayApi: Api
  beforeAll(async () => {
    database = await startPostgres()
    own = newFolder().path
    other = newFolder().path
    const databaseUrl = database.url
    const rack = await serve({ databaseUrl, folder: own })
    const { cookie, api } = await signIn(rack.url)
    first = api
    const shared = await serve({ databaseUrl, folder: own })
    second = clientOf(shared.url, cookie)
    stray = await serve({ databaseUrl, folder: other })
    strayApi = clientOf(stray.url, cookie)
    await api.projectCreate({ body: named('demo') })
  })
  afterAll(async () => {
    killAll()
    await database.stop()
  })

  const bytes = (value: number) => new Uint8Array(chunk).fill(value + 1)
  const write = (api: Api, disk: string, i: number) =>
    api.diskBulkWriteImport({
      ...at(disk),
      body: { offset: i * chunk, base64EncodedData: toBase64(bytes(i)) },
    })
  /** The folder of the bytes of this database. */
  const blobs = (folder: string) => {
    const [identity = ''] = readdirSync(join(folder, 'blobs'))
    return join(folder, 'blobs', identity)
  }
  const filesIn = (folder: string) => readdirSync(blobs(folder)).filter((name) => name.endsWith('.data'))

  it('a server on a copy of the database, which knows less, can only read the bytes, and removes none', async () => {
    const make = (name: string) =>
      first.diskCreate({ query, body: { ...named(name), size: GiB, diskSource: source } })
    const upload = async (name: string) => {
      await make(name)
      await first.diskBulkWriteImportStart(at(name))
      await write(first, name, 0)
      await first.diskBulkWriteImportStop(at(name))
    }
    await upload('before')
    await make('waiting')
    const databaseUrl = await copyDatabase(database.url, 'restored')
    await upload('after')
    const held = filesIn(own)
    expect(held).toHaveLength(2)
    const copy = await serve({ databaseUrl, folder: own })
    const said = () => copy.lines().filter((line) => line.includes('--adopt-disks-of'))
    await expect.poll(said).toHaveLength(1)
    const { api } = await signIn(copy.url)
    // Its rows no longer have the layer of this one.
    await api.diskFinalizeImport({ ...at('before'), body: {} })
    await api.diskDelete(at('before'))
    await expect(api.diskBulkWriteImportStart(at('waiting'))).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('of another database') as string,
    })
    await copy.stop()
    expect(filesIn(own)).toEqual(held)
    for (const name of ['before', 'after', 'waiting'])
      await first.diskFinalizeImport({ ...at(name), body: {} })
    for (const name of ['before', 'after', 'waiting']) await first.diskDelete(at(name))
    await expect.poll(() => filesIn(own)).toEqual([])
  })

  it('another folder than that of the database takes no import, with the reason', async () => {
    await first.diskCreate({ query, body: { ...named('disk'), size: GiB, diskSource: source } })
    await expect(strayApi.diskBulkWriteImportStart(at('disk'))).rejects.toMatchObject(unreachable)
    await first.diskBulkWriteImportStart(at('disk'))
    await expect(write(strayApi, 'disk', 0)).rejects.toMatchObject(unreachable)
    await expect(strayApi.diskBulkWriteImportStop(at('disk'))).rejects.toMatchObject(unreachable)
    expect(filesIn(other)).toEqual([])
    const said = () => stray.lines().filter((line) => line.includes('another data folder'))
    await expect.poll(said).toHaveLength(1)
  })

  it('an upload through several servers that share the folder is whole, and its digest is that of its bytes', async () => {
    const all = Array.from({ length: chunks }, (_, i) => write(i % 2 ? first : second, 'disk', i))
    await Promise.all(all)
    await second.diskBulkWriteImportStop(at('disk'))
    await first.diskFinalizeImport({ ...at('disk'), body: { snapshotName: 'snap' } })
    const { id } = await first.snapshotView({ params: { snapshot: 'snap' }, query })
    const body = { ...named('image'), os: '', version: '', source: { type: 'snapshot' as const, id } }
    // The server that cannot read the bytes must not compute their digest.
    await strayApi.imageCreate({ query, body })
    const digest = async () => (await strayApi.imageView({ params: { image: 'image' }, query })).digest
    await expect.poll(digest, { timeout: 60_000, interval: 100 }).not.toBeNull()
    expect(await digest()).toEqual({ type: 'sha256', value: expectedDigest() })
  })

  function expectedDigest(): string {
    const hash = createHash('sha256')
    for (let i = 0; i < chunks; i++) hash.update(bytes(i))
    const zeros = new Uint8Array(MiB)
    for (let left = GiB - chunks * chunk; left > 0; left -= MiB) hash.update(zeros)
    return hash.digest('hex')
  }

  it('a delete through the other folder removes the bytes in their folder, and none of the other', async () => {
    const unknown = '5f3a9e2c-0000-4000-8000-000000000000.data'
    writeFileSync(join(blobs(other), unknown), 'x')
    expect(filesIn(own)).toHaveLength(1)
    await strayApi.imageDelete({ params: { image: 'image' }, query })
    await strayApi.snapshotDelete({ params: { snapshot: 'snap' }, query })
    await strayApi.diskDelete(at('disk'))
    await expect.poll(() => filesIn(own)).toEqual([])
    expect(filesIn(other)).toEqual([unknown])
  })
})
