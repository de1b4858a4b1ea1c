/** Bulk import: a client writes the blocks of a disk, in any order, as bytes or in base64. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { diskAnswer } from '@purlin/contract/rules/states'
import { limits } from '@purlin/contract/rules/limits'
import { isUuid } from '@purlin/contract/rules/names'
import type { Selectable } from 'kysely'
import { giveBack } from '#/bytes.ts'
import type { Family, RequestContext } from '#/context.ts'
import type { DiskTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { createKeyedLock } from '#/concurrency/locks.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { Blobs } from '#/ports.ts'
import { resolve, type Selector } from '#/auth/resolve.ts'
import { changeDisk } from './disks.ts'
import { importWritersOf } from './import-writers.ts'
import { chainOf, markWritten, newLayer, requireBytes } from './layers.ts'
import { takeSnapshot } from './snapshots.ts'

type Row = Selectable<DiskTable>
type Named = Parsed<Operations['diskBulkWriteImportStart']>

/** Bytes for a place of a disk; null if their base64 is invalid. */
interface Blocks {
  offset: number
  data: Uint8Array | null
}

// Writes of one session run concurrently. Its end waits for them and prevents further ones.
const lockOf = memoizeByObject((_store: Blobs) => createKeyedLock())

export const diskImports: Family<
  | 'diskBulkWriteImportStart'
  | 'diskBulkWriteImport'
  | 'diskBlocksWrite'
  | 'diskBulkWriteImportStop'
  | 'diskFinalizeImport'
> = {
  async diskBulkWriteImportStart(ctx, { params, query }) {
    const disk = await resolve(ctx, 'disk', { ...params, ...query })
    requireWritable(ctx)
    if (diskAnswer('startImport', disk.state) === 'refuse')
      throw cannotSet(disk, 'importing_from_bulk_writes')
    const layerId = disk.layerId ?? (await newLayer(ctx, null))
    await changeDisk(ctx, disk, { state: 'importing_from_bulk_writes', layerId })
  },

  diskBulkWriteImport: {
    async withoutTransaction(ctx, input) {
      const { offset, base64EncodedData: data } = input.body
      await writeBlocks(ctx, input, { offset, data })
      if (data) giveBack(data)
    },
  },

  diskBlocksWrite: {
    withoutTransaction: (ctx, { params, query: { offset, ...query }, body: data }) =>
      writeBlocks(ctx, { params, query }, { offset, data }),
  },

  diskBulkWriteImportStop: {
    async withoutTransaction(ctx, input) {
      const { id } = await find(ctx, input)
      const end = () => importWritersOf(ctx.world).end(id, () => stop(ctx, input))
      await lockOf(ctx.world.blobs).exclusive(id, end)
    },
  },

  async diskFinalizeImport(ctx, { params, query, body }) {
    const disk = await resolve(ctx, 'disk', { ...params, ...query })
    if (diskAnswer('finalize', disk.state) === 'refuse')
      throw fault.invalid(`cannot finalize disk in state ${disk.state}`)
    const done = await changeDisk(ctx, disk, { state: 'detached' })
    if (body.snapshotName == null) return
    const description = `disk ${disk.id} as it was imported`
    await takeSnapshot(ctx, done, { name: body.snapshotName, description })
  },
}

const find = (ctx: RequestContext, { params, query }: Named): Promise<Row> =>
  ctx.transaction('read', (inside) => resolve(inside, 'disk', { ...params, ...query }))

async function writeBlocks(ctx: RequestContext, input: Named, blocks: Blocks): Promise<void> {
  const { params, query } = input
  // An id saves the look-up of the name for each of many thousand writes.
  const named = isUuid(params.disk) ? { ...params, ...query } : { disk: (await find(ctx, input)).id }
  const id = named.disk.toLowerCase()
  const write = { check: () => find(ctx, input), work: () => importBlocks(ctx, named, blocks) }
  await lockOf(ctx.world.blobs).shared(id, () => importWritersOf(ctx.world).write(id, write))
}

/**
 * Writes one chunk and returns its layer. The state is read under the lock, so no write comes after the end of the
 * session.
 */
async function importBlocks(
  ctx: RequestContext,
  named: Selector<'disk'>,
  { offset, data }: Blocks,
): Promise<string> {
  const { disk, chain } = await ctx.transaction('read', async (inside) => {
    const row = await resolve(inside, 'disk', named)
    return { disk: row, chain: await chainOf(inside.tx, row.layerId) }
  })
  if (diskAnswer('importBlocks', disk.state) === 'refuse')
    throw fault.invalid(`cannot import blocks with a bulk write for disk in state ${disk.state}`)
  if (!data) throw fault.invalid('error base64 decoding data: standard alphabet with padding expected')
  checkPlace(disk, offset, data.length)
  requireWritable(ctx)
  const { engine, blobs } = ctx.world
  const [layer] = chain
  await blobs.write(chain, offset, data)
  if (layer && !layer.hasBytes && data.length > 0) {
    // A loss of power must not leave a row that says more than the disk has.
    await blobs.flush(layer.id)
    await engine.transaction('write', (tx) => markWritten(tx, [layer.id]))
  }
  return layer?.id ?? ''
}

/** Throws 503 if bytes of disks cannot be written by this server. */
function requireWritable({ world: { blobs } }: Pick<RequestContext, 'world'>): void {
  const reason = blobs.unreachable ?? blobs.readOnly
  if (reason !== undefined) throw fault.unavailable(reason)
}

/** Ends a session. All its writes are on stable storage before the state changes. */
async function stop(ctx: RequestContext, input: Named): Promise<void> {
  const check = (disk: Row): Row => {
    if (diskAnswer('stopImport', disk.state) === 'refuse') throw cannotSet(disk, 'import_ready')
    return disk
  }
  const { layerId } = check(await find(ctx, input))
  requireWritable(ctx)
  await requireBytes(ctx.world, await ctx.world.engine.transaction('read', (tx) => chainOf(tx, layerId)))
  if (layerId !== null) await ctx.world.blobs.flush(layerId)
  await ctx.transaction('write', async (inside) => {
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
