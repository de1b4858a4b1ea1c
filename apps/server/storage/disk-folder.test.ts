import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
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
const open = (folder: string, isEmbedded = false) =>
  openDisks({ world, folder, isEmbedded, isFull: () => false, log })
const reasonIn = async (folder: string, isEmbedded = false) => (await open(folder, isEmbedded)).unreachable
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

  it('is one for several servers that share it, also if they start at once', async () => {
    const { path } = newFolder()
    const all = await Promise.all(Array.from({ length: 4 }, () => reasonIn(path)))
    expect(all).toEqual([undefined, undefined, undefined, undefined])
    const [identity = ''] = readdirSync(join(path, 'blobs'))
    expect(readdirSync(join(path, 'blobs', identity))).toEqual(['folder'])
  })

  it('is no new one if the database has bytes already, but one that holds some', async () => {
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
    expect(await reasonIn(newFolder().path, true)).toBeUndefined()
  })

  it('can be given by an operator who has restored it without its id', async () => {
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
})
