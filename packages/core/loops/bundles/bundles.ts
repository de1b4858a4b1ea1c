/**
 * Collects support bundles and frees the room of those that were deleted. A server takes a bundle by a lease in its row, and
 * writes a file that only this attempt has: after a crash, the bundle is collected again from its start.
 */
import type { World } from '#/context.ts'
import { isOutage } from '#/db/engine.ts'
import { isBackupUnderWay } from '#/db/rows/backup-lease.ts'
import type { SupportBundleTable, Tx } from '#/db/tables.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { StorageFull } from '#/ports.ts'
import { bundlesOf } from '#/resources/bundles/bundle-files.ts'
import type { Loop } from '../loop.ts'
import { CannotCollect, Interrupted, writeZip, type Attempt } from './collect.ts'
import { contentOf } from './content.ts'

const kind = 'supportBundle'
const everyMs = 30_000
/** Longer than a source may keep its server waiting. */
const leaseMs = 60_000
const renewEveryMs = 5_000

/** The loop, of a server that reaches the hosts and the store. */
export function collectBundles(world: World): Loop {
  const { clock } = world
  const ends = new Set<() => void>()
  const onEnd: Attempt['onEnd'] = (then) => {
    ends.add(then)
    return () => ends.delete(then)
  }
  let isStopped = false
  return {
    name: 'bundles',
    async round() {
      await tidy(world)
      while (!isStopped) {
        const bundle = await take(world)
        if (!bundle) break
        await collect(world, bundle, { onEnd, isStopped: () => isStopped })
        await tidy(world)
      }
      return clock.now() + everyMs
    },
    stop() {
      isStopped = true
      for (const then of ends) then()
    },
  }
}

type Taken = SupportBundleTable & { fileId: string }

/** Takes the first bundle that no server collects. */
async function take({ engine, clock, ids }: World): Promise<Taken | undefined> {
  const due = (tx: Tx) =>
    tx
      .selectFrom(kind)
      .selectAll()
      .where('state', '=', 'collecting')
      .where('leaseUntil', '<=', clock.now())
      .orderBy('timeCreated')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  if (!(await engine.transaction('read', due))) return undefined
  const fileId = ids.uuid()
  return engine.transaction('write', async (tx) => {
    const row = await due(tx)
    if (!row) return undefined
    await tx
      .updateTable(kind)
      .set({ fileId, leaseUntil: clock.now() + leaseMs })
      .where('id', '=', row.id)
      .execute()
    return { ...row, fileId }
  })
}

/** Changes the row while it is that of this attempt. False if the bundle is not wanted from it any more. */
async function change(
  { engine }: World,
  { id, fileId }: Taken,
  changes: Partial<SupportBundleTable>,
): Promise<boolean> {
  // A failure for want of room is recorded as well.
  const { numUpdatedRows } = await evenWhileFull(() =>
    engine.transaction('write', (tx) =>
      tx
        .updateTable(kind)
        .set(changes)
        .where('id', '=', id)
        .where('fileId', '=', fileId)
        .where('state', '=', 'collecting')
        .executeTakeFirstOrThrow(),
    ),
  )
  return Number(numUpdatedRows) > 0
}

interface Around extends Pick<Attempt, 'onEnd'> {
  isStopped: () => boolean
}

async function collect(world: World, bundle: Taken, { onEnd, isStopped }: Around): Promise<void> {
  const { clock, log } = world
  const { id, fileId } = bundle
  let renewed = clock.now()
  const check = async () => {
    if (isStopped()) throw new Interrupted('the server ends')
    if (clock.now() < renewed + renewEveryMs) return
    renewed = clock.now()
    if (!(await change(world, bundle, { leaseUntil: renewed + leaseMs }))) throw new Interrupted('not wanted')
  }
  try {
    const size = await writeZip({ world, fileId, check, onEnd }, contentOf(world, bundle))
    await change(world, bundle, { state: 'active', size, leaseUntil: 0 })
    log.info({ bundle: id, size }, 'support bundle collected')
  } catch (error) {
    // Files that no row has are removed later too.
    await bundlesOf(world).files.remove(fileId)
    if (isOutage(error)) throw error
    if (error instanceof Interrupted) return void (await change(world, bundle, { leaseUntil: 0 }))
    log.error(
      { bundle: id, stack: error instanceof Error ? error.stack : String(error) },
      'support bundle failed',
    )
    await change(world, bundle, { state: 'failed', reasonForFailure: reasonOf(error), leaseUntil: 0 })
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CannotCollect) return error.message
  if (error instanceof StorageFull)
    return 'The volume of the data folder is full. Free some room, delete this bundle and collect another one.'
  return 'It could not be written. The log of the server says why.'
}

/** Deletes what is no longer needed, and notices files that are gone. */
async function tidy(world: World): Promise<void> {
  const { engine } = world
  const { files } = bundlesOf(world)
  const rows = (tx: Tx) => tx.selectFrom(kind).select(['id', 'state', 'fileId']).execute()
  // Rows of before the files: an active one has its file by then. Rows of after them: a file has its row before it has bytes.
  const before = await engine.transaction('read', rows)
  const stored = new Set(await files.list())
  const after = await engine.transaction('read', rows)
  const lost = before.filter(({ state, fileId }) => state === 'active' && !stored.has(fileId ?? ''))
  const unwanted = after.filter(({ state }) => state === 'destroying')
  const kept = new Set(after.filter((row) => !unwanted.includes(row)).map(({ fileId }) => fileId))
  const unneeded = [...stored].filter((fileId) => !kept.has(fileId))
  // A later round does it.
  if (unneeded.length > 0 && (await isBackupUnderWay(world))) return
  for (const fileId of unneeded) await files.remove(fileId)
  if (lost.length + unwanted.length === 0) return
  await evenWhileFull(() =>
    engine.transaction('write', async (tx) => {
      for (const { id } of unwanted) await tx.deleteFrom(kind).where('id', '=', id).execute()
      for (const { id } of lost)
        await tx
          .updateTable(kind)
          .set({
            state: 'failed',
            reasonForFailure: 'Its file is gone from the data folder. Collect another one.',
          })
          .where('id', '=', id)
          .where('state', '=', 'active')
          .execute()
    }),
  )
}
