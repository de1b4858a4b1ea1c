/** Snapshots: the content of a disk at one moment. They outlive the disk. */
import type { MayHaveTags } from '@purlin/contract/rules/tags'
import { diskAnswer, snapshotAnswer } from '@purlin/contract/rules/states'
import type { Selectable } from 'kysely'
import type { BodyOf, Ctx } from '#/context.ts'
import type { DiskTable, SnapshotTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { RowOf } from '#/db/kinds.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { resolveToRead } from '#/auth/resolve.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newKept } from '../kind/rows.ts'
import { changeDisk } from './disks.ts'
import { plain } from '../kind/plain.ts'
import { unusedSnapshots } from '../kind/unused.ts'
import { requestSwitch } from './layer-switches.ts'
import { chainOf, layerAbove, requireBytes } from './layers.ts'
import { charge } from '../silos/quotas.ts'

type Row = Selectable<SnapshotTable>

const view = (row: Listed<'snapshot'>) => ({
  ...identityView(row),
  projectId: row.projectId,
  diskId: row.diskId,
  state: row.state,
  size: row.size,
  ...(row.scheduleId === null ? {} : { scheduleId: row.scheduleId }),
})

export const snapshots = plain('snapshot', { view, unused: unusedSnapshots, create, remove }).handlers

async function create(ctx: Ctx, project: RowOf<'project'>, body: BodyOf<'snapshotCreate'>): Promise<Row> {
  const disk = await resolveToRead(ctx, 'disk', { disk: body.disk, within: { project: project.id } })
  if (disk.projectId !== project.id)
    throw fault.invalid("can't create a snapshot of a disk in a different project")
  if (diskAnswer('snapshot', disk.state) === 'refuse') throw fault.unavailable()
  return takeSnapshot(ctx, disk, body)
}

async function remove(ctx: Ctx, row: Row): Promise<void> {
  if (snapshotAnswer('delete', row.state) === 'refuse')
    throw fault.invalid(`snapshot cannot be deleted in state ${row.state}`)
  await deleteRow('snapshot')(ctx, row)
  await charge(ctx, row, { storage: -row.size })
  ctx.wake('layers')
}

/** Ready at once, unless a machine writes to the disk. */
async function stateOf(
  ctx: Ctx,
  { instanceId }: Selectable<DiskTable>,
): Promise<Pick<Row, 'state' | 'storage'>> {
  const storage = instanceId === null ? null : await requestSwitch(ctx, instanceId)
  return { state: storage === null ? 'ready' : 'creating', storage }
}

/**
 * Takes a snapshot of a disk on which the caller has checked the operation's `allow`. The snapshot gets the
 * disk's layer, and the disk a new one above it: nothing is copied. The snapshot is charged like a disk of
 * its size. While the machine of an instance writes to the disk, it is being created. Throws 400 for a taken name, 503 if bytes of the disk are missing, 507 without quota.
 */
export async function takeSnapshot(
  ctx: Ctx,
  disk: Selectable<DiskTable>,
  identity: { name: string; description: string } & MayHaveTags,
): Promise<Row> {
  const { projectId, siloId, size, blockSize, layerId } = disk
  await requireBytes(ctx.world, await chainOf(ctx.tx, layerId))
  const row: Row = {
    ...newIdentity(ctx, identity),
    projectId,
    siloId,
    size,
    blockSize,
    layerId,
    diskId: disk.id,
    ...(await stateOf(ctx, disk)),
    scheduleId: null,
    ...newKept(identity),
  }
  await insertNamed(ctx, 'snapshot', row)
  await charge(ctx, row, { storage: size })
  // To clients the disk has not changed.
  const above = { layerId: await layerAbove(ctx, layerId), timeModified: disk.timeModified }
  await changeDisk(ctx, disk, above)
  return row
}
