/** Bulk import: the blocks of a disk come in from a client, in any order. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { diskCan } from '@purlin/contract/rules/disk'
import { limits } from '@purlin/contract/rules/limits'
import { isUuid } from '@purlin/contract/rules/names'
import type { Selectable } from 'kysely'
import { giveBack } from '../bytes.ts'
import type { Family, FreeCtx } from '../context.ts'
import type { DiskTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { createGates } from '../gates.ts'
import { oncePer } from '../once-per.ts'
import { StorageFull, type Blobs } from '../ports.ts'
import { resolve, type Selector } from '../resolve.ts'
import { changeDisk } from './disk.ts'
import { chainOf, newLayer } from './layer.ts'
import { takeSnapshot } from './snapshot.ts'

type Row = Selectable<DiskTable>
type Write = Parsed<Operations['diskBulkWriteImport']>
type Named = Pick<Write, 'params' | 'query'>

// Writes of one session go on beside each other; its end waits for them and lets none in after it.
const gatesOf = oncePer((_store: Blobs) => createGates())

export const diskImports: Family<
  'diskBulkWriteImportStart' | 'diskBulkWriteImport' | 'diskBulkWriteImportStop' | 'diskFinalizeImport'
> = {
  async diskBulkWriteImportStart(ctx, { params, query }) {
    const disk = await resolve(ctx, 'disk', { ...params, ...query })
    if (!diskCan('startImport', disk.state)) throw cannotSet(disk, 'importing_from_bulk_writes')
    const layerId = disk.layerId ?? (await newLayer(ctx, null))
    await changeDisk(ctx, disk, { state: 'importing_from_bulk_writes', layerId })
  },

  diskBulkWriteImport: {
    async free(ctx, input) {
      const { params, query, body } = input
      // Clients that know the id spare the look-up of a name for each of many thousand pieces.
      const named = isUuid(params.disk) ? { ...params, ...query } : { disk: (await find(ctx, input)).id }
      const id = named.disk.toLowerCase()
      await gatesOf(ctx.world.blobs).together(id, () => importBlocks(ctx, named, body))
    },
  },

  diskBulkWriteImportStop: {
    async free(ctx, input) {
      const { id } = await find(ctx, input)
      await gatesOf(ctx.world.blobs).alone(id, () => stop(ctx, input))
    },
  },

  async diskFinalizeImport(ctx, { params, query, body }) {
    const disk = await resolve(ctx, 'disk', { ...params, ...query })
    if (!diskCan('finalize', disk.state)) throw fault.invalid(`cannot finalize disk in state ${disk.state}`)
    const done = await changeDisk(ctx, disk, { state: 'detached' })
    if (body.snapshotName == null) return
    const description = `disk ${disk.id} as it was imported`
    await takeSnapshot(ctx, done, { name: body.snapshotName, description })
  },
}

const find = (ctx: FreeCtx, { params, query }: Named): Promise<Row> =>
  ctx.within('read', (inside) => resolve(inside, 'disk', { ...params, ...query }))

/** Writes one piece. The state is read inside the gate, so none lands once the session has ended. */
async function importBlocks(ctx: FreeCtx, named: Selector, body: Write['body']): Promise<void> {
  const { disk, chain } = await ctx.within('read', async (inside) => {
    const row = await resolve(inside, 'disk', named)
    return { disk: row, chain: await chainOf(inside.tx, row.layerId) }
  })
  if (!diskCan('importBlocks', disk.state))
    throw fault.invalid(`cannot import blocks with a bulk write for disk in state ${disk.state}`)
  const data = body.base64EncodedData
  if (!data) throw fault.invalid('error base64 decoding data: standard alphabet with padding expected')
  checkPlace(disk, body.offset, data.length)
  await orFull(ctx.world.blobs.write(chain, body.offset, data))
  giveBack(data)
}

/** Ends a session: what it has written is safe before anybody is told so. */
async function stop(ctx: FreeCtx, input: Named): Promise<void> {
  const check = (disk: Row): Row => {
    if (!diskCan('stopImport', disk.state)) throw cannotSet(disk, 'import_ready')
    return disk
  }
  const { layerId } = check(await find(ctx, input))
  if (layerId !== null) await orFull(ctx.world.blobs.flush(layerId))
  await ctx.within('write', async (inside) => {
    const disk = check(await resolve(inside, 'disk', { ...input.params, ...input.query }))
    await changeDisk(inside, disk, { state: 'import_ready' })
  })
}

const cannotSet = ({ state }: Row, to: Row['state']) =>
  fault.invalid(`cannot set disk in state ${state} to "${to}"`)

function checkPlace({ blockSize, size }: Row, offset: number, length: number): void {
  const { chunk } = limits.bulkWrite
  if (length > chunk) throw fault.invalid(`data len ${length} over max chunk size ${chunk}!`)
  if (offset % blockSize !== 0) throw fault.invalid('offset not multiple of block size!')
  if (length % blockSize !== 0) throw fault.invalid('data length not multiple of block size!')
  if (offset + length > size) throw fault.invalid('offset + data length off end of region!')
}

async function orFull<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof StorageFull ? fault.storageFull() : error
  }
}
