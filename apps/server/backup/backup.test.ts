import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { GiB, MiB } from '@purlin/contract/rules/limits'
import { toBase64 } from '@purlin/contract/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killAll, newFolder, startTool, type StartedTool, type ToolRun } from '../testing/children.ts'
import { makeLoadProject, startDiskLoad } from '../testing/disk-load.ts'
import { findPostgres, psql, startPostgres, type Postgres } from '../testing/postgres.ts'
import type { Known } from '../testing/prepared.ts'
import { runProgram, serve, type ServerProcess } from '../testing/process.ts'
import { ask, signIn, type Api } from '../testing/requests.ts'

const query = { project: 'load' }
const at = (disk: string) => ({ params: { disk }, query })
const chunk = MiB / 2

/** Makes a disk with bytes in some places. */
async function upload(api: Api, name: string, chunks: readonly Uint8Array[]): Promise<void> {
  const diskSource = { type: 'importing_blocks', blockSize: 512 } as const
  await api.diskCreate({ query, body: { name, description: '', size: GiB, diskSource } })
  await api.diskBulkWriteImportStart(at(name))
  for (const [i, bytes] of chunks.entries())
    await api.diskBulkWriteImport({
      ...at(name),
      body: { offset: i * 8 * MiB, base64EncodedData: toBase64(bytes) },
    })
  await api.diskBulkWriteImportStop(at(name))
}
async function remove(api: Api, name: string): Promise<void> {
  await api.diskFinalizeImport({ ...at(name), body: {} })
  await api.diskDelete(at(name))
}

/** Kills a command once a condition on its files holds. Returns how it ended. */
async function killOnce(started: StartedTool, folder: string, condition: () => boolean): Promise<ToolRun> {
  const watcher = watch(folder, { recursive: true }, () => condition() && started.kill())
  try {
    return await started.ended
  } finally {
    watcher.close()
  }
}

const digestOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Every file of a data folder that is not the server's while it runs, with the digest of its bytes. */
function filesOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const isOther = /^purlin\.|\/database$|\/aside\//
  const files = paths.filter((path) => !isOther.test(path) && statSync(join(folder, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, digestOf(readFileSync(join(folder, path)))]))
}

/** Runs a query on either database. The rows have one column, of text. */
async function textsOf({ folder, url }: Place, sql: string): Promise<string[]> {
  if (url !== undefined) return psql(url, sql)
  const db = new DatabaseSync(join(folder, 'purlin.db'))
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]))
  } finally {
    db.close()
  }
}
interface Place {
  folder: string
  url: string | undefined
}

/** All rows of each table, as a digest. The lease of the backup itself is left out. */
async function rowsOf(place: Place): Promise<Record<string, string>> {
  const tables = await textsOf(
    place,
    place.url === undefined
      ? `select name from sqlite_master where type = 'table'`
      : `select table_name from information_schema.tables where table_schema = 'public'`,
  )
  const found = (table: string) => `"${table}" one${table === 'lease' ? ` where name <> 'backup'` : ''}`
  if (place.url !== undefined) {
    const all = tables.map(
      (
        table,
      ) => `select '${table} ' || count(*) || ' ' || coalesce(md5(string_agg(one::text, ',' order by one::text)), '')
        from (select one::text from ${found(table)}) one`,
    )
    return Object.fromEntries((await psql(place.url, all.join(' union all '))).map((row) => [row, '']))
  }
  const db = new DatabaseSync(join(place.folder, 'purlin.db'))
  try {
    return Object.fromEntries(
      tables.map((table) => {
        const hash = createHash('sha256')
        for (const row of db.prepare(`select * from ${found(table)}`).iterate())
          hash.update(JSON.stringify(row))
        return [table, hash.digest('hex')]
      }),
    )
  } finally {
    db.close()
  }
}

const engines = ['sqlite', ...(findPostgres() ? ['postgres'] : [])]

// They start many processes: this ends those that hang.
describe.each(engines)('backups of a server on %s', { timeout: 300_000 }, (engine) => {
  let database: Postgres | undefined
  let dataDir: string
  let to: string
  let server: ServerProcess
  let known: Known
  let restores = 0
  const databaseArgs = (url: string | undefined) => (url === undefined ? [] : ['--database-url', url])
  const backup = (...more: string[]) =>
    startTool('backup', ['--to', to, '--data-dir', dataDir, ...databaseArgs(database?.url), ...more])
  const ids = () => (existsSync(join(to, 'backups')) ? readdirSync(join(to, 'backups')).toSorted() : [])
  /** An empty data folder, and an empty database for PostgreSQL. */
  async function fresh(): Promise<{ place: Place; args: string[] }> {
    const name = `restored${restores++}`
    if (database) await psql(database.url, `create database ${name}`)
    const url = database?.url.replace(/[^/]*$/, name)
    const { path: folder } = newFolder()
    return { place: { folder, url }, args: ['--data-dir', folder, ...databaseArgs(url)] }
  }
  const startServer = async () => {
    server = await serve({ folder: dataDir, databaseUrl: database?.url })
  }

  beforeAll(async () => {
    database = engine === 'postgres' ? await startPostgres() : undefined
    dataDir = newFolder().path
    to = newFolder().path
    await startServer()
    known = await makeLoadProject(server.url)
    const bytes = [randomBytes(chunk), new Uint8Array(chunk), randomBytes(chunk)]
    for (const name of ['first', 'second', 'third']) await upload(known.api, name, bytes)
    await known.api.diskFinalizeImport({ ...at('first'), body: { snapshotName: 'first' } })
    const release = { fileName: 'release.zip', size: 2 * MiB }
    const { id: uploadId } = await known.api.systemUpdateUploadCreate({ body: release })
    const part = await ask(server.url, `/v1/system/update/uploads/${uploadId}/part?offset=0`, {
      method: 'PUT',
      headers: { cookie: known.cookie, 'content-type': 'application/octet-stream' },
      body: randomBytes(MiB),
    })
    expect(part.status).toBe(200)
  })
  afterAll(async () => {
    killAll()
    await database?.stop()
  })

  it('a backup during writes has all that was answered before it, and every byte that its rows name', async () => {
    const load = startDiskLoad(server.url, { cookie: known.cookie, prefix: 'load', writers: 2 })
    const churn = { isStopped: false }
    const churning = (async () => {
      for (let i = 0; !churn.isStopped; i++) {
        await upload(known.api, `churn-${i}`, [new Uint8Array(chunk).fill(i + 1)])
        await remove(known.api, `churn-${i}`)
      }
    })()
    await load.nextSuccess()
    const before = [...load.account.acknowledged]
    const { code, said } = await backup().ended
    churn.isStopped = true
    await Promise.all([load.stop(), churning])
    expect(load.account.wrong).toEqual([])
    expect(code, said).toBe(0)
    // All files of the data folder are known, and none is missing.
    expect(said).toMatch(/^Backup \S+ is in \S+ \d+ rows, \d+ files, \d+ bytes, of which \d+ are new\.\n$/)
    const { place, args } = await fresh()
    const restored = await startTool('restore', ['--from', to, ...args]).ended
    expect(restored, restored.said).toEqual({
      code: 0,
      said: expect.stringMatching(/^Backup \S+ is restored in .*\n {2}made .*\n {2}rows .*\n {2}bytes .*\n$/),
    })
    const disks = await textsOf(place, 'select name from disk')
    expect(before.filter((name) => !disks.includes(name))).toEqual([])
    const layers = await textsOf(place, 'select id from layer where "hasBytes" = 1')
    const files = Object.keys(filesOf(place.folder)).join()
    expect(layers.filter((id) => !files.includes(`/${id}.data`))).toEqual([])
    expect(layers.length).toBeGreaterThan(2)
  })

  it('a restored backup has every row and byte of the server, and new backups only store new bytes', async () => {
    await server.stop()
    await backup().ended
    const { code, said } = await backup('--keep', '1').ended
    expect(code, said).toBe(0)
    expect(said).toMatch(/\nOlder backups were deleted: .+\n$/)
    // A machine that QEMU runs has links to the files of its disks.
    const [identity = ''] = readdirSync(join(dataDir, 'blobs'))
    const machines = join(dataDir, 'blobs', identity, 'machines')
    const links = join(machines, 'host', 'machine', 'written')
    mkdirSync(links, { recursive: true })
    for (const kind of ['data', 'qcow2']) writeFileSync(join(links, `x.${kind}`), '')
    const again = await backup('--keep', '2').ended
    expect(again.said).toContain('\nCopied while guests wrote to them: the disks of a running machine.')
    rmSync(machines, { recursive: true })
    const stored = Number(/of which (\d+) are new/.exec(again.said)?.[1])
    expect(stored, again.said).toBeLessThan(engine === 'sqlite' ? 5 * MiB : 16 * MiB)
    const { place, args } = await fresh()
    const restored = await startTool('restore', ['--from', to, ...args]).ended
    expect(restored.code, restored.said).toBe(0)
    expect(await rowsOf(place)).toEqual(await rowsOf({ folder: dataDir, url: database?.url }))
    expect(filesOf(place.folder)).toEqual(filesOf(dataDir))
    const refused = await startTool('restore', ['--from', to, ...args]).ended
    expect(refused).toEqual({
      code: 1,
      said: expect.stringMatching(/^purlin: the data folder .* is not empty/),
    })
    await startServer()
  })

  it('a backup that is killed leaves the earlier ones whole, and the next one cleans up', async () => {
    const before = ids()
    const { api } = await signIn(server.url)
    const contents = join(to, 'contents')
    const pieces = () => readdirSync(contents, { recursive: true }).length
    for (const [i, bytes] of [randomBytes(chunk), randomBytes(chunk), randomBytes(chunk)].entries()) {
      await upload(api, `killed-${i}`, [bytes])
      const had = pieces()
      const conditions = [
        () => existsSync(join(to, 'unfinished')),
        () => pieces() > had,
        () => existsSync(join(to, 'unfinished', 'manifest')),
      ]
      const { code } = await killOnce(backup(), to, conditions[i] ?? (() => false))
      // The last moment is too short to be met always.
      if (i < 2) expect(code).toBe('SIGKILL')
      expect(ids().slice(0, before.length)).toEqual(before)
    }
    const { code, said } = await backup('--keep', '3').ended
    expect(code, said).toBe(0)
    expect(existsSync(join(to, 'unfinished'))).toBe(false)
    const had = pieces()
    const last = await backup('--keep', '1').ended
    expect(last.code, last.said).toBe(0)
    expect(pieces()).toBeLessThan(had)
  })

  it('a restore that is killed is never taken for whole, and the next one completes it', async () => {
    const {
      args,
      place: { folder, url: databaseUrl },
    } = await fresh()
    const how = ['--from', to, ...args]
    const conditions = [
      () => existsSync(join(folder, 'restoring')),
      () => existsSync(join(folder, 'restoring', 'blobs')),
      () => existsSync(join(folder, 'blobs')),
    ]
    for (const condition of conditions) {
      const { code } = await killOnce(startTool('restore', how), folder, condition)
      if (code !== 'SIGKILL') break
      if (!existsSync(join(folder, 'restoring'))) continue
      const refused = runProgram({ args: ['--port', '0', ...args] })
      expect(await refused.ended).toBe(1)
      expect(refused.lines().join('\n')).toContain('A restore into the data folder')
    }
    const { code, said } = existsSync(join(folder, 'restoring'))
      ? await startTool('restore', how).ended
      : { code: 0, said: '' }
    expect(code, said).toBe(0)
    const copy = await serve({ folder, databaseUrl })
    const { api } = await signIn(copy.url)
    expect((await api.diskView(at('second'))).size).toBe(GiB)
    await copy.stop()
  })

  it('damage in the folder of backups is noticed', async () => {
    const contents = join(to, 'contents')
    const damaged = readdirSync(contents, { recursive: true, encoding: 'utf8' })
      .map((name) => join(contents, name))
      .filter((path) => statSync(path).isFile())
      .toSorted((a, b) => statSync(b).size - statSync(a).size)[0]
    truncateSync(damaged ?? '', 10)
    const { args, place } = await fresh()
    const restored = await startTool('restore', ['--from', to, ...args]).ended
    expect(restored).toEqual({ code: 1, said: expect.stringMatching(/^purlin: the piece \w+ is damaged\n$/) })
    expect(readdirSync(place.folder)).not.toContain('purlin.db')
    // The next backup stores the bytes again.
    const { said } = await backup().ended
    expect(Number(/of which (\d+) are new/.exec(said)?.[1]), said).toBeGreaterThan(chunk)
  })
})
