/** Evaluates queries. */
import type { Schema } from '#/timeseries/model.ts'
import { answerOf } from './answer.ts'
import { parseQuery } from './parse.ts'
import { namesIn, planQuery } from './plan.ts'
import { type RunContext, runPlan } from './run.ts'
import type { Expr, Op, Query } from './syntax.ts'

/** The project whose series a query may read; null for all series. */
export type Scope = { siloId: string; projectId: string } | null

/** Parses, plans and runs a query. Throws QueryError. */
export async function answerQuery(
  text: string,
  scope: Scope,
  context: RunContext,
): ReturnType<typeof answerOf> {
  const query = scope ? withScope(parseQuery(text), scopeFilter(scope)) : parseQuery(text)
  const schemas = new Map<string, Schema>()
  for (const name of new Set(namesIn(query))) {
    const schema = await context.reader.schema(name)
    if (schema) schemas.set(name, schema)
  }
  const plan = planQuery(query, { now: context.now, schemas })
  return answerOf(await runPlan(plan, context), context.checkpoint)
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

// Inserted into the syntax tree after each `get`, so that no text of the query can bypass it.
const withScope = (query: Query, filter: Op): Query =>
  query.flatMap((op) => {
    if (op.op === 'group') return [{ ...op, queries: op.queries.map((inner) => withScope(inner, filter)) }]
    return op.op === 'get' ? [op, filter] : [op]
  })
