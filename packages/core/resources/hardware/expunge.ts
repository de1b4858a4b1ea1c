/** Taking hardware out of service for good. The same hardware comes back as a new object. */
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { changeInstance } from '../instances/change.ts'
import { endMove, notMoving, stay } from '../instances/move.ts'
import { release } from '../instances/placement.ts'
import type { InstanceRow } from '../instances/view.ts'
import { updateUnnamed } from '../kind/rows.ts'
import { probesOn, removeProbe } from '../vpcs/probes.ts'
import { diskView } from './disks.ts'
import { sledView } from './sleds.ts'
import { notInMaintenance } from './details.ts'

const gone = { policy: 'expunged', state: 'decommissioned' } as const

export const expunging: Family<'sledExpunge' | 'physicalDiskExpunge'> = {
  async sledExpunge(ctx, { params }) {
    const row = await resolveInFleet(ctx, 'sled', params.sledId)
    if (row.policy === 'expunged') return sledView(ctx.tx, row)
    const lost = await instancesOn(ctx.tx, 'sledId', row)
    const coming = await instancesOn(ctx.tx, 'migrationSledId', row)
    if (lost.length > 0 && row.missingSince === null)
      throw fault.invalid(
        'the sled has instances: begin its maintenance, and take it out of service when it is empty',
      )
    if (coming.length > 0 && row.missingSince === null)
      throw fault.invalid('instances are on their way to the sled: try again when it is empty')
    const probes = await probesOn(ctx.tx, row.id)
    const [first] = probes
    if (first && row.missingSince === null)
      throw fault.invalid(
        `the sled has probes: delete them first, such as "${first.name}" of project "${first.projectName}" in silo "${first.siloName}"`,
      )
    for (const probe of probes) await removeProbe(ctx, probe)
    for (const instance of coming) await keep(ctx, instance)
    for (const instance of lost) await lose(ctx, instance)
    await ctx.tx.updateTable('physicalDisk').set(gone).where('sledId', '=', row.id).execute()
    const changed = await updateUnnamed(ctx, ['sled', row], {
      ...gone,
      ...notInMaintenance,
      provisionPolicy: 'non_provisionable',
      missingSince: null,
      timeModified: ctx.now,
    })
    ctx.wake('hardware')
    return sledView(ctx.tx, changed)
  },

  async physicalDiskExpunge(ctx, { params }) {
    const disk = await resolveInFleet(ctx, 'physicalDisk', params.diskId)
    if (disk.policy === 'expunged') return diskView(disk)
    return diskView(
      await updateUnnamed(ctx, ['physicalDisk', disk], {
        ...gone,
        missingSince: null,
        timeModified: ctx.now,
      }),
    )
  },
}

/** The sled of an instance does not answer, and never will: the instance may start again elsewhere. */
async function lose(ctx: Ctx, instance: InstanceRow): Promise<void> {
  const { tx, now } = ctx
  await release(tx, instance, now)
  await endMove(tx, instance, now)
  const isWanted = instance.desired === 'running'
  await changeInstance(tx, instance, {
    now,
    set: {
      ...notMoving,
      sledId: null,
      runState: isWanted ? 'failed' : 'stopped',
      dueAt: isWanted ? now : null,
      attempts: 0,
      lastError: isWanted ? outOfService : null,
    },
  })
  ctx.wake(`networks ${instance.id}`)
  ctx.wake('instances')
}

/**
 * The other sled of an instance never answers. If the instance has arrived there already, the sled that it left has
 * nothing of it, which the next look finds out.
 */
async function keep(ctx: Ctx, instance: InstanceRow): Promise<void> {
  const { tx, now } = ctx
  await changeInstance(tx, instance, {
    now,
    set: {
      ...(await stay(tx, instance, { reason: outOfService, now })),
      runState: instance.desired === 'running' ? 'running' : instance.runState,
      dueAt: now,
      attempts: 0,
    },
  })
  ctx.wake('tasks')
  ctx.wake('instances')
}

const outOfService = 'its sled was taken out of service'

const instancesOn = (tx: Tx, column: 'sledId' | 'migrationSledId', { id }: SledTable) =>
  tx.selectFrom('instance').selectAll().where(column, '=', id).execute()
