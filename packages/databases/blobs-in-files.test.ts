import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LayerOpen, type Layer } from '@purlin/core/ports'
import { blobsSuite } from '@purlin/core/testing/blobs-suite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openBlobs } from './blobs-in-files.ts'

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-blobs-'))
  folders.push(folder)
  return join(folder, 'blobs')
}
const layerOf = (id: string): Layer[] => [{ id, hasBytes: false }]
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

blobsSuite('in files', () => {
  const folder = newFolder()
  return Promise.resolve({ blobs: openBlobs(folder), close: () => Promise.resolve() })
})

describe('the folder of blobs', () => {
  it('is readable by its owner only, as is every file in it', async () => {
    const folder = newFolder()
    await openBlobs(folder).write(layerOf(randomUUID()), 0, Uint8Array.of(1))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
  })

  it('keeps written bytes for the next process', async () => {
    const folder = newFolder()
    const layer = randomUUID()
    await openBlobs(folder).write(layerOf(layer), 512, Uint8Array.of(1, 2, 3))
    expect([...(await openBlobs(folder).read(layerOf(layer), 511, 5))]).toEqual([0, 1, 2, 3, 0])
  })

  it('reads no layer whose tables are with a machine, unless it is the lowest one', async () => {
    const folder = newFolder()
    const blobs = openBlobs(folder)
    const [upper, lower] = [randomUUID(), randomUUID()]
    const chain = [...layerOf(upper), ...layerOf(lower)]
    await blobs.write(layerOf(lower), 0, Uint8Array.of(1))
    await blobs.write(chain, 1, Uint8Array.of(2))
    writeFileSync(join(folder, `${upper}.qcow2`), '')
    await expect(blobs.read(chain, 0, 2)).rejects.toThrow(LayerOpen)
    writeFileSync(join(folder, `${lower}.qcow2`), '')
    expect([...(await blobs.read(layerOf(lower), 0, 2))]).toEqual([1, 0])
  })

  it('frees the space of removed layers, also directly after a write', async () => {
    const folder = newFolder()
    const blobs = openBlobs(folder)
    const layer = randomUUID()
    const isOpen = () =>
      readdirSync('/proc/self/fd').some((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
        } catch {
          return false
        }
      })
    await blobs.write(layerOf(layer), 0, Uint8Array.of(1))
    await blobs.remove(layer)
    expect(isOpen()).toBe(false)
    await Promise.all([0, 512].map((at) => blobs.write(layerOf(layer), at, Uint8Array.of(1))))
    expect([...(await blobs.read(layerOf(layer), 512, 1))]).toEqual([1])
    await vi.waitFor(() => expect(isOpen()).toBe(false), 60_000)
  })

  it('keeps files that are put aside in the folder of that day, until the day is dropped', async () => {
    const folder = newFolder()
    const blobs = openBlobs(folder)
    const [first, second] = [randomUUID(), randomUUID()]
    for (const layer of [first, second]) await blobs.write(layerOf(layer), 0, Uint8Array.of(1))
    await blobs.putAside(first, Date.UTC(2026, 0, 2, 23))
    await blobs.putAside(second, Date.UTC(2026, 0, 3))
    const aside = () => readdirSync(join(folder, 'aside'), { recursive: true, encoding: 'utf8' }).toSorted()
    const [old, young] = [
      ['2026-01-02', `2026-01-02/${first}.data`],
      ['2026-01-03', `2026-01-03/${second}.data`],
    ]
    expect(aside()).toEqual([...old, ...young])
    await blobs.dropAside(Date.UTC(2026, 0, 2, 23))
    expect(aside()).toEqual([...old, ...young])
    await blobs.dropAside(Date.UTC(2026, 0, 3))
    expect(aside()).toEqual(young)
  })

  it('of which only half was made or removed is still listed, and files of others never', async () => {
    const folder = newFolder()
    const blobs = openBlobs(folder)
    const [a, b] = [randomUUID(), randomUUID()]
    writeFileSync(join(folder, `${a}.data`), 'x')
    writeFileSync(join(folder, `${b}.map`), 'x')
    writeFileSync(join(folder, 'README'), 'x')
    expect((await blobs.list()).toSorted()).toEqual([a, b].toSorted())
    for (const layer of [a, b]) await blobs.remove(layer)
    expect(readdirSync(folder)).toEqual(['README'])
  })
})
