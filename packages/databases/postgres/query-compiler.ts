/** SQL as PostgreSQL takes it. */
import { OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode, type BinaryOperationNode } from 'kysely'

/** `in ()` is a syntax error there. Nothing is in an empty list, and everything is outside of it, as in SQLite. */
export class QueryCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node
    const isEmpty = PrimitiveValueListNode.is(list) && list.values.length === 0
    if (!isEmpty || !OperatorNode.is(operator)) return super.visitBinaryOperation(node)
    this.append(operator.operator === 'not in' ? 'true' : 'false')
  }
}
