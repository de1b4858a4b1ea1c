/** SQL as PostgreSQL takes it. */
import { OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode, type BinaryOperationNode } from 'kysely'

/** PostgreSQL rejects `in ()`. As in SQLite, an empty list contains no value. */
export class QueryCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node
    const isEmpty = PrimitiveValueListNode.is(list) && list.values.length === 0
    if (!isEmpty || !OperatorNode.is(operator)) return super.visitBinaryOperation(node)
    this.append(operator.operator === 'not in' ? 'true' : 'false')
  }
}
