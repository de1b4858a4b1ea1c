/** The common part of exports: a semaphore, the check between pages, and lines of comma-separated values. */
import { permits } from '#/auth/access.ts'
import { sessionsOf } from '#/auth/sessions.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { createKeyedSemaphore } from '#/concurrency/semaphores.ts'
import type { Actor, RequestContext, World } from '#/context.ts'
import { fault } from '#/faults.ts'

// Several exports of a user read in turns.
const reading = { running: 1, waiting: 100 }
const semaphoreOf = memoizeByObject((_world: World) => createKeyedSemaphore(reading, fault.tooManyQueries))

/** Reads a page when it is the turn of the user's export. */
export const limitExportReads = <T>({ world, actor }: RequestContext, read: () => Promise<T>): Promise<T> =>
  semaphoreOf(world)(actor?.userId ?? '', read)

/** `2026-01-02`, for the name of the file. */
export const dayOf = ({ now }: RequestContext): string => new Date(now).toISOString().slice(0, 10)

/** The present actor of an export. Throws if the session has ended or the role is gone since the request began. */
export async function actorStill({ world, credential, op }: RequestContext): Promise<Actor> {
  const actor = await sessionsOf(world).authenticate(credential ?? '')
  if (!permits(actor, op.allow)) throw fault.forbidden()
  return actor
}

/** A line as RFC 4180 has it. */
export const lineOf = (cells: readonly (string | number | null | undefined)[]): string =>
  `${cells.map((cell) => cellText(String(cell ?? ''))).join(',')}\r\n`

/** The first line of a CSV file, with the mark by which spreadsheets recognize UTF-8. */
export const csvHead = (names: readonly string[]): string => `\u{FEFF}${lineOf(names)}`

// Spreadsheets take the wide forms for the same. Some of them part cells at semicolons, tabs and line ends.
const formula = /(^|;|\t|\r\n?|\n)(?= *[=+\-@＝＋－＠])/g

/** A cell as RFC 4180 has it. What a spreadsheet would take for a formula has an apostrophe before it. */
function cellText(text: string): string {
  const plain = text.replaceAll(formula, "$1'")
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
