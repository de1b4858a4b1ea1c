/** Where the rows of each kind are, and which deletes they prevent. */
import { keysOf, recordOf } from '@purlin/contract/rules/keys'
import {
  hasNames,
  kindNames,
  kinds,
  type ChildOf,
  type KindName,
  type KindWith,
} from '@purlin/contract/rules/kinds'
import { sql } from 'kysely'
import type { TableName, Tables, Tx } from './tables.ts'

type Column<T extends TableName> = keyof Tables[T] & string
interface RowsIn<T extends TableName> {
  table: T
  /** The column with the id of its parent, in which its name is unique. Null if it has no parent or no name. */
  parent: Column<T> | null
  /** The value that marks its rows in a table that several kinds share. */
  where?: Partial<Record<Column<T>, string>>
  /** The kinds whose resources cannot be deleted while they contain one of these, and the column with their id. */
  blocks: Partial<Record<'silo' | 'project' | 'vpc' | 'vpcSubnet', Column<T>>>
}
type Rows = { [T in TableName]: RowsIn<T> }[TableName]

const inProject = { parent: 'projectId', blocks: { project: 'projectId' } } as const

/**
 * The kinds that differ from the default: a table of the same name with a column for the id of the parent, whose
 * deletion only rows of a project prevent. Those in a VPC are deleted with it.
 */
const unusual = {
  siloUser: { table: 'siloUser', parent: null, blocks: {} },
  siloGroup: { table: 'siloGroup', parent: null, blocks: {} },
  project: { table: 'project', parent: 'siloId', blocks: { silo: 'siloId' } },
  networkInterface: {
    table: 'networkInterface',
    where: { owner: 'instance' },
    parent: 'instanceId',
    blocks: { vpcSubnet: 'subnetId' },
  },
  // Its interface is in the subnet.
  probe: {
    table: 'probe',
    parent: 'projectId',
    blocks: { project: 'projectId', vpcSubnet: 'subnetId' },
  },
  floatingIp: { table: 'externalIp', where: { kind: 'floating' }, ...inProject },
  image: { table: 'image', parent: 'scopeId', blocks: { project: 'projectId', silo: 'scopeId' } },
  vpcSubnet: { table: 'vpcSubnet', parent: 'vpcId', blocks: { vpc: 'vpcId' } },
  vpcRouterRoute: { table: 'routerRoute', parent: 'vpcRouterId', blocks: {} },
  affinityGroup: { table: 'affinityGroup', where: { kind: 'affinity' }, ...inProject },
  antiAffinityGroup: { table: 'affinityGroup', where: { kind: 'anti_affinity' }, ...inProject },
} as const satisfies { [K in KindName]?: Rows & (K extends ChildOf<'project'> ? BlocksProject : unknown) }

/** Resources of a project prevent its deletion. */
interface BlocksProject {
  blocks: { project: 'projectId' }
}
type InProject = { [T in TableName]: 'projectId' extends keyof Tables[T] ? T : never }[TableName]
type ParentOf<K extends KindName> = (typeof kinds)[K]['parent']
type ParentColumn<K extends KindName> = ParentOf<K> extends string ? `${ParentOf<K>}Id` : null
type RowsOfKind<K extends KindName> = K extends keyof typeof unusual
  ? (typeof unusual)[K]
  : {
      table: K & TableName
      parent: ParentColumn<K>
      blocks: ParentOf<K> extends 'project' ? { project: 'projectId' } : Record<never, never>
    }
type KindRows = { [K in KindName]: RowsOfKind<K> }

/** The kinds with a table of their name that has the column of their parent. */
type Usual = {
  [K in KindName]: K extends TableName ? (ParentColumn<K> extends keyof Tables[K] | null ? K : never) : never
}[KindName]

/** The missing entries: a kind's table, or the kind of a table with a `projectId`. */
type Missing = {
  table: `no table has the rows of ${Exclude<KindName, keyof typeof unusual | Usual>}`
  kind: `no kind has the rows of ${Exclude<InProject, KindRows[keyof KindRows]['table']>}`
}
type Forgotten = Missing[keyof Missing]

const usual = (kind: KindName) => {
  const { parent } = kinds[kind]
  if (parent === 'project') return { table: kind, ...inProject }
  return { table: kind, parent: parent === null ? null : `${parent}Id`, blocks: {} }
}
const isUnusual = (kind: KindName): kind is keyof typeof unusual => kind in unusual
const rows: object = recordOf(kindNames, (kind) => (isUnusual(kind) ? unusual[kind] : usual(kind)))

/** The rows of every kind. It does not compile while one has none, or a table of a project has no kind. */
export const kindRows: KindRows = rows as [Forgotten] extends [never] ? KindRows : Forgotten

export type RowOf<K extends KindName> = Tables[KindRows[K]['table']]
/** Kinds with identity metadata. */
export type NamedKind = Exclude<KindName, KindWith<'isNamed'>>
/** The kinds whose rows a table has. */
export const kindsOfTable = (table: string): KindName[] =>
  kindNames.filter((kind) => kindRows[kind].table === table)
/** The first of them. */
export const kindOfTable = (table: string): KindName | undefined => kindsOfTable(table)[0]
/** A kind that is not deleted while it has children. */
export type Container = 'silo' | 'project' | 'vpc' | 'vpcSubnet'

const columnsOfContainers = recordOf(kindNames, (kind) => {
  const { blocks }: { blocks: Partial<Record<Container, string>> } = kindRows[kind]
  return keysOf(blocks).map((container): [Container, string] => [container, blocks[container] ?? ''])
})
/** The containers of a new or moved row, with their ids. */
export function containersOf(kind: KindName, row: object): [Container, string][] {
  const containers: [Container, string][] = []
  for (const [container, column] of columnsOfContainers[kind]) {
    const id: unknown = Reflect.get(row, column)
    // A row of a project prevents the deletion of the silo through the project.
    const isThroughProject = container === 'silo' && Reflect.get(row, 'projectId') != null
    if (typeof id === 'string' && !isThroughProject) containers.push([container, id])
  }
  return containers
}

/** The first row, by kind and name, that prevents the deletion of a container. The id replaces a missing name. */
export async function firstChild(
  tx: Tx,
  container: Container,
  id: string,
): Promise<{ kind: KindName; name: string } | undefined> {
  for (const kind of kindNames) {
    const { blocks }: { blocks: Partial<Record<Container, string>> } = kindRows[kind]
    const column = blocks[container]
    if (column === undefined) continue
    const label = hasNames(kind) ? 'name' : 'id'
    const child = await rowsOf(tx, kind)
      .select(`${label} as name`)
      .where(sql.ref(column), '=', id)
      .orderBy(label)
      .limit(1)
      .executeTakeFirst()
    if (child) return { kind, name: child.name }
  }
  return undefined
}

/** A fixed value, written out: an index of the rows with it can be used. */
export const literal = (value: string) => sql.lit<string>(value)

/** All rows of a kind. The builder cannot know the columns of a table in a variable: it takes it for a disk's. */
export function rowsOf(tx: Tx, kind: KindName) {
  const { table, where = {} }: Rows = kindRows[kind]
  let query = tx.selectFrom(table as 'disk')
  for (const [column, value] of Object.entries(where))
    query = query.where(sql.ref(column), '=', literal(value))
  return query
}
