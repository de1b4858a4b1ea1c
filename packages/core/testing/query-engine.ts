/** OxQL over timeseries in memory. */
import { answerQuery } from '#/oxql/query.ts'
import type { Schema } from '#/timeseries/model.ts'
import { memoryReader, type Stored } from './memory-series.ts'

/** Runs queries over these series. A query may read at most `maxPoints` points; beyond that it throws QueryError. */
export function queryEngine(
  schemas: readonly Schema[],
  stored: readonly Stored[],
  maxPoints = Infinity,
): (query: string, now: number) => ReturnType<typeof answerQuery> {
  const memory = memoryReader(schemas, stored)
  const reader = {
    schema: (name: string) => memory.schema(name),
    read: (request: Parameters<typeof memory.read>[0], most: number) =>
      memory.read(request, Math.min(most, maxPoints)),
  }
  return (query, now) => answerQuery(query, null, { reader, now, checkpoint: () => Promise.resolve() })
}
