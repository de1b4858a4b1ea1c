/** Adds samples to the store. Samples that are added twice are read once, so adding them again after a crash is safe. */
import type { World } from '#/context.ts'
import type { TimeseriesChunkTable, Tx } from '#/db/tables.ts'
import { batches } from '#/db/batches.ts'
import { joinBlocks, partOf, readBlocks, writeBlocks, type Block } from './blocks.ts'
import type { Distribution } from '#/ports.ts'
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

/** The samples of one source: one value of each series per time. */
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

/** Adds samples. Those that are not later than the stored ones of their source are ignored. */
export async function addSamples(
  { ids }: Pick<World, 'ids'>,
  tx: Tx,
  measured: readonly Measured[],
): Promise<void> {
  const sources = await ensureSources(tx, measured, () =>
    ids.bytes(6).reduce((sum, byte) => sum * 256 + byte, 0),
  )
  const fresh = measured.flatMap((one, i) => {
    const open = sources[i]
    return open ? chunksOf(one, open) : []
  })
  const held = await readChunks(tx, fresh)
  const rows = [...Map.groupBy(fresh, keyOf)].flatMap(([key, some]) => {
    const [first] = some
    const data = held.get(key)
    const blocks = [...(data ? readBlocks(data, () => true) : []), ...some.map((one) => one.block)]
    return first ? [rowOf(first, blocks)] : []
  })
  for (const some of batches(rows, rowsPerStatement)) await putChunks(tx, some)
}

/** The key of a chunk, and its span. */
type ChunkKey = Omit<ChunkRow, 'data'>

const rowOf = ({ sourceId, slot, metric, span }: ChunkKey, blocks: readonly Block[]): ChunkRow => ({
  sourceId,
  slot,
  metric,
  span,
  data: writeBlocks(joinBlocks(blocks)),
})

/** Writes chunks, replacing existing ones. */
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

/** The stored data of these chunks. */
async function readChunks(tx: Tx, rows: readonly ChunkKey[]): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  for (const slot of new Set(rows.map((row) => row.slot))) {
    const sources = new Set(rows.filter((row) => row.slot === slot).map((row) => row.sourceId))
    for (const some of batches([...sources], rowsPerStatement)) {
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
function chunksOf(
  { start, times, series }: Measured,
  { id, numbers }: NumberedSource,
): (ChunkKey & { block: Block })[] {
  const numbered = series.map((one, i) => ({ ...one, number: numbers[i] ?? 0 }))
  const byMetric = Map.groupBy(numbered, (one) => one.metric)
  const rows: (ChunkKey & { block: Block })[] = []
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

/** The slots of a list of times, each with its range of indices. */
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

/** The id of a source, and the numbers of the measured series in it. */
interface NumberedSource {
  id: number
  numbers: number[]
}

/** The sources of the samples, in the same order. Creates missing sources and adds missing series to them. */
async function ensureSources(
  tx: Tx,
  measured: readonly Measured[],
  newId: () => number,
): Promise<NumberedSource[]> {
  const keys = measured.map((one) =>
    JSON.stringify([one.target, ...fieldsOf(one).map((name) => one.fields[name])]),
  )
  const known = new Map<string, Source>()
  for (const some of batches([...new Set(keys)], rowsPerStatement)) {
    const rows = await tx.selectFrom('timeseriesSource').selectAll().where('identity', 'in', some).execute()
    for (const row of rows) known.set(row.identity, sourceOf(row))
  }
  const opened: NumberedSource[] = []
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

/** Creates a source, or stores the extended list of series of an existing one. */
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

/** Replaces several chunks by one of a longer span. */
export async function replaceChunks(
  tx: Tx,
  { blocks, ...at }: ChunkKey & { blocks: readonly Block[] },
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
