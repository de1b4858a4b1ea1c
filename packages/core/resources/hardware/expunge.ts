/** Taking hardware out of service for good. The same hardware comes back as a new object. */
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { changeInstance } from '../instances/change.ts'
import { endMove, notMoving } from '../instances/move.ts'
import { release } from '../instances/placement.ts'
import { updateUnnamed } from '../kind/rows.ts'
import { diskView } from './disks.ts'
import { sledView } from './sleds.ts'
import { notInMaintenance } from './details.ts'

const gone = { policy: 'expunged', state: 'decommissioned' } as const

export const expunging: Family<'sledExpunge' | 'physicalDiskExpunge'> = {
  sledExpunge: {
    async withoutTransaction(request, { params }) {
      const sled = await request.transaction('write', async (ctx) => {
        const row = await resolveInFleet(ctx, 'sled', params.sledId)
        if (row.policy === 'expunged') return row
        const lost = await instancesOf(ctx.tx, row)
        if (lost.length > 0 && row.missingSince === null)
          throw fault.invalid(
            'the sled has instances: begin its maintenance, and take it out of service when it is empty',
          )
        // It does not answer, and never will: its instances may start again elsewhere.
        for (const instance of lost) {
          await release(ctx.tx, instance, ctx.now)
          await endMove(ctx.tx, instance, ctx.now)
          const isWanted = instance.desired === 'running'
          await changeInstance(ctx.tx, instance, {
            now: ctx.now,
            set: {
              ...notMoving,
              sledId: null,
              runState: isWanted ? 'failed' : 'stopped',
              dueAt: isWanted ? ctx.now : null,
              attempts: 0,
              lastError: isWanted ? 'its sled was taken out of service' : null,
            },
          })
          ctx.wake(`networks ${instance.id}`)
        }
        ctx.wake('instances')
        await ctx.tx.updateTable('physicalDisk').set(gone).where('sledId', '=', row.id).execute()
        return updateUnnamed(ctx, ['sled', row], {
          ...gone,
          ...notInMaintenance,
          provisionPolicy: 'non_provisionable',
          missingSince: null,
          timeModified: ctx.now,
        })
      })
      await request.world.sleds.dropSled(sled.id)
      return request.transaction('read', async (ctx) =>
        sledView(ctx.tx, await resolveInFleet(ctx, 'sled', sled.id)),
      )
    },
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

const instancesOf = (tx: Tx, { id }: SledTable) =>
  tx.selectFrom('instance').selectAll().where('sledId', '=', id).execute()
