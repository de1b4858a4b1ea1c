/**
 * Writes the records of requests whose transaction did not write them: together with records that arrive in the same
 * time, and again after a failure.
 */
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { World } from '#/context.ts'
import type { AuditPendingTable } from '#/db/tables.ts'

/** Takes one record. Resolves after the first attempt, whether it succeeded or not. */
export type Append = (record: AuditPendingTable) => Promise<void>

const retryMs = 250
const patienceMs = 5_000
const perTransaction = 100
/** More than this many wait only while the database is away. */
const mostWaiting = 2_000

interface Waiting {
  record: AuditPendingTable
  until: number
  tried: () => void
}

/** The appender of a world. */
export const appenderOf: (world: World) => Append = memoizeByObject(createAppender)

function createAppender(world: World): Append {
  const { engine, clock, log } = world
  const waiting: Waiting[] = []
  let isRunning = false

  async function write(some: readonly Waiting[]): Promise<void> {
    const records = some.map(({ record }) => record)
    await engine.transaction('append', async (tx) => {
      await tx
        .insertInto('auditPending')
        .values(records)
        // An attempt with an unknown outcome may have stored it.
        .onConflict((on) => on.column('id').doNothing())
        .execute()
    })
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, perTransaction)
      try {
        await write(some)
        waiting.splice(0, some.length)
      } catch (error) {
        const late = some.filter(({ until }) => until <= clock.now())
        // A record that cannot be stored goes to the server's log.
        for (const { record } of late) log.error({ record, error: String(error) }, 'not in the audit log')
        waiting.splice(0, some.length, ...some.filter((one) => !late.includes(one)))
        for (const { tried } of some) tried()
        await new Promise<void>((resolve) => clock.after(retryMs, resolve))
      }
      for (const { tried } of some) tried()
    }
    isRunning = false
  }

  return (record) =>
    new Promise((tried) => {
      if (waiting.length >= mostWaiting) {
        log.error({ record }, 'not in the audit log')
        tried()
        return
      }
      waiting.push({ record, until: clock.now() + patienceMs, tried })
      if (isRunning) return
      isRunning = true
      void run()
    })
}
