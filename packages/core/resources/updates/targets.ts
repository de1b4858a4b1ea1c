/** The releases that the rack was to run, the present one last. */
import type { TargetReleaseTable, Tx } from '#/db/tables.ts'

/** The last targets, newest first. */
export const targetsOf = (tx: Tx, count: number): Promise<TargetReleaseTable[]> =>
  tx.selectFrom('targetRelease').selectAll().orderBy('generation', 'desc').limit(count).execute()

/** The release that the rack is to run; undefined before one was set. */
export const targetOf = async (tx: Tx): Promise<TargetReleaseTable | undefined> => (await targetsOf(tx, 1))[0]
