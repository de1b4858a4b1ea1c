/** Start, stop, reboot, update and delete: the refusals of each state, and the desired state otherwise. */
import { diskAnswer, instanceAnswer, type InstanceState } from '@purlin/contract/rules/states'
import { isOwnBootDisk } from '@purlin/contract/rules/tasks'
import { together } from '#/concurrency/together.ts'
import { noteDeleted, noteFields } from '#/audit/touched.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import type { RowOf } from '#/db/kinds.ts'
import { removeTags } from '#/db/rows/tags.ts'
import { countDeleted } from '#/db/rows/tallies.ts'
import { fault, type Fault } from '#/faults.ts'
import { resolve } from '#/auth/resolve.ts'
import { releaseExternalIps } from '#/resources/addresses/external-ips.ts'
import type { How } from '#/resources/kind/plain.ts'
import { identityChanges, keptChanges, refuseProtected, updateNamed } from '#/resources/kind/rows.ts'
import { attachedTo, deleteDisk } from '#/resources/storage/disks.ts'
import { forgetSnapshots } from './instance-snapshots.ts'
import { followInstanceName } from '#/resources/vpcs/instance-names.ts'
import { deleteNics } from '#/resources/vpcs/network-interfaces.ts'
import { checkSizes } from './sizes/sizes.ts'
import { place } from './placement.ts'
import type { InstanceRow } from './view.ts'
import { changeInstance } from './change.ts'

type Refusal = (state: InstanceState) => Fault
const stillCreating: Refusal = () =>
  fault.invalid('cannot change instance state while it is still being created')

/** The answers in states in which the action neither runs nor is accepted without a change. */
const refusals: Record<
  'start' | 'stop' | 'forceStop' | 'reboot' | 'delete',
  Partial<Record<InstanceState, Refusal>> & { other: Refusal }
> = {
  start: {
    stopping: () => fault.conflict('instance must finish stopping before it can be started'),
    other: (state) => fault.conflict(`instance is in state ${state} but it must be stopped to be started`),
  },
  stop: { other: stillCreating },
  forceStop: { other: stillCreating },
  reboot: {
    creating: stillCreating,
    stopped: () => fault.invalid('cannot reboot an instance in state stopped with no VMM'),
    other: (state) => fault.invalid(`instance state cannot be changed from ${state}`),
  },
  delete: {
    creating: () => fault.invalid('instance cannot be deleted in state "creating"'),
    other: () => fault.invalid('cannot delete instance: instance is running or has not yet fully stopped'),
  },
}

/** True if the action should run, false if it changes nothing. Throws the refusal. */
function isDue(action: keyof typeof refusals, { runState }: InstanceRow): boolean {
  const answer = instanceAnswer(action, runState)
  if (answer === 'refuse') throw (refusals[action][runState] ?? refusals[action].other)(runState)
  return answer === 'act'
}

/** Stops an instance; with `force`, its machine is powered off without asking the guest, also while it shuts down. */
export async function stop(
  ctx: Ctx,
  row: InstanceRow,
  { force = false }: { force?: boolean | undefined } = {},
): Promise<InstanceRow> {
  if (!isDue(force ? 'forceStop' : 'stop', row)) return row
  const desired = { desired: 'stopped', intended: 'stopped' } as const
  // A failed instance has no machine: stopping it acknowledges the failure.
  if (row.runState === 'failed')
    return changeInstance(ctx.tx, row, {
      now: ctx.now,
      set: { ...desired, runState: 'stopped', dueAt: null, lastError: null },
    })
  ctx.wake('instances')
  return changeInstance(ctx.tx, row, {
    now: ctx.now,
    set: {
      ...desired,
      runState: 'stopping',
      ...(force && { forcedBoot: row.boot }),
      dueAt: ctx.now,
      attempts: 0,
    },
  })
}

export async function reboot(ctx: Ctx, row: InstanceRow): Promise<InstanceRow> {
  if (!isDue('reboot', row)) return row
  ctx.wake('instances')
  // One that is on its way to another sled is reset there.
  const runState = row.migrationSledId === null ? 'rebooting' : row.runState
  const set = {
    runState,
    intended: 'running',
    reset: row.reset + 1,
    dueAt: ctx.now,
    attempts: 0,
  } as const
  return changeInstance(ctx.tx, row, { now: ctx.now, set })
}

export async function start(ctx: Ctx, row: InstanceRow): Promise<InstanceRow> {
  if (!isDue('start', row)) return row
  ctx.wake('instances')
  ctx.wake(`networks ${row.id}`)
  return place(ctx.world, ctx.tx, { row, now: ctx.now, unit: ctx.unit })
}

/**
 * Deletes an instance, its interfaces and memberships, and those of its disks that `how` says; its other disks and
 * floating IPs are detached. Throws 400 before anything is deleted.
 */
export async function remove(ctx: Ctx, row: InstanceRow, how: How = {}): Promise<void> {
  isDue('delete', row)
  const { tx } = ctx
  const disks = await disksToDelete(ctx, row, how)
  const [done] = await together([
    tx
      .deleteFrom('instance')
      .where('id', '=', row.id)
      .where('generation', '=', row.generation)
      .executeTakeFirst(),
    countDeleted(tx, 'instance', row),
    removeTags(tx, row),
    tx
      .updateTable('disk')
      .set((eb) => ({
        state: 'detached',
        instanceId: null,
        slot: null,
        timeLastUsed: ctx.now,
        generation: eb('generation', '+', 1),
      }))
      .where('instanceId', '=', row.id)
      .execute(),
    deleteNics(ctx, row.id),
    releaseExternalIps(ctx, row.id),
    forgetSnapshots(ctx, row.id),
    tx.deleteFrom('instanceSshKey').where('instanceId', '=', row.id).execute(),
    tx.deleteFrom('affinityMember').where('instanceId', '=', row.id).execute(),
  ])
  if (done.numDeletedRows === 0n) throw fault.concurrentDelete()
  noteDeleted(ctx.unit, 'instance', row)
  for (const disk of disks) await deleteDisk(ctx, disk)
}

type DiskRow = RowOf<'disk'>

/** The disks to delete with an instance, as they are once they are detached. Throws 400, 404. */
async function disksToDelete(
  ctx: Ctx,
  row: InstanceRow,
  { withDisk = [], withDisks }: How,
): Promise<DiskRow[]> {
  const chosen = new Map<string, DiskRow>()
  const attached = withDisks ? await attachedTo(ctx.tx, [row.id]) : []
  for (const disk of attached) if (withDisks === 'all' || isOwnBootDisk(row, disk)) chosen.set(disk.id, disk)
  for (const nameOrId of withDisk) {
    const disk = await resolve(ctx, 'disk', { disk: nameOrId, within: { project: row.projectId } })
    if (disk.instanceId !== row.id)
      throw fault.invalid(`disk "${disk.name}" is not attached to instance "${row.name}"`)
    chosen.set(disk.id, disk)
  }
  for (const disk of chosen.values()) refuseProtected('disk', disk)
  return [...chosen.values()].map((disk) => ({ ...disk, state: 'detached', instanceId: null, slot: null }))
}

export async function update(
  ctx: Ctx,
  row: InstanceRow,
  body: BodyOf<'instanceUpdate'>,
): Promise<InstanceRow> {
  checkSizes(body)
  const boot =
    body.bootDisk === null
      ? null
      : await resolve(ctx, 'disk', { disk: body.bootDisk, within: { project: row.projectId } })
  const resized =
    body.ncpus !== row.ncpus || body.memory !== row.memory || body.cpuPlatform !== row.cpuPlatform
  if (resized && instanceAnswer('resize', row.runState) === 'refuse')
    throw fault.conflict('instance must be stopped to change CPU or memory')
  if ((boot?.id ?? null) !== row.bootDiskId) {
    if (instanceAnswer('updateBootDisk', row.runState) === 'refuse')
      throw fault.conflict('instance must be stopped to set boot disk')
    if (boot && (boot.instanceId !== row.id || diskAnswer('setAsBootDisk', boot.state) === 'refuse'))
      throw fault.conflict('boot disk must be attached')
  }
  const { ncpus, memory, autoRestartPolicy, cpuPlatform } = body
  // The loop may restart a failed instance under the new policy.
  const dueAt = row.runState === 'failed' ? ctx.now : row.dueAt
  if (row.runState === 'failed') ctx.wake('instances')
  const changed = await changeInstance(ctx.tx, row, {
    now: ctx.now,
    set: { ncpus, memory, autoRestartPolicy, cpuPlatform, bootDiskId: boot?.id ?? null, dueAt },
  })
  await noteFields(ctx, ['instance', row], changed)
  return rename(ctx, changed, body)
}

/** Changes name, description, protection and tags. Rules and routes follow the name; the hostname stays. Throws 400. */
async function rename(ctx: Ctx, row: InstanceRow, body: BodyOf<'instanceUpdate'>): Promise<InstanceRow> {
  if ([body.name, body.description, body.protected, body.tags].every((value) => value == null)) return row
  const changes = { ...identityChanges(ctx, body), ...keptChanges(body) }
  const after = await updateNamed(ctx, ['instance', row], changes)
  if (after.name !== row.name) await followInstanceName(ctx, row.id, { from: row.name, to: after.name })
  return after
}
