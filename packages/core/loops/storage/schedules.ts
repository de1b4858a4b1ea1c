/**
 * Makes the snapshots that schedules of disks are due to make, and deletes their oldest ones. Both are operations of the user who
 * has set the schedule, with the roles of that moment, and are recorded as such. A run is made up for once, however many
 * were missed.
 */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import { limits } from '@purlin/contract/rules/limits'
import { snapshotNameBy, usualPattern } from '@purlin/contract/rules/snapshot-names'
import { diskAnswer } from '@purlin/contract/rules/states'
import { actorsOf } from '#/auth/people.ts'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import type { Actor, AskAs, World } from '#/context.ts'
import type { DiskTable, SnapshotScheduleTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { nextRun } from '#/resources/storage/snapshot-schedules.ts'
import { takeOverMs } from '#/db/rows/leases.ts'
import { outageMs, type Loop } from '../loop.ts'

const longestMs = 10 * 60_000
/** The next attempt after a failure that may pass, such as a full quota, unless a run is due before. */
const retryMs = 60 * 60_000

const table = 'snapshotSchedule'

/** A run that this server has claimed. */
interface Run {
  world: World
  askAs: AskAs
  row: SnapshotScheduleTable
  disk: Pick<DiskTable, 'id' | 'name' | 'projectId' | 'state'>
}
interface Failed {
  reason: string
  mayPass?: boolean
}

/** The loop. Servers share the schedules by leases. */
export function runSchedules(world: World, askAs: AskAs): Loop {
  const { engine, clock, lookMs = longestMs } = world
  let isStopped = false
  return {
    name: 'schedules',
    stop: () => void (isStopped = true),
    async round() {
      while (!isStopped) {
        const claimed = await take(world)
        if (!claimed) break
        const run = { world, askAs, ...claimed }
        const ended = await makeSnapshot(run)
        if (ended === 'away') return clock.now() + outageMs
        await yieldToEventLoop()
      }
      const next = await engine.transaction('read', (tx) => nextTime(tx, clock.now()))
      return Math.min(next, clock.now() + lookMs)
    },
  }
}

/** Claims the first run that is due and that no server has claimed. */
async function take({ engine, clock }: World): Promise<Pick<Run, 'row' | 'disk'> | undefined> {
  const now = clock.now()
  const first = (tx: Tx) =>
    tx
      .selectFrom(table)
      .selectAll()
      .where('timeDue', '<=', now)
      .where('leaseUntil', '<=', now)
      .orderBy('timeDue')
      .limit(1)
      .executeTakeFirst()
  if (!(await engine.transaction('read', first))) return undefined
  return engine.transaction('write', async (tx) => {
    const row = await first(tx)
    if (!row) return undefined
    const claim = { leaseUntil: now + takeOverMs }
    await tx.updateTable(table).set(claim).where('id', '=', row.id).execute()
    const disk = await tx
      .selectFrom('disk')
      .select(['id', 'name', 'projectId', 'state'])
      .where('id', '=', row.diskId)
      .executeTakeFirstOrThrow()
    return { row: { ...row, ...claim }, disk }
  })
}

/** When the next run is due, or the claim of another server ends; Infinity without any. */
async function nextTime(tx: Tx, now: number): Promise<number> {
  const { due } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.min('timeDue').as('due'))
    .where('timeDue', '>', now)
    .executeTakeFirstOrThrow()
  const { claimed } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.min('leaseUntil').as('claimed'))
    .where('timeDue', '<=', now)
    .executeTakeFirstOrThrow()
  return Math.min(due ?? Infinity, claimed ?? Infinity)
}

async function makeSnapshot(run: Run): Promise<'ended' | 'away'> {
  const { world, row, disk } = run
  const now = world.clock.now()
  const [person] = await world.engine.transaction('read', (tx) => actorsOf({ tx, now }, [row.userId]))
  if (!person) return record(run, { reason: `the user who has set it was deleted. ${setAgain}` })
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
  return failed ? record(run, failed) : 'away'
}

const requestOf = ({ row }: Run, method: string, url: string): ApiRequest => ({
  method,
  url,
  headers: { host: 'purlin', 'user-agent': `snapshot schedule ${row.id}` },
})

const setAgain = 'Set the schedule again, so that it runs in your name'

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
  const { numUpdatedRows } = await claimedRow(tx, run).set(made).executeTakeFirst()
  if (numUpdatedRows === 0n) throw fault.conflict('the schedule has changed, or another server has run it')
  await tx
    .updateTable('snapshot')
    .set({ scheduleId: row.id })
    .where('projectId', '=', disk.projectId)
    .where('name', '=', name)
    .execute()
}

const claimedRow = (tx: Tx, { row }: Run) =>
  tx.updateTable(table).where('id', '=', row.id).where('leaseUntil', '=', row.leaseUntil)

/** Why a snapshot was not made. Undefined if the database is away: as far as is known, nothing was done. */
function failureIn({ disk }: Run, { displayName }: Actor, { status, body }: ApiResponse): Failed | undefined {
  const { message = '' } = JSON.parse(body ?? '{}') as { message?: string }
  if (status === 403 || status === 404)
    return { reason: `${displayName} may not create snapshots in this project any more. ${setAgain}` }
  if (diskAnswer('snapshot', disk.state) === 'refuse')
    return { reason: `the disk is ${disk.state.replaceAll('_', ' ')}`, mayPass: true }
  if (status === fault.databaseUnavailable().status && message === fault.databaseUnavailable().message)
    return undefined
  return { reason: message, mayPass: status !== 400 }
}

/** Records a failure, unless the schedule has changed since it was claimed. */
async function record(run: Run, { reason, mayPass = false }: Failed): Promise<'ended'> {
  const { world, row } = run
  const now = world.clock.now()
  const next = nextRun(row, now)
  const timeDue = mayPass ? Math.min(next, now + retryMs) : next
  await world.engine.transaction('write', (tx) =>
    claimedRow(tx, run)
      .set({ timeDue, leaseUntil: 0, ...failedColumns(row, reason, now) })
      .execute(),
  )
  return 'ended'
}

const failedColumns = ({ failedSince }: SnapshotScheduleTable, reason: string, now: number) => ({
  lastError: reason.slice(0, limits.task.reason),
  failedSince: failedSince ?? now,
})

/** Deletes the oldest snapshots of the schedule beyond those that it keeps. The next run deletes what is left. */
async function deleteOld(run: Run, actor: Actor): Promise<'ended'> {
  const { world, row } = run
  const old = await world.engine.transaction('read', (tx) => beyondKept(tx, row))
  for (const { id, name } of old.toReversed()) {
    const { status, body } = await run.askAs(actor, requestOf(run, 'DELETE', `/v1/snapshots/${id}`))
    // It may be gone already.
    if (status < 400 || status === 404) continue
    const { message = '' } = JSON.parse(body ?? '{}') as { message?: string }
    const failed = failedColumns(
      row,
      `the old snapshot ${name} was not deleted: ${message}`,
      world.clock.now(),
    )
    await world.engine.transaction('write', (tx) =>
      tx
        .updateTable(table)
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
