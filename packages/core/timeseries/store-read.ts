/** Reads the store: finds sources by their fields, then reads their chunks by time. */
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { batches } from '#/db/batches.ts'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import { readBlocks } from './blocks.ts'
import {
  TooManyPoints,
  type Fields,
  type SeriesRequest,
  type StoredSeries,
  type TimeseriesReader,
} from './model.ts'
import { readUsageSeries, usageTarget } from './read-usage.ts'
import { keyOfFields, schemas } from './schemas.ts'
import { Sink } from './sink.ts'
import { floorTo, hourMs, partsOf, retentionMs, seriesOf, slotMs, sourceOf, type Source } from './store.ts'

/** Reads the store for queries. Each read is several short transactions, so that other work can run in between. */
export function createTimeseriesReader(world: StoreContext): TimeseriesReader {
  return {
    schema: (name) => Promise.resolve(schemas.get(name) ?? null),
    read: (request, maxPoints) =>
      partsOf(request.schema.name).target === usageTarget
        ? readUsageSeries(world.engine, request, maxPoints)
        : read(world, request, maxPoints),
  }
}

// The rows of one transaction are in memory at the same time.
const rowsPerTransaction = 1000
const rowsPerPage = 8

type StoreContext = Pick<World, 'engine' | 'clock'>

async function read(
  { engine, clock }: StoreContext,
  request: SeriesRequest,
  maxPoints: number,
): Promise<StoredSeries[]> {
  const sources = await engine.transaction('read', (tx) => findSources(tx, request))
  const reads = sources.flatMap((source) => sourceReads(request, source))
  let left = maxPoints
  const found: StoredSeries[] = []
  const batchSize = request.limit
    ? 1
    : Math.max(1, Math.floor(rowsPerTransaction / chunksPerSource(request, clock.now())))
  for (const some of batches(reads, batchSize)) {
    await engine.transaction('read', async (tx) => {
      for (const one of some) one.clear()
      await (request.limit ? readLimited(tx, request, some) : readAll(tx, request, some))
    })
    for (const one of some) {
      left -= one.size
      if (left < 0) throw new TooManyPoints()
      found.push(...one.result())
    }
    // A database in this process never yields to the event loop.
    await yieldToEventLoop()
  }
  return found.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

function chunksPerSource({ from, until }: SeriesRequest, now: number): number {
  const span = Math.min(until ?? now, now) - Math.max(from ?? 0, now - retentionMs)
  return Math.max(0, span) / hourMs + 2 * (hourMs / slotMs)
}

/** The sources that may have a requested series. */
async function findSources(tx: Tx, { schema, equal }: SeriesRequest): Promise<Source[]> {
  const { target } = partsOf(schema.name)
  // The most selective field comes first.
  const first = schema.fields.find(({ name, source }) => source === 'target' && equal.has(name))
  let rows = tx
    .selectFrom('timeseriesSource')
    .selectAll('timeseriesSource')
    .where('timeseriesSource.target', '=', target)
  if (first)
    rows = rows
      .innerJoin('timeseriesField', 'timeseriesField.sourceId', 'timeseriesSource.id')
      .where('timeseriesField.target', '=', target)
      .where('timeseriesField.name', '=', first.name)
      .where('timeseriesField.value', '=', String(equal.get(first.name)))
  return (await rows.orderBy('timeseriesSource.id').execute()).map(sourceOf)
}

/** The read of one source. */
interface SourceRead {
  id: number
  metric: string
  sinks: ReadonlyMap<number, Sink>
  /** Drops all points, for the next attempt of a transaction. */
  clear(): void
  readonly size: number
  result(): StoredSeries[]
}

/** The read of a source; empty if it has no requested series. */
function sourceReads({ schema, test, from, until, limit }: SeriesRequest, source: Source): SourceRead[] {
  const sinks = new Map<number, Sink>()
  const fieldsOf = new Map<number, Fields>()
  for (const { number, fields } of seriesOf(schema, source)) {
    if (!test(fields)) continue
    sinks.set(number, new Sink({ from: from ?? -Infinity, until: until ?? Infinity, limit }))
    fieldsOf.set(number, fields)
  }
  if (sinks.size === 0) return []
  const result = () =>
    [...sinks].flatMap(([number, sink]) => {
      const points = sink.points()
      const fields = fieldsOf.get(number)
      return points && fields ? [{ key: keyOfFields(schema, fields), fields, points }] : []
    })
  return [
    {
      id: source.id,
      metric: partsOf(schema.name).metric,
      sinks,
      clear: () => sinks.forEach((sink) => sink.clear()),
      get size() {
        return [...sinks.values()].reduce((sum, sink) => sum + sink.size, 0)
      },
      result,
    },
  ]
}

function chunksIn(tx: Tx, { from, until }: SeriesRequest, { metric }: SourceRead) {
  let rows = tx
    .selectFrom('timeseriesChunk')
    .select(['sourceId', 'slot', 'data'])
    .where('metric', '=', metric)
  if (from !== null)
    rows = rows
      .where('slot', '>=', floorTo(hourMs, from))
      .where((eb) => eb(eb('slot', '+', eb.ref('span')), '>', Math.floor(from)))
  return until === null ? rows : rows.where('slot', '<=', Math.floor(until))
}

async function readAll(tx: Tx, request: SeriesRequest, some: readonly SourceRead[]): Promise<void> {
  const [first] = some
  if (!first) return
  const byId = new Map(some.map((one) => [one.id, one]))
  const rows = await chunksIn(tx, request, first)
    .where('sourceId', 'in', [...byId.keys()])
    .orderBy('sourceId')
    .orderBy('slot')
    .execute()
  for (const { sourceId, data } of rows) {
    const one = byId.get(sourceId)
    if (one) addChunk(one, data)
  }
}

/** Reads pages of chunks, oldest or newest first, until every series has enough points. */
async function readLimited(tx: Tx, request: SeriesRequest, some: readonly SourceRead[]): Promise<void> {
  const isLast = request.limit?.side === 'last'
  for (const one of some) {
    let after: number | null = null
    for (let full = true; full && [...one.sinks.values()].some((sink) => !sink.isFull);) {
      let page = chunksIn(tx, request, one).where('sourceId', '=', one.id)
      if (after !== null) page = page.where('slot', isLast ? '<' : '>', after)
      const rows = await page
        .orderBy('slot', isLast ? 'desc' : 'asc')
        .limit(rowsPerPage)
        .execute()
      for (const { data } of rows) addChunk(one, data)
      after = rows.at(-1)?.slot ?? null
      full = rows.length === rowsPerPage
    }
  }
}

function addChunk({ sinks }: SourceRead, data: Uint8Array): void {
  const blocks = readBlocks(data, (series) => sinks.get(series)?.isFull === false)
  for (const sink of sinks.values()) sink.startChunk()
  for (const block of blocks) for (const part of block.parts) sinks.get(part.series)?.add(block, part)
}
