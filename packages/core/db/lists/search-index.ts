/**
 * The index of words: a row of `searchText` for every row of the kinds below, with the words that it is found by, which
 * each engine indexes in its own way (full text of SQLite, GIN of PostgreSQL). Triggers remove the words of deleted
 * rows, and a step of the schema makes the trigger of each table (`migrations/search.ts`). The words of new and renamed
 * rows are written here. The index gives candidates: `isFound` decides.
 */
import { isOneOf } from '@purlin/contract/rules/keys'
import type { KindName } from '@purlin/contract/rules/kinds'
import { searchedKinds, type SearchedKind } from '@purlin/contract/rules/lists'
import { sql, type SqlBool } from 'kysely'
import { together } from '#/concurrency/together.ts'
import type { Engine } from '../engine.ts'
import { kindRows } from '../kinds.ts'
import { insertRow, prepared } from '../prepared.ts'
import { partsOf, partsOfRow, textColumns, type Find } from './search-text.ts'
import type { Tx } from '../tables.ts'

/** Kinds of which every row has words here; users and groups have theirs elsewhere: see db/principals.ts. */
export type IndexedKind = Exclude<SearchedKind, 'siloUser' | 'siloGroup'>
export const indexedKinds = searchedKinds.filter(
  (kind): kind is IndexedKind => kind !== 'siloUser' && kind !== 'siloGroup',
)
const isIndexed = (kind: KindName): kind is IndexedKind => isOneOf(indexedKinds, kind)

// Prefixes of words that are not text: no text has these characters.
const marks = {
  list: '\u{e000}',
  id: '\u{e001}',
  project: '\u{e002}',
  silo: '\u{e003}',
  start: '\u{e004}',
} as const
const bare = (id: string) => id.replaceAll('-', '')

/** The list of a row: its table and its parent. */
interface ListOf {
  table: string
  holder: string
}
const wordOfSilo = (siloId: string): string => marks.silo + bare(siloId)
const wordOfList = ({ table, holder }: ListOf): string => `${marks.list}${table.toLowerCase()}${bare(holder)}`

type Row = Readonly<Record<string, unknown>>

/** The words of a row. The word of its silo is left out if the row of its project has it. */
export function wordsOfRow(kind: IndexedKind, source: object): string[] {
  const row: Row = { ...source }
  const { table, parent } = kindRows[kind]
  const holder = kind === 'sshKey' ? row['siloUserId'] : parent === null ? '' : row[parent]
  const text = (column: string) => (typeof row[column] === 'string' ? row[column] : undefined)
  const project = kind === 'project' ? text('id') : text('projectId')
  const silo = text('siloId')
  const found = partsOfRow(table, row)
  const words = [
    ...found.parts,
    ...found.bare,
    wordOfList({ table, holder: String(holder) }),
    marks.id + bare(String(row['id'])),
    marks.start + partsOf(String(row['name'])).join(''),
    ...(project === undefined ? [] : [marks.project + bare(project)]),
    ...(silo === undefined ? [] : [wordOfSilo(silo)]),
  ]
  return [...new Set(words)]
}

/** The pools of the control plane itself are in no list. */
export const isShown = (row: { purpose?: string | null }): boolean => row.purpose == null

/** Lets a new row be found. */
export async function addToSearch(tx: Tx, kind: KindName, row: object): Promise<void> {
  if (!isIndexed(kind) || !isShown(row)) return
  const { id, projectId, siloId } = row as { id: string; projectId?: string | null; siloId?: string | null }
  const values = { id, kind, words: wordsOfRow(kind, row).join(' ') }
  await (projectId != null && siloId == null
    ? insertInProject(tx, { ...values, projectId })
    : insertRow(tx, 'searchText', values))
}

/** A row that does not have its silo: that of its project has it. */
const insertInProject = prepared<Record<'id' | 'kind' | 'words' | 'projectId', string>, unknown>(
  (tx, value) =>
    tx
      .insertInto('searchText')
      .columns(['id', 'kind', 'words'])
      .expression((eb) =>
        eb
          .selectFrom('project')
          .select([
            asText(value('id')).as('id'),
            asText(value('kind')).as('kind'),
            sql<string>`${asText(value('words'))} || ${sql.lit(` ${marks.silo}`)} || replace(${sql.ref('siloId')}, '-', '')`.as(
              'words',
            ),
          ])
          .where('project.id', '=', value('projectId')),
      ),
)
// PostgreSQL cannot know the type of a value that is only selected.
const asText = (value: string) => sql<string>`cast(${value} as text)`

function namesOf(kind: IndexedKind): string[] {
  const { table, parent } = kindRows[kind]
  return [...textColumns(table), 'projectId', ...(parent === null ? [] : [parent])]
}

/** Lets a row be found by its words as they are now, if one of them may have changed. */
export async function updateSearch(
  tx: Tx,
  [kind, row]: [KindName, { id: string }],
  changes: object,
): Promise<void> {
  if (!isIndexed(kind)) return
  const names = namesOf(kind)
  if (!Object.keys(changes).some((name) => names.includes(name))) return
  await together([tx.deleteFrom('searchText').where('id', '=', row.id).execute(), addToSearch(tx, kind, row)])
}

/** A condition on words of the index: all of some, or one of some. */
type Condition = string | { start: string } | { all: readonly Condition[] } | { any: readonly Condition[] }

const exactParts = 4

/**
 * The condition for rows that may have all the words, as whole words or as beginnings. The rows are candidates, so parts
 * that cost much and exclude little are left out: all but the longest parts of a word, and beginnings of one letter
 * except in the last word.
 */
const conditionOf = (find: Find, goesOn = true): Condition => ({
  all: find.flatMap(({ parts, id }, i) => {
    const exact = new Set(parts.slice(0, goesOn ? -1 : undefined))
    const begun = goesOn ? parts.slice(-1) : []
    const asWord: Condition[] = [
      ...[...exact].toSorted((a, b) => b.length - a.length).slice(0, exactParts),
      ...begun.filter(({ length }) => length > 1 || i === find.length - 1).map((start) => ({ start })),
    ]
    const asId: Condition[] = id === undefined ? [] : [{ start: marks.id + bare(id) }]
    if (asWord.length > 0) return [{ any: [{ all: asWord }, ...asId] }]
    // A word without a letter or digit can only be the beginning of an id.
    return parts.length === 0 ? asId : []
  }),
})

/** The condition in the language of an engine. No word has a quote. */
function written(condition: Condition, engine: Engine['name']): string {
  const isSqlite = engine === 'sqlite'
  if (typeof condition === 'string') return isSqlite ? `"${condition}"` : `'${condition}'`
  if ('start' in condition) return `${written(condition.start, engine)}${isSqlite ? ' *' : ':*'}`
  const [parts, word] =
    'all' in condition
      ? [condition.all, isSqlite ? ' AND ' : ' & ']
      : [condition.any, isSqlite ? ' OR ' : ' | ']
  return `(${parts.map((part) => written(part, engine)).join(word)})`
}

/** The rows of the index that match a condition, in any order. */
function rowsOfIndex(tx: Tx, engine: Engine['name'], condition: Condition) {
  const text = written(condition, engine)
  const rows = tx.selectFrom('searchText').select(['id', 'kind'])
  if (engine !== 'sqlite')
    return rows.where(sql<SqlBool>`array_to_tsvector(string_to_array("words", ' ')) @@ ${text}::tsquery`)
  // As a subquery all of them would be gathered first.
  const index = sql<{ rowid: number }>`"searchIndex"`.as('searchIndex')
  return rows
    .innerJoin(index, (join) => join.on(sql<SqlBool>`"searchIndex".rowid = "seq"`))
    .where(sql<SqlBool>`"searchIndex" match ${text}`)
}

interface Asker {
  tx: Tx
  world: { engine: Pick<Engine, 'name'> }
}

/** At most this many ids of candidate rows: of a list, or of a kind in several places. */
export async function candidatesIn(
  asker: Asker,
  list: ListOf | { kind: IndexedKind; scopes: Scopes },
  { find, most }: { find: Find; most: number },
): Promise<string[]> {
  const places = 'scopes' in list ? wordsOfPlaces(list.scopes) : [wordOfList(list)]
  if (isNowhere(find) || places.length === 0) return []
  const selection = 'scopes' in list ? { most, kinds: [list.kind] } : { most }
  const rows = await rowsThat(asker, { all: [conditionOf(find), { any: places }] }, selection)
  return rows.map(({ id }) => id)
}

/** The places that a user may see: everything in a silo, in projects, and in lists. */
export interface Scopes {
  siloId: string | undefined
  projectIds: readonly string[]
  lists: readonly ListOf[]
}
const wordsOfPlaces = ({ siloId, projectIds, lists }: Scopes): string[] => [
  ...(siloId === undefined ? [] : [wordOfSilo(siloId)]),
  ...projectIds.map((id) => marks.project + bare(id)),
  ...lists.map(wordOfList),
]
export interface Candidate {
  id: string
  kind: IndexedKind
}

/** Candidate rows, the best first. */
export async function candidatesEverywhere(
  asker: Asker,
  find: Find,
  { scopes, kinds, most }: { scopes: Scopes; kinds: readonly IndexedKind[]; most: number },
): Promise<Candidate[]> {
  const places = wordsOfPlaces(scopes)
  if (isNowhere(find) || places.length === 0 || kinds.length === 0) return []
  const name = marks.start + find.flatMap(({ parts }) => parts).join('')
  const isAll = kinds.length === indexedKinds.length
  const found = new Map<string, Candidate>()
  // Prefixes need all matches before the first result; whole words do not.
  for (const condition of [name, conditionOf(find, false), { start: name }, conditionOf(find)]) {
    if (found.size >= most) break
    const selection = isAll ? { most } : { most, kinds }
    for (const one of await rowsThat(asker, { all: [condition, { any: places }] }, selection))
      found.set(one.id, one as Candidate)
  }
  return [...found.values()]
}

// A word without a letter or digit is in no row.
const isNowhere = (find: Find) => find.some(({ parts, id }) => parts.length === 0 && id === undefined)

interface Selection {
  most: number
  /** All of them unless given. */
  kinds?: readonly string[]
}
function rowsThat({ tx, world }: Asker, condition: Condition, { most, kinds }: Selection) {
  const rows = rowsOfIndex(tx, world.engine.name, condition).limit(most)
  return (kinds ? rows.where('kind', 'in', kinds) : rows).execute()
}
