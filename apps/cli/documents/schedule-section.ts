/** Schedules in a document. */
import type { Row } from '../http/api.ts'
import { plain, type Source } from './section.ts'

/** A schedule has one of them. */
const targets = ['instances', 'tag', 'disks', 'disk_tag']
const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** The names of its instances or disks. Those that are gone have none. */
async function namesOf(
  source: Source,
  [view, key]: ['instanceView', 'instance'] | ['diskView', 'disk'],
  rows: unknown,
): Promise<string[] | null> {
  if (!Array.isArray(rows)) return null
  const names: string[] = []
  for (const { id } of rows as Row[]) {
    const name = await source.nameOf(view, key, id)
    if (name !== null) names.push(name)
  }
  return names.length > 0 ? names : null
}

/** A class of snapshots of which none is kept is the same as none. */
const keptIn = (keep: unknown): Row | null =>
  isGiven(keep)
    ? Object.fromEntries(Object.entries(keep as Row).filter(([, count]) => isGiven(count) && count !== 0))
    : null

/** A rule of hours without its first run goes on as it is. */
function ruleIn(rule: unknown, present: unknown): unknown {
  const { type, hours, time_first_run: given } = rule as Row
  const { hours: before, time_first_run: first } = present as Row
  return type === 'hours' && !isGiven(given) && hours === before
    ? { ...(rule as Row), time_first_run: first }
    : rule
}

/** Another target takes the place of the present one, and another action that of the classes of snapshots. */
function completed(body: Row, present: Row): Row {
  const other = targets.some((key) => isGiven(body[key]))
    ? targets.filter((key) => !isGiven(body[key]) && isGiven(present[key]))
    : []
  return {
    ...body,
    ...Object.fromEntries(other.map((key) => [key, null])),
    ...(isGiven(body['rule']) ? { rule: ruleIn(body['rule'], present['rule']) } : {}),
    ...(isGiven(body['keep']) ? { keep: keptIn(body['keep']) } : {}),
    ...(isGiven(body['action']) && body['action'] !== 'snapshot' && isGiven(present['keep'])
      ? { keep: null }
      : {}),
  }
}

export const schedules = plain('schedule', {
  completed,
  read: async ({ instances, disks, keep }, source) => ({
    instances: await namesOf(source, ['instanceView', 'instance'], instances),
    disks: await namesOf(source, ['diskView', 'disk'], disks),
    keep: keptIn(keep),
  }),
})
