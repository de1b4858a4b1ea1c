/** Keeps the store small: merges the chunks of past hours and deletes old samples. */
import type { Engine } from '#/db/engine.ts'
import type { Tx } from '#/db/tables.ts'
import type { Checkpoint } from '#/concurrency/checkpoints.ts'
import { readBlocks } from './blocks.ts'
import { floorTo, hourMs, retentionMs, slotMs } from './store.ts'
import { replaceChunks } from './store-write.ts'

// Samples may arrive late. Those that arrive after the merge are merged by a later call.
const settledMs = 10 * 60_000
// Other transactions wait for each batch.
const chunksPerBatch = 100

/** Merges the chunks of each past hour. */
export async function mergeHours(engine: Engine, now: number, checkpoint: Checkpoint): Promise<void> {
  const before = floorTo(hourMs, now - settledMs)
  while ((await checkpoint()) && (await engine.transaction('write', (tx) => mergeSome(tx, before))));
}

/** Merges a batch; false if there is nothing to merge. */
async function mergeSome(tx: Tx, before: number): Promise<boolean> {
  const oldest = await oldestSlot(tx, slotMs)
  if (oldest === null || oldest >= before) return false
  const hour = floorTo(hourMs, oldest)
  const sources = await sourcesAt(tx, slotMs, oldest)
  const rows = await tx
    .selectFrom('timeseriesChunk')
    .selectAll()
    .where('sourceId', 'in', sources)
    .where('slot', '>=', hour)
    .where('slot', '<', hour + hourMs)
    .orderBy('slot')
    .execute()
  for (const some of Map.groupBy(rows, (row) => `${row.sourceId} ${row.metric}`).values()) {
    const [first] = some
    if (!first) continue
    const blocks = some.flatMap((row) => readBlocks(row.data, () => true))
    await replaceChunks(tx, {
      sourceId: first.sourceId,
      metric: first.metric,
      slot: hour,
      span: hourMs,
      blocks,
    })
  }
  return true
}

const oldestSlot = async (tx: Tx, span: number): Promise<number | null> =>
  (
    await tx
      .selectFrom('timeseriesChunk')
      .select('slot')
      .where('span', '=', span)
      .orderBy('slot')
      .limit(1)
      .executeTakeFirst()
  )?.slot ?? null

/** A batch of the sources that have a chunk of this span at this slot. */
async function sourcesAt(tx: Tx, span: number, slot: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('timeseriesChunk')
    .select('sourceId')
    .where('span', '=', span)
    .where('slot', '=', slot)
    .orderBy('sourceId')
    .limit(chunksPerBatch)
    .execute()
  return [...new Set(rows.map((row) => row.sourceId))]
}

/** Deletes samples past their retention period, and sources without samples. */
export async function dropOld(engine: Engine, now: number, checkpoint: Checkpoint): Promise<void> {
  const horizon = now - retentionMs
  while ((await checkpoint()) && (await engine.transaction('write', (tx) => dropSome(tx, horizon))));
  if (await checkpoint()) await engine.transaction('write', (tx) => dropOldUsage(tx, horizon))
}

async function dropSome(tx: Tx, horizon: number): Promise<boolean> {
  const slot = await oldestSlot(tx, hourMs)
  if (slot === null || slot + hourMs > horizon) return false
  const sources = await sourcesAt(tx, hourMs, slot)
  await tx.deleteFrom('timeseriesChunk').where('sourceId', 'in', sources).where('slot', '=', slot).execute()
  const live = await tx
    .selectFrom('timeseriesChunk')
    .select('sourceId')
    .distinct()
    .where('sourceId', 'in', sources)
    .execute()
  const gone = sources.filter((id) => !live.some((row) => row.sourceId === id))
  if (gone.length > 0) {
    await tx.deleteFrom('timeseriesField').where('sourceId', 'in', gone).execute()
    await tx.deleteFrom('timeseriesSource').where('id', 'in', gone).execute()
  }
  return true
}

/** Keeps the newest of the old samples, unless it is 0, because its value holds until the next sample. */
async function dropOldUsage(tx: Tx, horizon: number): Promise<void> {
  await tx
    .deleteFrom('usageSample')
    .where('at', '<', horizon)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('usageSample as newer')
          .select('newer.at')
          .whereRef('newer.id', '=', 'usageSample.id')
          .whereRef('newer.metric', '=', 'usageSample.metric')
          .whereRef('newer.at', '>', 'usageSample.at')
          .where('newer.at', '<=', horizon),
      ),
    )
    .execute()
  await tx.deleteFrom('usageSample').where('at', '<', horizon).where('value', '=', 0).execute()
}
