/** The switches that a change is about, for the audit log. */
import { noteTarget } from '#/audit/touched.ts'
import type { Ctx } from '#/context.ts'

/** Notes the switches in a place: those of all racks without a rack, and all without a location. */
export async function noteSwitches(
  { tx, unit }: Ctx,
  place: { rackId?: string; switchLocation?: string } = {},
): Promise<void> {
  const { rackId, switchLocation } = place
  let rows = tx.selectFrom('switch').select(['id', 'location']).orderBy('location').orderBy('id')
  if (rackId !== undefined) rows = rows.where('rackId', '=', rackId)
  if (switchLocation !== undefined) rows = rows.where('location', '=', switchLocation)
  for (const { id, location } of await rows.execute()) noteTarget(unit, 'switch', { id, name: location })
}
