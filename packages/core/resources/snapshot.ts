/** Snapshots: a disk as it was at one moment, whatever becomes of the disk. */
import { isUuid } from '@purlin/contract/rules/names'
import { diskCan } from '@purlin/contract/rules/disk'
import { snapshotCan } from '@purlin/contract/rules/snapshot'
import type { Selectable } from 'kysely'
import type { Ctx, Family } from '../context.ts'
import type { DiskTable, SnapshotTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { resolve, resolveToRead } from '../resolve.ts'
import { addChild, headView, newHead, orExists } from '../rows.ts'
import { changeDisk } from './disk.ts'
import { layerAbove } from './layer.ts'
import { charge } from './quota.ts'

type Row = Selectable<SnapshotTable>

const view = (row: Row) => ({
  ...headView(row),
  projectId: row.projectId,
  diskId: row.diskId,
  state: row.state,
  size: row.size,
})

export const snapshots: Family<'snapshotList' | 'snapshotCreate' | 'snapshotView' | 'snapshotDelete'> = {
  async snapshotList(ctx, { query }) {
    const project = await resolve(ctx, 'project', { project: query.project })
    const rows = ctx.tx.selectFrom('snapshot').selectAll().where('projectId', '=', project.id)
    return mapPage(await pageByName(ctx, query, rows), view)
  },

  async snapshotCreate(ctx, { query, body }) {
    const project = await resolve(ctx, 'project', query)
    const parent = isUuid(body.disk) ? {} : { project: project.id }
    const disk = await resolveToRead(ctx, 'disk', { disk: body.disk, ...parent })
    if (disk.projectId !== project.id)
      throw fault.invalid("can't create a snapshot of a disk in a different project")
    if (!diskCan('snapshot', disk.state)) throw fault.unavailable()
    return view(await takeSnapshot(ctx, disk, body))
  },

  async snapshotView(ctx, { params, query }) {
    return view(await resolve(ctx, 'snapshot', { ...params, ...query }))
  },

  async snapshotDelete(ctx, { params, query }) {
    const snapshot = await resolve(ctx, 'snapshot', { ...params, ...query })
    if (!snapshotCan('delete', snapshot.state))
      throw fault.invalid(`snapshot cannot be deleted in state ${snapshot.state}`)
    await ctx.tx.deleteFrom('snapshot').where('id', '=', snapshot.id).execute()
    await charge(ctx, snapshot, { storage: -snapshot.size })
    ctx.wake('layers')
  },
}

/**
 * Takes a snapshot of a disk on which the caller has checked the operation's `allow`. The disk's layer
 * is the snapshot's from now on, and the disk goes on in a new one above it: nothing is copied. The
 * snapshot is charged like a disk of its size. Throws 400 for a taken name, 507 for want of quota.
 */
export async function takeSnapshot(
  ctx: Ctx,
  disk: Selectable<DiskTable>,
  head: { name: string; description: string },
): Promise<Row> {
  const { projectId, siloId, size, blockSize, layerId } = disk
  const row: Row = {
    ...newHead(ctx, head),
    projectId,
    siloId,
    size,
    blockSize,
    layerId,
    diskId: disk.id,
    state: 'ready',
  }
  await orExists('snapshot', row.name, ctx.tx.insertInto('snapshot').values(row).execute())
  await charge(ctx, row, { storage: size })
  await addChild(ctx, 'project', projectId)
  // The disk itself has not changed for those who look at it.
  const above = { layerId: await layerAbove(ctx, layerId), timeModified: disk.timeModified }
  await changeDisk(ctx, disk, above)
  return row
}
