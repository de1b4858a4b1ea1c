/** Snapshots: the content of a disk at one moment. They outlive the disk. */
import type { MayHaveTags } from '@purlin/contract/rules/tags'
import { diskAnswer, snapshotAnswer } from '@purlin/contract/rules/states'
import { isUuid } from '@purlin/contract/rules/names'
import type { Selectable, SelectQueryBuilder } from 'kysely'
import type { BodyOf, Ctx } from '#/context.ts'
import type { DiskTable, SnapshotTable, Tables, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { RowOf } from '#/db/kinds.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { resolveToRead } from '#/auth/resolve.ts'
import { lastUseView, notUsed } from '../kind/last-use.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newKept, refuseProtected } from '../kind/rows.ts'
import { changeDisk } from './disks.ts'
import { plain, type Asked } from '../kind/plain.ts'
import { unusedSnapshots } from '../kind/unused.ts'
import { requestSwitch } from './layer-switches.ts'
import { chainOf, layerAbove, requireBytes } from './layers.ts'
import { charge } from '../silos/quotas.ts'

type Row = Selectable<SnapshotTable>
type Rows = SelectQueryBuilder<Tables, 'snapshot', object>

const view = (row: Listed<'snapshot'>) => ({
  ...identityView(row),
  projectId: row.projectId,
  diskId: row.diskId,
  state: row.state,
  size: row.size,
  ...lastUseView(row),
  ...(row.scheduleId === null ? {} : { scheduleId: row.scheduleId }),
  ...(row.instanceSnapshotId === null ? {} : { instanceSnapshotId: row.instanceSnapshotId }),
})

export const snapshots = plain('snapshot', {
  view,
  unused: unusedSnapshots,
  asked: ofDisk,
  create,
  remove,
}).handlers

/** The snapshots of a disk, which may be gone if its id is given. Throws 404 for an unknown name. */
async function ofDisk(
  ctx: Ctx,
  rows: Rows,
  { query: { disk }, within }: Asked<{ disk?: string | undefined }>,
) {
  if (disk === undefined) return rows
  const id = isUuid(disk)
    ? disk
    : (await resolveToRead(ctx, 'disk', { disk, within: { project: within } })).id
  return rows.where('snapshot.diskId', '=', id)
}

async function create(ctx: Ctx, project: RowOf<'project'>, body: BodyOf<'snapshotCreate'>): Promise<Row> {
  const disk = await resolveToRead(ctx, 'disk', { disk: body.disk, within: { project: project.id } })
  if (disk.projectId !== project.id)
    throw fault.invalid("can't create a snapshot of a disk in a different project")
  if (diskAnswer('snapshot', disk.state) === 'refuse') throw fault.unavailable()
  return takeSnapshot(ctx, disk, body)
}

async function remove(ctx: Ctx, row: Row): Promise<void> {
  const whole =
    row.instanceSnapshotId === null
      ? undefined
      : await ctx.tx
          .selectFrom('instanceSnapshot')
          .selectAll()
          .where('id', '=', row.instanceSnapshotId)
          .executeTakeFirstOrThrow()
  // Without one of its parts an instance cannot be rolled back to it.
  if (whole) refuseProtected('instanceSnapshot', whole)
  await drop(ctx, [row])
  if (!whole) return
  const left = await partsOf(ctx.tx, [whole.id])
  if (left.length === 0) await deleteRow('instanceSnapshot')(ctx, whole)
}

/** The snapshots that snapshots of instances consist of. */
export const partsOf = (tx: Tx, ids: readonly string[]): Promise<Row[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : tx
        .selectFrom('snapshot')
        .selectAll()
        .where('instanceSnapshotId', 'in', ids)
        .orderBy('name')
        .orderBy('id')
        .execute()

/** Deletes snapshots of a project together. Throws 400 in a state that prevents it. */
export async function drop(ctx: Ctx, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    if (snapshotAnswer('delete', row.state) === 'refuse')
      throw fault.invalid(`snapshot cannot be deleted in state ${row.state}`)
    await deleteRow('snapshot')(ctx, row)
    await charge(ctx, row, { storage: -row.size })
  }
  ctx.wake('layers')
}

/** Ready at once, unless a machine writes to the disks. */
async function stateOf(ctx: Ctx, instanceId: string | null): Promise<Pick<Row, 'state' | 'storage'>> {
  const storage = instanceId === null ? null : await requestSwitch(ctx, instanceId)
  return { state: storage === null ? 'ready' : 'creating', storage }
}

type NewSnapshot = { name: string; description: string } & MayHaveTags
/** A disk on which the caller has checked the operation's `allow`, and its snapshot. */
type Taken = readonly [disk: Selectable<DiskTable>, identity: NewSnapshot]

/** Takes a snapshot of a disk: see `takeTogether`. */
export const takeSnapshot = async (ctx: Ctx, ...taken: Taken): Promise<Row> => {
  const [row] = await takeTogether(ctx, [taken], null)
  if (!row) throw new Error('the snapshot was not taken')
  return row
}

/**
 * Takes snapshots of disks of an instance, or of one disk, at one moment. Each snapshot gets the layer of its disk, and
 * the disk a new one above it: nothing is copied. A snapshot is charged like a disk of its size. While the machine of the
 * instance writes to the disks, they are being created. Throws 400 for a taken name, 503 if bytes of a disk are missing,
 * 507 without quota.
 */
export async function takeTogether(
  ctx: Ctx,
  taken: readonly Taken[],
  instanceSnapshotId: string | null,
): Promise<Row[]> {
  const [first] = taken.map(([disk]) => disk)
  if (!first) return []
  for (const [{ layerId }] of taken) await requireBytes(ctx.world, await chainOf(ctx.tx, layerId))
  const moment = { ...(await stateOf(ctx, first.instanceId)), instanceSnapshotId, scheduleId: null }
  const rows: Row[] = []
  for (const [disk, identity] of taken) {
    const { projectId, siloId, size, blockSize, layerId, id: diskId } = disk
    const own = { ...newIdentity(ctx, identity), ...newKept(identity), ...notUsed }
    const row = { ...own, ...moment, projectId, siloId, size, blockSize, layerId, diskId }
    rows.push(await insertNamed(ctx, 'snapshot', row))
    await charge(ctx, row, { storage: size })
    // To clients the disk has not changed.
    const above = { layerId: await layerAbove(ctx, layerId), timeModified: disk.timeModified }
    await changeDisk(ctx, disk, above)
  }
  return rows
}
