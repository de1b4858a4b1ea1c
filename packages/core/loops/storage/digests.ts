/** SHA-256 of new images, read through their layers in chunks. After a crash it starts again. */
import type { Selectable } from 'kysely'
import { startSharingTime } from '#/concurrency/checkpoints.ts'
import type { World } from '#/context.ts'
import type { ImageTable, Tx } from '#/db/tables.ts'
import { BytesMissing, LayerOpen, type Layer } from '#/ports.ts'
import { chainOf, requireBytes } from '#/resources/storage/layers.ts'
import { takeOverMs } from '#/db/rows/leases.ts'
import type { Loop } from '../loop.ts'

const everyMs = 60 * 60_000
const chunkSize = 1024 * 1024

type Image = Selectable<ImageTable>

export function computeDigests(world: World): Loop {
  const { engine, clock } = world
  let stopped = false

  async function round(): Promise<number> {
    // Another server reads the images.
    if (world.blobs.unreachable !== undefined) return clock.now() + everyMs
    for (;;) {
      const claimed = await engine.transaction('write', (tx) => claim(tx, clock.now()))
      if (!claimed) break
      const digest = await digestOf(claimed).catch((error: unknown) => later(claimed, error))
      if (digest === 'later') continue
      // Unfinished work is due immediately, for any server.
      const set = digest === null ? { digestDueAt: clock.now() } : { digest, digestDueAt: null }
      await update(claimed.image, set)
      if (digest === null) break
    }
    const latest = clock.now() + (world.lookMs ?? everyMs)
    return Math.min((await engine.transaction('read', nextDue)) ?? latest, latest)
  }

  /** An image with bytes that cannot be read must not delay the others. */
  async function later({ image }: Claimed, error: unknown): Promise<'later'> {
    if (error instanceof BytesMissing)
      world.log.error(
        { image: image.id, layers: error.layers },
        'no digest of an image: its bytes are missing',
      )
    else if (error instanceof LayerOpen)
      world.log.error(
        { image: image.id, layer: error.layer },
        'no digest of an image yet: a machine has its bytes open',
      )
    else throw error
    await update(image, { digestDueAt: clock.now() + everyMs })
    return 'later'
  }

  /** Null if it was interrupted. */
  async function digestOf({ image, chain }: Claimed): Promise<string | null> {
    const hash = world.sha256()
    const rest = startSharingTime()
    let renewAt = clock.now() + takeOverMs / 2
    for (let at = 0; at < image.size; at += chunkSize) {
      if (stopped) return null
      const length = Math.min(chunkSize, image.size - at)
      hash.update(await world.blobs.read(chain, at, length))
      await rest()
      if (clock.now() < renewAt) continue
      renewAt = clock.now() + takeOverMs / 2
      await update(image, { digestDueAt: clock.now() + takeOverMs })
    }
    await requireBytes(world, chain)
    return hash.hex()
  }

  async function update({ id }: Image, set: Partial<Image>): Promise<void> {
    await engine.transaction('write', async (tx) => {
      await tx.updateTable('image').set(set).where('id', '=', id).execute()
    })
  }

  return { name: 'digests', round, stop: () => (stopped = true) }
}

interface Claimed {
  image: Image
  chain: Layer[]
}

async function claim(tx: Tx, now: number): Promise<Claimed | null> {
  const image = await tx
    .selectFrom('image')
    .selectAll()
    .where('digestDueAt', '<=', now)
    .orderBy('digestDueAt')
    .limit(1)
    .executeTakeFirst()
  if (!image) return null
  await tx
    .updateTable('image')
    .set({ digestDueAt: now + takeOverMs })
    .where('id', '=', image.id)
    .execute()
  return { image, chain: await chainOf(tx, image.layerId) }
}

async function nextDue(tx: Tx): Promise<number | null> {
  const row = await tx
    .selectFrom('image')
    .select('digestDueAt')
    .where('digestDueAt', 'is not', null)
    .orderBy('digestDueAt')
    .limit(1)
    .executeTakeFirst()
  return row?.digestDueAt ?? null
}
