/** The tables that a query names, taken from its syntax tree. */
import { LRUCache } from 'lru-cache'
import {
  AliasNode,
  OperationNodeTransformer,
  TableNode,
  type CompiledQuery,
  type FromNode,
  type JoinNode,
  type OperationNode,
  type RootOperationNode,
} from 'kysely'
import type { Engine, TableName } from '@purlin/core/ports'

export interface QueryTables {
  written: readonly TableName[]
  read: readonly TableName[]
}

/** Visits a whole query with its subqueries, and collects the tables of their `from` and `join` clauses. */
class ReadTables extends OperationNodeTransformer {
  readonly found = new Set<TableName>()

  protected override transformFrom(node: FromNode): FromNode {
    for (const source of node.froms) this.#add(source)
    return super.transformFrom(node)
  }
  protected override transformJoin(node: JoinNode): JoinNode {
    this.#add(node.table)
    return super.transformJoin(node)
  }
  #add(source: OperationNode): void {
    for (const name of namesOf(source)) this.found.add(name)
  }
}

function namesOf(source: OperationNode | undefined): TableName[] {
  if (!source) return []
  if (AliasNode.is(source)) return namesOf(source.node)
  return TableNode.is(source) ? [source.table.identifier.name as TableName] : []
}

function writtenBy(query: RootOperationNode): TableName[] {
  switch (query.kind) {
    case 'InsertQueryNode':
      return namesOf(query.into)
    case 'DeleteQueryNode':
      return query.from.froms.flatMap(namesOf)
    case 'UpdateQueryNode':
    case 'CreateTableNode':
    case 'AlterTableNode':
    case 'DropTableNode':
      return namesOf(query.table)
    default:
      return []
  }
}

/** Finds the tables of compiled queries. Queries with the same text are visited once. */
export function createTableFinder(): (compiled: Pick<CompiledQuery, 'sql' | 'query'>) => QueryTables {
  // Statements with long value lists differ by length; they must not fill the memory.
  const cached = new LRUCache<string, QueryTables>({ maxSize: 5000, sizeCalculation: () => 1 })
  return ({ sql, query }) => {
    const known = cached.get(sql)
    if (known) return known
    const reads = new ReadTables()
    reads.transformNode(query)
    const tables = { written: writtenBy(query), read: [...reads.found] }
    cached.set(sql, tables)
    return tables
  }
}

/** The writes of this process, and their listeners. */
export interface Written {
  /** Notes a commit that has written these tables. */
  note: (tables: ReadonlySet<TableName>) => void
  onWritten: Engine['onWritten']
  changes: NonNullable<Engine['changes']>
}

export function createWritten(): Written {
  const listeners = new Set<(tables: ReadonlySet<TableName>) => void>()
  const versions = new Map<TableName, number>()
  let commits = 0
  return {
    note(tables) {
      if (tables.size === 0) return
      commits++
      for (const table of tables) versions.set(table, (versions.get(table) ?? 0) + 1)
      for (const listener of listeners) listener(tables)
    },
    onWritten(on) {
      listeners.add(on)
      return () => void listeners.delete(on)
    },
    changes: { commits: () => commits, version: (table) => versions.get(table) ?? 0 },
  }
}
