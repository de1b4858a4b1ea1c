import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lacks, omits } from '@purlin/sleds/testing/skips'
import { killAll, newFolder } from '../testing/children.ts'
import { runProgram, serve } from '../testing/process.ts'
import { mountVolume, noVolumes, type Volume } from '../testing/volume.ts'

let root: string
beforeEach(() => (root = newFolder().path))
afterEach(killAll)

/** The one line with which a start on this folder ends. */
async function problemOf(folder: string): Promise<string> {
  const { ended, lines } = runProgram({ args: ['--port', '0', '--data-dir', folder] })
  expect(await ended).toBe(1)
  // Lines of the log may come before.
  const said = lines().filter((line) => !line.startsWith('{'))
  expect(said).toHaveLength(1)
  return said[0]?.replaceAll(folder, 'DATA') ?? ''
}

/** A folder with the database of a server that has run. */
async function usedFolder(): Promise<{ folder: string; file: string }> {
  const folder = join(root, 'used')
  await (await serve({ folder })).stop()
  return { folder, file: join(folder, 'purlin.db') }
}

describe('a start says in one line, and with code 1, that the data folder', () => {
  it('is a file, or is in one', async () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    expect(await problemOf(file)).toBe('purlin: The data folder DATA cannot be used: it is a file.')
    expect(await problemOf(join(file, 'data'))).toBe(
      'purlin: The data folder DATA cannot be used: a folder above it is a file.',
    )
  })

  it('has a file where the bytes of disks should be', async () => {
    writeFileSync(join(root, 'blobs'), '')
    expect(await problemOf(root)).toMatch(
      /^purlin: The data folder DATA\/blobs\/\S+ cannot be used: a folder above it is a file\.$/,
    )
  })

  it('has a folder in place of the lock', async () => {
    mkdirSync(join(root, 'purlin.lock'))
    expect(await problemOf(root)).toBe(
      'purlin: The file DATA/purlin.lock, which keeps other servers away, cannot be used: it is a folder, not a file.',
    )
  })
})

describe('a start says in one line, and with code 1, that the database', () => {
  const because = (reason: string) => `purlin: The database DATA/purlin.db cannot be used: ${reason}.`

  it('is a folder', async () => {
    mkdirSync(join(root, 'purlin.db'))
    expect(await problemOf(root)).toBe(because('it is a folder, not a file'))
  })

  it('is something else', async () => {
    writeFileSync(
      join(root, 'purlin.db'),
      'This is a letter and not a database, as its first bytes say.\n'.repeat(9),
    )
    expect(await problemOf(root)).toBe(because('the file is not a database'))
  })

  it('is cut off', async () => {
    const { folder, file } = await usedFolder()
    truncateSync(file, 40_960)
    expect(await problemOf(folder)).toBe(because('the database file is damaged'))
  })

  it('was written by a newer version', async () => {
    const { folder, file } = await usedFolder()
    const db = new DatabaseSync(file)
    db.exec("insert into kysely_migration values ('9999-of-the-future', '2099-01-01T00:00:00.000Z')")
    db.close()
    expect(await problemOf(folder)).toBe(because('it was written by a newer version of this server'))
  })
})

describe.skipIf(lacks(noVolumes))('on a separate volume', () => {
  let volume: Volume
  beforeEach(() => (volume = mountVolume(64)))
  afterEach(() => {
    killAll()
    volume.remove()
  })

  it('that is read-only, a start says so, with and without a database', async () => {
    await (await serve({ folder: join(volume.path, 'data') })).stop()
    volume.setReadOnly(true)
    const problem = 'purlin: The data folder DATA cannot be used: it is on a read-only volume.'
    expect(await problemOf(join(volume.path, 'data'))).toBe(problem)
    expect(await problemOf(join(volume.path, 'new'))).toBe(problem)
  })

  it('that is full, a first start says so', async () => {
    volume.fill()
    expect(await problemOf(volume.path)).toBe(
      'purlin: The volume of the data folder DATA is full, and this start has something to write. Free some room on it.',
    )
  })

  it('that is full, a server with a reserve starts', async () => {
    const first = await serve({ folder: volume.path })
    const reserve = join(volume.path, 'purlin.reserve')
    await expect
      .poll(() => existsSync(reserve) && statSync(reserve).size, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(8 * 2 ** 20)
    await first.stop()
    volume.fill()
    await (await serve({ folder: volume.path })).stop()
  })
})

it.skipIf(omits(process.getuid?.() === 0 && 'root may write to every file'))(
  'a start says that its user may not write',
  async () => {
    const { folder, file } = await usedFolder()
    copyFileSync(file, join(root, 'copy'))
    chmodSync(file, 0o400)
    expect(await problemOf(folder)).toBe(
      'purlin: The database DATA/purlin.db cannot be used: this user may not read and write it.',
    )
  },
)
