/** Start, stop, reboot, update and delete: what is refused in which state, and what is wished otherwise. */
import type { Ctx, Family } from '../../context.ts'
import type { RunState } from '../../db/tables.ts'
import { fault, type Fault } from '../../faults.ts'
import { resolve, resolveIn } from '../../resolve.ts'
import { releaseExternalIps } from '../external-ip.ts'
import { deleteNics } from '../network-interface.ts'
import { checkSizes } from './sizes.ts'
import { place } from './placement.ts'
import { instanceView, type InstanceRow } from './view.ts'
import { changeInstance } from './write.ts'

type Answer = 'act' | 'unchanged' | (() => Fault)
const stillCreating = () => fault.invalid('cannot change instance state while it is still being created')
const mustBeStopped = (state: RunState) => () =>
  fault.conflict(`instance is in state ${state} but it must be stopped to be started`)
const cannotChangeFrom = (state: RunState) => () =>
  fault.invalid(`instance state cannot be changed from ${state}`)
const notStopped = () =>
  fault.invalid('cannot delete instance: instance is running or has not yet fully stopped')

/** The server accepts a little more than clients offer; the rows are the states. */
const answers: Record<
  'start' | 'stop' | 'reboot' | 'delete',
  Partial<Record<RunState, Answer>> & { other: Answer }
> = {
  start: {
    stopped: 'act',
    failed: 'act',
    starting: 'unchanged',
    running: 'unchanged',
    rebooting: 'unchanged',
    migrating: 'unchanged',
    creating: mustBeStopped('creating'),
    repairing: mustBeStopped('repairing'),
    other: () => fault.conflict('instance must finish stopping before it can be started'),
  },
  stop: { creating: stillCreating, stopped: 'unchanged', stopping: 'unchanged', other: 'act' },
  reboot: {
    running: 'act',
    // It boots already: a reset now would change nothing that lasts.
    starting: 'unchanged',
    rebooting: 'unchanged',
    migrating: 'act',
    creating: stillCreating,
    stopped: () => fault.invalid('cannot reboot an instance in state stopped with no VMM'),
    stopping: cannotChangeFrom('stopping'),
    failed: cannotChangeFrom('failed'),
    other: cannotChangeFrom('repairing'),
  },
  delete: {
    stopped: 'act',
    failed: 'act',
    creating: () => fault.invalid('instance cannot be deleted in state "creating"'),
    other: notStopped,
  },
}

/** True if the action is to be carried out, false if it changes nothing. Throws the refusal. */
function judge(action: keyof typeof answers, row: InstanceRow): boolean {
  const answer = answers[action][row.runState] ?? answers[action].other
  if (typeof answer === 'function') throw answer()
  return answer === 'act'
}

async function stop(ctx: Ctx, row: InstanceRow): Promise<InstanceRow> {
  if (!judge('stop', row)) return row
  const wish = { desired: 'stopped', intended: 'stopped' } as const
  // A failed instance has no machine left: stopping it is taking note of the failure.
  if (row.runState === 'failed')
    return changeInstance(ctx.tx, row, {
      now: ctx.now,
      set: { ...wish, runState: 'stopped', dueAt: null, lastError: null },
    })
  ctx.wake('instances')
  return changeInstance(ctx.tx, row, {
    now: ctx.now,
    set: { ...wish, runState: 'stopping', dueAt: ctx.now, attempts: 0 },
  })
}

async function reboot(ctx: Ctx, row: InstanceRow): Promise<InstanceRow> {
  if (!judge('reboot', row)) return row
  ctx.wake('instances')
  const set = {
    runState: 'rebooting',
    intended: 'running',
    reset: row.reset + 1,
    dueAt: ctx.now,
    attempts: 0,
  } as const
  return changeInstance(ctx.tx, row, { now: ctx.now, set })
}

async function start(ctx: Ctx, row: InstanceRow): Promise<InstanceRow> {
  if (!judge('start', row)) return row
  ctx.wake('instances')
  return place(ctx.world, ctx.tx, { row, now: ctx.now })
}

/** Removes an instance and everything that is only its own; disks and floating IPs stay. */
async function remove(ctx: Ctx, row: InstanceRow): Promise<void> {
  judge('delete', row)
  const { tx } = ctx
  await tx
    .updateTable('disk')
    .set((eb) => ({ state: 'detached', instanceId: null, slot: null, generation: eb('generation', '+', 1) }))
    .where('instanceId', '=', row.id)
    .execute()
  await deleteNics(ctx, row.id)
  await releaseExternalIps(ctx, row.id)
  await tx.deleteFrom('instanceSshKey').where('instanceId', '=', row.id).execute()
  await tx.deleteFrom('affinityMember').where('instanceId', '=', row.id).execute()
  const done = await tx
    .deleteFrom('instance')
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .executeTakeFirst()
  if (done.numDeletedRows === 0n) throw fault.concurrentDelete()
}

const resizable: readonly RunState[] = ['stopped', 'failed', 'creating']

interface Update {
  ncpus: number
  memory: number
  bootDisk: string | null
  autoRestartPolicy: 'never' | 'best_effort' | null
  cpuPlatform: 'amd_milan' | 'amd_turin' | null
}

async function update(ctx: Ctx, row: InstanceRow, body: Update): Promise<InstanceRow> {
  checkSizes(body)
  const boot =
    body.bootDisk === null
      ? null
      : await resolveIn(ctx, 'disk', { value: body.bootDisk, parent: { project: row.projectId } })
  const resized =
    body.ncpus !== row.ncpus || body.memory !== row.memory || body.cpuPlatform !== row.cpuPlatform
  const stopped = resizable.includes(row.runState)
  if (resized && !stopped) throw fault.conflict('instance must be stopped to change CPU or memory')
  if ((boot?.id ?? null) !== row.bootDiskId) {
    if (!stopped) throw fault.conflict('instance must be stopped to set boot disk')
    if (boot && boot.instanceId !== row.id) throw fault.conflict('boot disk must be attached')
  }
  const { ncpus, memory, autoRestartPolicy, cpuPlatform } = body
  // A failed instance that may restart from now on is looked at by the loop at once.
  const dueAt = row.runState === 'failed' ? ctx.now : row.dueAt
  if (row.runState === 'failed') ctx.wake('instances')
  return changeInstance(ctx.tx, row, {
    now: ctx.now,
    set: { ncpus, memory, autoRestartPolicy, cpuPlatform, bootDiskId: boot?.id ?? null, dueAt },
  })
}

export const lifecycle: Family<
  'instanceStart' | 'instanceStop' | 'instanceReboot' | 'instanceUpdate' | 'instanceDelete'
> = {
  instanceStart: async (ctx, { params, query }) =>
    instanceView(await start(ctx, await resolve(ctx, 'instance', { ...params, ...query }))),
  instanceStop: async (ctx, { params, query }) =>
    instanceView(await stop(ctx, await resolve(ctx, 'instance', { ...params, ...query }))),
  instanceReboot: async (ctx, { params, query }) =>
    instanceView(await reboot(ctx, await resolve(ctx, 'instance', { ...params, ...query }))),
  instanceUpdate: async (ctx, { params, query, body }) =>
    instanceView(await update(ctx, await resolve(ctx, 'instance', { ...params, ...query }), body)),
  instanceDelete: async (ctx, { params, query }) =>
    remove(ctx, await resolve(ctx, 'instance', { ...params, ...query })),
}
