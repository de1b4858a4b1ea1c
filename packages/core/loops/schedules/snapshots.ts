/**
 * Makes the snapshots that schedules of disks are due to make, and deletes their oldest ones. Both are operations of the user who
 * has set the schedule, with the roles of that moment, and are recorded as such. A run is made up for once, however many
 * were missed.
 */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import { snapshotNameBy, usualPattern } from '@purlin/contract/rules/snapshot-names'
import { diskAnswer } from '@purlin/contract/rules/states'
import { actorsOf } from '#/auth/people.ts'
import type { Actor } from '#/context.ts'
import { takeOverMs } from '#/db/rows/leases.ts'
import type { DiskTable, SnapshotScheduleTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { nextRun } from '#/resources/storage/snapshot-schedules.ts'
import {
  claimedRow,
  failedColumns,
  goneUser,
  isAway,
  messageOf,
  record,
  setAgain,
  type Failed,
  type Run as Claimed,
  type RunKind,
} from './claims.ts'

export const ofDisks: RunKind<'snapshotSchedule'> = {
  table: 'snapshotSchedule',
  leaseMs: takeOverMs,
  next: nextRun,
  run: runOfDisk,
}

interface Run extends Claimed<'snapshotSchedule'> {
  disk: Pick<DiskTable, 'id' | 'name' | 'projectId' | 'state'>
}

async function runOfDisk(claimed: Claimed<'snapshotSchedule'>): Promise<'ended' | 'away'> {
  const disk = await claimed.world.engine.transaction('read', (tx) =>
    tx
      .selectFrom('disk')
      .select(['id', 'name', 'projectId', 'state'])
      .where('id', '=', claimed.row.diskId)
      .executeTakeFirst(),
  )
  // The schedule was deleted with it.
  return disk ? makeSnapshot({ ...claimed, disk }) : 'ended'
}

async function makeSnapshot(run: Run): Promise<'ended' | 'away'> {
  const { world, row, disk } = run
  const now = world.clock.now()
  const [person] = await world.engine.transaction('read', (tx) => actorsOf({ tx, now }, [row.userId]))
  if (!person) return record(run, ofDisks, { reason: `${goneUser}. ${setAgain}` })
  const name = snapshotNameBy(usualPattern, { disk: disk.name, at: now })
  const description = `Made by the snapshot schedule of disk "${disk.name}"`
  const request = {
    ...requestOf(run, 'POST', `/v1/snapshots?project=${disk.projectId}`),
    body: JSON.stringify({ name, description, disk: disk.id }),
  }
  const answer = await run.askAs(person.actor, request, {
    after: (tx) => markMade(tx, run, { name, now }),
  })
  if (answer.status < 400) return deleteOld(run, person.actor)
  const failed = failureIn(run, person.actor, answer)
  return failed ? record(run, ofDisks, failed) : 'away'
}

const requestOf = ({ row }: Run, method: string, url: string): ApiRequest => ({
  method,
  url,
  headers: { host: 'purlin', 'user-agent': `snapshot schedule ${row.id}` },
})

/** Ends the transaction that has made a snapshot. Throws if the run is not this server's any more, which undoes it. */
async function markMade(tx: Tx, run: Run, { name, now }: { name: string; now: number }): Promise<void> {
  const { row, disk } = run
  const made = {
    timeDue: nextRun(row, now),
    leaseUntil: 0,
    timeLastRun: now,
    lastError: null,
    failedSince: null,
  }
  const { numUpdatedRows } = await claimedRow(tx, ofDisks.table, row).set(made).executeTakeFirst()
  if (numUpdatedRows === 0n) throw fault.conflict('the schedule has changed, or another server has run it')
  await tx
    .updateTable('snapshot')
    .set({ scheduleId: row.id })
    .where('projectId', '=', disk.projectId)
    .where('name', '=', name)
    .execute()
}

/** Why a snapshot was not made. Undefined if the database is away. */
function failureIn({ disk }: Run, { displayName }: Actor, answer: ApiResponse): Failed | undefined {
  const { status } = answer
  if (status === 403 || status === 404)
    return { reason: `${displayName} may not create snapshots in this project any more. ${setAgain}` }
  if (diskAnswer('snapshot', disk.state) === 'refuse')
    return { reason: `the disk is ${disk.state.replaceAll('_', ' ')}`, mayPass: true }
  return isAway(answer) ? undefined : { reason: messageOf(answer), mayPass: status !== 400 }
}

/** Deletes the oldest snapshots of the schedule beyond those that it keeps. The next run deletes what is left. */
async function deleteOld(run: Run, actor: Actor): Promise<'ended'> {
  const { world, row } = run
  const old = await world.engine.transaction('read', (tx) => beyondKept(tx, row))
  for (const { id, name } of old.toReversed()) {
    const answer = await run.askAs(actor, requestOf(run, 'DELETE', `/v1/snapshots/${id}`))
    // It may be gone already.
    if (answer.status < 400 || answer.status === 404) continue
    const failed = failedColumns(
      row,
      `the old snapshot ${name} was not deleted: ${messageOf(answer)}`,
      world.clock.now(),
    )
    await world.engine.transaction('write', (tx) =>
      tx
        .updateTable(ofDisks.table)
        .set(failed)
        .where('id', '=', row.id)
        .where('timeModified', '=', row.timeModified)
        .execute(),
    )
    break
  }
  return 'ended'
}

const mostAtOnce = 200

/** Newest first. */
const beyondKept = (tx: Tx, { id, keep }: SnapshotScheduleTable) =>
  tx
    .selectFrom('snapshot')
    .select(['id', 'name'])
    .where('scheduleId', '=', id)
    .where('state', '=', 'ready')
    .where('isProtected', 'is', null)
    .orderBy('timeCreated', 'desc')
    .orderBy('id', 'desc')
    .limit(mostAtOnce)
    .offset(keep)
    .execute()
