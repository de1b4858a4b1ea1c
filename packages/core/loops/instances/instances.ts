/**
 * Drives instances to their desired state. A row says when it is due; a round claims the due rows, calls the sleds,
 * and records when to check again. Reports of the sleds arrive between the rounds. Every step may be repeated, so
 * after a crash at any point the next round of any server continues the work.
 */
import type { Waking, World } from '#/context.ts'
import { isOutage } from '#/db/engine.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import type { Tx } from '#/db/tables.ts'
import type { VmStatus } from '#/ports.ts'
import { isBehind } from '#/resources/storage/layer-switches.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'
import { checkMs, rowOf, applyStatus } from './instance-reports.ts'
import { instanceSteps } from './instance-steps.ts'
import { createReportQueue } from './report-queue.ts'
import { createSteps, type Slow } from './slow-steps.ts'
import { hostLeasesOf, type HostLeases } from '#/resources/hardware/host-leases.ts'
import { takeOverMs } from '#/db/rows/leases.ts'
import { outageMs, type Loop } from '../loop.ts'

const perRound = 32

/**
 * Makes rows on sleds due, undefined for all, that other servers have claimed or would have checked later, however late. For a server that
 * begins to drive the sleds: its predecessors have ended. If one still runs, this does no harm, because every step may be
 * repeated.
 */
export async function takeOverInstances(
  { engine, clock }: World,
  sledIds: readonly string[] | undefined,
): Promise<void> {
  if (sledIds?.length === 0) return
  const now = clock.now()
  await evenWhileFull(() =>
    engine.transaction('write', async (tx) => {
      await tx
        .updateTable('instance')
        .set({ dueAt: now })
        .where('dueAt', '>', now)
        // A report may have been lost, unless the instance still waits for a sled.
        .where((eb) => eb.or([eb('sledId', 'is not', null), eb('dueAt', '<=', now + checkMs)]))
        // They wait for the time of their restart.
        .where('runState', '!=', 'failed')
        .$if(sledIds !== undefined, (rows) =>
          rows.where((eb) => eb.or([eb('sledId', 'is', null), eb('sledId', 'in', sledIds ?? [])])),
        )
        .execute()
    }),
  )
}

export interface InstanceLoop {
  loop: Loop
  settled(): Promise<void>
  stop(): void
}

/** Makes the loop and subscribes to the reports of the sleds. `wake` asks for a round soon, of this loop or another. */
export function instanceLoop(world: World, wake: (what: Waking) => void): InstanceLoop {
  const { engine, clock, log } = world
  const leases = hostLeasesOf(world)
  const step = instanceSteps({ world, report, wake })
  const steps = createSteps({ clock, step, onEnd: () => wake('instances') })
  let stopped = false
  const reports = createReportQueue(reportAfterOutage)
  const unwatch = world.sleds.watch((status) => reports.add(status))

  /** Reports wait for a database that is away. */
  async function reportAfterOutage(status: VmStatus): Promise<void> {
    while (!stopped) {
      try {
        return await report(status)
      } catch (error) {
        if (!isOutage(error))
          return log.error({ instance: status.id, error: String(error) }, 'report not applied')
        await new Promise<void>((resolve) => clock.after(outageMs, resolve))
      }
    }
  }

  /** Stores a report of a sled. Late reports of older boots change nothing. */
  async function report(status: VmStatus, drivenBy = status.sledId): Promise<void> {
    // Its holder stores it, or asks for the state once it has taken the sled over. So does that of the sled which it leaves.
    if (!leases.holds(drivenBy)) return
    let isMoving = false
    let mustSwitch = false
    const ended = await engine.transaction('write', async (tx) => {
      const row = await rowOf(tx, status.id)
      if (!row || status.boot !== row.boot || !isNews(row, status)) return null
      isMoving = row.migrationId !== null
      mustSwitch = isBehind(row, status.storage)
      return applyStatus(world, tx, { row, status })
    })
    if (isMoving) {
      wake('instances')
      wake('tasks')
      wake(`networks ${status.id}`)
    }
    if (mustSwitch) wake('instances')
    if (!ended) return
    wake(`networks ${ended.id}`)
    // The sled may drop its state of a machine that has ended.
    await forget(world, ended)
    // One that failed may be due for its restart before the round that is planned.
    wake('instances')
  }

  async function round(): Promise<number> {
    const now = clock.now()
    const driven = (tx: Tx) => drivenBy(tx, leases, steps.slow())
    for (;;) {
      const until = clock.now() + takeOverMs
      const due = await engine.transaction('write', (tx) => claim(tx, driven(tx), { now, until }))
      if (due.length === 0) break
      await steps.carryOut(due, (rows) =>
        engine.transaction('write', (tx) => endClaim(tx, rows, { until, next: clock.now() + checkMs })),
      )
    }
    const next = await engine.transaction('read', (tx) => nextDue(driven(tx)))
    const latest = now + (world.lookMs ?? checkMs)
    return Math.min(next ?? latest, latest)
  }

  return {
    loop: { name: 'instances', round, settled: () => steps.settled() },
    settled: () => reports.settled(),
    stop: () => {
      stopped = true
      unwatch()
    },
  }
}

/** False for a report that is older than what the row says. Sleds number their reports independently. */
const isNews = (row: InstanceRow, { sledId, seq }: VmStatus): boolean =>
  sledId === row.sledId ? seq > row.seq : row.migrationSledId !== null && sledId === row.migrationSledId

async function forget(
  world: World,
  { id, sledId, boot }: { id: string; sledId: string; boot: number },
): Promise<void> {
  const failed = (error: unknown) =>
    world.log.warn({ instance: id, error: String(error) }, 'machine not removed')
  await world.sleds.remove(id, sledId, boot).catch(failed)
}

/** The rows that this server drives, but those that wait for a slow step. Undefined if there cannot be any. */
function drivenBy(tx: Tx, leases: HostLeases, { ids, sledIds }: Slow) {
  const rows = heldBy(tx, leases)
  if (!rows || ids.length === 0) return rows
  const others = rows.where('id', 'not in', ids)
  if (sledIds.length === 0) return others
  return others.where((eb) => eb.or([eb('sledId', 'is', null), eb('sledId', 'not in', sledIds)]))
}

/** The rows on the sleds of this server, and on none. */
function heldBy(tx: Tx, leases: HostLeases) {
  const rows = tx.selectFrom('instance')
  const sledIds = leases.sledIds()
  if (sledIds === undefined) return rows
  const isPlacing = leases.has('hardware')
  if (sledIds.length > 0 && isPlacing)
    return rows.where((eb) => eb.or([eb('sledId', 'is', null), eb('sledId', 'in', sledIds)]))
  if (sledIds.length > 0) return rows.where('sledId', 'in', sledIds)
  return isPlacing ? rows.where('sledId', 'is', null) : undefined
}

type Driven = ReturnType<typeof drivenBy>

async function nextDue(driven: Driven): Promise<number | null> {
  const row = await driven
    ?.select('dueAt')
    .where('dueAt', 'is not', null)
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  return row?.dueAt ?? null
}

/** Takes rows that are due and moves their time on, so that another server takes them only if this one ends. */
async function claim(
  tx: Tx,
  driven: Driven,
  { now, until }: { now: number; until: number },
): Promise<InstanceRow[]> {
  const due = driven?.selectAll().where('dueAt', '<=', now).orderBy('dueAt').limit(perRound)
  const rows = (await due?.execute()) ?? []
  const ids = rows.map((row) => row.id)
  if (ids.length) await tx.updateTable('instance').set({ dueAt: until }).where('id', 'in', ids).execute()
  return rows
}

/** Rows without another time from a step are checked again at the usual interval. */
async function endClaim(
  tx: Tx,
  rows: readonly InstanceRow[],
  { until, next }: { until: number; next: number },
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map((row) => row.id)
  await tx
    .updateTable('instance')
    .set({ dueAt: next })
    .where('id', 'in', ids)
    .where('dueAt', '=', until)
    .execute()
}
