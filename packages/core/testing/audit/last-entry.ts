/** The newest entry of the audit log, as operators read it. */
import { sentenceText } from '@purlin/contract/rules/audit/deeds'
import type { TestWorld } from '../world.ts'

/** An entry, or undefined for an empty log. */
export async function lastEntry(w: TestWorld) {
  const { items } = await w.as('fleetAdmin').auditLogList({
    query: { startTime: new Date('2026-01-01T00:00:00Z'), sortBy: 'time_and_id_descending', limit: 1 },
  })
  return items[0]
}

/** The sentence of that entry. */
export const deedOfLast = async (w: TestWorld): Promise<string> =>
  sentenceText((await lastEntry(w)) ?? { operationId: '' })
