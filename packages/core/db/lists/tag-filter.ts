/** Filters by tags: the values of one key are alternatives, keys and negations add up. */
import type { KindWith } from '@purlin/contract/rules/kinds'
import { hasTags } from '@purlin/contract/rules/lists'
import type { Filter } from '@purlin/contract/rules/query/filter'
import { tagIn, type TagFilter } from '@purlin/contract/rules/tags'
import { kindRows, kindsOfTable } from '../kinds.ts'
import { isPart, tagsIn } from '../rows/tags.ts'
import type { Tx } from '../tables.ts'
import type { List, Row } from './list.ts'
import type { Scopes } from './search-index.ts'

/** The accepted values of each key; undefined for any. */
export type TagFilters = ReadonlyMap<string, readonly string[] | undefined>

const hasTag = (tags: ReadonlyMap<string, string>, { key, value }: TagFilter): boolean =>
  value === undefined ? tags.has(key) : tags.get(key) === value

/** The conditions on the tags of a row. */
export function tagConditions(field: string, filters: readonly Filter[]) {
  const wanted = (isNot: boolean) =>
    filters.filter((filter) => filter.isNot === isNot).map(({ text }) => tagIn(text))
  const excluded = wanted(true)
  const byKey = Map.groupBy(wanted(false), ({ key }) => key)
  const hasValue = (json: string) => {
    const tags = new Map(Object.entries(tagsIn(json === '' ? null : json)))
    return (
      [...byKey.values()].every((some) => some.some((tag) => hasTag(tags, tag))) &&
      !excluded.some((tag) => hasTag(tags, tag))
    )
  }
  const valuesOf = (some: readonly TagFilter[]) =>
    some.some(({ value }) => value === undefined) ? undefined : some.map(({ value = '' }) => value)
  return {
    field,
    fits: (row: Row) => hasValue(String(row[field] ?? '')),
    hasValue,
    tags: new Map([...byKey].map(([key, some]) => [key, valuesOf(some)] as const)) as TagFilters,
  }
}

type Place = NonNullable<List<unknown>['within']> | { table: string; holder: string }

/** The ids of at most this many rows with a tag of the filter; undefined if the index does not know them. */
export async function taggedIn(
  tx: Tx,
  place: Place,
  { tags, most }: { tags: TagFilters; most: number },
): Promise<string[] | undefined> {
  const kinds = ('kind' in place ? [place.kind] : kindsOfTable(place.table)).filter(hasTags)
  if (kinds.length === 0) return undefined
  const holders = 'scopes' in place ? place.scopes : [place.holder]
  let fewest: string[] | undefined
  for (const [key, values] of tags) {
    const rows = await taggedWith(tx, { kinds, holders, key, values }).limit(most).execute()
    if (!fewest || rows.length < fewest.length) fewest = rows.map(({ resourceId }) => resourceId)
  }
  return fewest
}

interface Wanted {
  /** All in one table, in the same parent. */
  kinds: readonly KindWith<'isTagged'>[]
  holders: readonly string[] | Scopes
  key: string
  values: readonly string[] | undefined
}

function taggedWith(tx: Tx, { kinds, holders, key, values }: Wanted) {
  const rows = tx
    .selectFrom('tag')
    .select('resourceId')
    .where('kind', 'in', kinds)
    .where('key', '=', key)
    .$if(values !== undefined, (some) => some.where('value', 'in', values ?? []))
  if ('projectIds' in holders) return rows.where('holderId', 'in', projectsIn(tx, holders))
  // The project of a part has the tags of many others.
  const part = kinds.find(isPart)
  return part
    ? rows.where('resourceId', 'in', rowsIn(tx, part, holders))
    : rows.where('holderId', 'in', holders)
}

function rowsIn(tx: Tx, kind: Wanted['kinds'][number], parents: readonly string[]) {
  const { table, parent } = kindRows[kind]
  return tx
    .selectFrom(table as 'instanceSnapshot')
    .select('id')
    .where(parent as 'instanceId', 'in', parents)
}

const projectsIn = (tx: Tx, { siloId, projectIds }: Scopes) =>
  tx
    .selectFrom('project')
    .select('id')
    .where((eb) => (siloId === undefined ? eb('id', 'in', projectIds) : eb('siloId', '=', siloId)))
