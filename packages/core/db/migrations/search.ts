/**
 * The index of words that rows are found by, for steps that add a kind to the search. It writes the words of existing
 * rows as `#/db/lists/search-index.ts` did when step 0013 shipped. A step that splits or marks words in another way needs a
 * new copy of this file, and writes all rows again.
 */
import { sql } from 'kysely'
import type { Db, EngineName } from './step.ts'

/** A kind whose rows are found by their words, in the names of the tables and columns of this version. */
export interface Searched {
  kind: string
  table: string
  /** The column and value that mark its rows, in a table with rows of several kinds. */
  where?: readonly [column: string, value: string | null]
  /** The column with the id of what its list belongs to; none for a list of the fleet. */
  holder?: string
  /** The columns with its texts, `name` first. */
  texts: readonly string[]
  /** The columns with the ids of its project and silo. Without a silo, that of the project is taken. */
  project?: string
  silo?: string
}

const inProject = { holder: 'projectId', project: 'projectId' }
const inProjectOfSilo = { ...inProject, silo: 'siloId' }
const inVpc = { holder: 'vpcId', project: 'projectId' }
const plain = ['name', 'description']

const searchedAtFirst: readonly Searched[] = [
  { kind: 'project', table: 'project', texts: plain, holder: 'siloId', project: 'id', silo: 'siloId' },
  { kind: 'instance', table: 'instance', texts: [...plain, 'hostname'], ...inProjectOfSilo },
  { kind: 'disk', table: 'disk', texts: plain, ...inProjectOfSilo },
  {
    kind: 'image',
    table: 'image',
    texts: [...plain, 'os', 'version'],
    ...inProjectOfSilo,
    holder: 'scopeId',
  },
  { kind: 'snapshot', table: 'snapshot', texts: plain, ...inProjectOfSilo },
  { kind: 'vpc', table: 'vpc', texts: [...plain, 'dnsName'], ...inProject },
  { kind: 'vpcSubnet', table: 'vpcSubnet', texts: [...plain, 'ipv4Block', 'ipv6Block'], ...inVpc },
  { kind: 'vpcRouter', table: 'vpcRouter', texts: plain, ...inVpc },
  { kind: 'internetGateway', table: 'internetGateway', texts: plain, ...inVpc },
  {
    kind: 'floatingIp',
    table: 'externalIp',
    where: ['kind', 'floating'],
    texts: [...plain, 'ipKey'],
    ...inProject,
  },
  {
    kind: 'antiAffinityGroup',
    table: 'affinityGroup',
    where: ['kind', 'anti_affinity'],
    texts: plain,
    ...inProject,
  },
  { kind: 'affinityGroup', table: 'affinityGroup', where: ['kind', 'affinity'], texts: plain, ...inProject },
  { kind: 'sshKey', table: 'sshKey', texts: plain, holder: 'siloUserId' },
  { kind: 'silo', table: 'silo', texts: plain },
  // The pools of the control plane itself are in no list.
  { kind: 'ipPool', table: 'ipPool', where: ['purpose', null], texts: plain },
]

const ofEngine: Record<EngineName, readonly string[]> = {
  sqlite: [
    `create virtual table "searchIndex" using fts5("words", content='searchText', content_rowid='seq', detail=none, columnsize=0, tokenize='ascii')`,
    `create trigger "searchText_insert" after insert on "searchText" begin
    insert into "searchIndex"(rowid, "words") values (new."seq", new."words");
  end`,
    `create trigger "searchText_delete" after delete on "searchText" begin
    insert into "searchIndex"("searchIndex", rowid, "words") values ('delete', old."seq", old."words");
  end`,
  ],
  postgres: [
    `create index "searchText_words" on "searchText" using gin (array_to_tsvector(string_to_array("words", ' ')))`,
    `create function "unsearched"() returns trigger language plpgsql as $$ begin
    delete from "searchText" where "id" = old."id";
    return null;
  end $$`,
  ],
}

/** Makes the index, with the kinds that were searched when step 0013 shipped. */
export async function createSearchIndex(db: Db, { engine }: { engine: EngineName }): Promise<void> {
  for (const statement of ofEngine[engine]) await sql.raw(statement).execute(db)
  for (const table of new Set(searchedAtFirst.map((one) => one.table))) await onDelete(db, engine, table)
  for (const one of searchedAtFirst) await indexRows(db, one)
}

/** Adds a kind to the search, in a separate step or in the one that makes its table. No other searched kind may use the table. */
export async function addSearched(db: Db, engine: EngineName, searched: Searched): Promise<void> {
  await onDelete(db, engine, searched.table)
  await indexRows(db, searched)
}

/** Removes the words of a row when the row is deleted. */
async function onDelete(db: Db, engine: EngineName, table: string): Promise<void> {
  const statement =
    engine === 'sqlite'
      ? `create trigger "${table}_unsearched" after delete on "${table}" begin
      delete from "searchText" where "id" = old."id";
    end`
      : `create trigger "${table}_unsearched" after delete on "${table}" for each row execute function "unsearched"()`
  await sql.raw(statement).execute(db)
}

type Row = Readonly<Record<string, string | null>>
const perRead = 1000

/** Writes the words of all rows of a kind, of which none has words yet. */
async function indexRows(db: Db, searched: Searched): Promise<void> {
  const { kind, table, where, holder, texts, project, silo } = searched
  const columns = ['id', ...texts, ...[holder, project, silo].filter((one) => one !== undefined)]
  const known = db.$extendTables<Record<string, Row>>()
  const siloOfProject =
    project === undefined
      ? sql<string | null>`null`
      : sql<
          string | null
        >`(select "siloId" from project where project.id = ${sql.ref(`${table}.${project}`)})`
  for (let last = ''; ;) {
    const rows = await known
      .selectFrom(table)
      .select([...new Set(columns)])
      .select(siloOfProject.as('siloOfProject'))
      .$if(where !== undefined, (all) =>
        all.where(where?.[0] ?? '', where?.[1] == null ? 'is' : '=', where?.[1] ?? null),
      )
      .where('id', '>', last)
      .orderBy('id')
      .limit(perRead)
      .execute()
    const found = rows.map((row) => ({ id: row['id'] ?? '', kind, words: wordsOf(searched, row).join(' ') }))
    if (found.length > 0) await known.insertInto('searchText').values(found).execute()
    if (rows.length < perRead) return
    last = rows.at(-1)?.['id'] ?? ''
  }
}

// Before words that are no text: no text has these characters.
const marks = {
  list: '\u{e000}',
  id: '\u{e001}',
  project: '\u{e002}',
  silo: '\u{e003}',
  start: '\u{e004}',
} as const
const bare = (id: string) => id.replaceAll('-', '')

function wordsOf({ table, texts, holder, project, silo }: Searched, row: Row): string[] {
  const parts = texts.flatMap((column) => partsOf(textOf(column, row[column]))).slice(0, mostParts)
  const projectId = project === undefined ? null : row[project]
  const siloId = silo === undefined ? row['siloOfProject'] : row[silo]
  const words = [
    ...parts,
    // A number is found with the zeros that it begins with and without them.
    ...parts.map((part) => part.replace(/^0+(?=\d)/, '')),
    marks.list + table.toLowerCase() + bare(holder === undefined ? '' : (row[holder] ?? '')),
    marks.id + bare(row['id'] ?? ''),
    marks.start + partsOf(row['name'] ?? '').join(''),
    ...(projectId == null ? [] : [marks.project + bare(projectId)]),
    ...(siloId == null ? [] : [marks.silo + bare(siloId)]),
  ]
  return [...new Set(words)]
}

const textOf = (column: string, value: string | null | undefined): string =>
  column === 'ipKey' && value ? addressOf(value) : (value ?? '')

const mostParts = 64
const longestPart = 64

/** Runs of letters and runs of digits, in lower case and without diacritics. */
const partsOf = (text: string): string[] =>
  (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu) ?? []
  )
    .slice(0, mostParts)
    .map((part) => part.slice(0, longestPart))

/** The text of an address (RFC 5952) whose key is its family and 32 hexadecimal digits. */
function addressOf(key: string): string {
  if (key.startsWith('4'))
    return (key.slice(-8).match(/../g) ?? []).map((byte) => parseInt(byte, 16)).join('.')
  const groups = (key.slice(1).match(/.{4}/g) ?? [])
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')
  const zeros = [...groups.matchAll(/(?:^|:)(?:0(?::|$)){2,}/g)]
  const count = (run: string) => run.replaceAll(':', '').length
  const [longest] = zeros.toSorted((a, b) => count(b[0]) - count(a[0]))
  if (!longest) return groups
  return `${groups.slice(0, longest.index)}::${groups.slice(longest.index + longest[0].length)}`
}
