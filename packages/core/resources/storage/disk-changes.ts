/** The operations of disks, and the changes that need a disk which no machine has: a larger size, and the content of a snapshot. */
import { snapshotAnswer } from '@purlin/contract/rules/states'
import type { Selectable } from 'kysely'
import type { BodyOf, Ctx } from '#/context.ts'
import type { DiskTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { resolveToRead } from '#/auth/resolve.ts'
import { changeInstance } from '../instances/change.ts'
import { identityChanges, keptChanges, updateNamed } from '../kind/rows.ts'
import { charge } from '../silos/quotas.ts'
import { changeDisk, checkSize, createDisk, deleteDisk, diskView } from './disks.ts'
import { plain } from '../kind/plain.ts'
import { unusedDisks } from '../kind/unused.ts'
import { chainOf, layerAbove, requireBytes } from './layers.ts'
import { takeSnapshot } from './snapshots.ts'

type Row = Selectable<DiskTable>

const disk = plain('disk', {
  view: diskView,
  unused: unusedDisks,
  create: createDisk,
  update: updateDisk,
  remove: deleteDisk,
})

export const disks = { ...disk.handlers, diskRollBack: disk.act(rollBack) }

/** Throws 400 for a smaller size or a taken name, 409 while a machine has the disk, 507 without quota. */
async function updateDisk(ctx: Ctx, row: Row, body: BodyOf<'diskUpdate'>): Promise<Row> {
  const changes = { ...identityChanges(ctx, body), ...keptChanges(body) }
  const grown = body.size == null || body.size === row.size ? row : await grow(ctx, row, body.size)
  return updateNamed(ctx, ['disk', grown], changes)
}

/** The bytes beyond the former end are zeros: no layer has them. */
async function grow(ctx: Ctx, row: Row, size: number): Promise<Row> {
  if (size < row.size)
    throw fault.invalidValue('size', 'a disk can only become larger: its last bytes would be lost')
  checkSize(size, row.blockSize)
  await withoutMachine(ctx, row, 'grow')
  const grown = await changeDisk(ctx, row, { size })
  await charge(ctx, row, { storage: size - row.size, before: { storage: row.size } })
  return grown
}

/**
 * Gives a disk a new layer above that of one of its snapshots: nothing is copied, and the snapshot stays. Throws 400 for the snapshot of
 * another disk, 409 while a machine has the disk, and what `takeSnapshot` throws.
 */
async function rollBack(ctx: Ctx, row: Row, body: BodyOf<'diskRollBack'>): Promise<Row> {
  const within = { project: row.projectId }
  const snapshot = await resolveToRead(ctx, 'snapshot', { snapshot: body.snapshot, within })
  if (snapshot.diskId !== row.id) throw fault.invalid('the snapshot is not one of this disk')
  if (snapshotAnswer('createDisk', snapshot.state) === 'refuse')
    throw fault.invalid(`cannot roll back to a snapshot in state ${snapshot.state}`)
  await withoutMachine(ctx, row, 'roll back')
  await requireBytes(ctx.world, await chainOf(ctx.tx, snapshot.layerId))
  if (body.snapshotBefore != null)
    await takeSnapshot(ctx, row, {
      name: body.snapshotBefore,
      description: `Before the roll-back to snapshot "${snapshot.name}"`,
    })
  const { generation } = await ctx.tx
    .selectFrom('disk')
    .select('generation')
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  const back = await changeDisk(
    ctx,
    { ...row, generation },
    { layerId: await layerAbove(ctx, snapshot.layerId) },
  )
  ctx.wake('layers')
  return back
}

/** Throws 409 while a machine has the disk, or can get it. A start at the same moment then fails. */
async function withoutMachine(ctx: Ctx, { state, instanceId }: Row, verb: string): Promise<void> {
  if (state !== 'detached' && state !== 'attached')
    throw fault.conflict(`cannot ${verb} a disk in state ${state.replaceAll('_', ' ')}`)
  if (instanceId === null) return
  const instance = await resolveToRead(ctx, 'instance', { instance: instanceId })
  if (instance.sledId !== null || !['stopped', 'failed'].includes(instance.runState))
    throw fault.conflict(
      `stop the instance "${instance.name}" first: cannot ${verb} the disk of one that is ${instance.runState}`,
    )
  await changeInstance(ctx.tx, instance, { now: ctx.now, set: {} })
}
