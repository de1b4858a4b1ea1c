/** Disks of an instance: list, attach, detach. A disk has at most one instance. */
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { diskAnswer, instanceAnswer } from '@purlin/contract/rules/states'
import type { Selectable } from 'kysely'
import { noteFields } from '#/audit/touched.ts'
import type { Ctx, Family } from '#/context.ts'
import type { DiskTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import { resolve } from '#/auth/resolve.ts'
import { changeDisk, diskView } from '#/resources/storage/disks.ts'
import { changeInstance } from './change.ts'
import type { InstanceRow } from './view.ts'

type DiskRow = Selectable<DiskTable>

/** Attaches a disk at the lowest free slot. Attached here already: no change. Throws 400. */
export async function attachDisk(ctx: Ctx, instance: InstanceRow, disk: DiskRow): Promise<DiskRow> {
  if (disk.projectId !== instance.projectId)
    throw fault.invalid('disk must be in the same project as the instance')
  if (disk.state === 'attached' && disk.instanceId === instance.id) return disk
  if (instance.sledId !== null) throw fault.invalid('cannot attach disk: instance is not fully stopped')
  if (instanceAnswer('attachDisk', instance.runState) === 'refuse')
    throw fault.invalid(`cannot attach disk to instance in ${instance.runState} state`)
  if (disk.instanceId !== null)
    throw fault.invalid(`cannot attach disk "${disk.name}": disk is attached to another instance`)
  if (diskAnswer('attach', disk.state) === 'refuse')
    throw fault.invalid(`cannot attach disk "${disk.name}": invalid state ${disk.state}`)
  const taken = await ctx.tx.selectFrom('disk').select('slot').where('instanceId', '=', instance.id).execute()
  const slots = new Set(taken.map((one) => one.slot))
  const slot = Array.from({ length: limits.instance.disks }, (_, i) => i).find((i) => !slots.has(i))
  if (slot === undefined)
    throw fault.invalid(`cannot attach more than ${limits.instance.disks} disks to instance`)
  return changeDisk(ctx, disk, { state: 'attached', instanceId: instance.id, slot })
}

async function detachDisk(ctx: Ctx, instance: InstanceRow, disk: DiskRow): Promise<DiskRow> {
  const answer = diskAnswer('detach', disk.state)
  if (answer === 'unchanged') return disk
  if (disk.instanceId !== null && disk.instanceId !== instance.id)
    throw fault.invalid(`cannot detach disk "${disk.name}": disk is attached to another instance`)
  if (answer === 'refuse')
    throw fault.invalid(`cannot detach disk "${disk.name}": invalid state ${disk.state}`)
  if (instance.sledId !== null || instanceAnswer('detachDisk', instance.runState) === 'refuse')
    throw fault.invalid('cannot detach disk: instance is not fully stopped')
  if (instance.bootDiskId === disk.id) throw fault.conflict('boot disk cannot be detached')
  return changeDisk(ctx, disk, {
    state: 'detached',
    instanceId: null,
    slot: null,
    timeLastUsed: ctx.now,
  })
}

type Move = Parsed<Operations['instanceDiskAttach']>

async function move(ctx: Ctx, { params, query, body }: Move, act: typeof attachDisk) {
  const instance = await resolve(ctx, 'instance', { ...params, ...query })
  const within = { project: instance.projectId }
  const row = await resolve(ctx, 'disk', { disk: body.disk, within })
  const moved = await act(ctx, instance, row)
  // The instance's generation grows too, so that a concurrent start fails.
  if (moved !== row) await changeInstance(ctx.tx, instance, { now: ctx.now, set: {} })
  await noteFields(ctx, ['disk', row], moved)
  return diskView(moved)
}

export const instanceDisks: Family<'instanceDiskList' | 'instanceDiskAttach' | 'instanceDiskDetach'> = {
  async instanceDiskList(ctx, { params, query }) {
    const instance = await resolve(ctx, 'instance', { ...params, ...query })
    const rows = ctx.tx.selectFrom('disk').where('instanceId', '=', instance.id)
    return mapPage(await pageByName(ctx, query, { rows, table: 'disk' }), diskView)
  },
  instanceDiskAttach: (ctx, input) => move(ctx, input, attachDisk),
  instanceDiskDetach: (ctx, input) => move(ctx, input, detachDisk),
}
