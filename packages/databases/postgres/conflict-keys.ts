/** The objects of a conflict, as keys of the locks that the next attempt of the transaction takes. */
import { OperationNodeTransformer, type CompiledQuery, type OperationNode, type ValueNode } from 'kysely'
import type { PrimitiveValueListNode } from 'kysely'
import { createTableFinder } from '../query-tables.ts'

// A statement about more rows than this waits for its whole table.
const mostRows = 8

/** Collects the values that a condition compares with. */
class ComparedValues extends OperationNodeTransformer {
  readonly found: unknown[] = []

  protected override transformValue(node: ValueNode): ValueNode {
    this.found.push(node.value)
    return node
  }
  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    this.found.push(...node.values)
    return node
  }
}

const tablesOf = createTableFinder()

function conditionOf({ query }: CompiledQuery): OperationNode | undefined {
  return query.kind === 'UpdateQueryNode' || query.kind === 'DeleteQueryNode' ? query.where : undefined
}

/** The rows that a statement changes, by the values it finds them with; else its tables. */
function rowsOf(statement: CompiledQuery): string[] {
  const { written } = tablesOf(statement)
  const condition = conditionOf(statement)
  const values = new ComparedValues()
  if (condition) values.transformNode(condition)
  if (values.found.length === 0 || values.found.length > mostRows) return [...written]
  return written.flatMap((table) => values.found.map((value) => `${table} ${String(value)}`))
}

/**
 * Keys for an attempt that ran these statements. `isAboutRows` means that the failed statement met a row that another
 * transaction was changing. Other conflicts are between reads and writes, and name no row.
 */
export function conflictKeys(
  { statements, failed }: { statements: readonly CompiledQuery[]; failed: CompiledQuery | undefined },
  isAboutRows: boolean,
): string[] {
  const keys = isAboutRows && failed ? rowsOf(failed) : statements.flatMap((one) => tablesOf(one).written)
  return [...new Set(keys)].toSorted()
}
