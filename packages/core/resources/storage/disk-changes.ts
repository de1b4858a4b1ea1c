/** The operations of disks, and the changes of what guests see of them: a larger size, and the content of a snapshot. */
import { diskAnswer, instanceAnswer, snapshotAnswer, type DiskAction } from '@purlin/contract/rules/states'
import type { Selectable } from 'kysely'
import { noteChanges, noteFields } from '#/audit/touched.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import type { RowOf } from '#/db/kinds.ts'
import type { DiskTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { resolveToRead } from '#/auth/resolve.ts'
import { changeInstance } from '../instances/change.ts'
import { noteUse } from '../kind/last-use.ts'
import { identityChanges, keptChanges, updateNamed } from '../kind/rows.ts'
import { charge } from '../silos/quotas.ts'
import { changeDisk, checkSize, createDisk, deleteDisk, diskView } from './disks.ts'
import { plain } from '../kind/plain.ts'
import { unusedDisks } from '../kind/unused.ts'
import { requestSwitch } from './layer-switches.ts'
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

/** Throws 400 for a smaller size or a taken name, 409 while the disk is imported, attached or detached, 507 without quota. */
async function updateDisk(ctx: Ctx, row: Row, body: BodyOf<'diskUpdate'>): Promise<Row> {
  const changes = { ...identityChanges(ctx, body), ...keptChanges(body) }
  const grown = body.size == null || body.size === row.size ? row : await grow(ctx, row, body.size)
  return updateNamed(ctx, ['disk', grown], changes)
}

/** The bytes beyond the former end are zeros: no layer has them. A machine that has the disk gets the size soon. */
async function grow(ctx: Ctx, row: Row, size: number): Promise<Row> {
  if (size < row.size)
    throw fault.invalidValue('size', 'a disk can only become larger: its last bytes would be lost')
  checkSize(size, row.blockSize)
  requireState(row, 'grow', 'grow')
  const grown = await changeDisk(ctx, row, { size })
  await noteFields(ctx, ['disk', row], grown)
  if (row.instanceId !== null) await resizeInMachine(ctx, row.instanceId)
  await charge(ctx, row, { storage: size - row.size, before: { storage: row.size } })
  return grown
}

/** A switch has the sizes of the disks, too. Without a machine the next one has them; a start at the same moment then fails. */
async function resizeInMachine(ctx: Ctx, instanceId: string): Promise<void> {
  const instance = await resolveToRead(ctx, 'instance', { instance: instanceId })
  if ((await requestSwitch(ctx, instanceId)) === null)
    await changeInstance(ctx.tx, instance, { now: ctx.now, set: {} })
}

/** Throws 400 for the snapshot of another disk, 409 while a machine has the disk, and what `takeSnapshot` throws. */
async function rollBack(ctx: Ctx, row: Row, body: BodyOf<'diskRollBack'>): Promise<Row> {
  const within = { project: row.projectId }
  const snapshot = await resolveToRead(ctx, 'snapshot', { snapshot: body.snapshot, within })
  if (snapshot.diskId !== row.id) throw fault.invalid('the snapshot is not one of this disk')
  requireState(row, 'rollBack', 'roll back')
  if (row.instanceId !== null) {
    const instance = await resolveToRead(ctx, 'instance', { instance: row.instanceId })
    await whileStopped(ctx, instance, 'roll back the disk of one')
  }
  if (body.snapshotBefore != null)
    await takeSnapshot(ctx, row, {
      name: body.snapshotBefore,
      description: `Before the roll-back to snapshot "${snapshot.name}"`,
    })
  return goBack(ctx, row.id, snapshot)
}

/**
 * Gives a disk that no machine has a new layer above that of one of its snapshots: nothing is copied, and the snapshot
 * stays. Throws 400 for a snapshot without content, 503 if bytes of it are missing.
 */
export async function goBack(ctx: Ctx, diskId: string, snapshot: RowOf<'snapshot'>): Promise<Row> {
  const { state, layerId } = snapshot
  if (snapshotAnswer('createDisk', state) === 'refuse')
    throw fault.invalid(`cannot roll back to a snapshot in state ${state}`)
  await requireBytes(ctx.world, await chainOf(ctx.tx, layerId))
  await noteUse(ctx, 'snapshot', snapshot)
  // As it is after a snapshot that this request has taken.
  const disk = await ctx.tx.selectFrom('disk').selectAll().where('id', '=', diskId).executeTakeFirstOrThrow()
  noteChanges(ctx.unit, ['disk', disk], [{ field: 'rolled_back_to', before: null, after: snapshot.name }])
  ctx.wake('layers')
  return changeDisk(ctx, disk, { layerId: await layerAbove(ctx, layerId) })
}

/** Throws 409 for a disk in a state that does not allow an action. */
function requireState({ state }: Row, action: DiskAction, verb: string): void {
  if (diskAnswer(action, state) === 'refuse')
    throw fault.conflict(`cannot ${verb} a disk in state ${state.replaceAll('_', ' ')}`)
}

/** Throws 409 while an instance has a machine, or can get one. A start at the same moment then fails. */
export async function whileStopped(ctx: Ctx, instance: RowOf<'instance'>, act: string): Promise<void> {
  const { name, sledId, runState } = instance
  if (sledId !== null || instanceAnswer('rewriteDisks', runState) === 'refuse')
    throw fault.conflict(`stop the instance "${name}" first: cannot ${act} that is ${runState}`)
  await changeInstance(ctx.tx, instance, { now: ctx.now, set: {} })
}
