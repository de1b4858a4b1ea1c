/** SHA-256 of new images, read through their layers piece by piece. A crash only means to begin again. */
import type { Selectable } from 'kysely'
import type { World } from '../context.ts'
import type { ImageTable, Tx } from '../db/tables.ts'
import { chainOf } from '../resources/layer.ts'
import type { Loop } from './loop.ts'

const everyMs = 60 * 60_000
const pieceSize = 1024 * 1024
// Another server takes an image over whose claim has run out.
const claimMs = 5 * 60_000

type Image = Selectable<ImageTable>

export function computeDigests(world: World): Loop {
  const { engine, clock } = world
  let stopped = false

  async function round(): Promise<number> {
    for (;;) {
      const claimed = await engine.transaction('write', (tx) => claim(tx, clock.now()))
      if (!claimed) break
      const digest = await digestOf(claimed)
      // Unfinished work is due at once for whoever comes next.
      const set = digest === null ? { digestDueAt: clock.now() } : { digest, digestDueAt: null }
      await update(claimed.image, set)
      if (digest === null) break
    }
    return (await engine.transaction('read', nextDue)) ?? clock.now() + everyMs
  }

  /** Null if it was broken off. */
  async function digestOf({ image, chain }: Claimed): Promise<string | null> {
    const hash = world.sha256()
    let renewAt = clock.now() + claimMs / 2
    for (let at = 0; at < image.size; at += pieceSize) {
      if (stopped) return null
      hash.update(await world.blobs.read(chain, at, Math.min(pieceSize, image.size - at)))
      if (clock.now() < renewAt) continue
      renewAt = clock.now() + claimMs / 2
      await update(image, { digestDueAt: clock.now() + claimMs })
    }
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
  chain: string[]
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
    .set({ digestDueAt: now + claimMs })
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
