/** Keeps the store small: merges the chunks of past hours and deletes old samples. */
import { dayMs, usageLimits } from '@purlin/contract/rules/usage/reports'
import type { Engine } from '#/db/engine.ts'
import { forgetUse } from '#/db/rows/usage-periods.ts'
import type { Tx } from '#/db/tables.ts'
import type { Checkpoint } from '#/concurrency/checkpoints.ts'
import { readBlocks } from './blocks.ts'
import { floorTo, hourMs, retentionMs, slotMs } from './store.ts'
import { replaceChunks } from './store-write.ts'

// Samples may arrive late. Those that arrive after the merge are merged by a later call.
const settledMs = 10 * 60_000
// Other transactions wait for each batch.
const chunksPerBatch = 100
const samplesPerBatch = 1000

/** Merges the chunks of each past hour. */
export async function mergeHours(engine: Engine, now: number, checkpoint: Checkpoint): Promise<void> {
  const before = floorTo(hourMs, now - settledMs)
  while ((await checkpoint()) && (await engine.transaction('write', (tx) => mergeSome(tx, before))));
}

/** Merges a batch; false if there is none. */
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
  await dropForgottenUsage(engine, checkpoint)
}

/** Deletes periods of use that ended too long ago for a report. */
export async function dropOldPeriods(engine: Engine, now: number, checkpoint: Checkpoint): Promise<void> {
  const before = now - usageLimits.keptDays * dayMs
  while ((await checkpoint()) && (await engine.transaction('write', (tx) => forgetUse(tx, before))));
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

/** Deletes the samples of the silos, projects and pools that are gone. */
async function dropForgottenUsage(engine: Engine, checkpoint: Checkpoint): Promise<void> {
  let last = ''
  while (await checkpoint()) {
    const ids = await engine.transaction('read', (tx) => sampledAfter(tx, last))
    last = ids.at(-1) ?? ''
    if (last === '') return
    for (const id of await engine.transaction('read', (tx) => withoutUsage(tx, ids)))
      while ((await checkpoint()) && (await engine.transaction('write', (tx) => dropSamplesOf(tx, id))));
  }
}

/** Some of the ids that have samples, in order: each is found in the index, without the samples between. */
async function sampledAfter(tx: Tx, last: string): Promise<string[]> {
  const rows = await tx
    .withRecursive('found(id)', (db) =>
      db
        .selectFrom('usageSample')
        .select((eb) => eb.fn.min<string | null>('usageSample.id').as('id'))
        .where('usageSample.id', '>', last)
        .unionAll(
          db
            .selectFrom('found')
            .select((eb) =>
              eb
                .selectFrom('usageSample')
                .select((one) => one.fn.min<string | null>('usageSample.id').as('id'))
                .whereRef('usageSample.id', '>', 'found.id')
                .as('id'),
            )
            .where('found.id', 'is not', null),
        ),
    )
    .selectFrom('found')
    .select('id')
    .limit(chunksPerBatch)
    .execute()
  return rows.flatMap(({ id }) => id ?? [])
}

async function withoutUsage(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('usage')
    .select('id')
    .where('id', 'in', ids)
    .unionAll(tx.selectFrom('ipPool').select('id').where('id', 'in', ids))
    .execute()
  const used = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !used.has(id))
}

/** Deletes a batch of the samples of an id; false if none are left. */
async function dropSamplesOf(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx
    .selectFrom('usageSample')
    .select(['metric', 'at'])
    .where('id', '=', id)
    .orderBy('metric')
    .orderBy('at')
    .limit(samplesPerBatch)
    .execute()
  for (const [metric, some] of Map.groupBy(rows, (row) => row.metric))
    await tx
      .deleteFrom('usageSample')
      .where('id', '=', id)
      .where('metric', '=', metric)
      .where('at', '<=', some.at(-1)?.at ?? 0)
      .execute()
  return rows.length === samplesPerBatch
}

/** Keeps the newest of the old samples, unless it is 0, because its value applies until the next sample. */
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
