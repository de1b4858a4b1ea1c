/**
 * Drives instances to their desired state. A row says when it is due; a round claims what is due,
 * asks the sleds, and notes when to look again. Reports of the sleds arrive beside the rounds. Every
 * step may be repeated, so a crash anywhere is healed by the next round of any server.
 */
import type { World } from '../context.ts'
import type { Tx } from '../db/tables.ts'
import type { VmStatus } from '../ports.ts'
import type { InstanceRow } from '../resources/instance/view.ts'
import { checkMs, rowOf, takeIn } from './instance-reports.ts'
import { instanceSteps } from './instance-steps.ts'
import type { Loop } from './loop.ts'

const perRound = 32

export interface InstanceLoop {
  loop: Loop
  settled(): Promise<void>
  stop(): void
}

/** Makes the loop and begins to listen to the sleds. `wake` asks for a round soon. */
export function instanceLoop(world: World, wake: () => void): InstanceLoop {
  const { engine, clock, log } = world
  const step = instanceSteps(world, report)
  let reports: Promise<void> = Promise.resolve()
  const unwatch = world.sleds.watch((status) => {
    const failed = (error: unknown) =>
      log.error({ instance: status.id, error: String(error) }, 'report not taken in')
    reports = reports.then(() => report(status)).catch(failed)
  })

  /** Takes in what a sled says. Late reports of older boots change nothing. */
  async function report(status: VmStatus): Promise<void> {
    const ended = await engine.transaction('write', async (tx) => {
      const row = await rowOf(tx, status.id)
      if (!row || row.sledId !== status.sledId || status.boot !== row.boot || status.seq <= row.seq)
        return null
      return takeIn(world, tx, { row, status })
    })
    if (!ended) return
    // What a sled still holds of a machine that has ended is of no use any more.
    await forget(world, ended)
    // One that failed may be due for its restart before the round that is planned.
    wake()
  }

  async function round(): Promise<number> {
    const now = clock.now()
    for (;;) {
      const due = await engine.transaction('write', (tx) => claim(tx, now))
      if (due.length === 0) break
      await Promise.all(due.map((row) => step(row)))
    }
    const next = await engine.transaction('read', nextDue)
    return next ?? now + checkMs
  }

  return {
    loop: { name: 'instances', round },
    settled: async () => {
      let seen
      do await (seen = reports)
      while (seen !== reports)
    },
    stop: unwatch,
  }
}

async function forget(
  world: World,
  { id, sledId, boot }: { id: string; sledId: string; boot: number },
): Promise<void> {
  const failed = (error: unknown) =>
    world.log.warn({ instance: id, error: String(error) }, 'machine not removed')
  await world.sleds.remove(id, sledId, boot).catch(failed)
}

async function nextDue(tx: Tx): Promise<number | null> {
  const row = await tx
    .selectFrom('instance')
    .select('dueAt')
    .where('dueAt', 'is not', null)
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  return row?.dueAt ?? null
}

/** Takes rows that are due and moves their time on, so that no other server takes them too. */
async function claim(tx: Tx, now: number): Promise<InstanceRow[]> {
  const rows = await tx
    .selectFrom('instance')
    .selectAll()
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(perRound)
    .execute()
  const ids = rows.map((row) => row.id)
  if (ids.length)
    await tx
      .updateTable('instance')
      .set({ dueAt: now + checkMs })
      .where('id', 'in', ids)
      .execute()
  return rows
}
