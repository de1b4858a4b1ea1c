/**
 * Tags of resources: in the row itself, for lists and views, and as rows of `tag`, by which lists are filtered. A
 * trigger removes those of deleted resources.
 */
import { isInProject, kinds, type KindName } from '@purlin/contract/rules/kinds'
import { hasTags } from '@purlin/contract/rules/lists'
import { quoted } from '@purlin/contract/rules/messages'
import { tagKeyProblem, tagValueProblem, type Tags } from '@purlin/contract/rules/tags'
import { fault } from '#/faults.ts'
import { kindRows } from '../kinds.ts'
import { insertRows } from '../prepared.ts'
import type { Kept, Tx } from '../tables.ts'

/** Tags as they are stored, in the order of their keys. Throws 400. */
export function storedTags(tags: Tags): string | null {
  const entries = Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [key, value] of entries) {
    const problem = tagKeyProblem(key) ?? tagValueProblem(value)
    if (problem !== undefined) throw fault.invalidValue('tags', `\`${quoted(key)}\`: ${problem}`)
  }
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries))
}

/** The tags of a row. */
export const tagsIn = (json: string | null | undefined): Record<string, string> =>
  json == null ? {} : (JSON.parse(json) as Record<string, string>)

type Row = { id: string } & Partial<Kept>

/** Whether rows of a kind are in something that is in a project, as snapshots of an instance are. */
export function isPart(kind: KindName): boolean {
  const { parent } = kinds[kind]
  return parent !== null && isInProject(parent)
}

/** Lets a new row be found by its tags. They are listed with those of its parent or, of a part, of its project. */
export async function addTags(tx: Tx, kind: KindName, row: Row): Promise<void> {
  if (row.tagsJson == null || !hasTags(kind)) return
  const holderId = String(Reflect.get(row, isPart(kind) ? 'projectId' : kindRows[kind].parent))
  const tags = Object.entries(tagsIn(row.tagsJson))
  await insertRows(
    tx,
    'tag',
    tags.map(([key, value]) => ({ resourceId: row.id, kind, holderId, key, value })),
  )
}

/**
 * Deletes the tags of a row that is deleted. A trigger does so as well, for rows that are deleted with others; watchers of lists
 * are notified of what a request itself has written.
 */
export async function removeTags(tx: Tx, row: Row): Promise<void> {
  if (row.tagsJson != null) await tx.deleteFrom('tag').where('resourceId', '=', row.id).execute()
}

/** Lets a row be found by its tags as they are now, where it is now, if either may have changed. */
export async function updateTags(tx: Tx, [kind, row]: [KindName, Row], changes: object): Promise<void> {
  if (!hasTags(kind) || !('tagsJson' in changes || kindRows[kind].parent in changes)) return
  await tx.deleteFrom('tag').where('resourceId', '=', row.id).execute()
  await addTags(tx, kind, row)
}
