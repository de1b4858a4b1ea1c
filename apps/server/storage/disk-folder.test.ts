import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, type World } from '@purlin/core'
import type { Engine } from '@purlin/core/ports'
import { openTestEngine } from '@purlin/core/testing/engines'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDisks } from './disk-folder.ts'
import { logTo } from '../process/log.ts'
import { systemClock, systemIds } from '../process/ports.ts'
import { killAll, newFolder } from '../testing/children.ts'

let engine: Engine
let world: Pick<World, 'engine' | 'ids' | 'clock'>
let lines: string[]
beforeEach(async () => {
  engine = await openTestEngine()
  world = { engine, ids: systemIds, clock: systemClock }
  lines = []
})
afterEach(async () => {
  await engine.close()
  killAll()
})

const log = logTo({ write: (line) => void lines.push(line) }, 'info')
const place = '7000000000000000001/purlin'
const open = (folder: string, how: { place?: string | undefined; adoptDisksOf?: string } = { place }) =>
  openDisks({ world, folder, isFull: () => false, log, ...how })
const embedded = { place: undefined }
const reasonIn = async (folder: string, how?: Parameters<typeof open>[1]) =>
  (await open(folder, how)).unreachable
const addLayer = () =>
  engine.transaction('write', (tx) =>
    tx.insertInto('layer').values({ id: randomUUID(), parentId: null, timeCreated: 0 }).execute(),
  )
const elsewhere = 'the bytes of disks are in another data folder than that of this server'

describe('the folder of a database', () => {
  it('is the first one, for good', async () => {
    const [first, second] = [newFolder().path, newFolder().path]
    expect(await reasonIn(first)).toBeUndefined()
    expect(await reasonIn(second)).toBe(elsewhere)
    expect(lines).toEqual([expect.stringContaining(elsewhere)])
    expect(await reasonIn(first)).toBeUndefined()
  })

  it('is one for several servers that share it, also if they start together', async () => {
    const { path } = newFolder()
    const all = await Promise.all(Array.from({ length: 4 }, () => reasonIn(path)))
    expect(all).toEqual([undefined, undefined, undefined, undefined])
    const [identity = ''] = readdirSync(join(path, 'blobs'))
    expect(readdirSync(join(path, 'blobs', identity))).toEqual(['database', 'folder'])
  })

  it('is not a new one if the database has bytes already, but one with bytes', async () => {
    await identityOf(world)
    await addLayer()
    expect(await reasonIn(newFolder().path)).toBe(elsewhere)
    const { path } = newFolder()
    const blobs = join(path, 'blobs', await identityOf(world))
    mkdirSync(blobs, { recursive: true })
    writeFileSync(join(blobs, `${randomUUID()}.data`), 'x')
    expect(await reasonIn(path)).toBeUndefined()
  })

  it('is the one that the embedded database is in', async () => {
    await identityOf(world)
    await addLayer()
    expect(await reasonIn(newFolder().path, embedded)).toBeUndefined()
  })

  it('can be named by an operator who has restored it without its id', async () => {
    const first = newFolder().path
    await open(first)
    const [identity = ''] = readdirSync(join(first, 'blobs'))
    const known = await engine.transaction('read', (tx) =>
      tx.selectFrom('lease').select('holder').where('name', '=', 'folder of disks').executeTakeFirstOrThrow(),
    )
    const { path } = newFolder()
    mkdirSync(join(path, 'blobs', identity), { recursive: true })
    writeFileSync(join(path, 'blobs', identity, 'folder'), `${known.holder}\n`)
    expect(await reasonIn(path)).toBeUndefined()
  })

  describe('that a copy of the database finds', () => {
    const copy = '7000000000000000002/purlin'
    const reason = 'the data folder of this server has the bytes of disks of another database'
    const layer = [{ id: randomUUID(), hasBytes: false }]
    let path: string
    beforeEach(async () => {
      ;({ path } = newFolder())
      await (await open(path)).write(layer, 0, Uint8Array.of(7))
      lines = []
    })

    it('can only be read, also after the other one has used it again', async () => {
      for (let i = 0; i < 2; i++) {
        const blobs = await open(path, { place: copy })
        expect([blobs.readOnly, blobs.unreachable]).toEqual([reason, undefined])
        expect([...(await blobs.read(layer, 0, 1))]).toEqual([7])
        const uses = [
          () => blobs.write(layer, 0, Uint8Array.of(8)),
          () => blobs.remove(layer[0]!.id),
          () => blobs.putAside(layer[0]!.id, 0),
          () => blobs.dropAside(0),
        ]
        for (const use of uses) await expect(use()).rejects.toThrow(reason)
        expect((await open(path)).readOnly).toBeUndefined()
      }
      expect(lines).toHaveLength(2)
      expect(lines[0]).toContain(`start with --adopt-disks-of ${place}`)
    })

    it('is its own once the operator says so with the name of the other one, which can then only read it', async () => {
      expect((await open(path, { place: copy, adoptDisksOf: 'another' })).readOnly).toBe(reason)
      // The flag may stay: it has no effect if the folder does not belong to the named database.
      for (let i = 0; i < 2; i++)
        expect((await open(path, { place: copy, adoptDisksOf: place })).readOnly).toBeUndefined()
      expect(lines.filter((line) => line.includes('taken over'))).toHaveLength(1)
      expect((await open(path)).readOnly).toBe(reason)
    })

    it('belongs to the first one that uses it if it is from before that was recorded', async () => {
      const [identity = ''] = readdirSync(join(path, 'blobs'))
      rmSync(join(path, 'blobs', identity, 'database'))
      expect((await open(path)).readOnly).toBeUndefined()
      expect((await open(path, { place: copy })).readOnly).toBe(reason)
    })
  })
})
