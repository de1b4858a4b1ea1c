/** When something was last used, for those who look for what nothing uses. */
import type { Ctx } from '#/context.ts'
import type { Used } from '#/db/tables.ts'

const hourMs = 60 * 60_000

/** Of a new row. */
export const notUsed = { timeLastUsed: 0 } as const

/** The last use of a row as clients see it; nothing if it is not known. */
export const lastUseView = ({ timeLastUsed }: Used): { timeLastUsed?: Date } =>
  timeLastUsed ? { timeLastUsed: new Date(timeLastUsed) } : {}

/**
 * Notes that something was made from a snapshot or an image. Once an hour is enough: many requests use the same image,
 * and none should wait for another.
 */
export async function noteUse(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  table: 'snapshot' | 'image',
  { id, timeLastUsed }: Used & { id: string },
): Promise<void> {
  if (now - (timeLastUsed ?? 0) < hourMs) return
  await tx.updateTable(table).set({ timeLastUsed: now }).where('id', '=', id).execute()
}
