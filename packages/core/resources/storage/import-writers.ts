/**
 * Tracks the servers that write the blocks of an import. In one process a lock is enough. If several servers share a
 * database, each holds a lease on every import that it writes, and the end of the import waits until no other does,
 * so that no write comes after it.
 */
import type { World } from '#/context.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

const leaseMs = 10_000
// A write takes no longer than this.
const renewMs = 5_000
// After this time without a write, the others need not wait.
const idleMs = 1_000
const pollMs = 100
// The end of an import may fail.
const endMs = 60_000

export interface ImportWriters {
  /** Runs a write of blocks; returns once other servers see it. Throws 503 if another is about to end the import. */
  write: (diskId: string, write: Write) => Promise<void>
  /** Runs the end of an import once no other server writes it. Throws 503 if another is about to end it. */
  end: (diskId: string, work: () => Promise<void>) => Promise<void>
}
interface Write {
  /** Throws unless the actor may write into the disk. */
  check: () => Promise<unknown>
  /** Writes, if the disk is still being imported, and returns the layer that it wrote to. */
  work: () => Promise<string>
}
interface Held {
  until: number
  writing: number
  lastAt: number
}

/** The writers of a world's imports: the same ones for every caller. */
export const importWritersOf: (world: World) => ImportWriters = memoizeByObject((world: World) =>
  world.engine.changes ? alone : createWriters(world),
)

/** No other process uses the database. */
const alone: ImportWriters = {
  write: async (_disk, { work }) => void (await work()),
  end: (_disk, work) => work(),
}

const leaseName = (diskId: string, holder: string) => `import ${diskId} ${holder}`
const endName = (diskId: string) => `end of import ${diskId}`

function createWriters(world: World): ImportWriters {
  const { engine, clock } = world
  const holder = world.ids.uuid()
  const held = new Map<string, Held>()
  const flush = createFlusher((layerId) => world.blobs.flush(layerId))

  async function take(diskId: string, check: () => Promise<unknown>): Promise<Held> {
    const known = held.get(diskId)
    if (known && known.until - clock.now() > renewMs) return known
    await check()
    const until = clock.now() + leaseMs
    await engine.transaction('write', async (tx) => {
      if (await isLive(tx, endName(diskId), clock.now())) throw isEnding()
      await setLease(tx, { name: leaseName(diskId, holder), holder, until })
    })
    const now = held.get(diskId) ?? { until, writing: 0, lastAt: clock.now() }
    if (!held.has(diskId)) clock.after(idleMs, () => releaseIfIdle(diskId))
    now.until = Math.max(now.until, until)
    held.set(diskId, now)
    return now
  }

  function releaseIfIdle(diskId: string): void {
    const one = held.get(diskId)
    if (!one) return
    const isIdle = one.writing === 0 && clock.now() - one.lastAt >= idleMs
    if (!isIdle) return void clock.after(idleMs, () => releaseIfIdle(diskId))
    held.delete(diskId)
    const forget = engine.transaction('write', (tx) => drop(tx, leaseName(diskId, holder)))
    // It expires.
    forget.catch((error: unknown) =>
      world.log.warn({ error: String(error) }, 'lease of an import not released'),
    )
  }

  // The state of the disk is read once the lease is held: an end that came before has changed it.
  async function write(diskId: string, { check, work }: Write): Promise<void> {
    const lease = await take(diskId, check)
    lease.writing++
    try {
      await flush(await work())
    } finally {
      lease.writing--
      lease.lastAt = clock.now()
    }
  }

  async function end(diskId: string, work: () => Promise<void>): Promise<void> {
    const name = endName(diskId)
    await engine.transaction('write', async (tx) => {
      if (await isLive(tx, name, clock.now())) throw isEnding()
      await setLease(tx, { name, holder, until: clock.now() + endMs })
      await drop(tx, leaseName(diskId, holder))
    })
    held.delete(diskId)
    try {
      while (await engine.transaction('read', (tx) => isWritten(tx, diskId, clock.now())))
        await new Promise<void>((resolve) => clock.after(pollMs, resolve))
      await work()
    } finally {
      // If that fails, it expires.
      await engine.transaction('write', (tx) => drop(tx, name)).catch(() => undefined)
    }
  }

  return { write, end }
}

const isEnding = () => fault.unavailable('the import is about to end')

async function isLive(tx: Tx, name: string, now: number): Promise<boolean> {
  const row = await tx.selectFrom('lease').select('until').where('name', '=', name).executeTakeFirst()
  return row !== undefined && row.until > now
}

/** True while any server has a lease on the import. */
async function isWritten(tx: Tx, diskId: string, now: number): Promise<boolean> {
  const row = await tx
    .selectFrom('lease')
    .select('name')
    // From the space that follows the id up to the character after a space.
    .where('name', '>', `import ${diskId} `)
    .where('name', '<', `import ${diskId}!`)
    .where('until', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function setLease(tx: Tx, row: { name: string; holder: string; until: number }): Promise<void> {
  await tx
    .insertInto('lease')
    .values(row)
    .onConflict((on) => on.column('name').doUpdateSet({ until: row.until, holder: row.holder }))
    .execute()
}

async function drop(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('lease').where('name', '=', name).execute()
}

/** Flushes of one layer that are requested while another is running become one. */
function createFlusher(flush: (layerId: string) => Promise<void>): (layerId: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()
  const start = (layerId: string): Promise<void> => {
    const one = flush(layerId).finally(() => running.delete(layerId))
    running.set(layerId, one)
    return one
  }
  return (layerId) => {
    const current = running.get(layerId)
    if (!current) return start(layerId)
    const known = waiting.get(layerId)
    if (known) return known
    const next = current
      .catch(() => undefined)
      .then(() => {
        waiting.delete(layerId)
        return start(layerId)
      })
    waiting.set(layerId, next)
    return next
  }
}
