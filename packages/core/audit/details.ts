/** The parts of an entry other than its indexed columns, and the keys that follow from both. */
import { kinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import type { AuditEntryTable, AuthMethod } from '#/db/tables.ts'
import type { FieldChange, Touched } from '#/context.ts'

/** Its fields are short, because every entry has them. Null or absent: there is none. */
export interface Details {
  uri: string
  /** The names of actor and silo at that time. */
  actorName?: string
  siloName?: string
  sessionId?: string
  /** The credential of the request. Entries of earlier versions have none. */
  auth?: AuthMethod
  projectId?: string
  /** The VPCs that objects are in. */
  vpcIds?: string[]
  /**
   * Type, id, names before and after; 1 if the entry is found by another object; the keys of tags that have changed; whether
   * it is protected from deletion, if that has changed; the fields that have changed, with their values if those are shown.
   * Empty parts at the end are left out.
   */
  objects: [
    type: string,
    id: string,
    before: string | null,
    after: string | null,
    isPart?: 0 | 1,
    tagKeys?: string[] | null,
    isProtected?: boolean | null,
    changes?: [field: string, before?: string | null, after?: string | null][] | null,
  ][]
  /** The number of objects that are not listed. */
  omitted?: number
  code?: string
  message?: string
}

/** The details of an entry as they are stored. */
export const detailsIn = (row: { detailsJson: string }) => JSON.parse(row.detailsJson) as Details

/** The objects as they are stored, as many as an entry lists. */
export function objectsOf(touched: readonly Touched[]): Pick<Details, 'objects' | 'omitted'> {
  const { objects: most } = limits.audit
  const objects = touched.slice(0, most).map(stored)
  return touched.length > most ? { objects, omitted: touched.length - most } : { objects }
}

function stored(touched: Touched): Details['objects'][number] {
  const { type, id, before, after, isPart, tagKeys, isProtected, changes } = touched
  if (changes && changes.length > 0)
    return [
      type,
      id,
      before,
      after,
      isPart ? 1 : 0,
      tagKeys ?? null,
      isProtected ?? null,
      changes.slice(0, limits.audit.changes).map(storedChange),
    ]
  if (isProtected !== undefined)
    return [type, id, before, after, isPart ? 1 : 0, tagKeys ?? null, isProtected]
  if (tagKeys) return [type, id, before, after, isPart ? 1 : 0, tagKeys]
  return isPart ? [type, id, before, after, 1] : [type, id, before, after]
}

const storedChange = ({ field, before, after }: FieldChange): [string, (string | null)?, (string | null)?] =>
  before === undefined || after === undefined ? [field] : [field, cut(before), cut(after)]
const cut = (value: string | null): string | null => value && value.slice(0, limits.audit.value)

/** The key of a name: none is an id. */
export const nameKey = (name: string): string =>
  `name ${name.replaceAll(/\p{Cc}/gu, ' ').slice(0, limits.audit.filter)}`

// They are named by every entry about something in them: by name those are found that made, renamed or deleted them.
const containers: readonly string[] = [kinds.project.type, kinds.silo.type]

/** The keys that an entry is found by. None of them contains a line feed. */
export function keysOf(
  { siloId, otherSiloId }: Pick<AuditEntryTable, 'siloId' | 'otherSiloId'>,
  { projectId, vpcIds = [], objects }: Details,
): string[] {
  const keys = new Set<string>()
  for (const id of [siloId, otherSiloId, projectId, ...vpcIds]) if (id != null) keys.add(id)
  for (const [type, id, before, after, isPart] of objects) {
    if (isPart) continue
    keys.add(id)
    if (containers.includes(type) && before === after) continue
    for (const name of [before, after]) if (name !== null && name !== id) keys.add(nameKey(name))
  }
  return [...keys]
}
