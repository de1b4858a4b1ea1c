/**
 * Taking a sled out and giving it back. It is closed for new instances, and a task moves its instances to other sleds,
 * one item each.
 */
import type { MaintenanceState } from '@purlin/contract/rules/hardware'
import type { TaskAction } from '@purlin/contract/rules/tasks'
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family, RequestContext } from '#/context.ts'
import { pageByKey } from '#/db/lists/pages.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { updateUnnamed } from '#/resources/kind/rows.ts'
import { planned } from '#/resources/tasks/task-plan.ts'
import { begin } from '#/resources/tasks/tasks.ts'
import { notInMaintenance } from '../details.ts'
import { planMoves } from './evacuation-plan.ts'

/** The maintenance of sleds as clients see it, by id. Sleds without any are left out. */
export async function maintenanceOf(tx: Tx, sleds: readonly SledTable[]) {
  const out = sleds.filter(({ maintenanceSince }) => maintenanceSince !== null)
  const open = await openAmong(
    tx,
    out.flatMap(({ maintenanceTaskId }) => maintenanceTaskId ?? []),
  )
  const left = await countOn(
    tx,
    out.map(({ id }) => id),
  )
  return new Map(
    out.map((sled) => {
      const remaining = left.get(sled.id) ?? 0
      const isOpen = open.has(sled.maintenanceTaskId ?? '')
      const state: MaintenanceState = remaining === 0 ? 'empty' : isOpen ? 'evacuating' : 'incomplete'
      return [
        sled.id,
        {
          since: new Date(sled.maintenanceSince ?? 0),
          state,
          remaining,
          taskId: sled.maintenanceTaskId,
        },
      ]
    }),
  )
}

async function openAmong(tx: Tx, tasks: readonly string[]): Promise<Set<string>> {
  if (tasks.length === 0) return new Set()
  const rows = await tx
    .selectFrom('task')
    .select('id')
    .where('id', 'in', tasks)
    .where('timeEnded', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function countOn(tx: Tx, sleds: readonly string[]): Promise<Map<string, number>> {
  if (sleds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('instance')
    .select((eb) => ['sledId', eb.fn.countAll<number | string>().as('count')])
    .where('sledId', 'in', sleds)
    .groupBy('sledId')
    .execute()
  return new Map(rows.map(({ sledId, count }) => [sledId ?? '', Number(count)]))
}

/** Closes a sled and begins to empty it, or goes on with what an earlier task has left. */
async function evacuate(
  request: RequestContext,
  sledId: string,
  { stopUnmovable }: { stopUnmovable: boolean },
): Promise<{ since: number; taskId: string; remaining: number }> {
  const sled = await request.transaction('read', (ctx) => resolveInFleet(ctx, 'sled', sledId))
  // No instance arrives once it is closed, so that the task has all of them.
  const ids = await request.world.engine.transaction('write', (tx) => close(tx, sled.id, request.now))
  const action: TaskAction = stopUnmovable ? 'move_or_stop' : 'move'
  const spec = { kind: 'instance', action, groupId: null, namePattern: null, tagsJson: null } as const
  const { id } = await begin(request, {
    spec,
    items: await planned(request, spec, ids),
    retryOf: null,
    also: async (ctx, taskId) => {
      const row = await resolveInFleet(ctx, 'sled', sled.id)
      // While the task was prepared, another operator may have begun, ended it, or taken the sled out of service.
      await refuseToEmpty(ctx.tx, row)
      const changes = { ...closed(row, ctx.now), maintenanceTaskId: taskId, timeModified: ctx.now }
      await updateUnnamed(ctx, ['sled', row], changes)
    },
  })
  return { since: sled.maintenanceSince ?? request.now, taskId: id, remaining: ids.length }
}

/** The columns of a sled that is closed for maintenance. */
const closed = (
  { maintenanceSince, maintenanceTaskId, policyBefore, provisionPolicy }: SledTable,
  now: number,
) => ({
  provisionPolicy: 'non_provisionable' as const,
  maintenanceSince: maintenanceSince ?? now,
  // The task of a former maintenance is not that of this one.
  maintenanceTaskId: maintenanceSince === null ? null : maintenanceTaskId,
  policyBefore: policyBefore ?? provisionPolicy,
})

/** Closes a sled for new instances. Returns those that are on it. Throws 400, 409. */
async function close(tx: Tx, sledId: string, now: number): Promise<string[]> {
  const sled = await tx.selectFrom('sled').selectAll().where('id', '=', sledId).executeTakeFirstOrThrow()
  await refuseToEmpty(tx, sled)
  await tx.updateTable('sled').set(closed(sled, now)).where('id', '=', sledId).execute()
  return instancesOn(tx, sledId)
}

/** Throws 400 for a sled that is out of service, 409 for one that another task empties. */
async function refuseToEmpty(tx: Tx, sled: SledTable): Promise<void> {
  refuseExpunged(sled)
  if (sled.maintenanceSince === null) return
  if ((await openAmong(tx, [sled.maintenanceTaskId ?? ''])).size > 0)
    throw fault.conflict('the sled is being emptied already: cancel its task first')
}

async function instancesOn(tx: Tx, sledId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('instance')
    .select('id')
    .where('sledId', '=', sledId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Throws 400 for a sled that is out of service for good. */
export function refuseExpunged({ policy }: SledTable): void {
  if (policy === 'expunged') throw fault.invalid('the sled is out of service for good')
}

/** Gives the sled back: instances may be placed on it as before, and no further one is moved away. */
async function giveBack(ctx: Ctx, sled: SledTable): Promise<void> {
  if (sled.maintenanceSince === null) return
  await ctx.tx
    .updateTable('task')
    .set({ state: 'canceled' })
    .where('id', '=', sled.maintenanceTaskId ?? '')
    .where('timeEnded', 'is', null)
    .execute()
  ctx.wake('tasks')
  await updateUnnamed(ctx, ['sled', sled], {
    ...notInMaintenance,
    // Its results are shown until the next maintenance.
    maintenanceTaskId: sled.maintenanceTaskId,
    provisionPolicy: sled.policyBefore ?? 'provisionable',
    timeModified: ctx.now,
  })
}

export const maintenance: Family<`sledMaintenance${'Start' | 'End' | 'Plan'}`> = {
  sledMaintenanceStart: {
    async withoutTransaction(request, { params, body }) {
      const { since, taskId, remaining } = await evacuate(request, params.sledId, {
        stopUnmovable: body.stopUnmovable ?? false,
      })
      const state = remaining === 0 ? ('empty' as const) : ('evacuating' as const)
      return { since: new Date(since), state, remaining, taskId }
    },
  },

  async sledMaintenanceEnd(ctx, { params }) {
    await giveBack(ctx, await resolveInFleet(ctx, 'sled', params.sledId))
  },

  async sledMaintenancePlan(ctx, { params, query }) {
    const sled = await resolveInFleet(ctx, 'sled', params.sledId)
    const items = await planMoves(ctx.tx, sled)
    return pageByKey(ctx, query, { items, keyOf: ({ id }) => id })
  },
}
