/** Steps of rounds that take long: no round waits for them, and none takes their instances or sleds until they have ended. */
import type { Clock } from '#/ports.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'

/** A round waits this long for its steps. */
const patienceMs = 1_000

interface Options {
  clock: Clock
  step: (row: InstanceRow) => Promise<void>
  /** A step that took long has ended. */
  onEnd: () => void
}

/** The instances whose steps take long, and the sleds that these wait for. */
export interface Slow {
  ids: readonly string[]
  sledIds: readonly string[]
}

/** Carries out the steps of claimed rows. */
export function createSteps({ clock, step, onEnd }: Options) {
  const late = new Map<string, { row: InstanceRow; ended: Promise<void> }>()
  return {
    slow(): Slow {
      const rows = [...late.values()].map(({ row }) => row)
      // Of a machine that moves, either sled may be the slow one.
      const sledIds = rows.flatMap((row) => (row.migrationSledId === null ? (row.sledId ?? []) : []))
      return { ids: [...late.keys()], sledIds: [...new Set(sledIds)] }
    },

    /** Ends the claims of the rows, of those that take long later. */
    async carryOut(
      due: readonly InstanceRow[],
      end: (rows: readonly InstanceRow[]) => Promise<void>,
    ): Promise<void> {
      const open = new Map<InstanceRow, Promise<void>>()
      for (const row of due)
        open.set(
          row,
          step(row).finally(() => open.delete(row)),
        )
      const { promise: isOver, resolve } = Promise.withResolvers<void>()
      const cancel = clock.after(patienceMs, resolve)
      await Promise.race([Promise.all(open.values()), isOver]).finally(cancel)
      const slow = new Map(open)
      for (const [row, done] of slow) {
        const ended = done
          .then(() => end([row]))
          // The database is away: the claim expires.
          .catch(() => undefined)
          .finally(() => {
            late.delete(row.id)
            onEnd()
          })
        late.set(row.id, { row, ended })
      }
      await end(due.filter((row) => !slow.has(row)))
    },

    settled: async (): Promise<void> => {
      await Promise.all([...late.values()].map(({ ended }) => ended))
    },
  }
}
