/** Queries from text to tables. */
import type { Schema } from '../timeseries/model.ts'
import { answerOf } from './answer.ts'
import { parseQuery } from './parse.ts'
import { namesIn, planQuery } from './plan.ts'
import { type Run, runPlan } from './run.ts'
import type { Expr, Op, Query } from './syntax.ts'

/** Whose series a query may read; null for those of all. */
export type Scope = { siloId: string; projectId: string } | null

/** Answers a query. Throws QueryError. */
export async function answerQuery(text: string, scope: Scope, run: Run): ReturnType<typeof answerOf> {
  const query = scope ? inScope(parseQuery(text), scopeFilter(scope)) : parseQuery(text)
  const schemas = new Map<string, Schema>()
  for (const name of new Set(namesIn(query))) {
    const schema = await run.reader.schema(name)
    if (schema) schemas.set(name, schema)
  }
  const plan = planQuery(query, { now: run.now, schemas })
  return answerOf(await runPlan(plan, run), run.breathe)
}

const isEqual = (ident: string, value: string): Expr => ({
  kind: 'atom',
  ident,
  cmp: '==',
  literal: { type: 'Uuid', value },
})
const scopeFilter = ({ siloId, projectId }: NonNullable<Scope>): Op => ({
  op: 'filter',
  expr: { kind: 'and', of: [isEqual('silo_id', siloId), isEqual('project_id', projectId)] },
})

// In the tree, behind each `get`: nothing that is written after it can widen it again.
const inScope = (query: Query, filter: Op): Query =>
  query.flatMap((op) => {
    if (op.op === 'group') return [{ ...op, queries: op.queries.map((inner) => inScope(inner, filter)) }]
    return op.op === 'get' ? [op, filter] : [op]
  })
