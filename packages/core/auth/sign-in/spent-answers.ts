/** Answers of identity providers that have been accepted. */
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

export interface SpentAnswer {
  /** Unique among all answers of all providers. */
  key: string
  /** For people. */
  name: string
  /** How long it could be accepted from now on, ms. */
  untilMs: number
}

/** Records that an answer has been used: no server accepts it a second time. Throws 400. */
export async function spend(
  tx: Tx,
  { passwords, clock }: World,
  { key, name, untilMs }: SpentAnswer,
): Promise<void> {
  const row = { key: passwords.fingerprint(key), timeForgotten: clock.now() + untilMs }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('samlAnswer')
    .values(row)
    .onConflict((on) => on.column('key').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw fault.refusedAnswer(`the ${name} has been used before`)
}
