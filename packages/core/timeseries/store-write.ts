/** Adding samples to the store. What is added twice is read once, so a crash between two pieces is harmless. */
import type { World } from '../context.ts'
import type { TimeseriesChunkTable, Tx } from '../db/tables.ts'
import { pieces } from '../pieces.ts'
import { joinBlocks, partOf, readBlocks, writeBlocks, type Block } from './blocks.ts'
import type { Distribution } from './model.ts'
import {
  floorTo,
  slotMs,
  sourceOf,
  targetFields,
  textOf,
  type Labels,
  type Source,
  type StoredName,
} from './store.ts'

/** What was measured of one source: one value of each series per time. */
export interface Measured {
  target: string
  /** every field of the target */
  fields: Labels
  /** when the counters began; null for gauges */
  start: number | null
  /** ms since 1970, oldest first, at least one */
  times: readonly number[]
  series: { metric: string; labels: Labels; values: readonly number[] | readonly Distribution[] }[]
}

type ChunkRow = TimeseriesChunkTable
const rowsPerStatement = 100

/** Adds samples that are later than those which their sources have. */
export async function addSamples(
  { ids }: Pick<World, 'ids'>,
  tx: Tx,
  measured: readonly Measured[],
): Promise<void> {
  const sources = await openSources(tx, measured, () =>
    ids.bytes(6).reduce((sum, byte) => sum * 256 + byte, 0),
  )
  const fresh = measured.flatMap((one, i) => {
    const open = sources[i]
    return open ? chunksOf(one, open) : []
  })
  const held = await chunksAt(tx, fresh)
  const rows = [...Map.groupBy(fresh, keyOf)].flatMap(([key, some]) => {
    const [first] = some
    const data = held.get(key)
    const blocks = [...(data ? readBlocks(data, () => true) : []), ...some.map((one) => one.block)]
    return first ? [rowOf(first, blocks)] : []
  })
  for (const some of pieces(rows, rowsPerStatement)) await putChunks(tx, some)
}

/** Which chunk. */
type Place = Omit<ChunkRow, 'data'>

const rowOf = ({ sourceId, slot, metric, span }: Place, blocks: readonly Block[]): ChunkRow => ({
  sourceId,
  slot,
  metric,
  span,
  data: writeBlocks(joinBlocks(blocks)),
})

/** Writes chunks; those that are there are replaced. */
async function putChunks(tx: Tx, rows: ChunkRow[]): Promise<void> {
  await tx
    .insertInto('timeseriesChunk')
    .values(rows)
    .onConflict((on) =>
      on.columns(['sourceId', 'slot', 'metric']).doUpdateSet((eb) => ({ data: eb.ref('excluded.data') })),
    )
    .execute()
}

const keyOf = ({ sourceId, slot, metric }: Pick<ChunkRow, 'sourceId' | 'slot' | 'metric'>): string =>
  `${sourceId} ${slot} ${metric}`

/** The data that is there of these chunks. */
async function chunksAt(tx: Tx, rows: readonly Place[]): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  for (const slot of new Set(rows.map((row) => row.slot))) {
    const sources = new Set(rows.filter((row) => row.slot === slot).map((row) => row.sourceId))
    for (const some of pieces([...sources], rowsPerStatement)) {
      const held = await tx
        .selectFrom('timeseriesChunk')
        .select(['sourceId', 'slot', 'metric', 'data'])
        .where('sourceId', 'in', some)
        .where('slot', '=', slot)
        .execute()
      for (const row of held) found.set(keyOf(row), row.data)
    }
  }
  return found
}

/** One chunk for each metric and slot of time. */
function chunksOf({ start, times, series }: Measured, { id, numbers }: Open): (Place & { block: Block })[] {
  const numbered = series.map((one, i) => ({ ...one, number: numbers[i] ?? 0 }))
  const byMetric = Map.groupBy(numbered, (one) => one.metric)
  const rows: (Place & { block: Block })[] = []
  for (const [slot, low, high] of slotsOf(times)) {
    const span = times.slice(low, high)
    const base = { times: span, starts: start === null ? null : span.map(() => start) }
    for (const [metric, some] of byMetric) {
      const parts = some.map(({ number, values }) => partOf(number, values.slice(low, high)))
      rows.push({ sourceId: id, slot, metric, span: slotMs, block: { ...base, parts } })
    }
  }
  return rows
}

/** Where the slots of time begin and end in a list of times. */
function slotsOf(times: readonly number[]): [slot: number, low: number, high: number][] {
  const slots: [number, number, number][] = []
  for (const [i, time] of times.entries()) {
    const slot = floorTo(slotMs, time)
    const last = slots.at(-1)
    if (last?.[0] === slot) last[2] = i + 1
    else slots.push([slot, i, i + 1])
  }
  return slots
}

/** The source of what was measured, and the numbers that its series have there, in their order. */
interface Open {
  id: number
  numbers: number[]
}

/** The sources of what was measured, in its order; made or added to where they do not know a series. */
async function openSources(tx: Tx, measured: readonly Measured[], newId: () => number): Promise<Open[]> {
  const keys = measured.map((one) =>
    JSON.stringify([one.target, ...fieldsOf(one).map((name) => one.fields[name])]),
  )
  const known = new Map<string, Source>()
  for (const some of pieces([...new Set(keys)], rowsPerStatement)) {
    const rows = await tx.selectFrom('timeseriesSource').selectAll().where('identity', 'in', some).execute()
    for (const row of rows) known.set(row.identity, sourceOf(row))
  }
  const opened: Open[] = []
  for (const [i, one] of measured.entries()) {
    const identity = keys[i] ?? ''
    const names = one.series.map(({ metric, labels }): StoredName => [metric, labels])
    const texts = names.map(textOf)
    const source = known.get(identity)
    const unknown = names.filter((_, n) => !source?.numbers.has(texts[n] ?? ''))
    const complete =
      source && unknown.length === 0
        ? source
        : await putSource(tx, one, {
            id: source?.id ?? newId(),
            isNew: !source,
            identity,
            seriesJson: JSON.stringify([...(source?.series ?? []), ...unknown]),
          })
    known.set(identity, complete)
    opened.push({ id: complete.id, numbers: texts.map((text) => complete.numbers.get(text) ?? 0) })
  }
  return opened
}

const fieldsOf = ({ target, series }: Measured): string[] => targetFields(`${target}:${series[0]?.metric}`)

/** Makes a source, or gives one that is there more series. */
async function putSource(
  tx: Tx,
  measured: Measured,
  { isNew, ...of }: { id: number; isNew: boolean; identity: string; seriesJson: string },
): Promise<Source> {
  const { target, fields } = measured
  const { id, seriesJson } = of
  const row = { ...of, target, fieldsJson: JSON.stringify(fields) }
  if (isNew) {
    await tx.insertInto('timeseriesSource').values(row).execute()
    const values = fieldsOf(measured).map((name) => ({
      target,
      name,
      value: String(fields[name]),
      sourceId: id,
    }))
    await tx.insertInto('timeseriesField').values(values).execute()
  } else await tx.updateTable('timeseriesSource').set({ seriesJson }).where('id', '=', id).execute()
  return sourceOf(row)
}

/** Puts one chunk of a longer span in the place of several. */
export async function replaceChunks(
  tx: Tx,
  { blocks, ...at }: Place & { blocks: readonly Block[] },
): Promise<void> {
  await tx
    .deleteFrom('timeseriesChunk')
    .where('sourceId', '=', at.sourceId)
    .where('slot', '>=', at.slot)
    .where('slot', '<', at.slot + at.span)
    .where('metric', '=', at.metric)
    .execute()
  await putChunks(tx, [rowOf(at, blocks)])
}
