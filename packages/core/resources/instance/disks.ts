/** Disks of an instance: list, attach, detach. A disk has at most one instance. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import type { Selectable } from 'kysely'
import type { Ctx, Family } from '../../context.ts'
import type { DiskTable } from '../../db/tables.ts'
import { fault } from '../../faults.ts'
import { mapPage, pageByName } from '../../pages.ts'
import { resolve, resolveIn } from '../../resolve.ts'
import { changeDisk, diskView } from '../disk.ts'
import { changeInstance } from './write.ts'
import type { InstanceRow } from './view.ts'

type DiskRow = Selectable<DiskTable>

/** Attaches a disk at the lowest free slot. Attached here already: no change. Throws 400. */
export async function attachDisk(ctx: Ctx, instance: InstanceRow, disk: DiskRow): Promise<DiskRow> {
  if (disk.projectId !== instance.projectId)
    throw fault.invalid('disk must be in the same project as the instance')
  if (disk.state === 'attached' && disk.instanceId === instance.id) return disk
  if (instance.sledId !== null) throw fault.invalid('cannot attach disk: instance is not fully stopped')
  if (instance.runState !== 'creating' && instance.runState !== 'stopped')
    throw fault.invalid(`cannot attach disk to instance in ${instance.runState} state`)
  if (disk.instanceId !== null)
    throw fault.invalid(`cannot attach disk "${disk.name}": disk is attached to another instance`)
  if (disk.state !== 'creating' && disk.state !== 'detached')
    throw fault.invalid(`cannot attach disk "${disk.name}": invalid state ${disk.state}`)
  const taken = await ctx.tx.selectFrom('disk').select('slot').where('instanceId', '=', instance.id).execute()
  const slots = new Set(taken.map((one) => one.slot))
  const slot = Array.from({ length: limits.instance.disks }, (_, i) => i).find((i) => !slots.has(i))
  if (slot === undefined)
    throw fault.invalid(`cannot attach more than ${limits.instance.disks} disks to instance`)
  return changeDisk(ctx, disk, { state: 'attached', instanceId: instance.id, slot })
}

async function detachDisk(ctx: Ctx, instance: InstanceRow, disk: DiskRow): Promise<DiskRow> {
  if (disk.state === 'detached') return disk
  if (disk.instanceId !== null && disk.instanceId !== instance.id)
    throw fault.invalid(`cannot detach disk "${disk.name}": disk is attached to another instance`)
  if (disk.state !== 'attached')
    throw fault.invalid(`cannot detach disk "${disk.name}": invalid state ${disk.state}`)
  if (instance.sledId !== null) throw fault.invalid('cannot detach disk: instance is not fully stopped')
  if (instance.bootDiskId === disk.id) throw fault.conflict('boot disk cannot be detached')
  return changeDisk(ctx, disk, { state: 'detached', instanceId: null, slot: null })
}

type Move = Parsed<Operations['instanceDiskAttach']>

async function move(ctx: Ctx, { params, query, body }: Move, act: typeof attachDisk) {
  const instance = await resolve(ctx, 'instance', { ...params, ...query })
  const row = await resolveIn(ctx, 'disk', { value: body.disk, parent: { project: instance.projectId } })
  const moved = await act(ctx, instance, row)
  // The instance's own generation moves too, so that a start that raced with this loses.
  if (moved !== row) await changeInstance(ctx.tx, instance, { now: ctx.now, set: {} })
  return diskView(moved)
}

export const instanceDisks: Family<'instanceDiskList' | 'instanceDiskAttach' | 'instanceDiskDetach'> = {
  async instanceDiskList(ctx, { params, query }) {
    const instance = await resolve(ctx, 'instance', { ...params, project: query.project })
    const rows = ctx.tx.selectFrom('disk').selectAll().where('instanceId', '=', instance.id)
    return mapPage(await pageByName(ctx, query, rows), diskView)
  },
  instanceDiskAttach: (ctx, input) => move(ctx, input, attachDisk),
  instanceDiskDetach: (ctx, input) => move(ctx, input, detachDisk),
}
