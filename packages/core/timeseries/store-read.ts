/** Reading the store: sources by their fields, then their chunks by time. */
import type { World } from '../context.ts'
import type { Tx } from '../db/tables.ts'
import { pieces } from '../pieces.ts'
import { turn } from '../turn.ts'
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

/** What the store holds, for queries. Each read is several short transactions, so that others get their turn. */
export function createTimeseriesReader(world: Reading): TimeseriesReader {
  return {
    schema: (name) => Promise.resolve(schemas.get(name) ?? null),
    read: (request, maxPoints) =>
      partsOf(request.schema.name).target === usageTarget
        ? world.engine.transaction('read', (tx) => readUsageSeries(tx, request, maxPoints))
        : read(world, request, maxPoints),
  }
}

// Rows of one transaction: what they hold lies in memory at once.
const rowsAtOnce = 1000
const rowsOfLimited = 8

type Reading = Pick<World, 'engine' | 'clock'>

async function read(
  { engine, clock }: Reading,
  request: SeriesRequest,
  maxPoints: number,
): Promise<StoredSeries[]> {
  const sources = await engine.transaction('read', (tx) => findSources(tx, request))
  const wanted = sources.flatMap((source) => asked(request, source))
  let left = maxPoints
  const found: StoredSeries[] = []
  const perTurn = request.limit
    ? 1
    : Math.max(1, Math.floor(rowsAtOnce / chunksPerSource(request, clock.now())))
  for (const some of pieces(wanted, perTurn)) {
    await engine.transaction('read', async (tx) => {
      for (const one of some) one.begin()
      await (request.limit ? readLimited(tx, request, some) : readAll(tx, request, some))
    })
    for (const one of some) {
      left -= one.size
      if (left < 0) throw new TooManyPoints()
      found.push(...one.result())
    }
    // A database in this process answers without ever letting go.
    await turn()
  }
  return found.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

function chunksPerSource({ from, until }: SeriesRequest, now: number): number {
  const span = Math.min(until ?? now, now) - Math.max(from ?? 0, now - retentionMs)
  return Math.max(0, span) / hourMs + 2 * (hourMs / slotMs)
}

/** The sources that may hold a series which is asked for. */
async function findSources(tx: Tx, { schema, equal }: SeriesRequest): Promise<Source[]> {
  const { target } = partsOf(schema.name)
  // Fields go from narrow to wide, so that the first one leaves the fewest.
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

/** What is read of one source. */
interface Asked {
  id: number
  metric: string
  sinks: ReadonlyMap<number, Sink>
  begin(): void
  readonly size: number
  result(): StoredSeries[]
}

/** Nothing for a source without a series that is asked for. */
function asked({ schema, test, from, until, limit }: SeriesRequest, source: Source): Asked[] {
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
      // A transaction may run again.
      begin: () => sinks.forEach((sink) => sink.clear()),
      get size() {
        return [...sinks.values()].reduce((sum, sink) => sum + sink.size, 0)
      },
      result,
    },
  ]
}

function chunksIn(tx: Tx, { from, until }: SeriesRequest, { metric }: Asked) {
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

async function readAll(tx: Tx, request: SeriesRequest, some: readonly Asked[]): Promise<void> {
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
    if (one) take(one, data)
  }
}

/** Reads from the end that counts, until every series has enough. */
async function readLimited(tx: Tx, request: SeriesRequest, some: readonly Asked[]): Promise<void> {
  const isLast = request.limit?.side === 'last'
  for (const one of some) {
    let after: number | null = null
    for (let full = true; full && [...one.sinks.values()].some((sink) => !sink.isFull);) {
      let page = chunksIn(tx, request, one).where('sourceId', '=', one.id)
      if (after !== null) page = page.where('slot', isLast ? '<' : '>', after)
      const rows = await page
        .orderBy('slot', isLast ? 'desc' : 'asc')
        .limit(rowsOfLimited)
        .execute()
      for (const { data } of rows) take(one, data)
      after = rows.at(-1)?.slot ?? null
      full = rows.length === rowsOfLimited
    }
  }
}

function take({ sinks }: Asked, data: Uint8Array): void {
  const blocks = readBlocks(data, (series) => sinks.get(series)?.isFull === false)
  for (const sink of sinks.values()) sink.turn()
  for (const block of blocks) for (const part of block.parts) sinks.get(part.series)?.add(block, part)
}
