/** Every store of files keeps the same rules. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BytesMissing, StorageFull, type StoredFiles } from '@purlin/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFiles, unreachableFiles } from './in-files.ts'
import { createMemoryFiles } from './in-memory.ts'

let folder: string
let isFull = false
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-files-'))
  isFull = false
})
afterEach(() => rmSync(folder, { recursive: true }))

const bytes = (...values: number[]) => Uint8Array.from(values)

describe.each<[string, () => StoredFiles]>([
  ['in a folder', () => openFiles(folder, { most: 100, isFull: () => isFull })],
  ['in memory', () => createMemoryFiles(100)],
])('files %s', (_, open) => {
  it('are read as they were written, until they are removed', async () => {
    const files = open()
    const [id, other] = [randomUUID(), randomUUID()]
    await files.write(id, 0, bytes(1, 2, 3))
    await files.write(id, 3, bytes(4, 5))
    // A part that is sent again replaces what was written of it.
    await files.write(id, 3, bytes(6, 7))
    await files.write(other, 0, bytes(9))
    await files.flush(id)
    expect([...(await files.read(id, 1, 3))]).toEqual([2, 3, 6])
    expect([...(await files.read(id, 4, 10))]).toEqual([7])
    expect((await files.list()).toSorted()).toEqual([id, other].toSorted())
    expect(await files.free()).toBeGreaterThan(0)
    await files.remove(id)
    await files.remove(id)
    expect(await files.list()).toEqual([other])
    await expect(files.read(id, 0, 1)).rejects.toThrow(BytesMissing)
  })
})

describe('files in a folder', () => {
  it('are not written while the storage is full, and are removed all the same', async () => {
    const files = openFiles(folder, { most: 100, isFull: () => isFull })
    const id = randomUUID()
    await files.write(id, 0, bytes(1))
    isFull = true
    await expect(files.write(id, 1, bytes(2))).rejects.toThrow(StorageFull)
    expect(await files.free()).toBe(0)
    await files.remove(id)
    expect(readdirSync(folder)).toEqual([])
  })

  it('of another data folder are not touched', async () => {
    const files = unreachableFiles('they are elsewhere')
    for (const work of [
      () => files.list(),
      () => files.free(),
      () => files.remove('x'),
      () => files.read('x', 0, 1),
      () => files.flush('x'),
    ])
      await expect(work()).rejects.toThrow('they are elsewhere')
    await expect(files.write('x', 0, bytes(1))).rejects.toThrow('they are elsewhere')
  })
})

it('files in memory have room for two of the longest', async () => {
  const files = createMemoryFiles(10)
  await files.write('a', 0, new Uint8Array(10))
  await files.write('b', 0, new Uint8Array(10))
  await expect(files.write('c', 0, bytes(1))).rejects.toThrow(StorageFull)
})
