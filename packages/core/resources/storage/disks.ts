/** Disks. Instances attach and detach them: `instances/disks.ts`. */
import type { MayHaveTags } from '@purlin/contract/rules/tags'
import type { DiskSource, DiskState } from '@purlin/contract/operations/storage/disks'
import { diskAnswer, snapshotAnswer } from '@purlin/contract/rules/states'
import { GiB, limits } from '@purlin/contract/rules/limits'
import type { Out } from '@purlin/contract/schema'
import type { Selectable } from 'kysely'
import { together } from '#/concurrency/together.ts'
import type { ProjectScope } from '#/auth/access.ts'
import type { Ctx } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { DiskTable, ImageTable, SnapshotTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { resolveToRead } from '#/auth/resolve.ts'
import { lastUseView, noteUse, notUsed } from '../kind/last-use.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newKept } from '../kind/rows.ts'
import { layerAbove } from './layers.ts'
import { endSchedule } from './snapshot-schedules.ts'
import { charge } from '../silos/quotas.ts'

type Row = Selectable<DiskTable>

/** A request for a disk, by itself or with an instance. */
export interface DiskRequest extends MayHaveTags {
  name: string
  description: string
  /** bytes */
  size: number
  diskSource: Out<typeof DiskSource>
}
type Source =
  | { table: 'snapshot'; row: Pick<SnapshotTable, 'id' | 'timeLastUsed'> }
  | { table: 'image'; row: Pick<ImageTable, 'id' | 'timeLastUsed'> }
/** The facts that `checkDisk` has read of the source of a disk. */
export interface CheckedDisk {
  blockSize: number
  snapshotId: string | null
  imageId: string | null
  /** The snapshot or image. */
  source: Source | null
  /** The layer whose content the disk begins with; null for zeros. */
  beneath: string | null
}

/** A disk as clients see it. */
export const diskView = (row: Listed<'disk'>) => ({
  ...identityView(row),
  projectId: row.projectId,
  size: row.size,
  blockSize: row.blockSize,
  snapshotId: row.snapshotId,
  imageId: row.imageId,
  devicePath: `/mnt/${row.name}`,
  state: stateView(row),
  ...lastUseView(row),
})

function stateView({ state, instanceId }: Pick<Row, 'state' | 'instanceId'>): Out<typeof DiskState> {
  switch (state) {
    case 'attaching':
    case 'attached':
    case 'detaching':
      // In these states the row has an instance.
      return { state, instance: instanceId as string }
    default:
      return { state }
  }
}

/** The disks that are attached to instances. */
export const attachedTo = (tx: Tx, instances: readonly string[]): Promise<Row[]> =>
  instances.length === 0
    ? Promise.resolve([])
    : tx
        .selectFrom('disk')
        .selectAll()
        .where('instanceId', 'in', instances)
        .orderBy('slot')
        .orderBy('name')
        .execute()

/** Deletes a disk that no instance has. Throws 400 in other states. */
export async function deleteDisk(ctx: Ctx, disk: Row): Promise<void> {
  if (diskAnswer('delete', disk.state) === 'refuse')
    throw fault.invalid(`disk cannot be deleted in state "${disk.state}"`)
  await together([deleteRow('disk')(ctx, disk), endSchedule(ctx, disk)])
  // A disk is charged from insert to delete in every state, so it is released exactly once.
  await charge(ctx, disk, { storage: -disk.size })
  ctx.wake('layers')
}

/**
 * Makes a disk in a project on which the caller has checked the operation's `allow`, and charges it.
 * The disk is ready in the same transaction. Throws what `checkDisk` throws, 400 for a taken name,
 * 507 without quota.
 */
export async function createDisk(ctx: Ctx, project: ProjectScope, request: DiskRequest): Promise<Row> {
  return insertDisk(ctx, project, { request, checked: await checkDisk(ctx, project, request) })
}

/** Makes a disk that `checkDisk` has checked in this transaction. Throws 400 for a taken name, 507 without quota. */
export async function insertDisk(
  ctx: Ctx,
  project: ProjectScope,
  { request, checked }: { request: DiskRequest; checked: CheckedDisk },
): Promise<Row> {
  const { beneath, source, ...facts } = checked
  const row: Row = {
    ...newIdentity(ctx, request),
    ...facts,
    projectId: project.id,
    siloId: project.siloId,
    size: request.size,
    state: request.diskSource.type === 'importing_blocks' ? 'import_ready' : 'detached',
    instanceId: null,
    slot: null,
    generation: 1,
    layerId: await layerAbove(ctx, beneath),
    ...newKept(request),
    ...notUsed,
  }
  await insertNamed(ctx, 'disk', row)
  if (source) await noteUse(ctx, source.table, source.row)
  await charge(ctx, row, { storage: row.size })
  return row
}

/** Writes columns of a disk. Throws 409 if another request has changed it since it was read. */
export async function changeDisk(ctx: Pick<Ctx, 'tx' | 'now'>, disk: Row, to: Partial<Row>): Promise<Row> {
  const set = { timeModified: ctx.now, ...to, generation: disk.generation + 1 }
  const done = await ctx.tx
    .updateTable('disk')
    .set(set)
    .where('id', '=', disk.id)
    .where('generation', '=', disk.generation)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw fault.conflict('disk was changed by another request, try again')
  return { ...disk, ...set }
}

/** Checks the source, then the size. Writes nothing. Throws 400, 404. */
export async function checkDisk(ctx: Ctx, project: ProjectScope, request: DiskRequest): Promise<CheckedDisk> {
  const checked = await checkSource(ctx, project, request)
  checkSize(request.size, checked.blockSize)
  return checked
}

async function checkSource(
  ctx: Ctx,
  project: ProjectScope,
  { diskSource, size }: DiskRequest,
): Promise<CheckedDisk> {
  switch (diskSource.type) {
    case 'blank':
    case 'importing_blocks':
      return { blockSize: diskSource.blockSize, snapshotId: null, imageId: null, source: null, beneath: null }
    case 'snapshot': {
      const snapshot = await resolveToRead(ctx, 'snapshot', { snapshot: diskSource.snapshotId })
      checkFits(project, size, { ...snapshot, noun: 'snapshot' })
      if (snapshotAnswer('createDisk', snapshot.state) === 'refuse')
        throw fault.invalid(`cannot create disk from snapshot in state ${snapshot.state}`)
      const { id, blockSize, layerId } = snapshot
      const source = { table: 'snapshot', row: snapshot } as const
      return { blockSize, snapshotId: id, imageId: null, source, beneath: layerId }
    }
    case 'image': {
      const image = await resolveToRead(ctx, 'image', { image: diskSource.imageId })
      checkFits(project, size, { ...image, noun: 'image' })
      const { id, blockSize, layerId } = image
      const source = { table: 'image', row: image } as const
      return { blockSize, snapshotId: null, imageId: id, source, beneath: layerId }
    }
  }
}

// A source without a project is a silo image, which every project of the silo may use.
function checkFits(
  project: ProjectScope,
  size: number,
  source: { noun: string; projectId: string | null; size: number },
): void {
  const { noun, projectId } = source
  if (projectId !== null && projectId !== project.id)
    throw fault.invalid(`${noun} does not belong to this project`)
  if (size < source.size)
    throw fault.invalid(`disk size ${size} must be greater than or equal to ${noun} size ${source.size}`)
}

/** Throws 400 for a size that no disk has. */
export function checkSize(size: number, blockSize: number): void {
  const { minSize, maxSize } = limits.disk
  if (size % blockSize !== 0)
    throw fault.invalidValue(
      'size and block_size',
      `total size must be a multiple of block size ${blockSize}`,
    )
  if (size < minSize) throw fault.invalidValue('size', `total size must be at least ${minSize / GiB} GiB`)
  if (size % GiB !== 0) throw fault.invalidValue('size', 'total size must be a multiple of 1 GiB')
  if (size > maxSize) throw fault.invalidValue('size', `total size must be at most ${maxSize / GiB} GiB`)
}
